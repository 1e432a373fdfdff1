import { createHash, type KeyObject, verify } from 'node:crypto';
import type { FakeCall } from './fake-server.ts';

/** The headers that a signature must cover, and those it must cover when there is a body (Oracle's "Request Signatures"). */
const COVERED = ['(request-target)', 'host'];
const COVERED_WITH_BODY = ['x-content-sha256', 'content-type', 'content-length'];
const DATES = ['date', 'x-date'];
const MAX_SKEW_MS = 5 * 60 * 1000;
const WITH_BODY = new Set(['POST', 'PUT', 'PATCH']);

/** What a signature is checked with. */
interface SignatureCheck {
  /** The registered public key of a `keyId`: tenancy, user and fingerprint with slashes between them. */
  publicKeyOf(keyId: string): KeyObject | undefined;
  /** Milliseconds since the epoch. */
  now: number;
}

/** The outcome of a check: who signed, or why the signature is refused. */
type CheckedSignature = { keyId: string } | { refusal: string };

const NOT_AUTHENTICATED = 'The required information to complete authentication was not provided or was incorrect.';

/** Checks the signature of a request as OCI does: draft-cavage-http-signatures-08 with more required headers. */
export function checkSignature(call: FakeCall, { publicKeyOf, now }: SignatureCheck): CheckedSignature {
  const { version, keyId = '', algorithm, headers = '', signature = '' } = parametersOf(call);
  const covered = headers.split(' ').map((name) => name.toLowerCase());
  const publicKey = publicKeyOf(keyId);
  const isComplete = version === '1' && algorithm === 'rsa-sha256' && publicKey && coversAll(call, covered);
  if (!isComplete || !bodyFits(call)) return { refusal: NOT_AUTHENTICATED };
  const lines = covered.map((name) => `${name}: ${headerOf(call, name)}`);
  const text = Buffer.from(lines.join('\n'));
  if (!verify('sha256', text, publicKey, Buffer.from(signature, 'base64'))) return { refusal: NOT_AUTHENTICATED };
  const stated = headerOf(call, covered.find((name) => DATES.includes(name)) ?? '') ?? '';
  const isTimely = Math.abs(Date.parse(stated) - now) <= MAX_SKEW_MS;
  const current = new Date(now).toUTCString();
  return isTimely ? { keyId } : { refusal: `Date '${stated}' is not within allowed clock skew. Current '${current}'` };
}

/** The parameters of the scheme `Signature`; empty when there is another scheme, or one of them twice. */
function parametersOf({ headers }: FakeCall): Record<string, string> {
  const [, list] = /^Signature (.+)$/.exec(headers.authorization ?? '') ?? [];
  const pairs = [...(list ?? '').matchAll(/\b(\w+)="([^"]*)"/g)].map(([, name = '', value = '']) => [name, value]);
  const parameters = Object.fromEntries(pairs) as Record<string, string>;
  return Object.keys(parameters).length === pairs.length ? parameters : {};
}

function coversAll(call: FakeCall, covered: readonly string[]): boolean {
  const required = WITH_BODY.has(call.method) ? [...COVERED, ...COVERED_WITH_BODY] : COVERED;
  const isPresent = covered.every((name) => headerOf(call, name) !== undefined);
  return isPresent && required.every((name) => covered.includes(name)) && DATES.some((name) => covered.includes(name));
}

function headerOf({ method, path, headers }: FakeCall, name: string): string | undefined {
  if (name === '(request-target)') return `${method.toLowerCase()} ${path}`;
  const value = headers[name];
  return Array.isArray(value) ? value.join(', ') : value;
}

function bodyFits({ method, headers, body }: FakeCall): boolean {
  if (!WITH_BODY.has(method)) return true;
  const digest = createHash('sha256').update(body).digest('base64');
  return headers['x-content-sha256'] === digest && headers['content-length'] === String(body.length);
}
