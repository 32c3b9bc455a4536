/** What a terminal or an editor would not show as it is. */
const hidden = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu;

/** Text as it is where that can be read back, else as a JSON string. Further lines start with `|`. */
export function encodeText(text: string, indent = ''): string {
  const lines = text.split('\n');
  const isPlain = lines.every(
    (line, index) => line.search(hidden) < 0 && (index > 0 ? isTrimmed(line) : isWord(line)),
  );
  return isPlain
    ? lines.map((line, index) => (index === 0 ? line : `${indent}| ${line}`.trimEnd())).join('\n')
    : quote(text);
}

/** For names in a line with other words. */
export function encodeName(name: string): string {
  return /^[\p{L}\p{N}_](?:[^\p{Cc}\p{Cf}\p{Zl}\p{Zp}",:()[\]→]|(?<!-)>)*$/u.test(name) &&
    isWord(name) &&
    !name.includes('->')
    ? name
    : quote(name);
}

/** Editors may drop spaces at the end of a line. */
function isTrimmed(line: string): boolean {
  return line === line.trimEnd();
}

function isWord(line: string): boolean {
  return line !== '' && line === line.trim() && !line.startsWith('"');
}

function quote(text: string): string {
  return JSON.stringify(text).replaceAll(hidden, (character) =>
    [...Array(character.length).keys()]
      .map((index) => `\\u${character.charCodeAt(index).toString(16).padStart(4, '0')}`)
      .join(''),
  );
}

/** Undefined if it starts like a JSON string and is none. */
export function decodeText(text: string): string | undefined {
  if (!text.startsWith('"')) return text;
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'string' ? value : undefined;
  } catch {
    return undefined;
  }
}
