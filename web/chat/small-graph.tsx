import { useMemo } from 'preact/hooks';
import { visibleText } from '../parts/text.js';
import { colorsOf } from '../views/graph/colors.js';
import { openNode } from './actions.js';
import { height, layOut, width } from './lay-out.js';
import { shortLabel } from './short-label.js';
import type { GraphShown } from './shown.js';

const labelLength = 24;

/** A picture of few nodes; each opens with a click or with Enter. */
export function SmallGraph({ shown }: { readonly shown: Pick<GraphShown, 'surface' | 'page'> }) {
  const { nodes, lines } = useMemo(() => layOut(shown.page), [shown.page]);
  const counts = new Map<string, number>();
  for (const { type } of nodes) counts.set(type ?? '', (counts.get(type ?? '') ?? 0) + 1);
  const colors = colorsOf(counts);
  return (
    <svg class="small-graph" viewBox={`0 0 ${width} ${height}`}>
      <title>Graph</title>
      {lines.map(({ from, to, type }, index) => (
        <line key={index} x1={from.x} y1={from.y} x2={to.x} y2={to.y}>
          <title>{visibleText(`${from.name} ${type} ${to.name}`)}</title>
        </line>
      ))}
      {nodes.map(({ name, type, x, y }) => {
        const open = () => void openNode(shown, type === undefined ? { name } : { name, type });
        return (
          // biome-ignore lint/a11y/useSemanticElements: SVG has no buttons.
          <g
            key={JSON.stringify([type, name])}
            role="button"
            tabindex={0}
            onClick={open}
            onKeyDown={(event) => {
              if (event.key === 'Enter' || event.key === ' ') open();
            }}
          >
            <rect x={x - 30} y={y - 10} width={60} height={34} fill="transparent" />
            <circle cx={x} cy={y} r={7} fill={colors.get(type ?? '') ?? '#888888'}>
              <title>{visibleText(name)}</title>
            </circle>
            <text x={x} y={y + 20}>
              {shortLabel(name, labelLength)}
            </text>
          </g>
        );
      })}
    </svg>
  );
}
