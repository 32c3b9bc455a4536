/**
 * Based on the configuration or on where the server listens, never on the request: clients send their tokens to the
 * issuer that this URL leads to.
 */
export function publicUrlFor(path: string, publicUrl: string | undefined): URL | undefined {
  if (publicUrl === undefined) return undefined;
  const resource = new URL(publicUrl);
  const prefix = resource.pathname.replace(/\/+$/, '');
  // A reverse proxy may pass its prefix on or strip it.
  const isPrefixed = prefix !== '' && (path === prefix || path.startsWith(`${prefix}/`));
  resource.pathname = isPrefixed ? path : prefix + path;
  return resource;
}
