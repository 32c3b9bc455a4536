/**
 * A path of this server as the address that clients know it by. Its beginning is what the operator said, or where the
 * server listens, and never what a request says: a client sends its token to the issuer that this address leads to.
 */
export function publicUrlFor(path: string, publicUrl: string | undefined): URL | undefined {
  if (publicUrl === undefined) return undefined;
  const resource = new URL(publicUrl);
  const prefix = resource.pathname.replace(/\/+$/, '');
  // A proxy that serves several programs may pass its prefix on, or take it off.
  const isPrefixed = prefix !== '' && (path === prefix || path.startsWith(`${prefix}/`));
  resource.pathname = isPrefixed ? path : prefix + path;
  return resource;
}
