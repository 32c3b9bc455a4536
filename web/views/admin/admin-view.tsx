import { may } from '../../state/server.js';
import { AccessSection } from './access-section.js';
import { FiguresSection } from './figures-section.js';
import { GraphsSection } from './graphs-section.js';

/** Graphs, figures of the current one, and who may do what on it. */
export function AdminView() {
  return (
    <>
      <h1>Admin</h1>
      {may('read') && <FiguresSection />}
      <GraphsSection />
      {may('graph_admin') && <AccessSection />}
    </>
  );
}
