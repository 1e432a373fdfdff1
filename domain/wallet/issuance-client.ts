import type { Outbound, OutboundReply } from '../../ports/outbound.ts';
import type { Clock } from '../../ports/system.ts';
import type { CredentialFormats, TypeSelector } from '../credentials/formats.ts';
import { OPENID4VCI } from '../credentials/openid4vci.ts';
import { DomainError } from '../foundation/errors.ts';
import { asList, isText, type JsonObject } from '../foundation/json.ts';
import { epochSeconds } from '../foundation/time.ts';
import type { SigningDid } from '../holdings/dids.ts';
import type { CredentialDisplay } from '../holdings/records.ts';
import { signJws } from '../jose/jws.ts';
import { readDisplay } from './credential-display.ts';
import { configurationOf, type IssuerDirectory } from './issuer-directory.ts';
import type { ParsedOffer } from './offer-links.ts';
import {
  createAuthorizationDetails,
  createCredentialRequest,
  createTokenForm,
  MAX_CREDENTIALS,
  parseCredentialResponse,
  parseIdentifiers,
  type WantedCredential,
  wantedCredentials,
} from './openid4vci.ts';
import { isSuccess, ProtocolClient, readObject } from './protocol-client.ts';

/** What is needed to redeem an offer. */
export interface Redemption {
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
export interface PreparedProof extends UnsignedProof {
  wanted: WantedCredential;
  /** The configuration of the credential, as the issuer publishes it. */
  offered: JsonObject;
}

/** A redeemed offer whose credentials are still to be requested; plain JSON, with a secret. */
export interface PreparedIssuance {
  metadata: JsonObject;
  accessToken: string;
  proofs: PreparedProof[];
}

/** One running exchange with an issuer. */
interface Exchange {
  metadata: JsonObject;
  holder: SigningDid;
  accessToken: string;
  /** Credential identifiers by configuration id, when the token response has any (draft 13 §6.2). */
  identifiers: Map<string, string[]>;
  nonce?: string;
}

/** The most characters of all credentials of one offer. */
const MAX_LENGTH = 8 * 1024 * 1024;
/** The binding methods that name a key (OpenID4VCI draft 13 §11.2.3). */
const KEY_METHODS = ['jwk', 'cose_key'];
const RETRY_WITH_NEW_NONCE: readonly unknown[] = ['invalid_proof', 'invalid_or_missing_proof', 'invalid_nonce'];

/** Requests credentials from issuers (OpenID4VCI). */
export class IssuanceClient {
  readonly #client: ProtocolClient;
  readonly #directory: IssuerDirectory;
  readonly #formats: CredentialFormats;
  readonly #clock: Clock;

  constructor(outbound: Outbound, directory: IssuerDirectory, formats: CredentialFormats, clock: Clock) {
    this.#client = new ProtocolClient(outbound, 'issuer');
    this.#directory = directory;
    this.#formats = formats;
    this.#clock = clock;
  }

