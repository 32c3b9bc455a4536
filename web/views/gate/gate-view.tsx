import { Tabs } from '../../parts/tabs.js';
import { address } from '../../state/address.js';
import { may } from '../../state/server.js';
import { DriftPage } from './drift-page.js';
import { RegistryPage } from './registry-page.js';
import { RejectionsPage } from './rejections-page.js';

const pages = [
  { path: undefined, title: 'Drift', component: DriftPage },
  { path: 'rejections', title: 'Rejections', component: RejectionsPage },
  { path: 'registry', title: 'What is let in', component: RegistryPage },
] as const;

/** What agents tried to write, and what the gate makes of it. */
export function GateView() {
  const [part] = address.value.path;
  const page = pages.find(({ path }) => path === part) ?? pages[0];
  return (
    <>
      <h1>Gate</h1>
      {may('gate_write') || may('schema_apply') ? (
        <>
          <Tabs view="gate" label="About the gate" pages={pages} current={page.path} />
          <page.component />
        </>
      ) : (
        <p class="notice">You may not look at the gate of this graph.</p>
      )}
    </>
  );
}
