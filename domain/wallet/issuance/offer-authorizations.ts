import type { Collection, CollectionSpec, Store } from '../../../ports/store.ts';
import type { Clock, Random } from '../../../ports/system.ts';
import { at, DomainError, invalidField } from '../../foundation/errors.ts';
import type { JsonObject } from '../../foundation/json.ts';
import type { StoredCredential } from '../../holdings/credentials.ts';
import type { Dids } from '../../holdings/dids.ts';
import { LOGIN_SECONDS } from '../../oauth/pending-logins.ts';
import { newSecret, secretId } from '../../oauth/secrets.ts';
import { readErrorCode, sanitizeReason } from '../protocol-client.ts';
import type { AuthorizationResponse } from './authorization-requests.ts';
import type { IssuanceClient, PendingAuthorization } from './issuance-client.ts';
import type { OfferAnswer, OfferRedemption } from './offer-redemption.ts';

/** An offer that is to be authorized by a login of the user. */
interface AuthorizedOffer extends Omit<OfferAnswer, 'txCode'> {
  /** Where the login returns to; the page of this server when absent. */
  redirectUri?: string;
}

/** Where the user logs in, or that no login is needed. */
type BegunAuthorization =
  | { grant: 'authorization_code'; authorizationUrl: string; state: string; expiresAt: number }
  | { grant: 'pre-authorized_code'; transactionCode?: JsonObject };

/** A login that the user was sent away for; with the secrets of the wallet. */
interface StoredAuthorization extends PendingAuthorization {
  did: string;
  link: string;
  requireUserInput: boolean;
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
      dids: Dids;
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
    const { link, did, requireUserInput } = asked;
    const redirectUri = this.#returnUri(asked.redirectUri);
    const offer = await at(['link'], () => offers.resolve(walletId, link));
    if (offer.preAuthorizedCode !== undefined)
      return { grant: 'pre-authorized_code', ...(offer.txCode && { transactionCode: offer.txCode }) };
    await offers.requireRoom(walletId);
    const holder = await dids.signingDid(walletId, { did });
    const attempt = { redirectUri, state: newSecret(random), verifier: newSecret(random) };
    const { url: authorizationUrl, pending } = await client.authorize(offer, attempt);
    const expiresAt = clock.now() + LOGIN_SECONDS * 1000;
    const { state } = attempt;
    await this.#makeRoom(walletId);
    const value = { ...pending, did: holder.did, link, requireUserInput };
    await this.#records.insert({ ...keyOf(walletId, state), value, expiresAt });
    return { grant: 'authorization_code', authorizationUrl, state, expiresAt };
  }

  /**
   * Receives the credentials of an offer with the answer of its login, which ends with the first answer of any kind.
   * @throws DomainError `BadRequest` naming the member, or with the server's reason, and as `OfferRedemption.complete`
   */
  async finish(walletId: string, response: AuthorizationResponse): Promise<StoredCredential[]> {
    const { offers, client } = this.parts;
    await offers.requireRoom(walletId);
    const taken = await this.#records.take(keyOf(walletId, response.state));
    if (!taken)
      throw invalidField(['state'], 'names no login of this wallet that is under way: it was answered or is too old');
    const { did, link, requireUserInput, ...pending } = taken.value;
    const code = readCode(response, pending);
    const running = await client.openAuthorized(pending, code);
    return offers.complete(walletId, { running, did, issuer: pending.offer.issuer }, { link, requireUserInput });
  }

  #returnUri(redirectUri: string | undefined): string {
    const { own, allowed } = this.parts.returnUris;
    if (redirectUri === undefined || redirectUri === own || allowed.includes(redirectUri)) return redirectUri ?? own;
    throw invalidField(['redirectUri'], 'is not one that wallet-service.conf allows');
  }

  async #makeRoom(parent: string): Promise<void> {
    const ids = await this.#records.ids({ parent, order: 'created+', offset: 0, limit: MAX_PENDING });
    if (ids.length === MAX_PENDING) await this.#records.remove({ parent, id: ids[0] ?? '' });
  }
}

/** Found by the state alone, which a wallet cannot have of another one's login. */
const keyOf = (walletId: string, state: string) => ({ parent: walletId, id: secretId(walletId, state) });

/** The code of a response of the right server (RFC 9207 §2.4). */
function readCode(response: AuthorizationResponse, { session: { server } }: PendingAuthorization): string {
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
