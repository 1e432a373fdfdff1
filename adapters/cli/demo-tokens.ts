import { KeyObject, sign, type webcrypto } from 'node:crypto';

/** Who logs in: a certificate chain (base64 DER, leaf first) and the leaf's private key. */
export interface DemoClient {
  chain: string[];
  key: KeyObject | webcrypto.CryptoKey;
}

/** What a token is made of; RSA keys sign RS256, P-256 keys ES256. */
export interface TokenContent {
  header: { alg: 'RS256' | 'ES256'; [member: string]: unknown };
  payload: unknown;
}

const encode = (value: unknown): string => Buffer.from(JSON.stringify(value)).toString('base64url');

/** A signed compact JWS (RFC 7515 §7.1). */
export function signToken({ header, payload }: TokenContent, key: DemoClient['key']): string {
  const input = `${encode(header)}.${encode(payload)}`;
  const signer = key instanceof KeyObject ? key : KeyObject.from(key);
  const signature = sign('sha256', Buffer.from(input), { key: signer, dsaEncoding: 'ieee-p1363' });
  return `${input}.${signature.toString('base64url')}`;
}

/** The token an x5c login takes (interface: Authentication request): the chain in the header, an empty payload. */
export const loginToken = ({ chain, key }: DemoClient): string =>
  signToken({ header: { alg: 'RS256', typ: 'JWT', x5c: chain }, payload: {} }, key);

/** The claims of a token, unchecked. */
export const claimsOf = (token: string): Record<string, unknown> =>
  JSON.parse(Buffer.from(token.split('.')[1] ?? '', 'base64url').toString('utf8'));

/** The same token with other claims under the old signature. */
export function forge(token: string, change: (claims: Record<string, unknown>) => unknown): string {
  const [header = '', , signature = ''] = token.split('.');
  return `${header}.${encode(change(claimsOf(token)))}.${signature}`;
}

/** A token as people can look at it. */
export const shorten = (token: string): string =>
  token.length <= 48 ? token : `${token.slice(0, 24)}…${token.slice(-8)} (${token.length} characters)`;
