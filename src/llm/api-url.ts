/** An endpoint of a model server, below the address that the settings give. */
export interface ApiEndpoint {
  readonly provider: 'ollama' | 'openai';
  /** Without a version, such as `chat/completions`. */
  readonly path: string;
}

/** A path segment that says the version of an interface, such as `v1` or `v1beta`. */
const version = /\/v\d+\w*(\/|$)/;

/**
 * The address of an endpoint. Embedders and language models share one rule: the address in the settings may or may not
 * end with the version or the endpoint itself, so `http://host`, `http://host/v1` and `http://host/v1/embeddings` are the same.
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
