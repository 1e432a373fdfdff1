import { randomBytes } from 'node:crypto';
import type { FakeBehaviour, FakeCall, FakeReply } from './fake-server.ts';

/** Credentials of a role as the metadata service gives them. */
export interface RoleSession {
  accessKeyId: string;
  secretAccessKey: string;
  sessionToken: string;
  /** Milliseconds since the epoch. */
  expiresAt: number;
}

const CREDENTIALS = '/latest/meta-data/iam/security-credentials/';

/** The metadata service of an instance: version 2 only, so that every read needs a session token. */
export class FakeInstanceMetadata implements FakeBehaviour {
  /** The attached role; undefined for none. */
  roleName: string | undefined;
  readonly #tokens = new Set<string>();

  /** `newSession` is called for each request for credentials. */
  constructor(
    roleName: string,
    private readonly newSession: () => RoleSession,
  ) {
    this.roleName = roleName;
  }

  answer(call: FakeCall): FakeReply {
    if (call.method === 'PUT') return this.#token(call);
    if (call.method !== 'GET') return { status: 405 };
    if (!this.#tokens.has(String(call.headers['x-aws-ec2-metadata-token']))) return { status: 401 };
    if (this.roleName === undefined || !call.path.startsWith(CREDENTIALS)) return { status: 404 };
    const asked = decodeURIComponent(call.path.slice(CREDENTIALS.length));
    if (asked === '') return { status: 200, body: this.roleName };
    return asked === this.roleName ? this.#credentials() : { status: 404 };
  }

  throttled = (): FakeReply => ({ status: 429 });
  failed = (): FakeReply => ({ status: 500 });

  #token({ path, headers, body }: FakeCall): FakeReply {
    const ttl = Number(headers['x-aws-ec2-metadata-token-ttl-seconds']);
    if (path !== '/latest/api/token') return { status: 404 };
    // The service refuses requests that passed a proxy.
    if (headers['x-forwarded-for'] !== undefined) return { status: 403 };
    if (!(Number.isInteger(ttl) && ttl >= 1 && ttl <= 21_600) || body.length > 0) return { status: 400 };
    const token = randomBytes(40).toString('base64');
    this.#tokens.add(token);
    return { status: 200, headers: { 'x-aws-ec2-metadata-token-ttl-seconds': String(ttl) }, body: token };
  }

  #credentials(): FakeReply {
    const { accessKeyId, secretAccessKey, sessionToken, expiresAt } = this.newSession();
    const body = {
      Code: 'Success',
      LastUpdated: new Date(expiresAt - 6 * 3_600_000).toISOString(),
      Type: 'AWS-HMAC',
      AccessKeyId: accessKeyId,
      SecretAccessKey: secretAccessKey,
      Token: sessionToken,
      Expiration: new Date(expiresAt).toISOString(),
    };
    return { status: 200, headers: { 'content-type': 'text/plain' }, body: JSON.stringify(body, null, 2) };
  }
}
