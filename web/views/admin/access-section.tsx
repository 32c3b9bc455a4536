import { useId } from 'preact/hooks';
import { Loading } from '../../parts/loading.js';
import { ScrollBox } from '../../parts/scroll-box.js';
import { Text } from '../../parts/text.js';
import { address, branchName, graphName, setParams } from '../../state/address.js';
import { access } from '../../state/server.js';
import { useLoad } from '../../state/use-load.js';
import { actionTexts } from './action-texts.js';
import { explainPolicy, type PolicyReport } from './admin-api.js';

/** What an actor may do on this branch, and which rule of the policy says so. */
export function AccessSection() {
  const { actor = access.value?.actor_id ?? '', groups = '' } = address.value.params;
  const query = { actor, groups, branch: branchName.value };
  const found = useLoad(['policy', graphName.value, query], (signal) => explainPolicy(query, signal), {
    isLive: false,
  });
  return (
    <section aria-labelledby="access">
      <h2 id="access">Who may do what</h2>
      <Loading from={found}>
        {(report) =>
          report.has_policy ? (
            <>
              <fieldset class="row bare" aria-label="Whom to ask about">
                <Choice name="actor" label="Actor" value={actor} known={report.mentioned.actors} />
                <Choice
                  name="groups"
                  label="Groups of the token, separated by commas"
                  value={groups}
                  known={report.mentioned.groups}
                />
              </fieldset>
              <Decisions report={report} />
            </>
          ) : (
            <p class="muted">
              This server has no tokens. It serves this machine only, and whoever reaches it may do
              everything.
            </p>
          )
        }
      </Loading>
    </section>
  );
}

interface ChoiceProps {
  readonly name: string;
  readonly label: string;
  readonly value: string;
  readonly known: readonly string[];
}

function Choice({ name, label, value, known }: ChoiceProps) {
  const id = useId();
  return (
    <label class="stack-label">
      {label}
      <input
        type="text"
        name={name}
        value={value}
        list={id}
        onChange={({ currentTarget }) => setParams({ [name]: currentTarget.value })}
      />
      <datalist id={id}>
        {known.map((one) => (
          <option key={one} value={one} />
        ))}
      </datalist>
    </label>
  );
}

function Decisions({ report: { actor_id, branch, actions } }: { readonly report: PolicyReport }) {
  return (
    <>
      <p>
        <b>
          <Text>{actor_id}</Text>
        </b>{' '}
        on the branch <Text>{branch}</Text>:
      </p>
      <ScrollBox label="Permissions">
        <table class="grid">
          <thead>
            <tr>
              <th scope="col">Action</th>
              <th scope="col">Allows</th>
              <th scope="col">Decision</th>
              <th scope="col">Rule</th>
            </tr>
          </thead>
          <tbody>
            {actions.map(({ action, allowed, rule }) => (
              <tr key={action}>
                <th scope="row">
                  <code>{action}</code>
                </th>
                <td>{actionTexts[action] ?? ''}</td>
                <td>
                  <span class={`badge ${allowed ? 'added' : 'removed'}`}>
                    {allowed ? 'allowed' : 'denied'}
                  </span>
                </td>
                <td class="stored">
                  {rule === undefined ? <span class="muted">none</span> : <Text>{rule}</Text>}
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      </ScrollBox>
    </>
  );
}
