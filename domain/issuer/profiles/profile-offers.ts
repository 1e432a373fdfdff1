import { fingerprint } from '../../foundation/bytes.ts';
import { at, DomainError, invalidField, isDomainError, oauthError } from '../../foundation/errors.ts';
import type { TokenGrant } from '../../oauth/access-tokens.ts';
import type { CredentialIssuer } from '../credential-issuer.ts';
import { type IssuanceProfile, webhookOf } from '../issuance-profile.ts';
import { permittedIds } from '../offers/authorized-items.ts';
import type { CreatedOffer, CredentialOffers, OfferRequest } from '../offers/offers.ts';
import { readPublicKey } from '../onboarding/issuer-identities.ts';
import type { ActiveSession } from '../sessions/issuance-session.ts';
import { keyClaimOf, readLoginClaims } from '../sessions/login-claims.ts';
import type { OfferFile } from '../sessions/managed-session.ts';
import type { TxCodeRequest } from '../sessions/transaction-codes.ts';
import type { ProfileOverrides, ProfileRequests } from './profile-requests.ts';

/** How long an offer lives that never expires: ten years, in seconds. */
const NEVER_SECONDS = 315_360_000;

/** An offer of the credential of a profile. Errors name the members of this value. */
export interface ProfileOfferRequest extends OfferFile {
  profileId: string;
  authMethod: 'PRE_AUTHORIZED' | 'AUTHORIZED';
  /** Whether the offer has an issuer state; only with AUTHORIZED. */
  issuerStateMode?: 'INCLUDE' | 'OMIT';
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

/** How long a session lives that a wallet began, in seconds. */
const WALLET_INITIATED_SECONDS = 300;

/** Every profile of an issuer, in the order in which they are written. */
export const profilesOf = ({ profiles }: CredentialIssuer): IssuanceProfile[] => [...(profiles?.values() ?? [])];

/** The profile of an issuer with this id. @throws DomainError `NotFound` */
export function profileNamed({ profiles }: CredentialIssuer, id: string): IssuanceProfile {
  const profile = profiles?.get(id);
  if (profile) return profile;
  throw new DomainError('NotFound', 'There is no such profile');
}

/** Offers the credentials of profiles. */
export class ProfileOffers {
  constructor(
    private readonly parts: {
      requests: ProfileRequests;
      offers: CredentialOffers;
    },
  ) {}

  /**
   * Stores a new session unless anything of the request is wrong.
   * @throws DomainError `NotFound` for an unknown profile, `Conflict` for a session id in use, `BadRequest`, `AddressRefused`
   */
  async create(issuer: CredentialIssuer, request: ProfileOfferRequest): Promise<ProfileOffer> {
    const { requests, offers } = this.parts;
    const { profileId, runtimeOverrides: changes } = request;
    checkRules(request);
    const profile = profileNamed(issuer, profileId);
    checkKey(profile, request);
    if (request.issuerStateMode === 'OMIT') checkWithoutState(profile, request);
    // Without changes, what is wrong with the content is the profile's, unless it is one that needs values.
    const place = [changes === undefined && !profile.typed ? 'profileId' : 'runtimeOverrides'];
    const content = await at(place, () => requests.create(issuer, profile, changes ?? {}));
    const places = { content: place, webhook: [...place, 'notifications', 'webhook', 'url'], id: ['sessionId'] };
    const offer = { content, ...offerOf(request, profile), firstEvent: 'credential_offer_created' } as const;
    const created = await at(places, () => offers.create(issuer, offer));
    return { ...created, profileId };
  }

  /** The one profile of which wallets get a credential by these scopes and details, without an offer. @throws DomainError `invalid_request` */
  requested(issuer: CredentialIssuer, asked: Pick<TokenGrant, 'scopes' | 'details'>): IssuanceProfile {
    const isAsked = asked.scopes !== undefined || asked.details !== undefined;
    const { configurations } = issuer;
    const found = profilesOf(issuer).filter(
      ({ access, configuration: { id } }) =>
        isAsked && access.walletInitiated && permittedIds(asked, { configurations, offered: [id] }).length > 0,
    );
    const [profile, ...others] = found;
    if (profile && others.length === 0) return profile;
    const why = profile ? 'several profiles fit' : 'no profile fits';
    throw oauthError('invalid_request', `scope or authorization_details without issuer_state: ${why} the request`);
  }

  /** Stores the session of a wallet that asks for the credential of a profile without an offer. @throws as `create` */
  async begin(issuer: CredentialIssuer, profile: IssuanceProfile): Promise<ActiveSession> {
    const { requests, offers } = this.parts;
    const content = await requests.create(issuer, profile, {});
    const request = { profileId: profile.id, authMethod: 'AUTHORIZED', issuerStateMode: 'OMIT' } as const;
    const offer = offerOf({ ...request, expiresInSeconds: WALLET_INITIATED_SECONDS }, profile);
    return (await offers.create(issuer, { content, ...offer })).session;
  }

