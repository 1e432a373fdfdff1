import type { Outbound, OutboundReply } from '../../../ports/outbound.ts';
import type { Clock } from '../../../ports/system.ts';
import type { CredentialFormats } from '../../credentials/formats/formats.ts';
import { OPENID4VCI } from '../../credentials/openid4vci.ts';
import { DomainError } from '../../foundation/errors.ts';
import { isText, type JsonObject } from '../../foundation/json.ts';
import type { SigningDid } from '../../holdings/dids.ts';
import type { KeyBackends } from '../../keys/key-backends.ts';
import { type CopyKey, makeCopyKeys, signingCopy } from '../copy-keys.ts';
import { isSuccess, ProtocolClient, readObject } from '../protocol-client.ts';
import { authorizationParameters, type LoginAttempt } from './authorization-requests.ts';
import type { AuthorizationServer } from './authorization-server.ts';
import type { ClientAuthentication, ClientOptions } from './client-authentication.ts';
import { statedOf } from './credential-display.ts';
import type { CredentialRequests } from './credential-requests.ts';
import { type AccessGrant, type DpopCalls, INVALID_TOKEN, isTokenRefused, type TokenRenewal } from './dpop-calls.ts';
import {
  cutShort,
  type DescribedCredential,
  issuedCredentials,
  type RedeemedOffer,
  type RunningIssuance,
} from './issuances.ts';
import { configurationOf, type IssuerDirectory } from './issuer-directory.ts';
import { IssuerNonces } from './issuer-nonces.ts';
import { type ClientSession, OauthClient } from './oauth-client.ts';
import type { ParsedOffer } from './offer-links.ts';
import {
  checkSize,
  createAuthorizationDetails,
  createTokenForm,
  type HolderBinding,
  isV1,
  mostCopies,
  type NarrowedOffer,
  parseCredentialResponse,
  parseIdentifiers,
  type WantedCredential,
  wantedCredentials,
} from './openid4vci.ts';
import { type KeyProofs, PossessionProofs, type UnsignedProof } from './possession-proofs.ts';
import type { WalletAttester } from './wallet-attester.ts';

/** What is needed to redeem an offer. */
interface Redemption {
  offer: NarrowedOffer;
  holder: SigningDid;
  txCode?: string;
  client?: ClientOptions;
}

/** A proof to sign for one credential. */
interface PreparedProof extends UnsignedProof {
  wanted: WantedCredential;
  /** The configuration of the credential, as the issuer publishes it. */
  offered: JsonObject;
}

/** A redeemed offer with the proofs that are to be signed for it. */
export interface PreparedIssuance extends RedeemedOffer {
  proofs: PreparedProof[];
  /** How many of the proofs were used. */
  used: number;
}

/** A login that is asked for, and what its code is redeemed with; plain JSON, with secrets. */
export interface PendingAuthorization {
  offer: ParsedOffer;
  metadata: JsonObject;
  session: ClientSession;
  attempt: Omit<LoginAttempt, 'state'>;
}

/** How credentials are delivered. */
interface Delivering {
  /** Whose credentials they are. */
  owner: string;
  hasCopies?: boolean;
  /** Finds whom a copy is requested for; absent where nothing is bound to others than the holder. */
  holderOf?(binding: HolderBinding): Promise<SigningDid>;
  /** Called after each delivery. */
  delivered?(): Promise<void>;
}

/** How a caller wants a login to be asked for. */
export interface LoginOptions extends Pick<ClientOptions, 'clientId'> {
  usesScope?: boolean;
}

/** By what credentials are asked for. */
type IssuanceGrant = Pick<RedeemedOffer, 'accessToken' | 'dpop' | 'refresh'>;

/** One running exchange with an issuer. */
interface Exchange extends Pick<RunningIssuance, 'metadata' | 'clientId' | 'nonce'>, IssuanceGrant {
  owner: string;
  /** Those whom the credential that is requested is for, each with a copy. */
  holders: SigningDid[];
}

const RETRY_WITH_NEW_NONCE: readonly unknown[] = ['invalid_proof', 'invalid_or_missing_proof', 'invalid_nonce'];

