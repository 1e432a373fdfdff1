import { DomainError, fieldErrors, isDomainError } from '../../../domain/foundation/errors.ts';
import { isText } from '../../../domain/foundation/json.ts';
import type { Outbound, OutboundReply } from '../../../ports/outbound.ts';
import type { Clock } from '../../../ports/system.ts';
import { readObject } from '../remote/reply-json.ts';
import { SharedAttempt } from '../remote/shared-attempt.ts';
import type { AwsCredentials } from './client.ts';

/** The service is on the machine itself: it answers at once or not at all. */
const TIMEOUT_MS = 1000;
const TOKEN_TTL_SECONDS = 60;
/** Credentials are renewed so long before they expire; the service offers new ones at least that long before. */
const EARLY_MS = 5 * 60 * 1000;
/** Nor are they asked for more often, in milliseconds. */
const AT_LEAST_MS = 10 * 1000;
const CREDENTIALS = '/latest/meta-data/iam/security-credentials/';

interface RoleCredentials extends AwsCredentials {
  /** When they expire and when new ones are fetched, in milliseconds since the epoch. */
  expiresAt: number;
  renewAt: number;
}

/** The credentials of the role of this machine (IMDSv2), cached until shortly before they expire. */
export class InstanceRole {
  #current: RoleCredentials | undefined;
  readonly #loading = new SharedAttempt<RoleCredentials>();

  constructor(
    private readonly parts: {
      roleName: string;
      /** The instance metadata service. */
      metadataEndpoint: string;
      outbound: Outbound;
      clock: Clock;
    },
  ) {}

  /** @throws DomainError `BadRequest` naming `config.auth.roleName`, `UpstreamFailed`, `UpstreamTimeout` */
  async credentials(): Promise<AwsCredentials> {
    const now = this.parts.clock.now();
    if (this.#current && now < this.#current.renewAt) return this.#current;
    const usable = this.#current && now < this.#current.expiresAt ? this.#current : undefined;
    this.#current = await this.#loading
      .run(() => this.#load())
      .catch((error) => {
        if (usable && !isDomainError(error, 'BadRequest')) return usable;
        throw error;
      });
    return this.#current;
  }

  /** The next call fetches new credentials: these were refused. */
  forget(): void {
    this.#current = undefined;
  }

  async #load(): Promise<RoleCredentials> {
    const { roleName, clock } = this.parts;
    const token = await this.#ask('/latest/api/token', {
      method: 'PUT',
      headers: { 'x-aws-ec2-metadata-token-ttl-seconds': String(TOKEN_TTL_SECONDS) },
    });
    const headers = { 'x-aws-ec2-metadata-token': textOf(token) };
    const listed = await this.#ask(CREDENTIALS, { method: 'GET', headers });
    const [attached = ''] = textOf(listed).split('\n');
    if (listed.status === 404 || attached === '') throw refusedRole('this machine has no role', 'no role is attached');
    if (attached !== roleName) throw refusedRole('is not the role of this machine', `the role is ${attached}`);
    const reply = await this.#ask(CREDENTIALS + encodeURIComponent(roleName), { method: 'GET', headers });
    return readCredentials(reply, clock.now());
  }

  async #ask(
    path: string,
    request: { method: 'GET' | 'PUT'; headers: Record<string, string> },
  ): Promise<OutboundReply> {
    const { metadataEndpoint, outbound } = this.parts;
    const url = new URL(path, metadataEndpoint).href;
    const reply = await outbound
      .send({ ...request, url, expects: 'instance-metadata', timeoutMs: TIMEOUT_MS })
      .catch((cause) => {
        throw unreachable(cause);
      });
    if (reply.status === 200 || (reply.status === 404 && path === CREDENTIALS)) return reply;
    throw failed(`it answered ${path} with status ${reply.status}`);
  }
}

const textOf = ({ status, body }: OutboundReply): string =>
  status === 200 ? new TextDecoder().decode(body).trim() : '';

function readCredentials(reply: OutboundReply, now: number): RoleCredentials {
  const { Code, AccessKeyId, SecretAccessKey, Token, Expiration } = readObject(reply);
  const expiresAt = isText(Expiration) ? Date.parse(Expiration) : Number.NaN;
  if (!isText(AccessKeyId) || !isText(SecretAccessKey) || !isText(Token) || !(expiresAt > now))
    throw failed(`it returned no valid credentials (code ${String(Code).slice(0, 40)})`);
  const renewAt = Math.min(expiresAt, Math.max(expiresAt - EARLY_MS, now + AT_LEAST_MS));
  return { accessKeyId: AccessKeyId, secretAccessKey: SecretAccessKey, sessionToken: Token, expiresAt, renewAt };
}

/** The name of the attached role is for the log only. */
const refusedRole = (message: string, detail: string): DomainError =>
  fieldErrors([{ path: ['config', 'auth', 'roleName'], message }], { detail });

const TITLE = 'The instance metadata service, which gives the credentials of a role,';

const failed = (detail: string): DomainError => new DomainError('UpstreamFailed', `${TITLE} failed`, { detail });

const unreachable = (cause: unknown): DomainError =>
  isDomainError(cause, 'UpstreamTimeout')
    ? new DomainError('UpstreamTimeout', `${TITLE} did not answer in ${TIMEOUT_MS} ms`, { cause })
    : new DomainError('UpstreamFailed', `${TITLE} cannot be reached`, { cause });
