import { useState } from 'preact/hooks';
import { api } from '../../api/graph-api.js';
import { CommitLine } from '../../parts/commit-line.js';
import { Loading } from '../../parts/loading.js';
import { Text } from '../../parts/text.js';
import { branchName, defaultBranch, graphName, linkTo } from '../../state/address.js';
import { branches, loadGraph, may } from '../../state/server.js';
import { say, sayError } from '../../state/toasts.js';
import { useLoad } from '../../state/use-load.js';

export function BranchList() {
  return (
    <>
      <h1>Branches</h1>
      <p class="muted">Writes to a branch stay on it until it is merged.</p>
      <ul class="plain-list entries card">
        {branches.value.map((name) => (
          <BranchLine key={name} name={name} />
        ))}
      </ul>
      {may('branch_create') && <CreateBranch />}
    </>
  );
}

function BranchLine({ name }: { readonly name: string }) {
  const found = useLoad(['head', graphName.value, name], (signal) =>
    api.value.commits({ branch: name, limit: 1 }, signal),
  );
  return (
    <li class="entry row spread">
      <span class="subject">
        <b>
          <Text>{name}</Text>
        </b>
        <br />
        <Loading from={found} isOptional>
          {({ commits: [head] }) =>
            head === undefined ? <span class="muted">no commits yet</span> : <CommitLine commit={head} />
          }
        </Loading>
      </span>
      <span class="row">
        <a href={linkTo('inbox', [], { branch: name })}>Open</a>
        {name !== defaultBranch && (
          <a href={linkTo('branches', [name], { branch: defaultBranch })}>Compare and merge</a>
        )}
      </span>
    </li>
  );
}

function CreateBranch() {
  const [name, setName] = useState('');
  const from = branchName.value;
  const submit = async (event: Event) => {
    event.preventDefault();
    try {
      await api.value.post(['branches'], { name, from });
      say(`Created the branch ${name}.`);
      setName('');
      await loadGraph();
    } catch (error) {
      sayError(error);
    }
  };
  return (
    <form class="row inline-form" onSubmit={submit}>
      <label class="stack-label">
        New branch
        <input
          required
          placeholder="review/ann"
          value={name}
          onInput={({ currentTarget }) => setName(currentTarget.value)}
        />
      </label>
      <button type="submit">
        Create from <Text>{from}</Text>
      </button>
    </form>
  );
}
