import { page } from './pages.js';

/** A block of code in a language, and the error that the page shows for it. */
export interface Example {
  readonly code: string;
  readonly refusal: string | undefined;
}

/** The blocks in this language on a page; one that is refused is followed by a plain block that begins with its place. */
export function examplesOn(path: string, language: string): readonly Example[] {
  const blocks = [...page(path).text.matchAll(/^```(\w*)\n(.*?)^```$/gms)].map(
    ([, name = '', code = '']) => ({
      name,
      code,
    }),
  );
  return blocks.flatMap(({ name, code }, index) => {
    if (name !== language) return [];
    const next = blocks[index + 1];
    const isRefused = next?.name === '' && /^(\S+:\d+:\d+: |\d+ problems:)/.test(next.code);
    return [{ code, refusal: isRefused ? next.code.trimEnd() : undefined }];
  });
}
