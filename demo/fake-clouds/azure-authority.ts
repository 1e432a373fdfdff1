import { createHmac, randomBytes, randomUUID, timingSafeEqual } from 'node:crypto';
import type { FakeBehaviour, FakeCall, FakeReply } from './fake-server.ts';

/** The one application that a fake authority knows, and the resources that it issues tokens for. */
export interface FakeApplication {
  tenantId: string;
  clientId: string;
  clientSecret: string;
}

/** What an access token says. */
interface FakeToken {
  /** The resource that it is for. */
  aud: string;
  appid: string;
  /** Seconds since the epoch. */
  exp: number;
}

interface Refusal {
  status: number;
  error: string;
  code: number;
  text: string;
}

const TRAILER = 'Trace ID: 5ae6d2c4 Correlation ID: 9d5fbb1f Timestamp: 2026-01-01 00:00:00Z';

const refused = ({ status, error, code, text }: Refusal): FakeReply => ({
  status,
  headers: { 'content-type': 'application/json; charset=utf-8', 'cache-control': 'no-store, no-cache' },
  body: JSON.stringify({
    error,
    error_description: `AADSTS${code}: ${text} ${TRAILER}`,
    error_codes: [code],
    trace_id: '5ae6d2c4',
    correlation_id: '9d5fbb1f',
  }),
});

/** The token endpoint of a fake of Microsoft Entra: client credentials only. */
export class FakeAuthority implements FakeBehaviour {
  #secret = randomBytes(32);

  constructor(
    private readonly parts: {
      application: FakeApplication;
      /** The resources that exist. */
      resources: () => readonly string[];
      /** Milliseconds since the epoch. */
      now: () => number;
      /** Seconds that a token lives. */
      tokenSeconds: number;
    },
  ) {}

  answer(call: FakeCall): FakeReply {
    const refusal = this.#refusal(call);
    if (refusal) return refused(refusal);
    const { application, now, tokenSeconds } = this.parts;
    const aud = resourceOf(new URLSearchParams(call.body.toString()).get('scope'));
    const exp = Math.floor(now() / 1000) + tokenSeconds;
    const access_token = this.#issue({ aud, appid: application.clientId, exp });
    const body = { token_type: 'Bearer', expires_in: tokenSeconds, ext_expires_in: tokenSeconds, access_token };
    return { status: 200, headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) };
  }

  throttled(): FakeReply {
    const text = 'The server is terminating the request because too many were received.';
    return refused({ status: 429, error: 'temporarily_unavailable', code: 90055, text });
  }

  failed(): FakeReply {
    const text = 'A transient error has occurred. Please try again.';
    return refused({ status: 503, error: 'temporarily_unavailable', code: 90033, text });
  }

  /** Ends all tokens that were issued. */
  revoke(): void {
    this.#secret = randomBytes(32);
  }

  /** What a token of this authority says; undefined for any other text. */
  read(token: string): FakeToken | undefined {
    const [payload = '', mac = ''] = token.split('.');
    const [expected, given] = [this.#mac(payload), Buffer.from(mac, 'base64url')];
    if (given.length !== expected.length || !timingSafeEqual(given, expected)) return undefined;
    return JSON.parse(Buffer.from(payload, 'base64url').toString()) as FakeToken;
  }

  #issue(token: FakeToken): string {
    const payload = Buffer.from(JSON.stringify({ ...token, uti: randomUUID() })).toString('base64url');
    return `${payload}.${this.#mac(payload).toString('base64url')}`;
  }

  #mac(payload: string): Buffer {
    return createHmac('sha256', this.#secret).update(payload).digest();
  }

  #refusal({ method, path, headers, body }: FakeCall): Refusal | undefined {
    const { application, resources } = this.parts;
    const [, tenant, rest] = path.match(/^\/([^/?]+)\/(.*)$/) ?? [];
    const form = new URLSearchParams(body.toString());
    const bad = (error: string, code: number, text: string, status = 400): Refusal => ({ status, error, code, text });
    if (method !== 'POST' || rest !== 'oauth2/v2.0/token') return bad('not_found', 90000, 'No such endpoint.', 404);
    if (headers['content-type']?.split(';')[0] !== 'application/x-www-form-urlencoded')
      return bad('invalid_request', 900144, 'The request body must be a form.');
    for (const name of ['grant_type', 'client_id', 'scope'])
      if (!form.get(name))
        return bad('invalid_request', 900144, `The request body must contain the following parameter: '${name}'.`);
    if (tenant !== application.tenantId) return bad('invalid_request', 90002, `Tenant '${tenant}' not found.`);
    if (form.get('grant_type') !== 'client_credentials')
      return bad('unsupported_grant_type', 70003, 'The app requested an unsupported grant type.');
    const client = form.get('client_id') ?? '';
    if (client !== application.clientId)
      return bad('unauthorized_client', 700016, `Application with identifier '${client}' was not found.`);
    if (form.get('client_secret') !== application.clientSecret)
      return bad('invalid_client', 7000215, `Invalid client secret provided for app '${client}'.`, 401);
    if (!form.get('scope')?.endsWith('/.default'))
      return bad('invalid_scope', 1002012, 'The provided value for scope is not valid.');
    const resource = resourceOf(form.get('scope'));
    if (!resources().includes(resource))
      return bad('invalid_resource', 500011, `The resource principal named ${resource} was not found.`);
    return undefined;
  }
}

const resourceOf = (scope: string | null): string => scope?.replace(/\/\.default$/, '') ?? '';
