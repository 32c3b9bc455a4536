const notSettings = new Set(['user', 'database', 'replication', 'client_encoding', 'options']);

/** The settings in the first message of a connection, of which PGlite takes no notice: by name, and as `options`. */
export function startupSettings(message) {
  const words = Buffer.from(message.subarray(8)).toString().split('\0');
  const settings = [];
  for (let at = 0; words[at]; at += 2) {
    const [name, value] = [words[at], words[at + 1]];
    if (name === 'options') settings.push(...fromOptions(value));
    else if (!notSettings.has(name)) settings.push([name, value]);
  }
  return settings;
}

/** `-c name=value` and `--name=value`, where a backslash keeps a blank from ending the word. */
function fromOptions(options) {
  const words = options.match(/(?:\\.|[^\s\\])+/g) ?? [];
  return words
    .map((word) => word.replaceAll(/\\(.)/g, '$1').replace(/^(?:-c|--)/, ''))
    .filter((word) => word.includes('='))
    .map((word) => [
      word.slice(0, word.indexOf('=')).replaceAll('-', '_'),
      word.slice(word.indexOf('=') + 1),
    ]);
}
