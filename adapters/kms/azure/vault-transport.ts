import type { HttpClient, PipelineRequest, PipelineResponse } from '@azure/core-rest-pipeline';
import type { OutboundReply } from '../../../ports/outbound.ts';
import { KmsFailure } from '../remote/kms.ts';
import { SharedAttempt } from '../remote/shared-attempt.ts';
import { LATE_CREATION_MS, sendGuarded, type TransportOptions } from '../remote/transport.ts';
import type { ClientCredentials } from './client-credentials.ts';
import { failureOf, readRefusal, type VaultRefusal } from './vault-failures.ts';

type CreateHeaders = typeof import('@azure/core-rest-pipeline').createHttpHeaders;

/** What calls to one vault need. */
interface VaultParts {
  /** The origin of the vault's URL: no other server is called. */
  origin: string;
  credentials: ClientCredentials;
  transport: TransportOptions;
  createHeaders: CreateHeaders;
}

/** The way to one vault with one set of credentials. The vault's challenge is asked for once. */
export class VaultTransport {
  #challenge: OutboundReply | undefined;
  readonly #asking = new SharedAttempt<OutboundReply>();

  constructor(private readonly parts: VaultParts) {}

  /** The HTTP client of the vendor's library for one operation. */
  operation(): VaultOperation {
    return new VaultOperation(this, this.parts);
  }

  /**
   * The answer to a request without a token: that of the first one, since the library begins each operation with one.
   * @throws KmsFailure when it is not a challenge, DomainError of the network guard
   */
  async challenge(request: PipelineRequest): Promise<OutboundReply> {
    this.#challenge ??= await this.#asking.run(() => this.#ask(request));
    return this.#challenge;
  }

  /**
   * Sends a request with a token. A token can be revoked before it expires: another one is tried, once.
   * @throws KmsFailure, DomainError of the network guard
   */
  async authorized(request: PipelineRequest, token: string): Promise<OutboundReply> {
    const { credentials } = this.parts;
    const reply = await this.send(request);
    if (reply.status !== 401) return reply;
    const another = await credentials.replace(token);
    request.headers.set('authorization', `Bearer ${another}`);
    const last = await this.send(request);
    if (last.status !== 401) return last;
    credentials.forget(another);
    this.#challenge = undefined;
    return last;
  }

  /** @throws DomainError of the network guard */
  send({ method, url, headers, body }: PipelineRequest): Promise<OutboundReply> {
    if (new URL(url).origin !== this.parts.origin)
      throw new KmsFailure('unavailable', 'another server was to be called');
    if (!isMethod(method)) throw new KmsFailure('unavailable', `the method ${method} is not used`);
    const text = typeof body === 'string' ? body : undefined;
    const request = { method, url, expects: 'vault-reply', headers: headers.toJSON(), body: text } as const;
    const { transport } = this.parts;
    const isCreation = headers.has('authorization') && new URL(url).pathname.endsWith('/create');
    const timeoutMs = transport.timeoutMs + (isCreation ? LATE_CREATION_MS : 0);
    return sendGuarded(request, { ...transport, timeoutMs });
  }

  async #ask(request: PipelineRequest): Promise<OutboundReply> {
    const reply = await this.send(request);
    if (reply.status === 401 && /\b(resource|scope)="/.test(reply.headers['www-authenticate'] ?? '')) return reply;
    if (reply.status >= 400 && reply.status !== 401) throw failureOf(readRefusal(reply));
    throw new KmsFailure('unavailable', 'the server does not answer as a vault does');
  }
}

const METHODS = ['GET', 'POST', 'DELETE'] as const;
const isMethod = (method: string): method is (typeof METHODS)[number] => METHODS.some((known) => known === method);

/** The calls of one operation of the vendor's library. */
export class VaultOperation implements HttpClient {
  readonly #createHeaders: CreateHeaders;
  #isSent = false;
  /** How the vault refused the operation. */
  refusal: VaultRefusal | undefined;

  constructor(
    private readonly vault: VaultTransport,
    { createHeaders }: VaultParts,
  ) {
    this.#createHeaders = createHeaders;
  }

  /** Whether a request with a token was sent and not refused. */
  get mayHaveTakenPlace(): boolean {
    return this.#isSent && !(this.refusal && this.refusal.status < 500);
  }

  async sendRequest(request: PipelineRequest): Promise<PipelineResponse> {
    const { status, headers, body } = await this.#reply(request);
    const bodyAsText = Buffer.from(body).toString();
    return { request, status, headers: this.#createHeaders(headers), bodyAsText };
  }

  async #reply(request: PipelineRequest): Promise<OutboundReply> {
    const authorization = request.headers.get('authorization');
    if (authorization === undefined) return this.vault.challenge(request);
    // The library looks once whether a deletion is completed, which no caller waits for.
    if (new URL(request.url).pathname.startsWith('/deletedkeys/')) return NOT_YET;
    this.#isSent = true;
    const reply = await this.vault.authorized(request, authorization.replace(/^Bearer /, ''));
    if (reply.status === 200) return reply;
    this.refusal = readRefusal(reply);
    throw failureOf(this.refusal);
  }
}

const NOT_YET: OutboundReply = {
  status: 404,
  headers: { 'content-type': 'application/json' },
  body: Buffer.from('{}'),
};
