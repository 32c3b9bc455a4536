import { writeFile } from 'node:fs/promises';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { useSandbox } from './run-cli.js';

const sandbox = useSandbox();

describe('trust 25: doctor asks the models', () => {
  let server: Server;
  let text: string;
  beforeEach(async () => {
    text = 'hello';
    server = createServer((request, response) => {
      const isChat = request.url === '/v1/chat/completions';
      if (!isChat && request.url !== '/v1/embeddings') response.writeHead(404);
      const chat = { choices: [{ message: { content: text } }] };
      response.end(JSON.stringify(isChat ? chat : { data: [{ embedding: [1, 2, 3] }] }));
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  });
  afterEach(() => {
    server.closeAllConnections();
    server.close();
  });

  const doctor = async (url: string, ...flags: string[]) => {
    const model = `{ provider: openai, model: m, url: "${url}" }`;
    await writeFile(sandbox.path('models.yaml'), `embedding: ${model}\nllm: ${model}\n`);
    return sandbox.run(['doctor', '--config', sandbox.path('models.yaml'), ...flags]);
  };
  const url = () => `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`;

  test('that answer, and says so', async () => {
    const { code, stdout } = await doctor(url());
    expect(stdout).toContain('embedding: openai m answers with a vector of 3 numbers\n');
    expect(stdout).toContain('llm: openai m answers with a text\n');
    expect(code).toBe(0);
    expect(JSON.parse((await doctor(url(), '--json')).stdout).models).toEqual([
      { use: 'embedding', name: 'openai m', ok: true },
      { use: 'llm', name: 'openai m', ok: true },
    ]);
  });

  test('and an empty answer is a problem', async () => {
    text = '';
    const { code, stdout } = await doctor(url());
    expect(code).toBe(1);
    expect(stdout).toContain('problem: llm: The language model answered nothing.');
  });

  test('that do not answer, and tells why', async () => {
    const { code, stdout } = await doctor('http://127.0.0.1:1');
    expect(code).toBe(1);
    expect(stdout).toMatch(
      /problem: embedding: The embedder openai:m cannot be reached at http:\/\/127\.0\.0\.1:1/,
    );
    expect(stdout).toMatch(/problem: llm: The language model does not answer: \w/);
  });
});
