import { createHash, createHmac, timingSafeEqual } from 'node:crypto';
import type { FakeCall } from './fake-server.ts';

/** The secret of an access key, and the session token that must come with a temporary one. */
export interface AccessKey {
  secretAccessKey: string;
  sessionToken?: string;
}

/** What a signature must be made for. */
interface SigV4Rules {
  service: string;
  regions: readonly string[];
  /** The headers that must be signed, besides host and x-amz-date. */
  signedHeaders: readonly string[];
  accessKeys: ReadonlyMap<string, AccessKey>;
  now: number;
}

/** The signer of a call, or why the call is refused: the error's name and its text. */
type SigV4Outcome = { accessKeyId: string; region: string } | { error: string; message: string };

const ALGORITHM = 'AWS4-HMAC-SHA256';
const WINDOW_MS = 15 * 60 * 1000;
const AUTHORIZATION =
  /^AWS4-HMAC-SHA256 Credential=([^,\s]+),\s*SignedHeaders=([a-z0-9;-]+),\s*Signature=([0-9a-f]{64})$/;

const refuse = (error: string, message: string): SigV4Outcome => ({ error, message });
const MISMATCH =
  'The request signature we calculated does not match the signature you provided. Check your AWS Secret ' +
  'Access Key and signing method. Consult the service documentation for details.';

/** Verifies the signature of a call completely (AWS Signature Version 4, signed headers). */
export function verifySigV4(call: FakeCall, rules: SigV4Rules): SigV4Outcome {
  const { authorization } = call.headers;
  if (authorization === undefined)
    return refuse('MissingAuthenticationTokenException', 'Request is missing Authentication Token');
  const [, credential = '', signedList = '', signature = ''] = AUTHORIZATION.exec(authorization) ?? [];
  const [accessKeyId = '', date, region = '', service, end] = credential.split('/');
  if (signature === '' || end !== 'aws4_request')
    return refuse('IncompleteSignatureException', 'Authorization header is not a valid AWS4-HMAC-SHA256 signature.');
  const key = rules.accessKeys.get(accessKeyId);
  if (!key || call.headers['x-amz-security-token'] !== key.sessionToken)
    return refuse('UnrecognizedClientException', 'The security token included in the request is invalid.');
  if (service !== rules.service || !rules.regions.includes(region))
    return refuse('InvalidSignatureException', `Credential should be scoped to a valid region, not '${region}'. `);
  const signedHeaders = signedList.split(';');
  const problem = timeProblem(call, date, rules.now) ?? headerProblem(call, signedHeaders, rules);
  if (problem !== undefined) return refuse('InvalidSignatureException', problem);
  const expected = signatureOf({ call, signedHeaders, region, service, secret: key.secretAccessKey });
  const isRight = timingSafeEqual(Buffer.from(expected, 'hex'), Buffer.from(signature, 'hex'));
  return isRight ? { accessKeyId, region } : refuse('InvalidSignatureException', MISMATCH);
}

function timeProblem({ headers }: FakeCall, date: string | undefined, now: number): string | undefined {
  const stamp = String(headers['x-amz-date']);
  const parts = /^(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)(\d\d)Z$/.exec(stamp);
  if (!parts || stamp.slice(0, 8) !== date)
    return 'Date in Credential scope does not match YYYYMMDD from ISO-8601 time';
  const [, year, month, day, hour, minute, second] = parts;
  const at = Date.parse(`${year}-${month}-${day}T${hour}:${minute}:${second}Z`);
  return Math.abs(now - at) > WINDOW_MS ? `Signature expired: ${stamp} is not within 15 minutes` : undefined;
}

function headerProblem({ headers }: FakeCall, signed: string[], rules: SigV4Rules): string | undefined {
  const token = headers['x-amz-security-token'] === undefined ? [] : ['x-amz-security-token'];
  const missing = ['host', 'x-amz-date', ...token, ...rules.signedHeaders].find((name) => !signed.includes(name));
  if (missing !== undefined) return `The header ${missing} must be signed`;
  return signed.join() === [...signed].sort().join() ? undefined : 'The signed headers must be sorted';
}

/** What a signature is calculated from. */
interface SignatureInput {
  call: FakeCall;
  signedHeaders: string[];
  region: string;
  service: string;
  secret: string;
}

/** The signature in hexadecimal. */
export function signatureOf({ call, signedHeaders, region, service, secret }: SignatureInput): string {
  const stamp = String(call.headers['x-amz-date']);
  const scope = `${stamp.slice(0, 8)}/${region}/${service}/aws4_request`;
  const text = [ALGORITHM, stamp, scope, sha256(canonicalRequest(call, signedHeaders))].join('\n');
  const key = scope.split('/').reduce<Buffer>((last, part) => hmac(last, part), Buffer.from(`AWS4${secret}`));
  return hmac(key, text).toString('hex');
}

/** The canonical request of a call, with the digest of the body that really came. */
export function canonicalRequest({ method, path, headers, body }: FakeCall, signedHeaders: string[]): string {
  const [target = '/', query = ''] = path.split('?');
  const lines = signedHeaders.map((name) => `${name}:${textOf(headers[name]).trim().replaceAll(/ +/g, ' ')}\n`);
  return [method, encoded(target), canonicalQuery(query), lines.join(''), signedHeaders.join(';'), sha256(body)].join(
    '\n',
  );
}

const textOf = (value: string | string[] | undefined): string =>
  Array.isArray(value) ? value.join(',') : (value ?? '');

const canonicalQuery = (query: string): string =>
  query
    .split('&')
    .filter((pair) => pair !== '')
    .map((pair) => (pair.includes('=') ? pair : `${pair}=`))
    .sort()
    .join('&');

/** Every byte of a path segment but the unreserved ones is encoded, once more where it is encoded already. */
const encoded = (path: string): string =>
  path
    .split('/')
    .map((part) =>
      encodeURIComponent(part).replaceAll(/[!'()*]/g, (one) => `%${one.charCodeAt(0).toString(16).toUpperCase()}`),
    )
    .join('/');

const sha256 = (data: string | Uint8Array): string => createHash('sha256').update(data).digest('hex');
const hmac = (key: Uint8Array, data: string): Buffer => createHmac('sha256', key).update(data).digest();
