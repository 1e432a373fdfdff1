import type { KeyObject } from 'node:crypto';
import type { AccessTokenResponse, JwtSigner } from '@openid4vc/oauth2';
import {
  type CredentialOfferObject,
  type CredentialResponse,
  type IssuerMetadataResult,
  Openid4vciClient,
  Openid4vciRetrieveCredentialsError,
} from '@openid4vc/openid4vci';
import { Openid4vpClient } from '@openid4vc/openid4vp';
import { type JWK, SignJWT } from 'jose';
import { keyPair } from '../support/keys.ts';
import { toBase58 } from './judge.ts';
import { callbacks, didJwkOf, publicJwkOf } from './library.ts';

/** How a proof names its key. */
export type Binding = 'did:key' | 'did:jwk' | 'jwk';
export type HolderAlg = 'ES256' | 'EdDSA';

/** Every supported kind of holder. */
export const HOLDERS: { alg: HolderAlg; binding: Binding }[] = (['ES256', 'EdDSA'] as const).flatMap((alg) =>
  (['did:key', 'did:jwk', 'jwk'] as const).map((binding) => ({ alg, binding })),
);

/** The result of an offer. */
export interface Accepted {
  offer: CredentialOfferObject;
  metadata: IssuerMetadataResult;
  token: AccessTokenResponse;
  credentials: string[];
}

/** An independent wallet: the protocol is the library's, the signatures are jose's. */
export class OutsideWallet {
  readonly alg: HolderAlg;
  readonly binding: Binding;
  readonly did: string;
  readonly #privateKey: KeyObject;
  readonly #publicKey: KeyObject;
  readonly #issuance: Openid4vciClient;
  readonly #presentation: Openid4vpClient;

  constructor({ alg, binding }: { alg: HolderAlg; binding: Binding }) {
    const pair = alg === 'EdDSA' ? keyPair('ed25519') : keyPair({ namedCurve: 'P-256' });
    this.alg = alg;
    this.binding = binding;
    this.#privateKey = pair.privateKey;
    this.#publicKey = pair.publicKey;
    this.did = binding === 'did:key' ? didKeyOf(pair.publicKey) : didJwkOf(pair.publicKey);
    const surroundings = callbacks(this.#privateKey, this.#publicKey);
    this.#issuance = new Openid4vciClient({ callbacks: surroundings });
    this.#presentation = new Openid4vpClient({ callbacks: surroundings });
  }

  get publicJwk(): JWK {
    return publicJwkOf(this.#publicKey);
  }

  get didUrl(): string {
    return this.binding === 'did:key' ? `${this.did}#${this.did.slice('did:key:'.length)}` : `${this.did}#0`;
  }

  /** Redeems an offer: every credential of it. */
  async accept(offerUrl: string): Promise<Accepted> {
    const offer = await this.#issuance.resolveCredentialOffer(offerUrl);
    const metadata = await this.#issuance.resolveIssuerMetadata(offer.credential_issuer);
    const { accessTokenResponse: token } = await this.#issuance.retrievePreAuthorizedCodeAccessTokenFromOffer({
      credentialOffer: offer,
      issuerMetadata: metadata,
    });
    const credentials: string[] = [];
    let nonce = token.c_nonce;
    for (const id of offer.credential_configuration_ids) {
      const response = await this.#claim({ metadata, id, nonce, accessToken: token.access_token });
      credentials.push(String(response.credential));
      nonce = response.c_nonce;
    }
    return { offer, metadata, token, credentials };
  }

