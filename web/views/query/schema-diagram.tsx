import { ScrollBox } from '../../parts/scroll-box.js';
import { visibleText } from '../../parts/text.js';
import { linkTo } from '../../state/address.js';
import { type Box, boxWidth, layoutSchema, mostRows, rowHeight } from './layout-schema.js';
import type { Schema, SchemaProperty } from './parse-schema.js';

const longestName = 24;

/** The types of a schema as boxes, its edges as arrows between them. */
export function SchemaDiagram({ schema }: { readonly schema: Schema }) {
  const { boxes, lines, width, height } = layoutSchema(schema);
  return (
    <ScrollBox label="Diagram of the schema">
      <svg class="schema-diagram" width={width} height={height} viewBox={`0 0 ${width} ${height}`}>
        <title>Types and their relations</title>
        <defs>
          <marker
            id="arrow"
            viewBox="0 0 8 8"
            refX="8"
            refY="4"
            markerWidth="8"
            markerHeight="8"
            orient="auto"
          >
            <path d="M0,0 L8,4 L0,8 z" />
          </marker>
        </defs>
        {lines.map(({ path }, index) => (
          <path key={index} class="edge" d={path} marker-end="url(#arrow)" />
        ))}
        {boxes.map((box) => (
          <TypeBox key={box.type.name} box={box} />
        ))}
        {lines.map(({ label, x, y }, index) => (
          <text key={index} class="edge-label" x={x} y={y + 4} text-anchor="middle">
            {short(label)}
          </text>
        ))}
      </svg>
    </ScrollBox>
  );
}

function TypeBox({ box: { type, x, y, height } }: { readonly box: Box }) {
  const { name, kind, properties } = type;
  const hidden = properties.length - mostRows;
  return (
    <g transform={`translate(${x},${y})`}>
      <rect class={kind} width={boxWidth} height={height} rx={5} />
      <a href={linkTo('search', [], { type: name })}>
        <text class="type-name" x={10} y={19}>
          {short(name)}
        </text>
      </a>
      {kind === 'interface' && (
        <text class="kind" x={boxWidth - 10} y={19} text-anchor="end">
          interface
        </text>
      )}
      {properties.slice(0, mostRows).map((property, index) => (
        <text key={property.name} x={10} y={41 + index * rowHeight}>
          {propertyText(property)}
        </text>
      ))}
      {hidden > 0 && (
        <text x={10} y={41 + mostRows * rowHeight}>
          and {hidden} more
        </text>
      )}
    </g>
  );
}

function propertyText({ name, type, isKey }: SchemaProperty): string {
  return short(`${isKey ? '⚷ ' : ''}${name}: ${type}`);
}

function short(text: string): string {
  return visibleText(text.length > longestName ? `${text.slice(0, longestName - 1)}…` : text);
}
