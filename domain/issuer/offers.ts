import type { Clock, Ids, Random } from '../../ports/system.ts';
import { at, DomainError, invalidField } from '../foundation/errors.ts';
import type { AuthorizationCodes } from '../oauth/authorization-codes.ts';
import { newSecret } from '../oauth/secrets.ts';
import type { ContentReader, RequestedCredentials } from './content-reader.ts';
import type { CredentialIssuer } from './credential-issuer.ts';
import type { IssuanceContents } from './issuance-contents.ts';
import type { IssuanceEvents } from './issuance-events.ts';
import type { AuthorizationCodeGrant, IssuanceGrant } from './issuance-grant.ts';
import { readCallback } from './issuance-request.ts';
import { created } from './issuance-session.ts';
import { planItems } from './item-plan.ts';
import { type CredentialOffer, createOffer } from './openid4vci/draft13.ts';
import type { IssuanceSessionRepository } from './session-repository.ts';
import { createTxCode, type TxCodeRequest } from './transaction-codes.ts';

const DEFAULT_TTL_SECONDS = 300;

/** What is to be offered. Errors name the members of this value. */
export interface OfferRequest extends RequestedCredentials {
  /** May contain `$id`. */
  statusCallbackUri?: string;
  ttlSeconds?: number;
  /** The transaction code that a wallet must send with a pre-authorized code; `txCodeValue` is its value, generated when absent. */
  txCode?: TxCodeRequest;
  txCodeValue?: string;
  /** How the holder is authenticated when the wallet goes to the authorization endpoint; absent for a pre-authorized code. */
  authorization?: Pick<AuthorizationCodeGrant, 'method' | 'needs'> & { hidesState?: boolean };
  /** Whether credentials are made when the wallet asks a second time. */
  isDeferred?: boolean;
}

/** An offer that was just created. */
export interface CreatedOffer {
  /** The id of its session. */
  id: string;
  /** Milliseconds since the epoch. */
  expiresAt: number;
  /** The value that the issuer has to bring to the holder. */
  txCodeValue?: string;
}

/** What offers need. */
export interface OfferParts {
  reader: ContentReader;
  codes: AuthorizationCodes;
  contents: IssuanceContents;
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

  /** Stores a new session unless anything of the request is wrong. @throws DomainError `BadRequest`, `AddressRefused` */
  async create(issuer: CredentialIssuer, request: OfferRequest): Promise<CreatedOffer> {
    const { reader, contents: store, sessions, clock, ids } = this.#parts;
    const { content, ttlSeconds = DEFAULT_TTL_SECONDS, isDeferred } = request;
    const id = ids.uuid();
    const callbackUrl = this.#callback(request, id);
    const { grant, txCodeValue } = this.#grant(request, id);
    const { plan, contents } = planItems(await at(['content'], () => reader.read(issuer, request)));
    const expiresAt = clock.now() + ttlSeconds * 1000;
    const facts = { id, issuerId: issuer.id, expiresAt, isBatch: Array.isArray(content), isDeferred, callbackUrl };
    // The session comes last, so a failure before leaves nothing that can be seen.
    await store.insert(id, { contents, expiresAt });
    await this.#code(issuer, grant, { sessionId: id, expiresAt });
    await sessions.insert(issuer, created({ ...facts, grant, plan }));
    return { id, expiresAt, txCodeValue };
  }

  /** Returns the offer of an active session, as often as it is asked for. @throws DomainError `NotFound`, `CallbackFailed` */
  async get(issuer: CredentialIssuer, id: string): Promise<CredentialOffer> {
    const session = await this.#parts.sessions.active(issuer, id);
    if (!session) throw new DomainError('NotFound', 'There is no such offer (any more)');
    const offer = createOffer(issuer, session.value);
    await this.#parts.events.send(session.value, { type: 'resolved_credential_offer', data: { ...offer } });
    return offer;
  }

  #grant(request: OfferRequest, sessionId: string): { grant: IssuanceGrant; txCodeValue?: string } {
    const { random } = this.#parts;
    const { authorization, txCode, txCodeValue: value } = request;
    if (authorization) return { grant: authorizationGrant(request, sessionId) };
    const code = newSecret(random);
    if (value !== undefined && !txCode) throw invalidField(['txCodeValue'], 'needs a txCode');
    if (!txCode) return { grant: { kind: 'pre-authorized', code } };
    const made = createTxCode(sessionId, { txCode, value }, random);
    return { grant: { kind: 'pre-authorized', code, txCode: made.txCode }, txCodeValue: made.value };
  }

  async #code(issuer: CredentialIssuer, grant: IssuanceGrant, of: { sessionId: string; expiresAt: number }) {
    if (grant.kind !== 'pre-authorized') return;
    await this.#parts.codes.create({ ...of, issuerId: issuer.id, code: grant.code });
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

function authorizationGrant({ authorization, txCode, txCodeValue }: OfferRequest, sessionId: string): IssuanceGrant {
  const { method = 'NONE', needs, hidesState } = authorization ?? {};
  for (const [name, given] of Object.entries({ txCode, txCodeValue }))
    if (given !== undefined) throw invalidField([name], 'belongs to a pre-authorized code');
  return { kind: 'authorization-code', method, needs, issuerState: hidesState ? undefined : sessionId };
}
