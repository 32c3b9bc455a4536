import { expect, test } from 'vitest';
import { certificateProblem } from './certificate-problem.js';

test.each([
  [
    "Failed to connect. Caused by: Server certificate is not trusted. … trustedCertificates:['path/to/certificate.crt']}). Socket responded with: DEPTH_ZERO_SELF_SIGNED_CERT",
    'DEPTH_ZERO_SELF_SIGNED_CERT',
  ],
  ['self-signed certificate', 'self-signed certificate'],
])('%j is about the certificate', (reason, code) => {
  expect(certificateProblem(reason)).toBe(
    `The certificate of the server is not trusted (${code}). If it is your own, name the file of its authority in NODE_EXTRA_CA_CERTS`,
  );
});

test('other failures are not', () => {
  expect(certificateProblem('connect ECONNREFUSED 127.0.0.1:7687')).toBeUndefined();
});
