/** A module that opencode loads: it adds the brief to the system prompt. Whatever goes wrong, it adds nothing. */
export function openCodePlugin(command: readonly string[]): string {
  const [program, ...args] = command.map((word) => JSON.stringify(word));
  return `// Written by trellis install --hooks; trellis uninstall opencode removes it.
import { execFile } from 'node:child_process';

const brief = (directory) =>
  new Promise((resolve) => {
    const child = execFile(${program}, [${args.join(', ')}], { timeout: 5000 }, (error, stdout) =>
      resolve(error ? '' : stdout),
    );
    child.on('error', () => resolve(''));
    child.stdin?.on('error', () => {});
    child.stdin?.end(JSON.stringify({ cwd: directory }));
  });

export const TrellisMemory = async ({ directory }) => {
  const known = await brief(directory);
  return {
    'experimental.chat.system.transform': async (_input, output) => {
      if (known !== '') output.system.push(known);
    },
  };
};
`;
}
