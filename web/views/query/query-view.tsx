import { Waiting } from '../../parts/loading.js';
import { Tabs } from '../../parts/tabs.js';
import { address } from '../../state/address.js';
import { access, may } from '../../state/server.js';
import { EditorPage } from './editor-page.js';
import { SchemaPage } from './schema-page.js';
import { StoredPage } from './stored-page.js';

const pages = [
  { path: undefined, title: 'Editor', component: EditorPage, needs: 'read' },
  { path: 'stored', title: 'Stored queries', component: StoredPage, needs: 'invoke_query' },
  { path: 'schema', title: 'Schema', component: SchemaPage, needs: 'read' },
] as const;

/** Questions in the query language: written here, or stored by the operator. */
export function QueryView() {
  const [part] = address.value.path;
  const offered = pages.filter(({ needs }) => may(needs));
  const page = offered.find(({ path }) => path === part) ?? offered[0];
  if (access.value === undefined) return <Waiting />;
  if (page === undefined) return <p class="notice">You may not run queries on this branch.</p>;
  return (
    <>
      <h1>Query</h1>
      <Tabs view="query" label="Kinds of queries" pages={offered} current={page.path} />
      <page.component />
    </>
  );
}
