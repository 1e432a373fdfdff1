import type { Collection, CollectionSpec, Store } from '../../../ports/store.ts';
import type { Clock, Random } from '../../../ports/system.ts';
import { at, DomainError, invalidField } from '../../foundation/errors.ts';
import type { JsonObject } from '../../foundation/json.ts';
import { makeRoom, readAll } from '../../foundation/records.ts';
import type { HolderChoice } from '../../holdings/dids.ts';
import type { HolderDids } from '../../holdings/holder.ts';
import { LOGIN_SECONDS } from '../../oauth/pending-logins.ts';
import { newSecret, secretId } from '../../oauth/secrets.ts';
import { readErrorCode, sanitizeReason } from '../protocol-client.ts';
import type { AuthorizationResponse } from './authorization-requests.ts';
import type { IssuanceClient, LoginOptions, PendingAuthorization } from './issuance-client.ts';
import type { ParsedOffer } from './offer-links.ts';
import type { OfferAnswer, OfferRedemption, ReceivedOffer } from './offer-redemption.ts';

/** An offer that is to be authorized by a login of the user. */
interface AuthorizedOffer extends Pick<OfferAnswer, 'link' | 'requireUserInput'>, HolderChoice, LoginOptions {
  /** Where the login returns to; the page of this server when absent. */
  redirectUri?: string;
  /** What of the offer the login is for; all when absent. */
  configurationIds?: readonly string[];
}

/** Where the user logs in, or that no login is needed. */
type BegunAuthorization =
  | {
      grant: 'authorization_code';
      authorizationUrl: string;
      state: string;
      expiresAt: number;
      login: StoredAuthorization;
    }
  | { grant: 'pre-authorized_code'; transactionCode?: JsonObject };

/** A login that the user was sent away for; with the secrets of the wallet. */
interface StoredAuthorization extends PendingAuthorization {
  did: string;
  link: string;
  requireUserInput: boolean;
}

/** The answer of a login, which its state or its verifier names. */
type LoginAnswer = Omit<AuthorizationResponse, 'state'> &
  ({ state: string } | { state?: undefined; verifier: string; issuer: string });

/** A login with its code. */
interface AnsweredLogin extends StoredAuthorization {
  code: string;
}

/** Where logins may return to. */
interface ReturnUris {
  /** The page of this server. */
  own: string;
  /** Those that the operator allows to clients of the API. */
  allowed: readonly string[];
}

const AUTHORIZATIONS: CollectionSpec<StoredAuthorization> = {
  name: 'wallet-authorizations',
  listed: true,
  afterRestore: 'void',
};
/** How many logins of a wallet are waited for; the oldest makes room. */
const MAX_PENDING = 8;

/** Offers that the user authorizes at the issuer: begun, answered by the browser, and finished once. */
export class OfferAuthorizations {
  readonly #records: Collection<StoredAuthorization>;

  constructor(
    private readonly parts: {
      store: Store;
      clock: Clock;
      random: Random;
      dids: HolderDids;
      client: IssuanceClient;
      offers: OfferRedemption;
      returnUris: ReturnUris;
    },
  ) {
    this.#records = parts.store.collection(AUTHORIZATIONS);
  }

