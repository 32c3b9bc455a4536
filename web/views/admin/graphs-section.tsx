import { useState } from 'preact/hooks';
import { Text } from '../../parts/text.js';
import { graphName, linkTo } from '../../state/address.js';
import { graphs, loadGraphs, may } from '../../state/server.js';
import { say, sayError } from '../../state/toasts.js';
import { createGraph } from './admin-api.js';
import { DeleteGraphDialog } from './delete-graph-dialog.js';
import { RenameGraphDialog } from './rename-graph-dialog.js';

interface Asked {
  readonly graph: string;
  readonly what: 'rename' | 'delete';
}

export function GraphsSection() {
  const [asked, setAsked] = useState<Asked>();
  const close = () => setAsked(undefined);
  return (
    <section aria-labelledby="graphs">
      <h2 id="graphs">Graphs</h2>
      <ul class="plain-list entries card">
        {(graphs.value ?? []).map((graph) => (
          <li key={graph} class="entry row spread">
            <a
              class="subject"
              href={linkTo('admin', [], { graph, branch: 'main' })}
              {...(graph === graphName.value ? { 'aria-current': 'true' } : {})}
            >
              <Text>{graph}</Text>
            </a>
            {may('graph_admin') && (
              <span class="row entry-actions">
                <button type="button" class="plain" onClick={() => setAsked({ graph, what: 'rename' })}>
                  Rename<span class="hidden"> {graph}</span>
                </button>
                <button
                  type="button"
                  class="plain danger"
                  onClick={() => setAsked({ graph, what: 'delete' })}
                >
                  Delete<span class="hidden"> {graph}</span>
                </button>
              </span>
            )}
          </li>
        ))}
      </ul>
      {may('graph_admin') && <CreateForm />}
      {asked?.what === 'rename' && <RenameGraphDialog graph={asked.graph} onClose={close} />}
      {asked?.what === 'delete' && <DeleteGraphDialog graph={asked.graph} onClose={close} />}
    </section>
  );
}

function CreateForm() {
  const [name, setName] = useState('');
  const create = async (event: Event) => {
    event.preventDefault();
    try {
      await createGraph(name);
      await loadGraphs();
      say(`Created the graph ${name}.`);
      setName('');
    } catch (error) {
      sayError(error);
    }
  };
  return (
    <form class="row" onSubmit={create}>
      <label>
        New graph{' '}
        <input
          type="text"
          required
          value={name}
          onInput={({ currentTarget }) => setName(currentTarget.value)}
        />
      </label>
      <button type="submit">Create</button>
    </form>
  );
}
