import { visibleText } from '../../parts/text.js';
import { type GraphFilter, hidesEdge, hidesNode } from './graph-filter.js';
import type { DrawnGraph } from './graph-model.js';

interface Style {
  readonly colors: ReadonlyMap<string, string>;
  readonly text: string;
  readonly ground: string;
  readonly filter: GraphFilter;
}

const width = 1_600;
const height = 1_000;
const margin = 60;

/** The drawing, as far as it is not filtered, as an SVG document. */
export function svgOf(graph: DrawnGraph, { colors, text, ground, filter }: Style): string {
  const nodes = graph.mapNodes((_, node) => node).filter((node) => !hidesNode(filter, node));
  const xs = nodes.map(({ x }) => x);
  const ys = nodes.map(({ y }) => y);
  const [left, right] = [lowest(xs), -lowest(xs.map((x) => -x))];
  const [top, bottom] = [lowest(ys), -lowest(ys.map((y) => -y))];
  const scale = Math.min(
    (width - 2 * margin) / Math.max(1, right - left),
    (height - 2 * margin) / Math.max(1, bottom - top),
  );
  const place = ({ x, y }: { readonly x: number; readonly y: number }) =>
    [margin + (x - left) * scale, height - margin - (y - top) * scale].map((at) => at.toFixed(1));
  const lines = graph.mapEdges((_, edge, _source, _target, start, end) => {
    if (hidesEdge(filter, edge) || hidesNode(filter, start) || hidesNode(filter, end)) return '';
    const [x1, y1] = place(start);
    const [x2, y2] = place(end);
    return `<line x1="${x1}" y1="${y1}" x2="${x2}" y2="${y2}"><title>${escaped(edge.relation)}</title></line>`;
  });
  const circles = nodes.map((node) => {
    const [x, y] = place(node);
    const color = colors.get(node.type) ?? '#888888';
    return (
      `<circle cx="${x}" cy="${y}" r="${node.size.toFixed(1)}" fill="${color}"/>` +
      `<text x="${Number(x) + node.size + 3}" y="${Number(y) + 4}">${escaped(node.label)}</text>`
    );
  });
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" viewBox="0 0 ${width} ${height}">`,
    `<rect width="100%" height="100%" fill="${ground}"/>`,
    `<g stroke="#8a939c" stroke-opacity="0.6">${lines.join('')}</g>`,
    `<g font-family="system-ui, sans-serif" font-size="12" fill="${text}">${circles.join('')}</g>`,
    '</svg>',
  ].join('\n');
}

export async function saveSvg(svg: string, name: string): Promise<void> {
  save(new Blob([svg], { type: 'image/svg+xml' }), `${name}.svg`);
}

export async function savePng(svg: string, name: string): Promise<void> {
  const url = URL.createObjectURL(new Blob([svg], { type: 'image/svg+xml' }));
  try {
    const picture = new Image();
    picture.src = url;
    await picture.decode();
    const canvas = document.createElement('canvas');
    canvas.width = 2 * width;
    canvas.height = 2 * height;
    canvas.getContext('2d')?.drawImage(picture, 0, 0, canvas.width, canvas.height);
    const blob = await new Promise<Blob | null>((resolve) => canvas.toBlob(resolve));
    if (blob !== null) save(blob, `${name}.png`);
  } finally {
    URL.revokeObjectURL(url);
  }
}

function save(blob: Blob, name: string): void {
  const link = document.createElement('a');
  link.href = URL.createObjectURL(blob);
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 10_000);
}

function lowest(values: readonly number[]): number {
  return values.reduce((low, value) => Math.min(low, value), Number.POSITIVE_INFINITY);
}

const entities: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' };

/** XML has no place for control characters, and for two others that nobody would see. */
function escaped(text: string): string {
  return visibleText(text).replaceAll(/[&<>"\ufffe\uffff]/g, (character) => entities[character] ?? '\ufffd');
}
