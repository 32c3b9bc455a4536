import { useState } from 'preact/hooks';
import { Loading } from '../../parts/loading.js';
import { Text, visibleText } from '../../parts/text.js';
import { branchName, graphName } from '../../state/address.js';
import { may } from '../../state/server.js';
import { useLoad } from '../../state/use-load.js';
import { type Drift, type DriftedName, drift, type Rule, registry } from './gate-api.js';
import { RegistryNote } from './registry-note.js';
import { RuleDialog } from './rule-dialog.js';

/** What agents use that the registry lacks, each with the rule that would let it in. */
export function DriftPage() {
  const key = [graphName.value, branchName.value];
  const found = useLoad(['drift', ...key], drift);
  const inForce = useLoad(['registry', ...key], registry);
  const [rule, setRule] = useState<Rule>();
  return (
    <>
      <Loading from={found}>
        {({ labels, relationship_types, properties }) => (
          <>
            {labels.length + relationship_types.length + properties.length === 0 && (
              <p>The registry has everything that agents use.</p>
            )}
            <NameList title="Labels" names={labels} onChoose={setRule} />
            <NameList title="Relationship types" names={relationship_types} onChoose={setRule} />
            <PropertyList properties={properties} />
          </>
        )}
      </Loading>
      <Loading from={inForce}>{({ location }) => <RegistryNote location={location} />}</Loading>
      {rule !== undefined && <RuleDialog rule={rule} onClose={() => setRule(undefined)} />}
    </>
  );
}

interface NameListProps {
  readonly title: string;
  readonly names: readonly DriftedName[];
  readonly onChoose: (rule: Rule) => void;
}

function NameList({ title, names, onChoose }: NameListProps) {
  if (names.length === 0) return null;
  return (
    <section aria-label={title}>
      <h2>{title} that the registry does not have</h2>
      <ul class="plain-list entries card">
        {names.map(({ name, count, suggested, rule }) => (
          <li key={name} class="entry row spread">
            <span class="subject">
              <b>
                <Text>{name}</Text>
              </b>{' '}
              <span class="muted">
                used {count === 1 ? 'once' : `${count.toLocaleString()} times`}
                {suggested !== undefined && (
                  <>
                    {' '}
                    · probably means <Text>{suggested}</Text>
                  </>
                )}
              </span>
            </span>
            {rule !== undefined && may('schema_apply') && (
              <button type="button" onClick={() => onChoose(rule)}>
                Let <span class="hidden">{visibleText(name)} </span>in…
              </button>
            )}
          </li>
        ))}
      </ul>
    </section>
  );
}

function PropertyList({ properties }: Pick<Drift, 'properties'>) {
  if (properties.length === 0) return null;
  return (
    <section aria-label="Properties">
      <h2>Properties that the registry does not declare</h2>
      <p class="muted">They are let in as they are: the gate checks only what the registry declares.</p>
      <ul class="plain-list entries card">
        {properties.map(({ label, property, count }) => (
          <li key={`${label}/${property}`} class="entry">
            <b>
              <Text>{property}</Text>
            </b>{' '}
            <span class="muted">
              of <Text>{label}</Text> · used {count === 1 ? 'once' : `${count.toLocaleString()} times`}
            </span>
          </li>
        ))}
      </ul>
    </section>
  );
}
