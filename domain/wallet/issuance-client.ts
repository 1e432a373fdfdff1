import type { CredentialFormats } from '../../ports/credential-formats.ts';
import type { Outbound, OutboundReply } from '../../ports/outbound.ts';
import type { Clock } from '../../ports/system.ts';
import { DomainError } from '../errors.ts';
import { asList, isObject, isText, type JsonObject } from '../json.ts';
import { signJws } from '../jws.ts';
import { epochSeconds } from '../time.ts';
import { configurationOf, type IssuerDirectory } from './issuer-directory.ts';
import { type CredentialOffer, tokenForm } from './offer.ts';
import { isSuccess, Peer, readObject } from './peer.ts';
import type { Holder } from './wallet-dids.ts';

/** What is needed to redeem an offer. */
export interface Redemption {
  offer: CredentialOffer;
  holder: Holder;
  txCode?: string;
}

/** A credential as an issuer gave it: nothing about it is verified yet. */
export interface Delivery {
  format: string;
  credential: string;
}

/** One running exchange with an issuer. */
interface Exchange {
  metadata: JsonObject;
  holder: Holder;
  accessToken: string;
  /** Credential identifiers by configuration id, when the token response has any (draft 13 §6.2). */
  identifiers: Map<string, string>;
  nonce?: string;
}

const RETRY_WITH_NEW_NONCE: readonly unknown[] = ['invalid_proof', 'invalid_or_missing_proof', 'invalid_nonce'];

/** The wallet's side of OpenID4VCI: draft 13, and the request shapes of 1.0 when the issuer has a nonce endpoint. */
export class IssuanceClient {
  readonly #peer: Peer;
  readonly #directory: IssuerDirectory;
  readonly #formats: CredentialFormats;
  readonly #clock: Clock;

  constructor(outbound: Outbound, directory: IssuerDirectory, formats: CredentialFormats, clock: Clock) {
    this.#peer = new Peer(outbound, 'issuer');
    this.#directory = directory;
    this.#formats = formats;
    this.#clock = clock;
  }

