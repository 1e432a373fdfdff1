import { type AccessTokenResponse, clientAuthenticationNone, type JwtSigner } from '@openid4vc/oauth2';
import {
  type CredentialOfferObject,
  type CredentialResponse,
  type IssuerMetadataResult,
  Openid4vciClient,
  Openid4vciRetrieveCredentialsError,
  Openid4vciVersion,
} from '@openid4vc/openid4vci';
import type { callbacks } from './library.ts';

const CLIENT_ID = 'outside-wallet';
const REDIRECT_URI = 'https://wallet.example/callback';

/** How a wallet gets its access token. */
export interface Redeeming {
  txCode?: string;
  /** A code of the authorization endpoint, whose request is pushed or not; a pre-authorized code when absent. */
  code?: 'plain' | 'pushed';
}

/** A redeemed offer. */
export interface Exchange {
  offer: CredentialOfferObject;
  metadata: IssuerMetadataResult;
  token: AccessTokenResponse;
  /** The nonce for the next proof. */
  nonce?: string;
}

/** The redemption of offers by an independent wallet: the protocol is the library's. */
export class OfferWallet {
  readonly #client: Openid4vciClient;
  readonly #signer: JwtSigner;

  constructor(signer: JwtSigner, surroundings: ReturnType<typeof callbacks>) {
    const clientAuthentication = clientAuthenticationNone({ clientId: CLIENT_ID });
    this.#client = new Openid4vciClient({ callbacks: { ...surroundings, clientAuthentication } });
    this.#signer = signer;
  }

  /** Reads an offer and gets the access token. */
  async begin(offerUrl: string, { txCode, code }: Redeeming = {}): Promise<Exchange> {
    const credentialOffer = await this.#client.resolveCredentialOffer(offerUrl);
    const issuerMetadata = await this.#client.resolveIssuerMetadata(credentialOffer.credential_issuer);
    const context = { credentialOffer, issuerMetadata };
    const { accessTokenResponse: token } =
      code === undefined
        ? await this.#client.retrievePreAuthorizedCodeAccessTokenFromOffer({ ...context, txCode })
        : await this.#authorized(context, code);
    return { offer: credentialOffer, metadata: issuerMetadata, token, nonce: token.c_nonce };
  }

  async #authorized(
    {
      credentialOffer,
      issuerMetadata,
    }: { credentialOffer: CredentialOfferObject; issuerMetadata: IssuerMetadataResult },
    code: 'plain' | 'pushed',
  ) {
    // The library pushes its request wherever it can.
    const seen = code === 'pushed' ? issuerMetadata : withoutPushing(issuerMetadata);
    const { authorizationRequestUrl, pkce } = await this.#client.createAuthorizationRequestUrlFromOffer({
      credentialOffer,
      issuerMetadata: seen,
      clientId: CLIENT_ID,
      redirectUri: REDIRECT_URI,
    });
    const isPushed = new URL(authorizationRequestUrl).searchParams.has('request_uri');
    if (isPushed !== (code === 'pushed')) throw new Error(`The request is not ${code}`);
    const [authorizationServerMetadata] = issuerMetadata.authorizationServers;
    if (!authorizationServerMetadata) throw new Error('The issuer has no authorization server');
    const { headers } = await fetch(authorizationRequestUrl, { redirect: 'manual' });
    const returned = this.#client.parseAndVerifyAuthorizationResponseRedirectUrl({
      url: headers.get('location') ?? '',
      authorizationServerMetadata,
    });
    if (!('code' in returned)) throw new Error(JSON.stringify(returned));
    return this.#client.retrieveAuthorizationCodeAccessTokenFromOffer({
      credentialOffer,
      issuerMetadata,
      authorizationCode: String(returned.code),
      pkceCodeVerifier: pkce?.codeVerifier,
      redirectUri: REDIRECT_URI,
    });
  }

  /** A proof for a configuration of the offer; from the nonce endpoint of the issuer if it has one. */
  async proof({ metadata: issuerMetadata, nonce }: Exchange, credentialConfigurationId: string): Promise<string> {
    const { jwt } = await this.#client.createCredentialRequestJwtProof({
      issuerMetadata,
      credentialConfigurationId,
      signer: this.#signer,
      nonce,
    });
    return jwt;
  }

  /** Fetches a nonce where the version has an endpoint for it. */
  async refresh(exchange: Exchange): Promise<Exchange> {
    const { metadata: issuerMetadata } = exchange;
    if (!isFinal(exchange)) return exchange;
    return { ...exchange, nonce: (await this.#client.requestNonce({ issuerMetadata })).c_nonce };
  }

  /** Requests a credential with these proofs. */
  async claim({ metadata, token, ...exchange }: Exchange, id: string, proofs: string[]): Promise<CredentialResponse> {
    const [jwt = ''] = proofs;
    const { credentialResponse } = await this.#client.retrieveCredentials({
      issuerMetadata: metadata,
      accessToken: token.access_token,
      credentialConfigurationId: id,
      ...(isFinal({ metadata, token, ...exchange })
        ? { proofs: { jwt: proofs } }
        : { proof: { proof_type: 'jwt', jwt } }),
    });
    return credentialResponse;
  }

  /** Requests a deferred credential. The library refuses responses of draft 13, and a notification_id beside credentials. */
  async collect({ metadata: issuerMetadata, token }: Exchange, transactionId: string): Promise<CredentialResponse> {
    const request = { issuerMetadata, accessToken: token.access_token, transactionId };
    const answer = await this.#client.retrieveDeferredCredentials(request).catch((error: unknown) => {
      if (error instanceof Openid4vciRetrieveCredentialsError && error.response.response.ok) return error.response;
      throw error;
    });
    return (await answer.response.clone().json()) as CredentialResponse;
  }

  /** Redeems every credential of an offer, one after the other. */
  async accept(offerUrl: string, how?: Redeeming): Promise<Exchange & { credentials: string[] }> {
    let exchange = await this.begin(offerUrl, how);
    const credentials: string[] = [];
    for (const id of exchange.offer.credential_configuration_ids) {
      exchange = await this.refresh(exchange);
      const response = await this.claim(exchange, id, [await this.proof(exchange, id)]);
      credentials.push(...credentialsIn(response));
      await this.#notify(exchange, response);
      exchange = { ...exchange, nonce: response.c_nonce };
    }
    return { ...exchange, credentials };
  }

  async #notify(
    { metadata: issuerMetadata, token }: Exchange,
    { notification_id: notificationId }: CredentialResponse,
  ) {
    if (notificationId === undefined) return;
    const notification = { notificationId, event: 'credential_accepted' as const };
    await this.#client.sendNotification({ issuerMetadata, accessToken: token.access_token, notification });
  }
}

/** Whether the library takes the issuer for one of 1.0. */
const isFinal = ({ metadata }: Exchange): boolean => metadata.originalDraftVersion === Openid4vciVersion.V1;

/** The credentials of a response, of any version. */
export function credentialsIn({ credential, credentials = [] }: CredentialResponse): string[] {
  const listed = credentials.map((one) => (typeof one === 'object' && 'credential' in one ? one.credential : one));
  return [...(credential === undefined ? [] : [credential]), ...listed].map(String);
}

const withoutPushing = (metadata: IssuerMetadataResult): IssuerMetadataResult => ({
  ...metadata,
  authorizationServers: metadata.authorizationServers.map(
    ({ pushed_authorization_request_endpoint: _, ...server }) => server,
  ),
});
