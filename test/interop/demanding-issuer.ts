import { type KeyObject, randomUUID } from 'node:crypto';
import {
  type AuthorizationServerMetadata,
  type CallbackContext,
  calculateJwkThumbprint,
  Oauth2AuthorizationServer,
  Oauth2ResourceServer,
  PkceCodeChallengeMethod,
  preAuthorizedCodeGrantIdentifier,
  SupportedAuthenticationScheme,
} from '@openid4vc/oauth2';
import { type IssuerMetadataResult, Openid4vciIssuer, Openid4vciVersion } from '@openid4vc/openid4vci';
import {
  CompactEncrypt,
  compactDecrypt,
  decodeJwt,
  decodeProtectedHeader,
  importJWK,
  type JWK,
  jwtVerify,
  SignJWT,
} from 'jose';
import { keyPair } from '../../demo/actors/key-pairs.ts';
import type { PublicJwk } from '../../ports/key-service.ts';
import { HttpPeer, type PeerReply, type PeerRequest } from '../actors/http-peer.ts';
import { issueMdoc, MDL } from '../support/credentials/mdoc-issuer.ts';
import type { Combination } from '../support/runs/combinations.ts';
import { callbacks, didJwkOf, publicJwkOf } from './library.ts';
import { answered, requestOf } from './library-issuer.ts';

/** What an issuer demands of a wallet, one of each. */
export const DEMANDS = {
  grant: ['pre-authorized code', 'authorization code'],
  client: ['none', 'private_key_jwt', 'attest_jwt_client_auth'],
  dpop: ['bearer', 'DPoP'],
  proof: ['jwt', 'jwt with key_attestation', 'attestation'],
  response: ['plain', 'encrypted'],
  format: ['jwt_vc_json', 'dc+sd-jwt', 'mso_mdoc'],
} as const;

/** One combination. */
export type Demands = Combination<typeof DEMANDS>;

/** The keys by which the issuer knows the wallet. */
interface KnownWallet {
  attester: KeyObject;
  assertion: KeyObject;
}

const CODE = 'the-code';
const VCT = 'urn:outside:card';
const NOT_FULFILLED = { status: 400, body: { error: 'invalid_request' } };

/** An issuer of version 1.0 whose requests the library judges: tokens, proof keys, attestations and proofs. */
export class DemandingIssuer {
  readonly peer: HttpPeer;
  demands!: Demands;
  readonly #known: KnownWallet;
  readonly #keys = keyPair({ namedCurve: 'P-256' });
  readonly #encryption = keyPair({ namedCurve: 'P-256' });
  readonly #surroundings: CallbackContext;
  readonly #issuer: Openid4vciIssuer;
  readonly #authorization: Oauth2AuthorizationServer;
  readonly #resource: Oauth2ResourceServer;
  readonly #nonces = new Set<string>();
  readonly #logins = new Map<string, URLSearchParams>();

  static async start(known: KnownWallet): Promise<DemandingIssuer> {
    return new DemandingIssuer(await new HttpPeer().listen(), known);
  }

