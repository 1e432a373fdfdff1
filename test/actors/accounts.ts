import { type CertificateSpec, testLeaf, x5cToken } from '../support/trust/certificates.ts';

/** The body that registers or logs in user `number` with a certificate. */
export const byCertificate = (number = 0, payload: Record<string, unknown> = {}, spec: CertificateSpec = {}) => ({
  type: 'x5c',
  token: x5cToken({ chain: [testLeaf(number, spec)], payload }),
});

/** The body that registers or logs in with an address and a password. */
export const byEmail = (name = 'ada', password = 'difference-engine-2') => ({
  type: 'email',
  email: `${name}@example.org`,
  password,
});

/** Over the limit of 1 MiB. */
export const oversized = { type: 'x5c', token: 'x'.repeat(1024 * 1024) };