/** Requests credentials from issuers (OpenID4VCI). */
export class IssuanceClient {
  readonly #client: ProtocolClient;
  readonly #oauth: OauthClient;
  readonly #proofs: PossessionProofs;
  readonly #nonces: IssuerNonces;

  constructor(
    private readonly parts: {
      outbound: Outbound;
      directory: IssuerDirectory;
      requests: CredentialRequests;
      dpop: DpopCalls;
      access: TokenRenewal<IssuanceGrant>;
      formats: CredentialFormats;
      clock: Clock;
      authentication: ClientAuthentication;
      attester?: WalletAttester;
      keys: Pick<KeyBackends, 'create' | 'signer'>;
      /** How many copies of each credential are requested, where the issuer gives that many. */
      batchSize: number;
    },
  ) {
    this.#client = new ProtocolClient(parts.outbound, 'issuer');
    this.#oauth = new OauthClient(parts);
    this.#proofs = new PossessionProofs(parts);
    this.#nonces = new IssuerNonces(parts.outbound);
  }

  /** Redeems a pre-authorized code. @throws DomainError `BadRequest` with the issuer's reason, `UpstreamFailed`, `UpstreamTimeout` */
  async open({ offer, txCode, client }: Omit<Redemption, 'holder'>): Promise<RunningIssuance> {
    const form = createTokenForm(offer, txCode);
    const { metadata, server } = await this.#serverOf(offer);
    const details: Record<string, string> = server.takesDetails
      ? { authorization_details: createAuthorizationDetails(offer, metadata) }
      : {};
    return this.#redeem(
      { metadata, offer, session: await this.#oauth.openForCode(server, client) },
      { ...form, ...details },
    );
  }

  /** Asks for a login of the user. @throws DomainError as `open` */
  async authorize(
    offer: ParsedOffer,
    attempt: LoginAttempt,
    { usesScope, ...options }: LoginOptions = {},
  ): Promise<{ url: string; pending: PendingAuthorization }> {
    const { metadata, server } = await this.#serverOf(offer);
    const session = await this.#oauth.open(server, options);
    const parameters = authorizationParameters({ offer, metadata, server, attempt, usesScope });
    const url = await this.#oauth.authorizationUrl(session, parameters);
    const { state: _, ...kept } = attempt;
    return { url, pending: { offer, metadata, session, attempt: kept } };
  }

  /** Redeems the code of a login. @throws DomainError as `open` */
  openAuthorized({ attempt, ...pending }: PendingAuthorization, code: string): Promise<RunningIssuance> {
    const { redirectUri, verifier } = attempt;
    const grant = { grant_type: OPENID4VCI.AUTHORIZATION_CODE, code };
    return this.#redeem(pending, { ...grant, redirect_uri: redirectUri, code_verifier: verifier });
  }

  /**
   * Requests what is left of a redeemed offer: for a configuration as many credentials as the issuer has identifiers for it,
   * else one. What it delivers is in `issued` afterwards, in the order of the offer, and what it delivers later in
   * `deferred`. After a failure it can be called again; an issuer that takes the access token no more ends it. Without copies
   * each credential is for the key of the holder, or for those whom it is wanted for.
   * @throws DomainError as `open`
   */
  async finish(
    running: RunningIssuance,
    holder: SigningDid,
    { owner, hasCopies = true, holderOf, delivered }: Delivering,
  ): Promise<void> {
    const exchange: Exchange = { ...running, owner, holders: [holder] };
    for (let [next] = running.wanted; next; [next] = running.wanted) {
      const configuration = configurationOf(running.metadata, next.configurationId);
      const bound = holderOf && next.bindings && (await Promise.all(next.bindings.map(holderOf)));
      const keys = hasCopies && !bound ? await this.#copyKeys(configuration, running) : undefined;
      exchange.holders = bound ?? keys?.map((key) => signingCopy(this.parts.keys, key)) ?? [holder];
      const reply = await this.#request(exchange, next)
        .finally(() => {
          running.nonce = exchange.nonce;
        })
        .catch((error) => cutShort(running, error));
      if (reply) this.#take(running, { ...next, keys }, readObject(reply));
      running.wanted.splice(0, reply ? 1 : Infinity);
      await delivered?.();
    }
    checkSize(running.issued);
  }

