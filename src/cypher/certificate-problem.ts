/** The reason with the way out, if it is a certificate that this machine does not trust; else undefined. */
export function certificateProblem(reason: string): string | undefined {
  if (!/certificate/i.test(reason)) return undefined;
  // The rest of the driver's message is advice for programmers.
  const code = /Socket responded with: (\S+)/.exec(reason)?.[1] ?? reason;
  return `The certificate of the server is not trusted (${code}). If it is your own, name the file of its authority in NODE_EXTRA_CA_CERTS`;
}