  /**
   * Redeems a pre-authorized code: every credential of the offer, in its order.
   * @throws DomainError `BadRequest` with the issuer's reason, `UpstreamFailed`, `UpstreamTimeout`
   */
  async redeem({ offer, holder, txCode }: Redemption): Promise<Delivery[]> {
    const form = tokenForm(offer, txCode);
    const metadata = await this.#directory.metadata(offer.issuer);
    for (const id of offer.configurationIds) this.#formatOf(configurationOf(metadata, id));
    const exchange = await this.#start({ metadata, holder, offer, form });
    const deliveries: Delivery[] = [];
    for (const id of offer.configurationIds) deliveries.push(...(await this.#request(exchange, id)));
    return deliveries;
  }

  #formatOf({ format }: JsonObject): string {
    const known = isText(format) ? this.#formats[format] : undefined;
    if (!known)
      throw new DomainError('BadRequest', `The credential format ${String(format).slice(0, 64)} is not supported`);
    return known.name;
  }

  async #start(start: {
    metadata: JsonObject;
    holder: Holder;
    offer: CredentialOffer;
    form: Record<string, string>;
  }): Promise<Exchange> {
    const { metadata, holder, offer, form } = start;
    const token = await this.#peer.json({
      method: 'POST',
      url: await this.#directory.tokenEndpoint(metadata, offer.authorizationServer),
      expects: 'protocol-reply',
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
      body: new URLSearchParams(form).toString(),
    });
    const { access_token: accessToken, c_nonce: nonce } = token;
    if (!isText(accessToken)) throw new DomainError('UpstreamFailed', 'The issuer gave no access_token');
    const identifiers = readIdentifiers(token.authorization_details);
    const fresh = isText(nonce) ? nonce : await this.#freshNonce(metadata);
    return { metadata, holder, accessToken, identifiers, nonce: fresh };
  }

  /** One credential request; a proof refused for its nonce is made once more with a fresh one. */
  async #request(exchange: Exchange, id: string): Promise<Delivery[]> {
    const configuration = configurationOf(exchange.metadata, id);
    let reply = await this.#post(exchange, id);
    const refused = isSuccess(reply) ? undefined : readObject(reply);
    if (refused && RETRY_WITH_NEW_NONCE.includes(refused.error)) {
      exchange.nonce = isText(refused.c_nonce) ? refused.c_nonce : await this.#freshNonce(exchange.metadata);
      if (exchange.nonce !== undefined) reply = await this.#post(exchange, id);
    }
    if (!isSuccess(reply)) throw this.#peer.refusal(reply);
    const body = readObject(reply) ?? {};
    if (isText(body.c_nonce)) exchange.nonce = body.c_nonce;
    return readDeliveries(body).map((credential) => ({ format: this.#formatOf(configuration), credential }));
  }

  async #post(exchange: Exchange, id: string): Promise<OutboundReply> {
    const { metadata, accessToken } = exchange;
    const { credential_endpoint: url } = metadata;
    if (!isText(url)) throw new DomainError('BadRequest', 'The issuer names no credential_endpoint');
    return this.#peer.send({
      method: 'POST',
      url,
      expects: 'credential-response',
      headers: {
        'content-type': 'application/json',
        accept: 'application/json',
        authorization: `Bearer ${accessToken}`,
      },
      body: JSON.stringify(credentialRequest(exchange, id, await this.#proof(exchange, id))),
    });
  }

  /** OpenID4VCI §8.2.1.1; without a client id there is no `iss`. */
  #proof({ metadata, holder, nonce }: Exchange, id: string): Promise<string> {
    const methods = asList(configurationOf(metadata, id).cryptographic_binding_methods_supported).filter(isText);
    const byKey = methods.includes('jwk') && !methods.some((method) => method.startsWith('did'));
    const key = byKey ? { jwk: holder.signer.publicJwk } : { kid: holder.kid };
    const claims = { aud: metadata.credential_issuer, iat: epochSeconds(this.#clock.now()), nonce };
    return signJws({ typ: 'openid4vci-proof+jwt', ...key }, claims, holder.signer);
  }

  async #freshNonce({ nonce_endpoint: url }: JsonObject): Promise<string | undefined> {
    if (!isText(url)) return undefined;
    const { c_nonce: nonce } = await this.#peer.json({ method: 'POST', url, expects: 'protocol-reply' });
    return isText(nonce) ? nonce : undefined;
  }
}

/** Draft 13 §7.2 names format and type, 1.0 §8.2 the configuration; both name an identifier when there is one. */
function credentialRequest({ metadata, identifiers }: Exchange, id: string, jwt: string): JsonObject {
  const isFinal = isText(metadata.nonce_endpoint);
  const proof = isFinal ? { proofs: { jwt: [jwt] } } : { proof: { proof_type: 'jwt', jwt } };
  const identifier = identifiers.get(id);
  if (identifier !== undefined) return { credential_identifier: identifier, ...proof };
  if (isFinal) return { credential_configuration_id: id, ...proof };
  const { format, credential_definition: definition, types } = configurationOf(metadata, id);
  const type = isObject(definition) ? definition.type : types;
  return { format, credential_definition: { type }, ...proof };
}

function readIdentifiers(details: unknown): Map<string, string> {
  const identifiers = new Map<string, string>();
  for (const detail of asList(details).filter(isObject)) {
    const [first] = asList(detail.credential_identifiers).filter(isText);
    const { credential_configuration_id: id } = detail;
    if (isText(id) && first !== undefined) identifiers.set(id, first);
  }
  return identifiers;
}

function readDeliveries(body: JsonObject): string[] {
  const listed = asList(body.credentials).map((entry) => (isObject(entry) ? entry.credential : entry));
  const credentials = [body.credential, ...listed].filter((entry) => entry !== undefined);
  if (credentials.length === 0 && (isText(body.transaction_id) || isText(body.acceptance_token)))
    throw new DomainError('BadRequest', 'The issuer delivers this credential later, which is not supported');
  if (credentials.length === 0 || !credentials.every(isText))
    throw new DomainError('UpstreamFailed', 'The issuer delivered no credential');
  return credentials;
}
