import type { ComponentChildren } from 'preact';
import { Loading } from '../../parts/loading.js';
import { ScrollBox } from '../../parts/scroll-box.js';
import { Text } from '../../parts/text.js';
import { branchName, graphName } from '../../state/address.js';
import { useLoad } from '../../state/use-load.js';
import { type LabelEntry, type Registry, type RelationEntry, registry } from './gate-api.js';
import { RegistryNote } from './registry-note.js';

/** The rules in force. */
export function RegistryPage() {
  const found = useLoad(['registry', graphName.value, branchName.value], registry);
  return (
    <Loading from={found}>
      {(rules) => (
        <>
          {rules.nodes.length + rules.relationships.length === 0 && (
            <p class="notice">
              The registry is empty: the gate rejects every write. Add a label with{' '}
              <code>trellis gate schema add</code>, or let in what agents tried to write, under Drift.
            </p>
          )}
          <Labels entries={rules.nodes} />
          <Relations entries={rules.relationships} />
          <Policies rules={rules} />
          <RegistryNote location={rules.location} />
        </>
      )}
    </Loading>
  );
}

function Labels({ entries }: { readonly entries: readonly LabelEntry[] }) {
  if (entries.length === 0) return null;
  return (
    <Table title="Labels" columns={['Label', 'Required', 'Types', 'Also written as']}>
      {entries.map(({ label, required_properties, property_types, remaps_from }) => (
        <tr key={label}>
          <NameCell name={label} />
          <NamesCell names={required_properties} />
          <NamesCell names={typesOf(property_types)} />
          <NamesCell names={remaps_from} />
        </tr>
      ))}
    </Table>
  );
}

function Relations({ entries }: { readonly entries: readonly RelationEntry[] }) {
  if (entries.length === 0) return null;
  return (
    <Table title="Relationship types" columns={['Type', 'From', 'To', 'Required', 'Types']}>
      {entries.map(({ type, from_labels, to_labels, required_properties, property_types }) => (
        <tr key={type}>
          <NameCell name={type} />
          <NamesCell names={from_labels} empty="any label" />
          <NamesCell names={to_labels} empty="any label" />
          <NamesCell names={required_properties} />
          <NamesCell names={typesOf(property_types)} />
        </tr>
      ))}
    </Table>
  );
}

const conflictTexts = {
  warn: 'The new value is written, with a warning.',
  reject: 'The write is rejected.',
  keep: 'The stored value stays.',
} as const;

function Policies({ rules }: { readonly rules: Registry }) {
  const { fallback_label, extraction_methods, conflicts } = rules;
  return (
    <dl class="facts">
      <dt>Unknown labels</dt>
      <dd>
        {fallback_label === undefined ? (
          'are rejected'
        ) : (
          <>
            are written as <Text>{fallback_label}</Text>
          </>
        )}
      </dd>
      <dt>If the stored value is more certain</dt>
      <dd>{conflictTexts[conflicts]}</dd>
      {extraction_methods !== undefined && (
        <>
          <dt>Extraction methods</dt>
          <dd>
            <Text>{extraction_methods.join(', ')}</Text>
          </dd>
        </>
      )}
    </dl>
  );
}

interface TableProps {
  readonly title: string;
  readonly columns: readonly string[];
  readonly children: ComponentChildren;
}

function Table({ title, columns, children }: TableProps) {
  return (
    <>
      <h2>{title}</h2>
      <ScrollBox label={title}>
        <table class="grid">
          <thead>
            <tr>
              {columns.map((column) => (
                <th key={column} scope="col">
                  {column}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>{children}</tbody>
        </table>
      </ScrollBox>
    </>
  );
}

function NameCell({ name }: { readonly name: string }) {
  return (
    <th scope="row">
      <Text>{name}</Text>
    </th>
  );
}

function NamesCell({ names, empty = '' }: { readonly names: readonly string[]; readonly empty?: string }) {
  return (
    <td class="stored">
      {names.length === 0 ? <span class="muted">{empty}</span> : <Text>{names.join(', ')}</Text>}
    </td>
  );
}

function typesOf(types: Readonly<Record<string, string>>): readonly string[] {
  return Object.entries(types).map(([property, type]) => `${property}: ${type}`);
}
