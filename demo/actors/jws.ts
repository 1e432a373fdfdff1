import { KeyObject, sign, type webcrypto } from 'node:crypto';

/** A client certificate chain (base64 DER, leaf first) and the private key of the leaf. */
export interface LoginClient {
  chain: string[];
  key: KeyObject | webcrypto.CryptoKey;
}

/** The content of a token; RSA keys sign RS256, P-256 keys ES256. */
interface TokenContent {
  header: { alg: string; [member: string]: unknown };
  payload: unknown;
}

/** Base64url of a value's JSON. */
export const encodeJson = (value: unknown): string => Buffer.from(JSON.stringify(value)).toString('base64url');

/** A signed compact JWS (RFC 7515 §7.1). */
export function signJws({ header, payload }: TokenContent, key: LoginClient['key']): string {
  const input = `${encodeJson(header)}.${encodeJson(payload)}`;
  const signer = key instanceof KeyObject ? key : KeyObject.from(key);
  const signature = sign('sha256', Buffer.from(input), { key: signer, dsaEncoding: 'ieee-p1363' });
  return `${input}.${signature.toString('base64url')}`;
}

/** The token of an x5c login (interface: Authentication request): the chain in the header, an empty payload. */
export const loginToken = ({ chain, key }: LoginClient): string =>
  signJws({ header: { alg: 'RS256', typ: 'JWT', x5c: chain }, payload: {} }, key);

/** The claims of a token; its signature is not verified. */
export const claimsOf = (token: string): Record<string, unknown> =>
  JSON.parse(Buffer.from(token.split('.')[1] ?? '', 'base64url').toString('utf8'));

/** The token with changed claims and its old signature. */
export function forge(token: string, change: (claims: Record<string, unknown>) => unknown): string {
  const [header = '', , signature = ''] = token.split('.');
  return `${header}.${encodeJson(change(claimsOf(token)))}.${signature}`;
}

/** A token shortened for display. */
export const shorten = (token: string): string =>
  token.length <= 48 ? token : `${token.slice(0, 24)}…${token.slice(-8)} (${token.length} characters)`;
