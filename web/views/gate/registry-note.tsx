import { linkTo } from '../../state/address.js';
import type { RegistryLocation } from './gate-api.js';

/** How to change the registry where this page cannot. */
export function RegistryNote({ location }: { readonly location: RegistryLocation }) {
  if (location === 'graph') return null;
  return (
    <p class="notice">
      {location === 'graph_schema' ? (
        <>
          The <a href={linkTo('query', ['schema'])}>schema of this graph</a> decides what is let in. Change it
          with <code>trellis schema apply FILE</code>.
        </>
      ) : (
        'The registry is kept in files of the server, so only its operator can change it.'
      )}
    </p>
  );
}
