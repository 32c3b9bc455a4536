import type { Command } from 'commander';
import { asTrellisError, TrellisError } from '../model/error.js';
import { peopleNodeOutput } from '../surfaces/graph/people/people-node.js';
import { authorOptions, branchOption, dataOptions } from './command-options.js';
import { printable } from './history/printable.js';
import { documentOperations } from './people/document-operations.js';
import { DraftFile } from './people/edit-file.js';
import { type NodeOptions, nodeArgument, saveEdit } from './people/edit-node.js';
import { type PeopleNode, parseDocument, printDocument } from './people/node-document.js';
import { print } from './print.js';
import { type GraphTools, withGraphTools } from './remote/graph-tools.js';

const help = `
Opens the node in $VISUAL or $EDITOR as a short text with its type, summary, tags, properties,
observations and relations. What you save is one commit. It is refused if somebody has changed the
node meanwhile, or if it cannot be read; your text then stays in a file that the message names.

Examples:
  $ trellis edit Ada
  $ EDITOR='code --wait' trellis edit Ada --message 'spelling'
`;

export function define(command: Command): void {
  authorOptions(dataOptions(branchOption(nodeArgument(command))))
    .addHelpText('after', help)
    .action(run);
}

async function run(name: string, options: NodeOptions): Promise<void> {
  // The store is closed while the editor is open.
  const page = await withGraphTools(options, (tools) => readNode(tools, name, options));
  const before = printDocument(page);
  const draft = await DraftFile.create(name, before);
  try {
    const after = await draft.edit(process.env);
    const operations =
      after === before ? [] : documentOperations(page, parseDocument(before), parseDocument(after));
    if (operations.length === 0) print(options.json === true ? { commit: null } : 'Nothing changed.');
    else
      await saveEdit(options, `Saved ${printable(name)}.`, async (tools) => {
        const now = await readNode(tools, name, options).catch(() => page);
        // A JSON lines file has other commits whenever it is opened.
        const isSame = printDocument(now) === before;
        const if_commit = (isSame ? now : page).node.commit_id;
        return operations.map((operation, index) => (index === 0 ? { ...operation, if_commit } : operation));
      });
  } catch (thrown) {
    const { code, message, hint, details } = asTrellisError(thrown);
    throw new TrellisError(code, message, {
      hint: [hint, `Your text is in ${draft.path}`].filter((part) => part !== undefined).join(' '),
      ...(details === undefined ? {} : { details }),
      cause: thrown,
    });
  }
  await draft.remove();
}

function readNode(tools: GraphTools, name: string, { type, branch }: NodeOptions): Promise<PeopleNode> {
  return tools.call('people_node', { name, type, branch }, peopleNodeOutput);
}
