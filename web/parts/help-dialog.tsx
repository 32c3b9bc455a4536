import { showsHelp } from '../state/keys.js';
import { Dialog } from './dialog.js';
import { offeredViews } from './offered-views.js';

export function HelpDialog() {
  return (
    <Dialog title="Help" onClose={() => (showsHelp.value = false)}>
      <p>
        This page shows what agents have stored in this memory, and lets you correct it. Every change is a
        commit that can be undone. Each view has its own address, which you can share.
      </p>
      <table class="keys">
        <tbody>
          <Row keys={['/']} what="Search" />
          <Row keys={['?']} what="This help" />
          <Row keys={['Ctrl', 'z']} what="Undo what you just did, while its message is shown" />
          <Row keys={['Esc']} what="Close a dialog or an edit" />
          <Row keys={['Ctrl', 'Enter']} what="Save an edit, or run a query" />
          <Row keys={['Ctrl', 'Space']} what="Complete a word of a query" />
          {offeredViews().map(({ name, key, title }) => (
            <Row key={name} keys={['g', key ?? '']} what={`Go to ${title}`} />
          ))}
        </tbody>
      </table>
    </Dialog>
  );
}

function Row({ keys, what }: { readonly keys: readonly string[]; readonly what: string }) {
  return (
    <tr>
      <th scope="row">
        {keys.map((key) => (
          <kbd key={key}>{key}</kbd>
        ))}
      </th>
      <td>{what}</td>
    </tr>
  );
}