  /**
   * As `create`, but who repeats a request with a session id, because its answer was lost, gets the same offer again while
   * it is good. @throws DomainError `Conflict` for another request with the id, or when the offer has a generated
   * transaction code: that is shown once
   */
  async createOnce(issuer: CredentialIssuer, request: ProfileOfferRequest): Promise<ProfileOffer> {
    const { offers } = this.parts;
    try {
      return await this.create(issuer, request);
    } catch (error) {
      const { sessionId, profileId, txCode, txCodeValue } = request;
      const isShownOnce = txCode !== undefined && txCodeValue === undefined;
      if (sessionId === undefined || isShownOnce || !isDomainError(error, 'Conflict')) throw error;
      const earlier = await offers.createdBefore(issuer, sessionId);
      if (!earlier || !isFor(earlier.session, request)) throw error;
      return { ...earlier, profileId, txCodeValue };
    }
  }
}

function offerOf(request: ProfileOfferRequest, profile: IssuanceProfile): Omit<OfferRequest, 'content'> {
  const { authMethod, issuerStateMode, expiresInSeconds, txCode, txCodeValue, sessionId: id } = request;
  const { reference, recipient } = request;
  const { securityProfile, authenticationMethod: method = 'NONE' } = profile.access;
  const webhook = webhookOf(request.runtimeOverrides?.notifications ?? profile.notifications);
  return {
    id,
    managed: {
      profileId: profile.id,
      typeVersion: profile.typed?.version,
      authMethod,
      webhook,
      securityProfile,
      loginClaims: loginClaimsOf(request, profile),
      hasSource: profile.source && true,
      request: digestOf(request),
      file: reference === undefined && recipient === undefined ? undefined : { reference, recipient },
    },
    ttlSeconds: expiresInSeconds === -1 ? NEVER_SECONDS : expiresInSeconds,
    txCode,
    txCodeValue,
    holderKey: holderKeyOf(request),
    isDeferred: profile.isDeferred,
    authorization: authMethod === 'AUTHORIZED' ? { method, omitsState: issuerStateMode === 'OMIT' } : undefined,
  };
}

/** @throws DomainError `BadRequest` when it is no public key */
const holderKeyOf = ({ runtimeOverrides: { expectedCredentialProofKeyJwk: jwk } = {} }: ProfileOfferRequest) =>
  jwk && at(['runtimeOverrides', 'expectedCredentialProofKeyJwk'], () => readPublicKey(jwk));

/** @throws DomainError `BadRequest` naming the claim that is wrong */
function loginClaimsOf({ runtimeOverrides: changes = {} }: ProfileOfferRequest, { content, source }: IssuanceProfile) {
  const { credentialData: data, idTokenClaimsMapping: shared } = content;
  const own = changes.idTokenClaimsMapping;
  const place = own ? ['runtimeOverrides', 'idTokenClaimsMapping'] : ['profileId'];
  const written = own ?? shared;
  const claims = written && at(place, () => readLoginClaims(written, data));
  return source?.keyClaim === undefined ? claims : [...(claims ?? []), keyClaimOf(source.keyClaim)];
}

/** An offer says for whom the source of its profile is asked, or its login does. */
function checkKey({ source }: IssuanceProfile, { reference, authMethod }: ProfileOfferRequest): void {
  if (source && source.keyClaim === undefined && reference === undefined)
    throw invalidField(['reference'], 'is required: the attribute source of the profile finds the person by it');
  if (source?.keyClaim !== undefined && authMethod !== 'AUTHORIZED')
    throw invalidField(['authMethod'], 'must be AUTHORIZED: a claim of the login names the person');
}

/** An offer without an issuer state only brings a wallet to the issuer: what the wallet asks for there is the profile as it is. */
function checkWithoutState({ access }: IssuanceProfile, request: ProfileOfferRequest): void {
  if (!access.walletInitiated)
    throw invalidField(['issuerStateMode'], 'must be INCLUDE: wallets do not get this profile without an offer');
  for (const member of ['runtimeOverrides', 'reference', 'recipient'] as const)
    if (request[member] !== undefined) throw invalidField([member], 'needs an issuer state in the offer');
}

/** Says whether two requests are the same but for the recipient: in their members, and in the order of these. */
const digestOf = ({ recipient: _, ...request }: ProfileOfferRequest): string => fingerprint(JSON.stringify(request));

/** Whether a session is that of a request; its recipient may have been removed since. */
const isFor = ({ managed }: ActiveSession, request: ProfileOfferRequest): boolean =>
  managed?.request === digestOf(request) && [undefined, request.recipient].includes(managed.file?.recipient);

/** The rules that connect members with each other. */
function checkRules(request: ProfileOfferRequest): void {
  const { authMethod, issuerStateMode, expiresInSeconds } = request;
  if (issuerStateMode !== undefined && authMethod !== 'AUTHORIZED')
    throw invalidField(['issuerStateMode'], 'belongs to AUTHORIZED');
  if (expiresInSeconds === 0) throw invalidField(['expiresInSeconds'], 'must be positive, or -1 for never');
}
