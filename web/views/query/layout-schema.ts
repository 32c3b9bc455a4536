import type { Schema, SchemaEdge, SchemaType } from './parse-schema.js';

export interface Box {
  readonly type: SchemaType;
  readonly x: number;
  readonly y: number;
  readonly height: number;
}

export interface Line {
  readonly label: string;
  readonly path: string;
  readonly x: number;
  readonly y: number;
}

export interface SchemaLayout {
  readonly boxes: readonly Box[];
  readonly lines: readonly Line[];
  readonly width: number;
  readonly height: number;
}

export const boxWidth = 190;
export const rowHeight = 18;
export const mostRows = 12;
const headHeight = 28;
const columnGap = 150;
const boxGap = 28;
const margin = 8;

/** Types in columns, so that edges lead to the right where they can. */
export function layoutSchema({ types, edges }: Schema): SchemaLayout {
  const columns = columnsOf(types, edges);
  const bottoms = new Map<number, number>();
  const boxes = new Map<string, Box>();
  for (const type of types) {
    const column = columns.get(type.name) ?? 0;
    const y = bottoms.get(column) ?? margin;
    const shown = Math.min(type.properties.length, mostRows + 1);
    const height = headHeight + shown * rowHeight + 8;
    boxes.set(type.name, { type, x: margin + column * (boxWidth + columnGap), y, height });
    bottoms.set(column, y + height + boxGap);
  }
  const sides = new Sides();
  const lines = edges.flatMap(({ name, from, to }) => {
    const [start, end] = [boxes.get(from), boxes.get(to)];
    return start === undefined || end === undefined ? [] : [{ label: name, ...curve(start, end, sides) }];
  });
  const last = Math.max(0, ...columns.values());
  return {
    boxes: [...boxes.values()],
    lines,
    width: 2 * margin + last * (boxWidth + columnGap) + boxWidth + columnGap / 2,
    height: Math.max(...bottoms.values(), 60),
  };
}

/** One column further than everything that leads to a type; what leads back in a circle does not count. */
function columnsOf(types: readonly SchemaType[], edges: readonly SchemaEdge[]): ReadonlyMap<string, number> {
  const columns = new Map<string, number>();
  const visiting = new Set<string>();
  const place = (name: string): number => {
    const known = columns.get(name);
    if (known !== undefined) return known;
    visiting.add(name);
    const before = edges.filter(({ from, to }) => to === name && !visiting.has(from));
    const column = Math.max(-1, ...before.map(({ from }) => place(from))) + 1;
    visiting.delete(name);
    columns.set(name, column);
    return column;
  };
  for (const { name } of types) place(name);
  return columns;
}

/** The lines at each side of a box begin and end below each other. */
class Sides {
  readonly #used = new Map<string, number>();

  next({ type, y, height }: Box, side: 'left' | 'right'): number {
    const key = `${side} ${type.name}`;
    const count = this.#used.get(key) ?? 0;
    this.#used.set(key, count + 1);
    return y + Math.min(14 + count * rowHeight, height - 6);
  }
}

function curve(start: Box, end: Box, sides: Sides): Pick<Line, 'path' | 'x' | 'y'> {
  const [startSide, endSide] = [
    end.x < start.x ? 'left' : 'right',
    end.x > start.x ? 'left' : 'right',
  ] as const;
  const y1 = sides.next(start, startSide);
  const y2 = sides.next(end, endSide);
  const x1 = startSide === 'left' ? start.x : start.x + boxWidth;
  const x2 = endSide === 'left' ? end.x : end.x + boxWidth;
  const bend = end.x === start.x ? columnGap / 2.5 : Math.abs(x2 - x1) / 2;
  const c1 = startSide === 'left' ? x1 - bend : x1 + bend;
  const c2 = endSide === 'left' ? x2 - bend : x2 + bend;
  return {
    path: `M${x1},${y1} C${c1},${y1} ${c2},${y2} ${x2},${y2}`,
    x: (x1 + 3 * c1 + 3 * c2 + x2) / 8,
    y: (y1 + y2) / 2,
  };
}
