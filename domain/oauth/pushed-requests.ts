import type { Collection, Store, Stored } from '../../ports/store.ts';
import type { Clock, Random } from '../../ports/system.ts';
import { utf8Length } from '../foundation/bytes.ts';
import { oauthError } from '../foundation/errors.ts';
import { update } from '../foundation/records.ts';
import type { AuthorizationRequest } from './authorization-requests.ts';
import { newSecret, secretId } from './secrets.ts';

/** Constants of RFC 9126. */
const PAR = { REQUEST_URI_PREFIX: 'urn:ietf:params:oauth:request_uri:' } as const;

/** How long a request can be opened for the first time, in seconds. */
const PUSHED_REQUEST_SECONDS = 60;
/** How long the login of an opened request may take, in seconds. */
const LOGIN_SECONDS = 600;
const MAX_REQUEST_BYTES = 32_768;

/** The answer to a pushed request (RFC 9126 §2.2). */
export interface PushedRequest {
  requestUri: string;
  expiresInSeconds: number;
}

/** A reference to a pushed request, as an authorization request has it. */
export interface RequestReference {
  issuerId: string;
  requestUri: string;
  clientId: string | undefined;
}

interface StoredRequest {
  request: AuthorizationRequest;
  isOpened: boolean;
}

/**
 * Pushed authorization requests (RFC 9126). One can be opened again until its login is complete, so that a user may
 * reload the page; completing it removes it, and of two completions exactly one succeeds.
 */
export class PushedRequests {
  readonly #requests: Collection<StoredRequest>;
  readonly #clock: Clock;
  readonly #random: Random;

  constructor({ store, clock, random }: { store: Store; clock: Clock; random: Random }) {
    this.#requests = store.collection({ name: 'pushed-requests', afterRestore: 'void' });
    this.#clock = clock;
    this.#random = random;
  }

  /** Stores a checked request. @throws DomainError `invalid_request` for one that is too large */
  async push(issuerId: string, request: AuthorizationRequest): Promise<PushedRequest> {
    if (utf8Length(JSON.stringify(request)) > MAX_REQUEST_BYTES)
      throw oauthError('invalid_request', `The request may have at most ${MAX_REQUEST_BYTES} bytes`);
    const requestUri = `${PAR.REQUEST_URI_PREFIX}${newSecret(this.#random)}`;
    const expiresAt = this.#clock.now() + PUSHED_REQUEST_SECONDS * 1000;
    await this.#requests.insert({ id: secretId(issuerId, requestUri), value: { request, isOpened: false }, expiresAt });
    return { requestUri, expiresInSeconds: PUSHED_REQUEST_SECONDS };
  }

  /** The request for its login, which has ten minutes from the first time. @throws DomainError `invalid_request_uri` */
  async open(reference: RequestReference): Promise<AuthorizationRequest> {
    const found = await this.#find(reference);
    const opened = await update({
      collection: this.#requests,
      key: { id: found.id },
      from: found,
      change: (value) => (value.isOpened ? value : { ...value, isOpened: true }),
      expiresAt: () => this.#clock.now() + LOGIN_SECONDS * 1000,
    });
    if (!opened) throw unknownRequest();
    return opened.value.request;
  }

  /** Ends a request whose login is complete, successful or not. @throws DomainError `invalid_request_uri` when it ended before */
  async complete(reference: RequestReference): Promise<void> {
    const { id } = await this.#find(reference);
    if (!(await this.#requests.take({ id }))) throw unknownRequest();
  }

  /** One of another client is unknown (RFC 9126 §4). */
  async #find({ issuerId, requestUri, clientId }: RequestReference): Promise<Stored<StoredRequest>> {
    const found = await this.#requests.get({ id: secretId(issuerId, requestUri) });
    if (!found || found.value.request.clientId !== clientId) throw unknownRequest();
    return found;
  }
}

const unknownRequest = () =>
  oauthError('invalid_request_uri', 'The request_uri is unknown, used or expired, or it is of another client');