  /**
   * Asks the issuer's authorization server for a login, which may take ten minutes. Nothing is asked for an offer with a
   * pre-authorized code. @throws DomainError `BadRequest` naming the member, or with the server's reason, `Conflict` when
   * the wallet is full, `UpstreamFailed`, `UpstreamTimeout`
   */
  async begin(walletId: string, asked: AuthorizedOffer): Promise<BegunAuthorization> {
    const { offers, dids, client, random, clock } = this.parts;
    const { link, requireUserInput, usesScope, clientId, configurationIds, ...choice } = asked;
    const redirectUri = this.#returnUri(asked.redirectUri);
    const offer = part(await at(['link'], () => offers.resolve(walletId, link)), configurationIds);
    if (offer.preAuthorizedCode !== undefined)
      return { grant: 'pre-authorized_code', ...(offer.txCode && { transactionCode: offer.txCode }) };
    await offers.requireRoom(walletId);
    const holder = await dids.signingDid(walletId, choice);
    const attempt = { redirectUri, state: newSecret(random), verifier: newSecret(random) };
    const { url: authorizationUrl, pending } = await client.authorize(offer, attempt, { usesScope, clientId });
    const expiresAt = clock.now() + LOGIN_SECONDS * 1000;
    const { state } = attempt;
    await makeRoom(this.#records, { parent: walletId, most: MAX_PENDING });
    const login = { ...pending, did: holder.did, link, requireUserInput };
    await this.#records.insert({ ...keyOf(walletId, state), value: login, expiresAt });
    return { grant: 'authorization_code', authorizationUrl, state, expiresAt, login };
  }

  /**
   * Receives the credentials of an offer with the answer of its login, which ends with the first answer of any kind.
   * @throws DomainError `BadRequest` naming the member, or with the server's reason, and as `OfferRedemption.complete`
   */
  async finish(walletId: string, response: AuthorizationResponse): Promise<ReceivedOffer> {
    const { offers, client } = this.parts;
    await offers.requireRoom(walletId);
    const { code, did, link, requireUserInput, ...pending } = await this.take(walletId, response);
    const running = await client.openAuthorized(pending, code);
    return offers.complete(walletId, { running, did, issuer: pending.offer.issuer }, { link, requireUserInput });
  }

  /** Hands a login out with its code: it ends with the first answer of any kind. @throws DomainError as `finish` */
  async take(walletId: string, answer: LoginAnswer): Promise<AnsweredLogin> {
    const { state } = answer;
    const key = state === undefined ? await this.#find(walletId, answer) : keyOf(walletId, state);
    const taken = key && (await this.#records.take(key));
    const named = state === undefined ? 'codeVerifier' : 'state';
    if (!taken)
      throw invalidField([named], 'names no login of this wallet that is under way: it was answered or is too old');
    return { ...taken.value, code: readCode(answer, taken.value) };
  }

  async #find(parent: string, { verifier, issuer }: { verifier: string; issuer: string }) {
    const logins = await readAll({ collection: this.#records, parent });
    const found = logins.find(
      ({ value: { attempt, offer } }) => attempt.verifier === verifier && offer.issuer === issuer,
    );
    return found && { parent, id: found.id };
  }

  #returnUri(redirectUri: string | undefined): string {
    const { own, allowed } = this.parts.returnUris;
    if (redirectUri === undefined || redirectUri === own || allowed.includes(redirectUri)) return redirectUri ?? own;
    throw invalidField(['redirectUri'], 'is not one that wallet-service.conf allows');
  }
}

/** Found by the state alone, which a wallet cannot have of another one's login. */
const keyOf = (walletId: string, state: string) => ({ parent: walletId, id: secretId(walletId, state) });

/** A part of an offer. @throws DomainError `BadRequest` naming what is not offered */
function part(offer: ParsedOffer, configurationIds: readonly string[] | undefined): ParsedOffer {
  const place = configurationIds?.findIndex((id) => !offer.configurationIds.includes(id)) ?? -1;
  if (place >= 0) throw invalidField(['configurationIds', place], 'is not what is offered');
  return configurationIds ? { ...offer, configurationIds: [...new Set(configurationIds)] } : offer;
}

/** The code of a response of the right server (RFC 9207 §2.4). */
function readCode(
  response: Omit<AuthorizationResponse, 'state'>,
  { session: { server } }: PendingAuthorization,
): string {
  const { code, iss, error, errorDescription = '' } = response;
  if (iss === undefined && server.statesIssuer)
    throw invalidField(['iss'], 'is missing; the server names itself in answers');
  if (iss !== undefined && iss !== server.issuer) throw invalidField(['iss'], 'is not the server that was asked');
  if (error !== undefined) {
    const reason = sanitizeReason(errorDescription === '' ? error : errorDescription);
    const upstreamError = readErrorCode(error) ?? 'server_error';
    throw new DomainError('BadRequest', `The issuer did not authorize the wallet: ${reason}`, {
      extra: { upstreamError },
    });
  }
  if (code === undefined) throw invalidField(['code'], 'is missing, and error too');
  return code;
}
