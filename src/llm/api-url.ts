interface ApiEndpoint {
  readonly provider: 'ollama' | 'openai';
  /** Without a version, such as `chat/completions`. */
  readonly path: string;
}

const version = /\/v\d+\w*(\/|$)/;

/**
 * The URL of an endpoint. The configured URL may end with the version or with the endpoint itself: `http://host`,
 * `http://host/v1` and `http://host/v1/embeddings` mean the same.
 */
export function apiUrl(base: string, { provider, path }: ApiEndpoint): string {
  const own = provider === 'ollama' ? `api/${path}` : path;
  const plain = withoutEnding(base.replace(/\/+$/, ''), `/${own}`);
  if (provider === 'ollama') return `${withoutEnding(withoutEnding(plain, '/v1'), '/api')}/${own}`;
  return version.test(new URL(plain).pathname) ? `${plain}/${own}` : `${plain}/v1/${own}`;
}

function withoutEnding(text: string, ending: string): string {
  return text.endsWith(ending) ? text.slice(0, -ending.length) : text;
}
