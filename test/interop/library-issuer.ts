import { type KeyObject, randomUUID } from 'node:crypto';
import {
  type AuthorizationServerMetadata,
  type CallbackContext,
  Oauth2AuthorizationServer,
  Oauth2ResourceServer,
  Oauth2ResourceUnauthorizedError,
  Oauth2ServerErrorResponseError,
  preAuthorizedCodeGrantIdentifier,
  SupportedAuthenticationScheme,
} from '@openid4vc/oauth2';
import {
  type CredentialIssuerMetadata,
  type IssuerMetadataResult,
  Openid4vciIssuer,
  Openid4vciVersion,
} from '@openid4vc/openid4vci';
import { decodeJwt, SignJWT } from 'jose';
import { keyPair } from '../../demo/actors/key-pairs.ts';
import { HttpPeer, type PeerReply, type PeerRequest } from '../actors/http-peer.ts';
import { testKeys } from '../support/trust/certificates.ts';
import { callbacks, didJwkOf, publicJwkOf } from './library.ts';

/** How an issuer behaves. */
export interface Behaviour {
  /** Draft 13 returns nonces with the token, 1.0 at an endpoint. */
  version: 'draft13' | '1.0';
  alg: 'ES256' | 'EdDSA' | 'RS256';
  bindings: string[];
  dataModel: 1 | 2;
  txCode?: string;
  /** Whether the token response has credential identifiers (draft 13 §6.2). */
  identifiers: boolean;
  /** The subject of credentials when a proof names only a key. */
  subject?: string;
}

const PLAIN: Behaviour = {
  version: 'draft13',
  alg: 'ES256',
  bindings: ['did:jwk', 'did:key'],
  dataModel: 1,
  identifiers: false,
};
const TYPES = ['Degree', 'Passport'];
const CODE = 'the-code';

/** An issuer with the library's protocol: metadata, tokens, proofs and answers. */
export class LibraryIssuer {
  readonly peer: HttpPeer;
  readonly behaviour: Behaviour;
  readonly publicKey: KeyObject;
  readonly #privateKey: KeyObject;
  readonly #did: string;
  readonly #issuer: Openid4vciIssuer;
  readonly #authorization: Oauth2AuthorizationServer;
  readonly #resource: Oauth2ResourceServer;
  readonly #nonces = new Set<string>();

  static async start(changes: Partial<Behaviour> = {}): Promise<LibraryIssuer> {
    return new LibraryIssuer(await new HttpPeer().listen(), { ...PLAIN, ...changes });
  }

  private constructor(peer: HttpPeer, behaviour: Behaviour) {
    const { privateKey, publicKey } = keyPairOf(behaviour.alg);
    const surroundings: CallbackContext = callbacks(privateKey, publicKey);
    this.peer = peer;
    this.behaviour = behaviour;
    this.publicKey = publicKey;
    this.#privateKey = privateKey;
    this.#did = didJwkOf(publicKey);
    this.#issuer = new Openid4vciIssuer({ callbacks: surroundings });
    this.#authorization = new Oauth2AuthorizationServer({ callbacks: surroundings });
    this.#resource = new Oauth2ResourceServer({ callbacks: surroundings });
    this.#serve();
  }

  close(): Promise<void> {
    return this.peer.close();
  }

