import type { Certificates } from '../../ports/certificates.ts';
import type { Clock, Ids, Random } from '../../ports/system.ts';
import { at, DomainError } from '../foundation/errors.ts';
import { parsePointer } from '../foundation/field-paths.ts';
import type { KeyBackends } from '../keys/key-backends.ts';
import { readChain } from './certificate-chain.ts';
import type { CredentialConfigurations } from './configurations.ts';
import type { IssuanceEvents } from './events.ts';
import { type IssuableContent, newIssuanceSession } from './issuance-session.ts';
import type { IssuerDids } from './issuer-dids.ts';
import { type IssuanceRequest, readCallback, readContent } from './requests.ts';
import type { IssuanceSessionRepository } from './session-repository.ts';
import { newSecret, PRE_AUTHORIZED } from './token-endpoint.ts';

const DEFAULT_TTL_SECONDS = 300;

/** OpenID4VCI draft 13 §4.1.1. */
export interface CredentialOffer {
  credential_issuer: string;
  credential_configuration_ids: string[];
  grants: { [PRE_AUTHORIZED]: { 'pre-authorized_code': string } };
}

/** How an offer is made, beside its credentials. */
export interface OfferOptions {
  /** Whether the body was an array. */
  isBatch: boolean;
  /** May hold `$id`. */
  statusCallbackUri?: string;
  ttlSeconds?: number;
}

/** What making offers needs. */
export interface OfferParts {
  /** The credential issuer identifier. */
  issuer: string;
  configurations: CredentialConfigurations;
  keys: KeyBackends;
  certificates: Certificates;
  issuerDids: IssuerDids;
  sessions: IssuanceSessionRepository;
  events: IssuanceEvents;
  clock: Clock;
  ids: Ids;
  random: Random;
}

/** Credential offers: making them for issuers, showing them to wallets. */
export class CredentialOffers {
  readonly #parts: OfferParts;

  constructor(parts: OfferParts) {
    this.#parts = parts;
  }

  /** The offer URL of a new session. Nothing is kept unless every request is well. @throws DomainError `BadRequest` */
  async create(requests: IssuanceRequest[], options: OfferOptions): Promise<string> {
    const { sessions, issuerDids, clock, ids, random, issuer, events } = this.#parts;
    const { isBatch, statusCallbackUri: callback, ttlSeconds = DEFAULT_TTL_SECONDS } = options;
    const id = ids.uuid();
    const callbackUrl = callback === undefined ? undefined : readCallback(callback, id);
    if (callbackUrl !== undefined) events.check(callbackUrl);
    const contents: IssuableContent[] = [];
    const pathOf = (index: number): string => (isBatch ? `/body/${index}` : '/body');
    for (const [index, request] of requests.entries()) contents.push(await this.#read(request, pathOf(index)));
    await issuerDids.check(
      contents.map(({ issuerDid: did, issuerKey: { publicJwk: jwk } }, index) => {
        return { did, jwk, path: `${pathOf(index)}/issuerDid` };
      }),
    );
    const expiresAt = clock.now() + ttlSeconds * 1000;
    await sessions.insert(
      newIssuanceSession({ id, code: newSecret(random), expiresAt, isBatch, callbackUrl, contents }),
    );
    const uri = `${issuer}/credentialOffer?id=${id}`;
    return `openid-credential-offer://?credential_offer_uri=${encodeURIComponent(uri)}`;
  }

  /**
   * The offer, as often as it is asked for while its session is active.
   * @throws DomainError `NotFound`, `CallbackFailed`
   */
  async get(id: string): Promise<CredentialOffer> {
    const session = await this.#parts.sessions.active(id);
    if (!session) throw new DomainError('NotFound', 'There is no such offer (any more)');
    const offer: CredentialOffer = {
      credential_issuer: this.#parts.issuer,
      credential_configuration_ids: session.configurationIds,
      grants: { [PRE_AUTHORIZED]: { 'pre-authorized_code': session.code } },
    };
    await this.#parts.events.send(session, 'resolved_credential_offer', { ...offer });
    return offer;
  }

  async #read(request: IssuanceRequest, path: string): Promise<IssuableContent> {
    const { configurations, certificates } = this.#parts;
    const content = readContent(request, { configurations, path });
    const issuerKey = await at(parsePointer(`${path}/issuerKey`), () => this.#parts.keys.read(request.issuerKey));
    const { publicJwk: jwk } = issuerKey;
    const { x5Chain } = request;
    return {
      ...content,
      issuerKey,
      x5c: x5Chain && readChain(x5Chain, { certificates, jwk, path: `${path}/x5Chain` }),
    };
  }
}
