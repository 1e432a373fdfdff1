import type { Clock, Ids, Random } from '../../ports/system.ts';
import { at, DomainError } from '../foundation/errors.ts';
import type { AuthorizationCodes } from '../oauth/authorization-codes.ts';
import { newSecret } from '../oauth/secrets.ts';
import type { ContentReader, RequestedCredentials } from './content-reader.ts';
import type { CredentialIssuer } from './credential-issuer.ts';
import type { IssuanceEvents } from './issuance-events.ts';
import { readCallback } from './issuance-request.ts';
import { created } from './issuance-session.ts';
import { type CredentialOffer, createOffer } from './openid4vci/draft13.ts';
import type { IssuanceSessionRepository } from './session-repository.ts';

const DEFAULT_TTL_SECONDS = 300;

/** What is to be offered. Errors name the members of this value. */
export interface OfferRequest extends RequestedCredentials {
  /** May contain `$id`. */
  statusCallbackUri?: string;
  ttlSeconds?: number;
}

/** What offers need. */
export interface OfferParts {
  reader: ContentReader;
  codes: AuthorizationCodes;
  sessions: IssuanceSessionRepository;
  events: IssuanceEvents;
  clock: Clock;
  ids: Ids;
  random: Random;
}

/** Credential offers: created for issuers, shown to wallets. */
export class CredentialOffers {
  readonly #parts: OfferParts;

  constructor(parts: OfferParts) {
    this.#parts = parts;
  }

  /** Stores a new session unless anything of the request is wrong; returns its id. @throws DomainError `BadRequest`, `AddressRefused` */
  async create(issuer: CredentialIssuer, request: OfferRequest): Promise<string> {
    const { reader, codes, sessions, clock, ids, random } = this.#parts;
    const { content, ttlSeconds = DEFAULT_TTL_SECONDS } = request;
    const [id, code] = [ids.uuid(), newSecret(random)];
    const callbackUrl = this.#callback(request, id);
    const contents = await at(['content'], () => reader.read(issuer, request));
    const expiresAt = clock.now() + ttlSeconds * 1000;
    const facts = { id, issuerId: issuer.id, code, expiresAt, isBatch: Array.isArray(content), callbackUrl };
    await sessions.insert(issuer, created({ ...facts, contents }));
    await codes.create({ issuerId: issuer.id, code, sessionId: id, expiresAt });
    return id;
  }

  /** Returns the offer of an active session, as often as it is asked for. @throws DomainError `NotFound`, `CallbackFailed` */
  async get(issuer: CredentialIssuer, id: string): Promise<CredentialOffer> {
    const session = await this.#parts.sessions.active(issuer, id);
    if (!session) throw new DomainError('NotFound', 'There is no such offer (any more)');
    const offer = createOffer(issuer, session.value);
    await this.#parts.events.send(session.value, { type: 'resolved_credential_offer', data: { ...offer } });
    return offer;
  }

  #callback({ statusCallbackUri: template }: OfferRequest, id: string): string | undefined {
    if (template === undefined) return undefined;
    return at(['statusCallbackUri'], () => {
      const url = readCallback(template, id);
      this.#parts.events.check(url);
      return url;
    });
  }
}
