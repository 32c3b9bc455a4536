import { ownValue } from '../../model/is-record.js';
import { type Json, type Props, parseJsonOrUndefined } from '../../model/json.js';
import type { Provenance } from '../../model/provenance.js';
import { isJson, isProps } from '../../store/jsonl/lines/line-keys.js';
import type { ImportItem, ImportPlace } from '../import-format.js';
import type { ColumnMapping } from './column-mapping.js';

export interface TableRow {
  readonly place: ImportPlace;
  readonly origin: Provenance;
  /** By column; a missing or null value says nothing. */
  readonly cells: Readonly<Record<string, unknown>>;
}

interface RowDefaults {
  readonly type: string;
  readonly relation: string;
}

/** One node and the edges its cells name; or one edge. */
export function* rowItems(
  { place, origin, cells }: TableRow,
  mapping: ColumnMapping,
  defaults: RowDefaults,
): Generator<ImportItem> {
  const row = new MappedRow(cells, mapping);
  const unreadable = (reason: string): ImportItem => ({ kind: 'unreadable', ...place, reason });
  if (row.problem !== undefined) return yield unreadable(row.problem);
  const { props } = row;
  if (row.has('from') || row.has('to')) {
    const [from, to] = [row.text('from'), row.text('to')];
    if (from === undefined || to === undefined) return yield unreadable('has no value for "from" or "to"');
    const type = row.text('relation') ?? defaults.relation;
    const weight = row.text('weight');
    const key = row.text('key') ?? '';
    yield {
      ...{ kind: 'edge', ...place, from, to, type, key, props, provenance: origin },
      ...(weight === undefined ? {} : { weight: Number(weight) }),
    };
    return;
  }
  const name = row.text('name');
  if (name === undefined) return yield unreadable('has no name');
  yield {
    ...{ kind: 'node', ...place, name, type: row.text('type') ?? defaults.type, props, origin },
    ...{ summary: row.text('summary') ?? null, tags: row.tags(), observations: row.observations() },
  };
  for (const { type, to } of row.links())
    yield { kind: 'edge', ...place, from: name, to, type, provenance: origin };
}

class MappedRow {
  readonly #cells: Readonly<Record<string, unknown>>;
  readonly #mapping: ColumnMapping;
  readonly props: Props;
  readonly problem: string | undefined;

  constructor(cells: Readonly<Record<string, unknown>>, mapping: ColumnMapping) {
    this.#cells = cells;
    this.#mapping = mapping;
    const props = new Map<string, Json>();
    for (const [column, value] of Object.entries(cells)) {
      const field = mapping.get(column) ?? 'prop';
      if (field === 'props') {
        const given = typeof value === 'string' ? parseJsonOrUndefined(value) : value;
        if (isProps(given)) for (const [key, each] of Object.entries(given)) props.set(key, each);
        else if (value !== null && value !== '') this.problem = `has "${column}" that are not a JSON object`;
      } else if (field === 'prop' || field.startsWith('prop:')) {
        if (value === null || value === '' || !isJson(value)) continue;
        props.set(field === 'prop' ? column : field.slice('prop:'.length), value);
      }
    }
    this.props = Object.fromEntries(props);
  }

  has(field: string): boolean {
    return [...this.#mapping.values()].includes(field);
  }

  text(field: string): string | undefined {
    const [value] = this.#values(field);
    return value === undefined ? undefined : asText(value);
  }

  tags(): string[] {
    return this.#values('tags').flatMap((value) => {
      const list = asList(value);
      if (list !== undefined) return list;
      return asText(value)
        .split(/[,;]/)
        .map((tag) => tag.trim())
        .filter((tag) => tag !== '');
    });
  }

  observations(): string[] {
    return this.#values('observation').flatMap(
      (value) => asList(value) ?? (value === '' ? [] : [asText(value)]),
    );
  }

  *links(): Generator<{ readonly type: string; readonly to: string }> {
    for (const [column, field] of this.#mapping) {
      const value = ownValue(this.#cells, column);
      if (!field.startsWith('edge:') || value === undefined || value === null || value === '') continue;
      for (const to of asList(value) ?? [asText(value)]) yield { type: field.slice('edge:'.length), to };
    }
  }

  #values(field: string): unknown[] {
    return [...this.#mapping]
      .filter(([, mapped]) => mapped === field)
      .map(([column]) => ownValue(this.#cells, column))
      .filter((value) => value !== undefined && value !== null);
  }
}

function asText(value: unknown): string {
  return typeof value === 'string' ? value : JSON.stringify(value);
}

/** A list, also one that a cell spells as JSON. */
function asList(value: unknown): string[] | undefined {
  const list = typeof value === 'string' && value.startsWith('[') ? parseJsonOrUndefined(value) : value;
  return Array.isArray(list) ? list.map(asText) : undefined;
}

export const defaultRelation = 'related_to';

/** Rows without a type are of the type that their file or array is named after. */
export function tableType(name: string): string {
  return name.replace(/^.*\//, '').replace(/\.[^.]*$/, '') || 'row';
}
