import { expect, test } from 'vitest';
import { apiUrl } from './api-url.js';

const openai = { provider: 'openai', path: 'embeddings' } as const;
const ollama = { provider: 'ollama', path: 'embed' } as const;

test.each([
  [openai, 'http://host:1234', 'http://host:1234/v1/embeddings'],
  [openai, 'http://host:1234/', 'http://host:1234/v1/embeddings'],
  [openai, 'http://host:1234/v1', 'http://host:1234/v1/embeddings'],
  [openai, 'http://host:1234/v1/', 'http://host:1234/v1/embeddings'],
  [openai, 'http://host:1234/v1/embeddings', 'http://host:1234/v1/embeddings'],
  [openai, 'https://host/proxy', 'https://host/proxy/v1/embeddings'],
  [openai, 'https://host/api/paas/v4', 'https://host/api/paas/v4/embeddings'],
  [openai, 'https://host/v1beta/openai', 'https://host/v1beta/openai/embeddings'],
  [ollama, 'http://host:11434', 'http://host:11434/api/embed'],
  [ollama, 'http://host:11434/v1/', 'http://host:11434/api/embed'],
  [ollama, 'http://host:11434/api', 'http://host:11434/api/embed'],
  [ollama, 'http://host:11434/api/embed', 'http://host:11434/api/embed'],
  [ollama, 'https://host/models', 'https://host/models/api/embed'],
])('trust 25: %o below %s is at %s', (endpoint, base, url) => {
  expect(apiUrl(base, endpoint)).toBe(url);
});