  /** Redeems a pre-authorized code for proofs that are signed elsewhere. @throws DomainError as `open` */
  async prepare({ holder, ...redemption }: Redemption): Promise<PreparedIssuance> {
    const { wanted: all, ...running } = await this.open(redemption);
    const proofs = all.map((wanted) => ({ wanted }));
    return { ...running, proofs: await this.#unsigned(running, { proofs, holder }), used: 0 };
  }

  /** Makes the proofs anew that were not used. @throws DomainError as `open` */
  async prepareRest(prepared: PreparedIssuance, holder: SigningDid): Promise<PreparedIssuance> {
    const { proofs, used } = prepared;
    const rest = await this.#unsigned(prepared, { proofs: proofs.slice(used), holder });
    return { ...prepared, proofs: [...proofs.slice(0, used), ...rest] };
  }

  async #unsigned(
    running: Pick<RunningIssuance, 'metadata' | 'clientId' | 'nonce'>,
    { proofs, holder }: { proofs: Pick<PreparedProof, 'wanted'>[]; holder: SigningDid },
  ): Promise<PreparedProof[]> {
    const { metadata } = running;
    const exchange = { ...running };
    const prepared: PreparedProof[] = [];
    for (const { wanted } of proofs) {
      if (prepared.length > 0 || exchange.nonce === undefined)
        exchange.nonce = (await this.#nonces.fresh(exchange)) ?? exchange.nonce;
      const offered = configurationOf(metadata, wanted.configurationId);
      prepared.push({ wanted, offered, ...(await this.#proofs.unsigned({ ...exchange, holder, ...wanted })) });
    }
    return prepared;
  }

  /**
   * Requests what was prepared, with the signed proofs in its order. After a failure it can be called again, and goes on with
   * the first proof that was not used. @throws DomainError as `open`
   */
  async finishPrepared(
    prepared: PreparedIssuance,
    signed: string[],
    { owner, delivered }: Pick<Delivering, 'owner' | 'delivered'>,
  ): Promise<void> {
    const { proofs } = prepared;
    for (let [next] = proofs.slice(prepared.used); next; [next] = proofs.slice(prepared.used)) {
      const given: KeyProofs = { type: 'jwt', values: [signed[prepared.used] ?? ''] };
      const reply = await this.#send({ ...prepared, owner }, { ...next, proofs: given })
        .then((answer) => this.#accepted(answer))
        .catch((error) => cutShort(prepared, error));
      if (reply) this.#take(prepared, next.wanted, readObject(reply));
      prepared.used = reply ? prepared.used + 1 : proofs.length;
      await delivered?.();
    }
    checkSize(prepared.issued);
  }

  #formatOf({ format }: JsonObject): string {
    const known = isText(format) ? this.parts.formats.supported(format) : undefined;
    if (!known)
      throw new DomainError('BadRequest', `The credential format ${String(format).slice(0, 64)} is not supported`);
    return known.name;
  }

  /** What an issuer says of the credentials of a configuration. @throws DomainError `BadRequest` for an unknown format */
  describe(metadata: JsonObject, offered: JsonObject): DescribedCredential {
    const format = this.#formatOf(offered);
    const type = offered[this.parts.formats.get(format).typeMember];
    return { format, type: isText(type) ? type : undefined, ...statedOf(metadata, offered) };
  }

  /** The issuer of an offer whose formats the wallet has, and its authorization server. */
  async #serverOf(offer: ParsedOffer): Promise<{ metadata: JsonObject; server: AuthorizationServer }> {
    const { directory } = this.parts;
    const metadata = await directory.metadata(offer.issuer);
    for (const id of offer.configurationIds) {
      this.#formatOf(configurationOf(metadata, id));
      this.#proofs.check(configurationOf(metadata, id));
    }
    return { metadata, server: await directory.authorizationServer(metadata, offer.authorizationServer) };
  }

  async #redeem(
    { metadata, offer, session }: Omit<PendingAuthorization, 'attempt'>,
    form: Record<string, string>,
  ): Promise<RunningIssuance> {
    const { grant, nonce, expiresIn, refreshToken: token, details } = await this.#oauth.redeem(session, form);
    const wanted = wantedCredentials(parseIdentifiers(details), offer);
    const refresh = token === undefined ? {} : { refresh: { token, session } };
    const redeemed = { metadata, clientId: session.clientId, ...grant, ...refresh, expiresIn };
    return { ...redeemed, wanted, issued: [], deferred: [], nonce };
  }

  /** Sends one credential request; a proof that is rejected for its nonce is created once more with a fresh one. */
  async #request(exchange: Exchange, wanted: WantedCredential): Promise<OutboundReply> {
    const { metadata } = exchange;
    exchange.nonce ??= await this.#nonces.fresh(exchange);
    let reply = await this.#post(exchange, wanted);
    const refused = isSuccess(reply) ? undefined : readObject(reply);
    if (refused && RETRY_WITH_NEW_NONCE.includes(refused.error)) {
      exchange.nonce = isText(refused.c_nonce) ? refused.c_nonce : await this.#nonces.fresh(exchange);
      if (exchange.nonce !== undefined) reply = await this.#post(exchange, wanted);
    }
    const body = readObject(this.#accepted(reply));
    // A nonce of a nonce endpoint is good once; drafts send the next one when there is one.
    if (isText(body?.c_nonce)) exchange.nonce = body.c_nonce;
    else if (isV1(metadata)) exchange.nonce = undefined;
    return reply;
  }

  /** @throws DomainError `BadRequest` with the issuer's reason, `UpstreamFailed` */
  #accepted(reply: OutboundReply): OutboundReply {
    if (isSuccess(reply)) return reply;
    throw this.#client.errorFrom(reply, isTokenRefused(reply) ? { upstreamError: INVALID_TOKEN } : {});
  }

  /** Takes what a credential response delivers or defers. */
  #take(
    { metadata, issued, deferred }: RedeemedOffer,
    { keys, ...wanted }: WantedCredential & { keys?: CopyKey[] },
    body?: JsonObject,
  ): void {
    const { configurationId } = wanted;
    const offered = configurationOf(metadata, configurationId);
    const described = { ...this.describe(metadata, offered), wanted, ...(keys && { keys }) };
    const answer = parseCredentialResponse(body);
    if ('credentials' in answer) issued.push(...issuedCredentials(described, answer));
    else if (isText(metadata.deferred_credential_endpoint))
      deferred.push({ ...answer.deferred, configurationId, described });
    else throw new DomainError('BadRequest', 'The issuer delivers later, and names no deferred_credential_endpoint');
  }

