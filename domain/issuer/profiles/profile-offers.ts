import { fingerprint } from '../../foundation/bytes.ts';
import { at, DomainError, invalidField, isDomainError } from '../../foundation/errors.ts';
import type { CredentialIssuer } from '../credential-issuer.ts';
import type { CreatedOffer, CredentialOffers, OfferRequest } from '../offers/offers.ts';
import type { SessionReports } from '../sessions/session-reports.ts';
import type { TxCodeRequest } from '../sessions/transaction-codes.ts';
import { type IssuanceProfile, type IssuanceProfiles, webhookOf } from './issuance-profile.ts';
import type { ProfileOverrides, ProfileRequests } from './profile-requests.ts';

/** How long an offer lives that never expires: ten years, in seconds. */
const NEVER_SECONDS = 315_360_000;

/** An offer of the credential of a profile. Errors name the members of this value. */
export interface ProfileOfferRequest {
  profileId: string;
  authMethod: 'PRE_AUTHORIZED' | 'AUTHORIZED';
  /** Whether the offer has an issuer state; only with AUTHORIZED. */
  issuerStateMode?: 'INCLUDE';
  /** -1 for never. */
  expiresInSeconds?: number;
  txCode?: TxCodeRequest;
  txCodeValue?: string;
  runtimeOverrides?: ProfileOverrides;
  /** The id of the new session. */
  sessionId?: string;
}

/** An offer that was just created, with its profile. */
export interface ProfileOffer extends CreatedOffer {
  profileId: string;
}

/** What offers of profiles need. */
export interface ProfileOfferParts {
  profiles: IssuanceProfiles;
  requests: ProfileRequests;
  offers: CredentialOffers;
  reports: SessionReports;
}

/** Offers the credentials of profiles. */
export class ProfileOffers {
  readonly #parts: ProfileOfferParts;

  constructor(parts: ProfileOfferParts) {
    this.#parts = parts;
  }

  /** The profile with this id. @throws DomainError `NotFound` */
  profile(id: string): IssuanceProfile {
    const profile = this.#parts.profiles.get(id);
    if (profile) return profile;
    throw new DomainError('NotFound', 'There is no such profile');
  }

  /** Every profile, in the operator's order. */
  all(): IssuanceProfile[] {
    return [...this.#parts.profiles.values()];
  }

  /**
   * Stores a new session unless anything of the request is wrong.
   * @throws DomainError `NotFound` for an unknown profile, `Conflict` for a session id in use, `BadRequest`, `AddressRefused`
   */
  async create(issuer: CredentialIssuer, request: ProfileOfferRequest): Promise<ProfileOffer> {
    const { requests, offers, reports } = this.#parts;
    const { profileId, runtimeOverrides: changes } = request;
    checkRules(request);
    const profile = this.profile(profileId);
    // Without changes, what is wrong with the content is the profile's.
    const place = [changes === undefined ? 'profileId' : 'runtimeOverrides'];
    const content = await at(place, () => requests.create(profile, changes ?? {}));
    const places = { content: place, webhook: [...place, 'notifications', 'webhook', 'url'], id: ['sessionId'] };
    const created = await at(places, () => offers.create(issuer, { content, ...offerOf(request, profile) }));
    await reports.created(created.session);
    return { ...created, profileId };
  }

  /**
   * As `create`, but who repeats a request with a session id, because its answer was lost, gets the same offer again while
   * it is good. @throws DomainError `Conflict` for another request with the id, or when the offer has a generated
   * transaction code: that is shown once
   */
  async createOnce(issuer: CredentialIssuer, request: ProfileOfferRequest): Promise<ProfileOffer> {
    const { offers, reports } = this.#parts;
    try {
      return await this.create(issuer, request);
    } catch (error) {
      const { sessionId, profileId, txCode, txCodeValue } = request;
      const isShownOnce = txCode !== undefined && txCodeValue === undefined;
      if (sessionId === undefined || isShownOnce || !isDomainError(error, 'Conflict')) throw error;
      const earlier = await offers.createdBefore(issuer, sessionId);
      if (earlier?.session.managed?.request !== digestOf(request)) throw error;
      await reports.created(earlier.session);
      return { ...earlier, profileId, txCodeValue };
    }
  }
}

function offerOf(request: ProfileOfferRequest, profile: IssuanceProfile): Omit<OfferRequest, 'content'> {
  const { authMethod, expiresInSeconds, txCode, txCodeValue, sessionId: id } = request;
  const webhook = webhookOf(request.runtimeOverrides?.notifications ?? profile.notifications);
  return {
    id,
    managed: { profileId: profile.id, authMethod, webhook, request: digestOf(request) },
    ttlSeconds: expiresInSeconds === -1 ? NEVER_SECONDS : expiresInSeconds,
    txCode,
    txCodeValue,
    isDeferred: profile.isDeferred,
    authorization: authMethod === 'AUTHORIZED' ? { method: 'NONE' } : undefined,
  };
}

/** Says whether two requests are the same: in their members, and in the order of these. */
const digestOf = (request: ProfileOfferRequest): string => fingerprint(JSON.stringify(request));

/** The rules that connect members with each other. */
function checkRules(request: ProfileOfferRequest): void {
  const { authMethod, issuerStateMode, expiresInSeconds } = request;
  if (issuerStateMode !== undefined && authMethod !== 'AUTHORIZED')
    throw invalidField(['issuerStateMode'], 'belongs to AUTHORIZED');
  if (expiresInSeconds === 0) throw invalidField(['expiresInSeconds'], 'must be positive, or -1 for never');
}
