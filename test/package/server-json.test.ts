import { readFileSync } from 'node:fs';
import { Ajv } from 'ajv';
import { expect, test } from 'vitest';
import { surfaceNames } from '../../src/surfaces/surface-registry.js';

const manifest = JSON.parse(readFileSync('package.json', 'utf8'));
const server = JSON.parse(readFileSync('server.json', 'utf8'));
const [npm] = server.packages;

test('server.json and package.json name the same server, package and version', () => {
  expect(server).toMatchObject({ name: manifest.mcpName, version: manifest.version });
  expect(npm).toMatchObject({ identifier: manifest.name, version: manifest.version });
  expect(server.packages).toHaveLength(1);
});

// The limits of the registry that a change here is likely to break, as its documentation has them.
test('server.json is within the limits of the registry', () => {
  expect(server.name).toMatch(/^[a-zA-Z0-9.-]+\/[a-zA-Z0-9._-]+$/);
  expect(server.description.length).toBeLessThanOrEqual(100);
  expect(npm.registryBaseUrl).toBe('https://registry.npmjs.org');
});

test('server.json offers every surface', () => {
  const { choices } = npm.environmentVariables.find(
    ({ name }: { name: string }) => name === 'TRELLIS_SURFACE',
  );
  expect(choices.toSorted()).toEqual(surfaceNames.toSorted());
});

test('server.json matches the schema of the registry, where it can be fetched', async ({ skip }) => {
  const response = await fetch(server.$schema, { signal: AbortSignal.timeout(10_000) }).catch(
    () => undefined,
  );
  if (response?.ok !== true) return skip('The schema of the registry cannot be fetched from here.');
  const schema: object = JSON.parse(await response.text());
  const ajv = new Ajv({ strict: false, validateFormats: false });
  expect(ajv.validate(schema, server), ajv.errorsText()).toBe(true);
});