  async #post(exchange: Exchange, wanted: WantedCredential): Promise<OutboundReply> {
    const { configurationId } = wanted;
    const proofs = await this.#proofs.create({ ...exchange, configurationId }, exchange.holders);
    return this.#send(exchange, { wanted, proofs });
  }

  /** Sends a request with an access token that is good, where the server gives one. */
  #send(
    { owner, metadata, accessToken, dpop, refresh }: Pick<Exchange, 'owner' | 'metadata'> & IssuanceGrant,
    { wanted, proofs }: { wanted: WantedCredential; proofs?: KeyProofs },
  ): Promise<OutboundReply> {
    const send = (granted: AccessGrant) => this.parts.requests.send({ ...granted, metadata, wanted, proofs });
    return this.parts.access.send(owner, { accessToken, dpop, refresh }, send);
  }

  /** Keys for copies; none for a single one, and for formats whose presentations hold credentials of one holder. */
  async #copyKeys(configuration: JsonObject, { metadata }: RedeemedOffer): Promise<CopyKey[] | undefined> {
    const { presentation } = this.parts.formats.get(this.#formatOf(configuration));
    const isAlone = presentation?.credentialsAt.length === 0;
    const count = isAlone ? Math.min(mostCopies(metadata, configuration), this.parts.batchSize) : 1;
    return count > 1 ? makeCopyKeys(this.parts.keys, { configuration, count }) : undefined;
  }
}
