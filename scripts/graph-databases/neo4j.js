import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdir, readFile, rename, stat, writeFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { cacheFolder } from './cache-folder.js';
import { DatabaseProcess } from './database-process.js';

const run = promisify(execFile);
const here = fileURLToPath(new URL('.', import.meta.url));
const version = '5.26.0';
const repository = process.env.TRELLIS_TEST_MAVEN ?? 'https://repo.maven.apache.org/maven2';
const downloadsAtOnce = 16;

/** Neo4j Community as its own jars start it, or why there is none on this machine. */
export async function prepareNeo4j() {
  try {
    // The launcher is compiled when it starts.
    await run('javac', ['-version']);
    const { stderr } = await run('java', ['-version']);
    const major = Number(/version "(\d+)/.exec(stderr)?.[1]);
    if (!(major >= 17)) return { missing: `Neo4j needs Java 17, and this is Java ${major}` };
  } catch {
    return { missing: 'Neo4j needs a JDK of Java 17, and there is none' };
  }
  const folder = cacheFolder(`neo4j-${version}`);
  try {
    await downloadJars(folder);
  } catch (error) {
    return { missing: `Neo4j cannot be downloaded: ${error.message}` };
  }
  return { create: (options) => new Neo4jServer(folder, options) };
}

class Neo4jServer {
  #process;

  /** With `login`, users must log in; the first is neo4j, with a password to be changed. */
  constructor(jars, { login = false } = {}) {
    const launcher = join(here, 'Neo4jServer.java');
    this.#process = new DatabaseProcess(
      'neo4j',
      (folder, port) => [
        'java',
        '-Xmx768m',
        '-XX:+UseSerialGC',
        '-XX:TieredStopAtLevel=1',
        '-cp',
        join(jars, '*'),
        launcher,
        folder,
        `${port}`,
        ...(login ? ['login'] : []),
      ],
      'ready',
    );
  }

  /** Returns its URL; starts it again after `kill`, on the same data. */
  async start() {
    return `bolt://127.0.0.1:${await this.#process.start()}`;
  }

  kill() {
    return this.#process.kill();
  }

  stop() {
    return this.#process.stop();
  }
}

async function downloadJars(folder) {
  await mkdir(folder, { recursive: true });
  const list = await readFile(join(here, 'neo4j-jars.txt'), 'utf8');
  const jars = list
    .trim()
    .split('\n')
    .map((line) => line.split(' '));
  const missing = [];
  for (const jar of jars) if (!(await exists(join(folder, basename(jar[1]))))) missing.push(jar);
  if (missing.length > 0) console.log(`Neo4j ${version}: downloading ${missing.length} jars to ${folder}`);
  await Promise.all(
    Array.from({ length: downloadsAtOnce }, async () => {
      for (let jar = missing.pop(); jar !== undefined; jar = missing.pop()) await download(folder, jar);
    }),
  );
}

async function download(folder, [hash, path]) {
  const response = await fetch(`${repository}/${path}`);
  if (!response.ok) throw new Error(`${response.status} for ${path}`);
  const bytes = Buffer.from(await response.arrayBuffer());
  if (createHash('sha256').update(bytes).digest('hex') !== hash) throw new Error(`${path} is another file`);
  const partial = join(folder, `.${basename(path)}.${process.pid}`);
  await writeFile(partial, bytes);
  await rename(partial, join(folder, basename(path)));
}

function exists(path) {
  return stat(path).then(
    () => true,
    () => false,
  );
}
