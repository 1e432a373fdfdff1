import type { Outbound, OutboundReply } from '../../../ports/outbound.ts';
import type { Clock } from '../../../ports/system.ts';
import type { CredentialFormats } from '../../credentials/formats/formats.ts';
import { OPENID4VCI } from '../../credentials/openid4vci.ts';
import { DomainError } from '../../foundation/errors.ts';
import { asList, isText, type JsonObject } from '../../foundation/json.ts';
import { epochSeconds } from '../../foundation/time.ts';
import type { SigningDid } from '../../holdings/dids.ts';
import type { CredentialDisplay } from '../../holdings/records.ts';
import { signJws } from '../../jose/jws.ts';
import { isSuccess, ProtocolClient, readObject } from '../protocol-client.ts';
import { readDisplay } from './credential-display.ts';
import type { CredentialRequests } from './credential-requests.ts';
import { configurationOf, type IssuerDirectory } from './issuer-directory.ts';
import type { ParsedOffer } from './offer-links.ts';
import {
  createAuthorizationDetails,
  createTokenForm,
  isV1,
  MAX_CREDENTIALS,
  parseCredentialResponse,
  parseIdentifiers,
  type WantedCredential,
  wantedCredentials,
} from './openid4vci.ts';

/** What is needed to redeem an offer. */
interface Redemption {
  offer: ParsedOffer;
  holder: SigningDid;
  txCode?: string;
}

/** A credential as received from an issuer, not verified yet. */
export interface IssuedCredential {
  format: string;
  /** The `vct` or document type that was offered. */
  type?: string;
  credential: string;
  /** Images are still URLs. */
  display?: CredentialDisplay;
}

/** The header and claims of a proof of possession; its signer adds `alg`. */
interface UnsignedProof {
  header: JsonObject;
  payload: JsonObject;
}

/** A proof to sign for one credential. */
interface PreparedProof extends UnsignedProof {
  wanted: WantedCredential;
  /** The configuration of the credential, as the issuer publishes it. */
  offered: JsonObject;
}

/** A redeemed offer; plain JSON, with a secret. */
interface RedeemedOffer {
  metadata: JsonObject;
  accessToken: string;
  /** What was delivered so far, also when a later request failed. */
  issued: IssuedCredential[];
}

/** A redeemed offer whose credentials are requested one after the other. */
export interface RunningIssuance extends RedeemedOffer {
  nonce?: string;
  /** What is still to be requested. */
  wanted: WantedCredential[];
}

/** A redeemed offer with the proofs that are to be signed for it. */
export interface PreparedIssuance extends RedeemedOffer {
  proofs: PreparedProof[];
  /** How many of the proofs were used. */
  used: number;
}

/** One running exchange with an issuer. */
interface Exchange extends Pick<RunningIssuance, 'metadata' | 'accessToken' | 'nonce'> {
  holder: SigningDid;
}

/** The most characters of all credentials of one offer. */
const MAX_LENGTH = 8 * 1024 * 1024;
/** The binding methods that name a key (OpenID4VCI draft 13 §11.2.3). */
const KEY_METHODS = ['jwk', 'cose_key'];
const RETRY_WITH_NEW_NONCE: readonly unknown[] = ['invalid_proof', 'invalid_or_missing_proof', 'invalid_nonce'];

/** Requests credentials from issuers (OpenID4VCI). */
export class IssuanceClient {
  readonly #client: ProtocolClient;

  constructor(
    private readonly parts: {
      outbound: Outbound;
      directory: IssuerDirectory;
      requests: CredentialRequests;
      formats: CredentialFormats;
      clock: Clock;
    },
  ) {
    this.#client = new ProtocolClient(parts.outbound, 'issuer');
  }

  /** Redeems a pre-authorized code. @throws DomainError `BadRequest` with the issuer's reason, `UpstreamFailed`, `UpstreamTimeout` */
  async open({ offer, txCode }: Omit<Redemption, 'holder'>): Promise<RunningIssuance> {
    const form = createTokenForm(offer, txCode);
    const metadata = await this.parts.directory.metadata(offer.issuer);
    for (const id of offer.configurationIds) this.#formatOf(configurationOf(metadata, id));
    return this.#start({ metadata, offer, form });
  }

