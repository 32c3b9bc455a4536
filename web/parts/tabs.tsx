import { linkTo } from '../state/address.js';

interface Props {
  readonly view: string;
  readonly label: string;
  /** The page without a path comes first. */
  readonly pages: readonly { readonly path: string | undefined; readonly title: string }[];
  readonly current: string | undefined;
}

/** The pages of a view, each with an address. */
export function Tabs({ view, label, pages, current }: Props) {
  return (
    <nav class="tabs" aria-label={label}>
      {pages.map(({ path, title }) => (
        <a
          key={title}
          href={linkTo(view, path === undefined ? [] : [path])}
          {...(path === current ? { 'aria-current': 'page' } : {})}
        >
          {title}
        </a>
      ))}
    </nav>
  );
}