  private constructor(peer: HttpPeer, known: KnownWallet) {
    this.peer = peer;
    this.#known = known;
    const own = callbacks(this.#keys.privateKey, this.#keys.publicKey);
    this.#surroundings = { ...own, verifyJwt: this.#verifyJwt(own) };
    this.#issuer = new Openid4vciIssuer({ callbacks: this.#surroundings });
    this.#authorization = new Oauth2AuthorizationServer({ callbacks: this.#surroundings });
    this.#resource = new Oauth2ResourceServer({ callbacks: this.#surroundings });
    this.#serve();
  }

  close(): Promise<void> {
    return this.peer.close();
  }

  /** An offer by value. */
  get offer(): string {
    const grants =
      this.demands.grant === 'authorization code'
        ? { authorization_code: {} }
        : { [preAuthorizedCodeGrantIdentifier]: { 'pre-authorized_code': CODE } };
    const offer = { credential_issuer: this.#base, credential_configuration_ids: ['card'], grants };
    return `openid-credential-offer://?credential_offer=${encodeURIComponent(JSON.stringify(offer))}`;
  }

  get #base(): string {
    return `${this.peer.url}/vci`;
  }

  get #server(): AuthorizationServerMetadata {
    const { client, dpop } = this.demands;
    return this.#authorization.createAuthorizationServerMetadata({
      issuer: this.#base,
      token_endpoint: `${this.#base}/token`,
      authorization_endpoint: `${this.#base}/authorize`,
      jwks_uri: `${this.#base}/jwks`,
      token_endpoint_auth_methods_supported: [client],
      authorization_response_iss_parameter_supported: true,
      code_challenge_methods_supported: ['S256'],
      'pre-authorized_grant_anonymous_access_supported': client === 'none',
      authorization_details_types_supported: ['openid_credential'],
      ...(dpop === 'DPoP' && { dpop_signing_alg_values_supported: ['ES256'] }),
    });
  }

  get #metadata(): IssuerMetadataResult {
    const { proof, response, format } = this.demands;
    const proofs = { proof_signing_alg_values_supported: ['ES256'] };
    const attested = { ...proofs, key_attestations_required: {} };
    const credentialIssuer = this.#issuer.createCredentialIssuerMetadata({
      credential_issuer: this.#base,
      credential_endpoint: `${this.#base}/credential`,
      nonce_endpoint: `${this.#base}/nonce`,
      ...(response === 'encrypted' && {
        credential_response_encryption: {
          alg_values_supported: ['ECDH-ES'],
          enc_values_supported: ['A256GCM'],
          encryption_required: true,
        },
        credential_request_encryption: {
          jwks: { keys: [{ ...publicJwkOf(this.#encryption.publicKey), kid: 'issuer', use: 'enc', alg: 'ECDH-ES' }] },
          enc_values_supported: ['A256GCM'],
          encryption_required: true,
        },
      }),
      credential_configurations_supported: {
        card: {
          ...TYPES[format],
          cryptographic_binding_methods_supported: ['jwk', 'cose_key'],
          proof_types_supported:
            proof === 'attestation' ? { attestation: proofs } : { jwt: proof === 'jwt' ? proofs : attested },
        } as never,
      },
    });
    return {
      credentialIssuer,
      authorizationServers: [this.#server],
      originalDraftVersion: Openid4vciVersion.V1,
      knownCredentialConfigurations: this.#issuer.getKnownCredentialConfigurationsSupported(credentialIssuer),
    };
  }

  /** Statements of the attester are signed with its key; the library names no key for those. */
  #verifyJwt({ verifyJwt }: CallbackContext): CallbackContext['verifyJwt'] {
    const { attester } = this.#known;
    return async (signer, jwt) => {
      const ofAttester = ['oauth-client-attestation+jwt', 'key-attestation+jwt'].includes(String(jwt.header.typ));
      if (!ofAttester) return verifyJwt(signer, jwt);
      await jwtVerify(jwt.compact, attester);
      return { verified: true, signerJwk: publicJwkOf(attester) };
    };
  }

  #serve(): void {
    const { routes } = this.peer;
    routes['/.well-known/openid-credential-issuer/vci'] = () => ({ body: this.#metadata.credentialIssuer });
    routes['/.well-known/oauth-authorization-server/vci'] = () => ({ body: this.#server });
    routes['/vci/jwks'] = () => ({ body: { keys: [{ ...publicJwkOf(this.#keys.publicKey), use: 'sig' }] } });
    routes['/vci/nonce'] = () => {
      const nonce = randomUUID();
      this.#nonces.add(nonce);
      return { body: this.#issuer.createNonceResponse({ cNonce: nonce }) };
    };
    routes['/vci/authorize'] = ({ url: { searchParams } }) => {
      const code = randomUUID();
      this.#logins.set(code, searchParams);
      const back = new URL(searchParams.get('redirect_uri') ?? '');
      const answer = { code, state: searchParams.get('state') ?? '', iss: this.#base };
      for (const [name, value] of Object.entries(answer)) back.searchParams.set(name, value);
      return { status: 302, headers: { location: back.href } };
    };
    routes['/vci/token'] = (request) => answered(() => this.#token(request));
    routes['/vci/credential'] = (request) => answered(() => this.#credential(request));
  }

  async #token(seen: PeerRequest): Promise<PeerReply> {
    const { client, dpop } = this.demands;
    const request = requestOf(seen);
    const form = Object.fromEntries(new URLSearchParams(seen.body));
    const parsed = this.#authorization.parseAccessTokenRequest({ request, accessTokenRequest: form });
    const { grant, accessTokenRequest, clientAttestation } = parsed;
    if (client === 'private_key_jwt')
      await jwtVerify(String(form.client_assertion), this.#known.assertion, { audience: this.#base });
    const common = {
      ...{ authorizationServerMetadata: this.#server, accessTokenRequest, request },
      dpop: { required: dpop === 'DPoP', jwt: parsed.dpop?.jwt, allowedSigningAlgs: ['ES256'] },
      clientAttestation: { required: client === 'attest_jwt_client_auth', ...clientAttestation },
    };
    const login = this.#logins.get(form.code ?? '');
    const verifying =
      grant.grantType === 'authorization_code' && login
        ? this.#authorization.verifyAuthorizationCodeAccessTokenRequest({
            ...common,
            grant,
            expectedCode: form.code ?? '',
            pkce: {
              codeVerifier: parsed.pkceCodeVerifier,
              codeChallenge: login.get('code_challenge') ?? '',
              codeChallengeMethod: PkceCodeChallengeMethod.S256,
            },
          })
        : grant.grantType === preAuthorizedCodeGrantIdentifier
          ? this.#authorization.verifyPreAuthorizedCodeAccessTokenRequest({
              ...common,
              grant,
              expectedPreAuthorizedCode: CODE,
            })
          : undefined;
    if (!verifying) return NOT_FULFILLED;
    const verified = await verifying;
    const body = await this.#authorization.createAccessTokenResponse({
      audience: this.#base,
      authorizationServer: this.#base,
      subject: CODE,
      expiresInSeconds: 60,
      signer: { method: 'jwk', alg: 'ES256', publicJwk: publicJwkOf(this.#keys.publicKey) },
      ...(verified.dpop && { dpop: { jwk: verified.dpop.jwk } }),
    });
    return { body };
  }

  async #credential(seen: PeerRequest): Promise<PeerReply> {
    const { dpop, proof, response } = this.demands;
    await this.#resource.verifyResourceRequest({
      request: requestOf(seen),
      resourceServer: this.#base,
      authorizationServers: [this.#server],
      allowedAuthenticationSchemes: [SupportedAuthenticationScheme[dpop === 'DPoP' ? 'DPoP' : 'Bearer']],
    });
    const issuerMetadata = this.#metadata;
    const written = response === 'encrypted' ? await this.#decrypted(seen.body) : seen.body;
    const { proofs, credential_response_encryption: encryption } = JSON.parse(written);
    const [[type = '', [text = ''] = []] = []] = Object.entries<string[]>(proofs);
    const nonce = String(decodeJwt(text).nonce);
    if (type !== (proof === 'attestation' ? 'attestation' : 'jwt') || !this.#nonces.delete(nonce))
      return { status: 400, body: { error: 'invalid_proof' } };
    const holder = await this.#holder(type, { issuerMetadata, text, nonce });
    const body = { credentials: [{ credential: await this.#issue(holder) }] };
    if (response === 'plain') return { body };
    const recipient = { ...encryption.jwk, alg: encryption.jwk.alg ?? 'ECDH-ES' };
    const jwe = await new CompactEncrypt(new TextEncoder().encode(JSON.stringify(body)))
      .setProtectedHeader({ alg: recipient.alg, enc: encryption.enc, ...(recipient.kid && { kid: recipient.kid }) })
      .encrypt(await importJWK(recipient, recipient.alg));
    return { headers: { 'content-type': 'application/jwt' }, body: jwe };
  }

  async #decrypted(message: string): Promise<string> {
    return new TextDecoder().decode((await compactDecrypt(message, this.#encryption.privateKey)).plaintext);
  }

  /** The key that a proof is about. */
  async #holder(
    type: string,
    { issuerMetadata, text, nonce }: { issuerMetadata: IssuerMetadataResult; text: string; nonce: string },
  ): Promise<PublicJwk> {
    if (type === 'attestation') {
      const attestation = { issuerMetadata, keyAttestationJwt: text, expectedNonce: nonce };
      const { payload } = await this.#issuer.verifyCredentialRequestAttestationProof(attestation);
      return payload.attested_keys[0] as PublicJwk;
    }
    const verified = await this.#issuer.verifyCredentialRequestJwtProof({
      issuerMetadata,
      jwt: text,
      expectedNonce: nonce,
    });
    if (this.demands.proof !== 'jwt' && !verified.keyAttestation) throw new Error('The key is not attested');
    const own = decodeProtectedHeader(text).jwk as PublicJwk;
    const attested = verified.keyAttestation?.payload.attested_keys ?? [own];
    const thumbprint = (jwk: JWK) =>
      calculateJwkThumbprint({
        jwk: { ...jwk, kty: String(jwk.kty) },
        hashAlgorithm: 'sha-256' as never,
        hashCallback: this.#surroundings.hash,
      });
    const all = await Promise.all(attested.map((jwk) => thumbprint(jwk as JWK)));
    if (!all.includes(await thumbprint(own as JWK))) throw new Error('Another key is attested');
    return own;
  }

  #issue({ kty, crv, x, y }: PublicJwk): Promise<string> {
    const jwk = { kty, crv, x, y } as PublicJwk;
    const { format } = this.demands;
    const did = didJwkOf(this.#keys.publicKey);
    const header = { alg: 'ES256', kid: `${did}#0` };
    if (format === 'mso_mdoc') return issueMdoc({ holder: { jwk } });
    if (format === 'dc+sd-jwt')
      return new SignJWT({ vct: VCT, given_name: 'Ada', cnf: { jwk } })
        .setProtectedHeader({ ...header, typ: 'dc+sd-jwt' })
        .setIssuer(did)
        .setIssuedAt()
        .sign(this.#keys.privateKey)
        .then((text) => `${text}~`);
    const subject = `did:jwk:${Buffer.from(JSON.stringify(jwk)).toString('base64url')}`;
    const vc = {
      '@context': ['https://www.w3.org/2018/credentials/v1'],
      id: `urn:uuid:${randomUUID()}`,
      ...{ type: ['VerifiableCredential', 'Card'], issuer: did, credentialSubject: { id: subject } },
    };
    const signed = new SignJWT({ vc }).setProtectedHeader({ ...header, typ: 'JWT' }).setIssuer(did);
    return signed.setSubject(subject).setJti(vc.id).setNotBefore('0s').sign(this.#keys.privateKey);
  }
}

const TYPES: Record<Demands['format'], object> = {
  jwt_vc_json: { format: 'jwt_vc_json', credential_definition: { type: ['VerifiableCredential', 'Card'] } },
  'dc+sd-jwt': { format: 'dc+sd-jwt', vct: VCT },
  mso_mdoc: { format: 'mso_mdoc', doctype: MDL.docType },
};
