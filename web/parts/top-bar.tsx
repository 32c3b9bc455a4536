import { address, branchName, goTo, graphName, linkTo } from '../state/address.js';
import { showsHelp } from '../state/keys.js';
import { access, branches, graphs } from '../state/server.js';
import { needsSignIn, signOut, token } from '../state/session.js';
import { nextTheme, theme } from '../state/theme.js';
import { offeredViews } from './offered-views.js';
import { visibleText } from './text.js';

export function TopBar() {
  return (
    <header class="top">
      <a class="brand" href={linkTo('inbox')}>
        Trellis
      </a>
      {!needsSignIn.value && (
        <>
          <Pick label="Graph" value={graphName.value} options={graphs.value ?? []} onPick={goToGraph} />
          <Pick label="Branch" value={branchName.value} options={branches.value} onPick={goToBranch} />
          <Navigation />
        </>
      )}
      <div class="tools">
        {access.value !== undefined && !needsSignIn.value && (
          <span class="muted actor">{visibleText(access.value.actor_id)}</span>
        )}
        <button type="button" class="plain" onClick={nextTheme} title="Light, dark, or as the system says">
          Theme: {theme.value}
        </button>
        <button
          type="button"
          class="plain"
          onClick={() => (showsHelp.value = true)}
          title="Help and keys (?)"
        >
          Help
        </button>
        {token.value !== undefined && !needsSignIn.value && (
          <button type="button" class="plain" onClick={signOut}>
            Sign out
          </button>
        )}
      </div>
    </header>
  );
}

function Navigation() {
  return (
    <nav aria-label="Views">
      {offeredViews().map(({ name, title }) => (
        <a
          key={name}
          href={linkTo(name)}
          {...(address.value.view === name ? { 'aria-current': 'page' } : {})}
        >
          {title}
        </a>
      ))}
    </nav>
  );
}

interface PickProps {
  readonly label: string;
  readonly value: string;
  readonly options: readonly string[];
  readonly onPick: (value: string) => void;
}

function Pick({ label, value, options, onPick }: PickProps) {
  const all = options.includes(value) || value === '' ? options : [value, ...options];
  return (
    <label class="pick">
      <span class="muted">{label}</span>
      <select value={value} onChange={({ currentTarget }) => onPick(currentTarget.value)}>
        {all.map((name) => (
          <option key={name} value={name}>
            {visibleText(name)}
          </option>
        ))}
      </select>
    </label>
  );
}

function goToGraph(graph: string): void {
  goTo(linkTo('inbox', [], { graph, branch: 'main' }));
}

/** The same view, as the other branch has it. */
function goToBranch(branch: string): void {
  const { view, path, params } = address.value;
  goTo(linkTo(view, path, { ...params, branch }));
}