  /** An offer link, by value or by reference. */
  async offer(types = ['Degree'], { byReference = false } = {}): Promise<string> {
    const { txCode } = this.behaviour;
    const { credentialOffer, credentialOfferObject } = await this.#issuer.createCredentialOffer({
      issuerMetadata: this.#metadata,
      credentialConfigurationIds: types.map((type) => `${type}_jwt_vc_json`),
      grants: {
        [preAuthorizedCodeGrantIdentifier]: {
          'pre-authorized_code': CODE,
          ...(txCode !== undefined && { tx_code: { length: txCode.length, input_mode: 'numeric' as const } }),
        },
      },
      ...(byReference && { credentialOfferUri: `${this.#base}/offer` }),
    });
    this.peer.routes['/vci/offer'] = () => ({ body: credentialOfferObject });
    return credentialOffer;
  }

  get #base(): string {
    return `${this.peer.url}/vci`;
  }

  get #isFinal(): boolean {
    return this.behaviour.version === '1.0';
  }

  get #authorizationServer(): AuthorizationServerMetadata {
    return this.#authorization.createAuthorizationServerMetadata({
      issuer: this.#base,
      token_endpoint: `${this.#base}/token`,
      jwks_uri: `${this.#base}/jwks`,
      'pre-authorized_grant_anonymous_access_supported': true,
    });
  }

  get #credentialIssuer(): CredentialIssuerMetadata {
    const { alg, bindings } = this.behaviour;
    const configurations = TYPES.map((type) => [
      `${type}_jwt_vc_json`,
      {
        format: 'jwt_vc_json' as const,
        cryptographic_binding_methods_supported: bindings,
        credential_signing_alg_values_supported: [alg],
        proof_types_supported: { jwt: { proof_signing_alg_values_supported: ['ES256', 'EdDSA', 'RS256', 'ES256K'] } },
        credential_definition: { type: ['VerifiableCredential', type] },
      },
    ]);
    return this.#issuer.createCredentialIssuerMetadata({
      credential_issuer: this.#base,
      credential_endpoint: `${this.#base}/credential`,
      ...(this.#isFinal && { nonce_endpoint: `${this.#base}/nonce` }),
      credential_configurations_supported: Object.fromEntries(configurations),
    });
  }

  get #metadata(): IssuerMetadataResult {
    const credentialIssuer = this.#credentialIssuer;
    return {
      credentialIssuer,
      authorizationServers: [this.#authorizationServer],
      originalDraftVersion: this.#isFinal ? Openid4vciVersion.V1 : Openid4vciVersion.Draft14,
      knownCredentialConfigurations: this.#issuer.getKnownCredentialConfigurationsSupported(credentialIssuer),
    };
  }

  #serve(): void {
    const { routes } = this.peer;
    const wellKnown = (name: string) => (this.#isFinal ? `/.well-known/${name}/vci` : `/vci/.well-known/${name}`);
    routes[wellKnown('openid-credential-issuer')] = () => ({ body: this.#credentialIssuer });
    routes[wellKnown('oauth-authorization-server')] = () => ({ body: this.#authorizationServer });
    routes['/vci/jwks'] = async () => ({ body: { keys: [{ ...publicJwkOf(this.publicKey), use: 'sig' }] } });
    routes['/vci/nonce'] = () => ({ body: this.#issuer.createNonceResponse({ cNonce: this.#freshNonce() }) });
    routes['/vci/token'] = (request) => answered(() => this.#token(request));
    routes['/vci/credential'] = (request) => answered(() => this.#credential(request));
  }

  #freshNonce(): string {
    const nonce = randomUUID();
    this.#nonces.add(nonce);
    return nonce;
  }

  async #token(seen: PeerRequest): Promise<PeerReply> {
    const request = requestOf(seen);
    const form = Object.fromEntries(new URLSearchParams(seen.body));
    const parsed = this.#authorization.parseAccessTokenRequest({ request, accessTokenRequest: form });
    if (!('preAuthorizedCode' in parsed.grant)) return { status: 400, body: { error: 'unsupported_grant_type' } };
    await this.#authorization.verifyPreAuthorizedCodeAccessTokenRequest({
      authorizationServerMetadata: this.#authorizationServer,
      grant: parsed.grant,
      accessTokenRequest: parsed.accessTokenRequest,
      request,
      expectedPreAuthorizedCode: CODE,
      expectedTxCode: this.behaviour.txCode,
    });
    const body = await this.#authorization.createAccessTokenResponse({
      audience: this.#base,
      authorizationServer: this.#base,
      subject: CODE,
      expiresInSeconds: 60,
      signer: { method: 'jwk', alg: this.behaviour.alg, publicJwk: publicJwkOf(this.publicKey) },
      ...(!this.#isFinal && { cNonce: this.#freshNonce(), cNonceExpiresIn: 60 }),
      ...(this.behaviour.identifiers && { additionalAccessTokenResponsePayload: IDENTIFIERS }),
    });
    return { body };
  }

  async #credential(seen: PeerRequest): Promise<PeerReply> {
    await this.#resource.verifyResourceRequest({
      request: requestOf(seen),
      resourceServer: this.#base,
      authorizationServers: [this.#authorizationServer],
      allowedAuthenticationSchemes: [SupportedAuthenticationScheme.Bearer],
    });
    const issuerMetadata = this.#metadata;
    const credentialRequest = this.#issuer.parseCredentialRequest({
      issuerMetadata,
      credentialRequest: JSON.parse(seen.body),
    });
    const [jwt = '', ...others] = credentialRequest.proofs?.jwt ?? [];
    const nonce = String(decodeJwt(jwt).nonce);
    if (others.length > 0 || !this.#nonces.delete(nonce)) return { status: 400, body: { error: 'invalid_nonce' } };
    const { signer } = await this.#issuer.verifyCredentialRequestJwtProof({
      issuerMetadata,
      jwt,
      expectedNonce: nonce,
    });
    const type = TYPES.find((one) => seen.body.includes(one)) ?? '';
    const subject = 'didUrl' in signer ? signer.didUrl.split('#')[0] : this.behaviour.subject;
    const credential = await this.#sign(type, subject ?? '');
    const delivery = this.#isFinal
      ? { credentials: [{ credential }] }
      : { credential, cNonce: this.#freshNonce(), cNonceExpiresInSeconds: 60 };
    return { body: this.#issuer.createCredentialResponse({ credentialRequest, ...delivery }) };
  }

  #sign(type: string, subject: string): Promise<string> {
    const { alg, dataModel } = this.behaviour;
    const id = `urn:uuid:${randomUUID()}`;
    const credentialSubject = { id: subject, level: 7 };
    const document = { id, type: ['VerifiableCredential', type], issuer: this.#did, credentialSubject };
    const claims =
      dataModel === 1
        ? { vc: { '@context': ['https://www.w3.org/2018/credentials/v1'], ...document } }
        : { '@context': ['https://www.w3.org/ns/credentials/v2'], ...document };
    return new SignJWT(claims)
      .setProtectedHeader({ alg, kid: `${this.#did}#0`, typ: dataModel === 1 ? 'JWT' : 'vc+jwt' })
      .setIssuer(this.#did)
      .setSubject(subject)
      .setJti(id)
      .setNotBefore('0s')
      .setExpirationTime('1y')
      .sign(this.#privateKey);
  }
}

const IDENTIFIERS = {
  authorization_details: TYPES.map((type) => ({
    type: 'openid_credential',
    credential_configuration_id: `${type}_jwt_vc_json`,
    credential_identifiers: [`one-${type}`],
  })),
};

function keyPairOf(alg: Behaviour['alg']) {
  if (alg === 'RS256') return testKeys('RSA', 45);
  return alg === 'EdDSA' ? keyPair('ed25519') : keyPair({ namedCurve: 'P-256' });
}

export function requestOf({ url, headers }: PeerRequest) {
  const pairs = Object.entries(headers).map(([name, value]): [string, string] => [name, String(value)]);
  return { method: 'POST' as const, url: url.href, headers: new Headers(pairs) };
}

/** Answers an error of the library as the library specifies. */
export async function answered(run: () => Promise<PeerReply>): Promise<PeerReply> {
  try {
    return await run();
  } catch (error) {
    if (error instanceof Oauth2ServerErrorResponseError) return { status: 400, body: error.errorResponse };
    if (error instanceof Oauth2ResourceUnauthorizedError) return { status: 401, body: { error: error.message } };
    return { status: 500, body: { error: String(error) } };
  }
}