  /**
   * Redeems a pre-authorized code. Returns every credential of the offer, in its order: for a configuration as many as
   * the issuer has identifiers for it, else one.
   * @throws DomainError `BadRequest` with the issuer's reason, `UpstreamFailed`, `UpstreamTimeout`
   */
  async redeem(redemption: Redemption): Promise<IssuedCredential[]> {
    const exchange = await this.#open(redemption);
    const issued: IssuedCredential[] = [];
    for (const wanted of wantedCredentials(exchange.identifiers, redemption.offer))
      issued.push(...(await this.#request(exchange, wanted)));
    checkSize(issued);
    return issued;
  }

  /** Redeems a pre-authorized code for proofs that are signed elsewhere. @throws DomainError as `redeem` */
  async prepare(redemption: Redemption): Promise<PreparedIssuance> {
    const exchange = await this.#open(redemption);
    const { metadata, accessToken } = exchange;
    const proofs: PreparedProof[] = [];
    for (const wanted of wantedCredentials(exchange.identifiers, redemption.offer)) {
      if (proofs.length > 0) exchange.nonce = (await this.#freshNonce(metadata)) ?? exchange.nonce;
      const offered = configurationOf(metadata, wanted.configurationId);
      proofs.push({ wanted, offered, ...this.#proofParts(exchange, wanted) });
    }
    return { metadata, accessToken, proofs };
  }

  /** Requests what was prepared, with the signed proofs in its order. @throws DomainError as `redeem` */
  async redeemPrepared({ proofs, ...exchange }: PreparedIssuance, signed: string[]): Promise<IssuedCredential[]> {
    const issued: IssuedCredential[] = [];
    for (const [index, { wanted, offered }] of proofs.entries()) {
      const reply = await this.#send(exchange, wanted, signed[index] ?? '');
      if (!isSuccess(reply)) throw this.#client.errorFrom(reply);
      const described = this.#describe(exchange.metadata, offered);
      issued.push(
        ...parseCredentialResponse(readObject(reply) ?? {}).map((credential) => ({ ...described, credential })),
      );
    }
    checkSize(issued);
    return issued;
  }

  async #open({ offer, holder, txCode }: Redemption): Promise<Exchange> {
    const form = createTokenForm(offer, txCode);
    const metadata = await this.#directory.metadata(offer.issuer);
    for (const id of offer.configurationIds) this.#formatOf(configurationOf(metadata, id));
    return this.#start({ metadata, holder, offer, form });
  }

  #formatOf({ format }: JsonObject): string {
    const known = isText(format) ? this.#formats.supported(format) : undefined;
    if (!known)
      throw new DomainError('BadRequest', `The credential format ${String(format).slice(0, 64)} is not supported`);
    return known.name;
  }

  #describe(metadata: JsonObject, offered: JsonObject): Omit<IssuedCredential, 'credential'> {
    const { vct, doctype } = offered;
    const format = this.#formatOf(offered);
    const types: Record<TypeSelector, unknown> = { type: undefined, vct, doc_type: doctype };
    const type = types[this.#formats.get(format).selector];
    return { format, type: isText(type) ? type : undefined, display: readDisplay(metadata, offered) };
  }

  async #start(start: {
    metadata: JsonObject;
    holder: SigningDid;
    offer: ParsedOffer;
    form: Record<string, string>;
  }): Promise<Exchange> {
    const { metadata, holder, offer, form } = start;
    const { endpoint, takesDetails } = await this.#directory.tokenServer(metadata, offer.authorizationServer);
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
    const identifiers = parseIdentifiers(token.authorization_details);
    const fresh = isText(nonce) ? nonce : await this.#freshNonce(metadata);
    return { metadata, holder, accessToken, identifiers, nonce: fresh };
  }

  /** Sends one credential request; a proof that is rejected for its nonce is created once more with a fresh one. */
  async #request(exchange: Exchange, wanted: WantedCredential): Promise<IssuedCredential[]> {
    const configuration = configurationOf(exchange.metadata, wanted.configurationId);
    let reply = await this.#post(exchange, wanted);
    const refused = isSuccess(reply) ? undefined : readObject(reply);
    if (refused && RETRY_WITH_NEW_NONCE.includes(refused.error)) {
      exchange.nonce = isText(refused.c_nonce) ? refused.c_nonce : await this.#freshNonce(exchange.metadata);
      if (exchange.nonce !== undefined) reply = await this.#post(exchange, wanted);
    }
    if (!isSuccess(reply)) throw this.#client.errorFrom(reply);
    const body = readObject(reply) ?? {};
    if (isText(body.c_nonce)) exchange.nonce = body.c_nonce;
    const described = this.#describe(exchange.metadata, configuration);
    return parseCredentialResponse(body).map((credential) => ({ ...described, credential }));
  }

  async #post(exchange: Exchange, wanted: WantedCredential): Promise<OutboundReply> {
    const { header, payload } = this.#proofParts(exchange, wanted);
    return this.#send(exchange, wanted, await signJws(header, payload, exchange.holder.signer));
  }

  async #send(
    { metadata, accessToken }: Pick<Exchange, 'metadata' | 'accessToken'>,
    wanted: WantedCredential,
    proof: string,
  ): Promise<OutboundReply> {
    const { credential_endpoint: url } = metadata;
    if (!isText(url)) throw new DomainError('BadRequest', 'The issuer names no credential_endpoint');
    return this.#client.send({
      method: 'POST',
      url,
      expects: 'credential-response',
      headers: {
        'content-type': 'application/json',
        accept: 'application/json',
        authorization: `Bearer ${accessToken}`,
      },
      body: JSON.stringify(createCredentialRequest({ metadata, wanted, proof })),
    });
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
      iat: epochSeconds(this.#clock.now()),
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
