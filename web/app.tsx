import { HelpDialog } from './parts/help-dialog.js';
import { Waiting } from './parts/loading.js';
import { Problem } from './parts/problem.js';
import { ToastList } from './parts/toast-list.js';
import { TopBar } from './parts/top-bar.js';
import { ViewFrame } from './parts/view-frame.js';
import { showsHelp } from './state/keys.js';
import { graphs, graphsError, loadGraphs } from './state/server.js';
import { needsSignIn } from './state/session.js';
import { SignIn } from './views/sign-in/sign-in.js';

export function App() {
  return (
    <>
      <button type="button" class="skip" onClick={() => document.getElementById('main')?.focus()}>
        Skip to content
      </button>
      <TopBar />
      <main id="main" tabIndex={-1}>
        <Content />
      </main>
      <ToastList />
      {showsHelp.value && <HelpDialog />}
    </>
  );
}

function Content() {
  if (needsSignIn.value) return <SignIn />;
  if (graphsError.value !== undefined) return <Problem error={graphsError.value} retry={loadGraphs} />;
  if (graphs.value === undefined) return <Waiting />;
  if (graphs.value.length === 0) {
    return (
      <div class="notice">
        <p>There is no graph that you can see.</p>
        <p class="muted">
          Create one with <code>trellis graph create NAME</code>, or ask the operator of this server for a
          grant.
        </p>
      </div>
    );
  }
  return <ViewFrame />;
}
