import { createHash, type KeyObject, sign } from 'node:crypto';
import { promisify } from 'node:util';

const signInBackground = promisify(sign) as (alg: string, data: Buffer, key: KeyObject) => Promise<Buffer>;

/** Who signs: `keyId` is tenancy, user and fingerprint with slashes between them. */
interface RequestSigner {
  keyId: string;
  key: KeyObject;
}

/** A request before it is signed. */
interface UnsignedRequest {
  method: string;
  url: URL;
  /** The body of a POST. */
  body?: string;
  /** Milliseconds since the epoch. */
  now: number;
}

/**
 * Returns the headers that sign a request (Oracle's "Request Signatures", version 1; draft-cavage-http-signatures-08).
 * The library's own signer reads the private key anew for each request, in two milliseconds of the event loop.
 */
export async function signatureHeaders(
  { method, url, body, now }: UnsignedRequest,
  { keyId, key }: RequestSigner,
): Promise<Record<string, string>> {
  const headers: Record<string, string> = { date: new Date(now).toUTCString(), ...contentHeaders(body) };
  const signed: [string, string][] = [
    ['(request-target)', `${method.toLowerCase()} ${url.pathname}${url.search}`],
    ['host', url.host],
    ...Object.entries(headers),
  ];
  const text = signed.map(([name, value]) => `${name}: ${value}`).join('\n');
  const signature = await signInBackground('sha256', Buffer.from(text), key);
  const parameters = {
    version: '1',
    keyId,
    algorithm: 'rsa-sha256',
    headers: signed.map(([name]) => name).join(' '),
    signature: signature.toString('base64'),
  };
  const list = Object.entries(parameters).map(([name, value]) => `${name}="${value}"`);
  return { ...headers, authorization: `Signature ${list.join(',')}` };
}

const contentHeaders = (body: string | undefined): Record<string, string> =>
  body === undefined
    ? {}
    : {
        'content-length': String(Buffer.byteLength(body)),
        'content-type': 'application/json',
        'x-content-sha256': createHash('sha256').update(body).digest('base64'),
      };