  /**
   * Requests what is left of a redeemed offer. Returns every credential of it, in its order: for a configuration as many as
   * the issuer has identifiers for it, else one. After a failure it can be called again. @throws DomainError as `open`
   */
  async finish(running: RunningIssuance, holder: SigningDid): Promise<IssuedCredential[]> {
    const exchange: Exchange = { ...running, holder };
    for (let [next] = running.wanted; next; [next] = running.wanted) {
      const delivered = await this.#request(exchange, next).finally(() => {
        running.nonce = exchange.nonce;
      });
      running.issued.push(...delivered);
      running.wanted.shift();
    }
    checkSize(running.issued);
    return running.issued;
  }

  /** Redeems a pre-authorized code for proofs that are signed elsewhere. @throws DomainError as `open` */
  async prepare({ holder, ...redemption }: Redemption): Promise<PreparedIssuance> {
    const { wanted: all, issued, ...running } = await this.open(redemption);
    const exchange: Exchange = { ...running, holder };
    const { metadata, accessToken } = running;
    const proofs: PreparedProof[] = [];
    for (const wanted of all) {
      if (proofs.length > 0 || exchange.nonce === undefined)
        exchange.nonce = (await this.#freshNonce(metadata)) ?? exchange.nonce;
      const offered = configurationOf(metadata, wanted.configurationId);
      proofs.push({ wanted, offered, ...this.#proofParts(exchange, wanted) });
    }
    return { metadata, accessToken, issued, proofs, used: 0 };
  }

  /**
   * Requests what was prepared, with the signed proofs in its order. After a failure it can be called again, and goes on with
   * the first proof that was not used. @throws DomainError as `open`
   */
  async finishPrepared(prepared: PreparedIssuance, signed: string[]): Promise<IssuedCredential[]> {
    const { metadata, accessToken, proofs, issued } = prepared;
    for (const [index, { wanted, offered }] of proofs.entries()) {
      if (index < prepared.used) continue;
      const proof = signed[index] ?? '';
      const reply = await this.parts.requests.send({ metadata, accessToken, wanted, proof });
      if (!isSuccess(reply)) throw this.#client.errorFrom(reply);
      issued.push(...this.#delivered(metadata, offered, readObject(reply)));
      prepared.used += 1;
    }
    checkSize(issued);
    return issued;
  }

  #formatOf({ format }: JsonObject): string {
    const known = isText(format) ? this.parts.formats.supported(format) : undefined;
    if (!known)
      throw new DomainError('BadRequest', `The credential format ${String(format).slice(0, 64)} is not supported`);
    return known.name;
  }

  #describe(metadata: JsonObject, offered: JsonObject): Omit<IssuedCredential, 'credential'> {
    const format = this.#formatOf(offered);
    const type = offered[this.parts.formats.get(format).typeMember];
    return { format, type: isText(type) ? type : undefined, display: readDisplay(metadata, offered) };
  }

  async #start({
    metadata,
    offer,
    form,
  }: {
    metadata: JsonObject;
    offer: ParsedOffer;
    form: Record<string, string>;
  }): Promise<RunningIssuance> {
    const { endpoint, takesDetails } = await this.parts.directory.tokenServer(metadata, offer.authorizationServer);
    const details: Record<string, string> = takesDetails
      ? { authorization_details: createAuthorizationDetails(offer, metadata) }
      : {};
    const token = await this.#client.json({
      method: 'POST',
      url: endpoint,
      expects: 'protocol-reply',
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
      body: new URLSearchParams({ ...form, ...details }).toString(),
    });
    const { access_token: accessToken, c_nonce: nonce } = token;
    if (!isText(accessToken)) throw new DomainError('UpstreamFailed', 'The issuer gave no access_token');
    const wanted = wantedCredentials(parseIdentifiers(token.authorization_details), offer);
    return { metadata, accessToken, wanted, issued: [], ...(isText(nonce) && { nonce }) };
  }

  /** Sends one credential request; a proof that is rejected for its nonce is created once more with a fresh one. */
  async #request(exchange: Exchange, wanted: WantedCredential): Promise<IssuedCredential[]> {
    const { metadata } = exchange;
    const configuration = configurationOf(metadata, wanted.configurationId);
    exchange.nonce ??= await this.#freshNonce(metadata);
    let reply = await this.#post(exchange, wanted);
    const refused = isSuccess(reply) ? undefined : readObject(reply);
    if (refused && RETRY_WITH_NEW_NONCE.includes(refused.error)) {
      exchange.nonce = isText(refused.c_nonce) ? refused.c_nonce : await this.#freshNonce(metadata);
      if (exchange.nonce !== undefined) reply = await this.#post(exchange, wanted);
    }
    if (!isSuccess(reply)) throw this.#client.errorFrom(reply);
    const body = readObject(reply);
    // A nonce of a nonce endpoint is good once; drafts send the next one when there is one.
    if (isText(body?.c_nonce)) exchange.nonce = body.c_nonce;
    else if (isV1(metadata)) exchange.nonce = undefined;
    return this.#delivered(metadata, configuration, body);
  }

  #delivered(metadata: JsonObject, configuration: JsonObject, body: JsonObject = {}): IssuedCredential[] {
    const described = this.#describe(metadata, configuration);
    return parseCredentialResponse(body).map((credential) => ({ ...described, credential }));
  }

  async #post(exchange: Exchange, wanted: WantedCredential): Promise<OutboundReply> {
    const { header, payload } = this.#proofParts(exchange, wanted);
    const { metadata, accessToken, holder } = exchange;
    const proof = await signJws(header, payload, holder.signer);
    return this.parts.requests.send({ metadata, accessToken, wanted, proof });
  }

  /** A proof of possession (OpenID4VCI §8.2.1.1); without a client id it has no `iss`. */
  #proofParts({ metadata, holder, nonce }: Exchange, { configurationId }: WantedCredential): UnsignedProof {
    const methods = asList(configurationOf(metadata, configurationId).cryptographic_binding_methods_supported).filter(
      isText,
    );
    const byKey =
      methods.some((method) => KEY_METHODS.includes(method)) && !methods.some((method) => method.startsWith('did'));
    const key = byKey ? { jwk: holder.signer.publicJwk } : { kid: holder.kid };
    const payload = {
      aud: metadata.credential_issuer,
      iat: epochSeconds(this.parts.clock.now()),
      ...(nonce !== undefined && { nonce }),
    };
    return { header: { typ: OPENID4VCI.PROOF_TYPE, ...key }, payload };
  }

  async #freshNonce({ nonce_endpoint: url }: JsonObject): Promise<string | undefined> {
    if (!isText(url)) return undefined;
    const { c_nonce: nonce } = await this.#client.json({ method: 'POST', url, expects: 'protocol-reply' });
    return isText(nonce) ? nonce : undefined;
  }
}

function checkSize(issued: IssuedCredential[]): void {
  const length = issued.reduce((sum, { credential }) => sum + credential.length, 0);
  if (issued.length > MAX_CREDENTIALS || length > MAX_LENGTH)
    throw new DomainError('BadRequest', 'The credentials of the offer are too many or too large');
}
