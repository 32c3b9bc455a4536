import { execFile, execFileSync, spawnSync } from 'node:child_process';
import { chmod, cp, mkdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import { copyCheckout } from '../../scripts/packaging/pack-copy.js';
import { full } from '../helpers/full.js';
import { deployed, startDeployed } from './deployed-server.js';

const execute = promisify(execFile);
const text = await deployed('Dockerfile');
const instructions = text.split('\n').flatMap((line) => {
  const [, name, rest] = /^([A-Z]+) (.*)$/.exec(line) ?? [];
  return name === undefined || rest === undefined ? [] : [{ name, rest }];
});

/** The argument of the last instruction of a kind, which is a list in JSON. */
function listOf(kind: string): [string, ...string[]] {
  const { rest } = instructions.findLast(({ name }) => name === kind) ?? { rest: '' };
  return JSON.parse(rest.slice(rest.indexOf('[')));
}

test('the image runs as a user without rights, and asks the server whether it is alive', () => {
  const last = instructions.slice(instructions.findLastIndex(({ name }) => name === 'FROM'));
  expect(last).toContainEqual({ name: 'USER', rest: 'node' });
  expect(listOf('CMD')).toEqual(['serve', '--config', '/etc/trellis/trellis.yaml']);
});

const isRoot = process.getuid?.() === 0;
const nobody = isRoot ? { uid: 65_534, gid: 65_534 } : {};

/** Does what the instructions say below a folder instead of `/`, with the packages that are installed here. */
async function replay(root: string): Promise<void> {
  const below = (path: string) => path.replace(/(?<=^|\s)\/(src|out|opt|var)\b/g, `${root}/$1`);
  let directory = root;
  for (const { name, rest } of instructions) {
    if (name === 'WORKDIR') directory = below(rest);
    else if (name === 'COPY' && rest === '. .') await copyCheckout(directory);
    else if (name === 'COPY') {
      const [from, to] = rest.replace('--from=build ', '').split(' ').map(below);
      await cp(from ?? '', join(root, 'image', to?.slice(root.length) ?? ''), { recursive: true });
    } else if (name === 'RUN' && rest.startsWith('install ')) {
      const owner = isRoot ? `-o ${nobody.uid} -g ${nobody.gid}` : '';
      execFileSync('sh', ['-c', below(rest).replace('-o node -g node', owner)]);
    } else if (name === 'RUN' && rest !== 'npm ci')
      await execute('sh', ['-c', below(rest)], { cwd: directory, maxBuffer: 1 << 28 });
  }
}

test.runIf(full)(
  'the steps of the Dockerfile make a server that starts, and a check of its health',
  async () => {
    const root = await mkdtemp(join(tmpdir(), 'trellis-image-'));
    try {
      await chmod(root, 0o755);
      await replay(root);
      const [program, script = ''] = listOf('ENTRYPOINT');
      expect(program).toBe('node');
      await mkdir(join(root, 'etc'));
      const server = await startDeployed({
        ...{ folder: join(root, 'etc'), user: nobody },
        command: [process.execPath, join(root, 'image', script)],
      });
      const [node, ...check] = listOf('HEALTHCHECK').map((part) => part.replace('8765', String(server.port)));
      const healthy = () => spawnSync(node ?? '', check).status;
      expect(healthy()).toBe(0);
      expect(await server.stop()).toBe(0);
      expect(healthy()).toBe(1);
    } finally {
      await rm(root, { recursive: true, force: true });
    }
  },
);