  /** Redeems an offer of OpenID4VCI 1.0: every credential of it, and notifies the issuer of each. */
  async acceptFinal(offerUrl: string, txCode?: string): Promise<Accepted> {
    const offer = await this.#issuance.resolveCredentialOffer(offerUrl);
    const issuerMetadata = await this.#issuance.resolveIssuerMetadata(offer.credential_issuer);
    const { accessTokenResponse: token } = await this.#issuance.retrievePreAuthorizedCodeAccessTokenFromOffer({
      credentialOffer: offer,
      issuerMetadata,
      txCode,
    });
    const accessToken = token.access_token;
    const credentials: string[] = [];
    for (const credentialConfigurationId of offer.credential_configuration_ids) {
      const { c_nonce: nonce } = await this.#issuance.requestNonce({ issuerMetadata });
      const common = { issuerMetadata, credentialConfigurationId };
      const { jwt } = await this.#issuance.createCredentialRequestJwtProof({
        ...common,
        signer: this.#signer(),
        nonce,
      });
      const { credentialResponse } = await this.#issuance.retrieveCredentials({
        ...common,
        accessToken,
        proofs: { jwt: [jwt] },
      });
      const delivered = await this.#delivered(credentialResponse, { issuerMetadata, accessToken });
      const issued = (delivered.credentials ?? []) as { credential: unknown }[];
      credentials.push(...issued.map(({ credential }) => String(credential)));
      const notification = {
        notificationId: String(delivered.notification_id),
        event: 'credential_accepted' as const,
      };
      await this.#issuance.sendNotification({ issuerMetadata, accessToken, notification });
    }
    return { offer, metadata: issuerMetadata, token, credentials };
  }

  /** The response with the credentials: at once, or from the deferred credential endpoint. */
  async #delivered(
    response: CredentialResponse,
    common: { issuerMetadata: IssuerMetadataResult; accessToken: string },
  ): Promise<CredentialResponse> {
    const { transaction_id: transactionId } = response;
    if (transactionId === undefined) return response;
    // This version of the library refuses a notification_id beside credentials, which OpenID4VCI 1.0 §9.2 permits.
    const answer = await this.#issuance.retrieveDeferredCredentials({ ...common, transactionId }).catch((error) => {
      if (error instanceof Openid4vciRetrieveCredentialsError && error.response.response.ok) return error.response;
      throw error;
    });
    return (await answer.response.clone().json()) as CredentialResponse;
  }

  async #claim({ metadata: issuerMetadata, id: credentialConfigurationId, nonce, accessToken }: Claim) {
    const signer = this.#signer();
    const proof = await this.#issuance.createCredentialRequestJwtProof({
      issuerMetadata,
      signer,
      nonce,
      credentialConfigurationId,
    });
    const { credentialResponse } = await this.#issuance.retrieveCredentials({
      issuerMetadata,
      accessToken,
      credentialConfigurationId,
      proof: { proof_type: 'jwt', jwt: proof.jwt },
    });
    return credentialResponse;
  }

  #signer(): JwtSigner {
    const { alg } = this;
    if (this.binding === 'jwk') return { method: 'jwk', alg, publicJwk: publicJwkOf(this.#publicKey) };
    return { method: 'did', alg, didUrl: this.didUrl };
  }

  /** Parses a request link and fetches the definition behind a URL, which the library does not. */
  async read(requestUrl: string) {
    const parsed = this.#presentation.parseOpenid4vpAuthorizationRequest({ authorizationRequest: requestUrl });
    if (parsed.type !== 'openid4vp') throw new Error(`The request is one of the kind ${parsed.type}`);
    const { presentation_definition_uri: uri, ...params } = parsed.params;
    const definition = uri === undefined ? params.presentation_definition : await (await fetch(uri)).json();
    const payload = { ...params, presentation_definition: definition };
    const resolved = await this.#presentation.resolveOpenId4vpAuthorizationRequest({
      authorizationRequestPayload: payload,
    });
    return { ...resolved, authorizationRequestPayload: payload };
  }

  /** Answers a request link with one credential for each descriptor, in order. */
  async present(requestUrl: string, credentials: string[], dataModel: 1 | 2 = 1): Promise<Response> {
    const { authorizationRequestPayload, pex } = await this.read(requestUrl);
    const { nonce, client_id: audience = '' } = authorizationRequestPayload;
    const definition = Object(pex?.presentation_definition);
    const vpToken = await this.#sign({ nonce, aud: audience, ...this.#document(credentials, dataModel) }, dataModel);
    const path = dataModel === 1 ? '$.vp.verifiableCredential' : '$.verifiableCredential';
    const submission = {
      id: 'submission',
      definition_id: definition.id,
      descriptor_map: definition.input_descriptors.map(({ id }: { id: string }, index: number) => ({
        id,
        format: 'jwt_vp_json',
        path: '$',
        path_nested: { id, format: 'jwt_vc_json', path: `${path}[${index}]` },
      })),
    };
    const answer = await this.#presentation.createOpenid4vpAuthorizationResponse({
      authorizationRequestPayload,
      authorizationResponsePayload: { vp_token: vpToken, presentation_submission: submission },
    });
    const { response } = await this.#presentation.submitOpenid4vpAuthorizationResponse({
      authorizationRequestPayload,
      ...answer,
    });
    return response;
  }

  #document(credentials: string[], dataModel: 1 | 2): Record<string, unknown> {
    const holder = this.did;
    const type = ['VerifiablePresentation'];
    if (dataModel === 1) {
      const context = ['https://www.w3.org/2018/credentials/v1'];
      return { vp: { '@context': context, type, holder, verifiableCredential: credentials } };
    }
    const context = ['https://www.w3.org/ns/credentials/v2'];
    const verifiableCredential = credentials.map((jwt) => ({
      '@context': context,
      type: 'EnvelopedVerifiableCredential',
      id: `data:application/vc+jwt,${jwt}`,
    }));
    return { '@context': context, type, holder, verifiableCredential };
  }

  #sign(claims: Record<string, unknown>, dataModel: 1 | 2): Promise<string> {
    return new SignJWT(claims)
      .setProtectedHeader({ alg: this.alg, kid: this.didUrl, typ: dataModel === 1 ? 'JWT' : 'vp+jwt' })
      .setIssuer(this.did)
      .setSubject(this.did)
      .setIssuedAt()
      .setExpirationTime('5m')
      .sign(this.#privateKey);
  }
}

interface Claim {
  metadata: IssuerMetadataResult;
  id: string;
  nonce: string | undefined;
  accessToken: string;
}

function didKeyOf(key: KeyObject): string {
  const { crv, x = '', y = '' } = publicJwkOf(key);
  const [left, right] = [x, y].map((part) => Buffer.from(part, 'base64url'));
  const isOdd = ((right?.at(-1) ?? 0) & 1) === 1;
  const prefix = crv === 'Ed25519' ? [0xed, 0x01] : [0x80, 0x24, isOdd ? 3 : 2];
  return `did:key:z${toBase58(Uint8Array.from([...prefix, ...(left ?? [])]))}`;
}
