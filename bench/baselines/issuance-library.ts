import { createHash, type JsonWebKey, randomBytes, verify } from 'node:crypto';
import {
  type AuthorizationServerMetadata,
  type CallbackContext,
  clientAuthenticationNone,
  decodeJwt,
  type Jwk,
  type JwtSigner,
  Oauth2AuthorizationServer,
  preAuthorizedCodeGrantIdentifier,
  verifyJwt,
} from '@openid4vc/oauth2';
import { type IssuerMetadataResult, Openid4vciIssuer } from '@openid4vc/openid4vci';
import { importPublicBare, makeParty, type Party, signBare } from '../support/parties.ts';
import type { MakeCredential } from './credential-libraries.ts';

/** What both sides issue. */
export interface LibraryOptions {
  nextHolder: () => Party;
  prove: (holder: Party, audience: string, nonce: string) => string;
  issuer: string;
  /** The members of a credential request that name the credential; they are those of its configuration too. */
  asked: Record<string, unknown>;
  makeCredential: MakeCredential;
}

type Callbacks = Omit<CallbackContext, 'fetch' | 'decryptJwe' | 'encryptJwe'>;

/** The cryptography the libraries call, straight from node; `signing` is kept imported. */
function callbacksFor(signing: Party): Callbacks {
  const own = { key: importPublicBare(signing.publicJwk), dsaEncoding: 'ieee-p1363' } as const;
  return {
    hash: (data, algorithm) => createHash(algorithm.replace('-', '')).update(data).digest(),
    clientAuthentication: clientAuthenticationNone({ clientId: 'wallet' }),
    generateRandom: (length) => randomBytes(length),
    signJwt: (_, { header, payload }) => ({
      jwt: signBare(header, payload, signing.privateKey),
      signerJwk: signing.publicJwk as Jwk,
    }),
    verifyJwt: (signer, { compact }) => {
      const jwk = jwkOf(signer);
      const isOwn = jwk.x === signing.publicJwk.x;
      const key = isOwn ? own : ({ key: importPublicBare(jwk), dsaEncoding: 'ieee-p1363' } as const);
      const end = compact.lastIndexOf('.');
      const signature = Buffer.from(compact.slice(end + 1), 'base64url');
      const verified = verify('sha256', Buffer.from(compact.slice(0, end)), key, signature);
      return { verified, signerJwk: jwk } as { verified: true; signerJwk: Jwk };
    },
  };
}

function jwkOf(signer: JwtSigner): Jwk {
  if (signer.method === 'jwk') return signer.publicJwk;
  if (signer.method !== 'did') throw new Error(`There is no key in a signer by ${signer.method}`);
  return JSON.parse(Buffer.from(signer.didUrl.slice('did:jwk:'.length).split('#')[0] ?? '', 'base64url').toString());
}

function metadataOf(issuer: string, asked: LibraryOptions['asked']) {
  const authorizationServer: AuthorizationServerMetadata = {
    issuer,
    token_endpoint: `${issuer}/token`,
    jwks_uri: `${issuer}/jwks`,
  };
  const degree = {
    ...asked,
    proof_types_supported: { jwt: { proof_signing_alg_values_supported: ['ES256'] } },
  };
  const credentialIssuer = {
    credential_issuer: issuer,
    credential_endpoint: `${issuer}/credential`,
    authorization_servers: [issuer],
    credential_configurations_supported: { degree },
  };
  const metadata = {
    originalDraftVersion: 'Draft13',
    credentialIssuer,
    authorizationServers: [authorizationServer],
    knownCredentialConfigurations: { degree },
  } as unknown as IssuerMetadataResult;
  return { authorizationServer, metadata };
}

/** The same issuance with the @openid4vc libraries, its sessions in a Map. */
export function libraryIssuance({
  nextHolder,
  prove,
  issuer,
  asked,
  makeCredential,
}: LibraryOptions): () => Promise<string> {
  const signing = makeParty();
  const callbacks = callbacksFor(signing);
  const server = new Oauth2AuthorizationServer({ callbacks });
  const credentials = new Openid4vciIssuer({ callbacks });
  const { authorizationServer, metadata } = metadataOf(issuer, asked);
  const signer: JwtSigner = { method: 'jwk', alg: 'ES256', publicJwk: signing.publicJwk as Jwk };

  const offer = async () => {
    const code = randomBytes(32).toString('base64url');
    const grants = { [preAuthorizedCodeGrantIdentifier]: { 'pre-authorized_code': code } };
    await credentials.createCredentialOffer({
      issuerMetadata: metadata,
      grants,
      credentialConfigurationIds: ['degree'],
    });
    return code;
  };
  const redeem = async (code: string) => {
    const request = { headers: new Headers(), method: 'POST', url: `${issuer}/token` } as const;
    const form = { grant_type: preAuthorizedCodeGrantIdentifier, 'pre-authorized_code': code };
    const { accessTokenRequest, grant } = server.parseAccessTokenRequest({ request, accessTokenRequest: form });
    if (grant.grantType !== preAuthorizedCodeGrantIdentifier) throw new Error('Another grant was read');
    const checked = { accessTokenRequest, grant, request, authorizationServerMetadata: authorizationServer };
    await server.verifyPreAuthorizedCodeAccessTokenRequest({ ...checked, expectedPreAuthorizedCode: code });
    const token = { audience: issuer, authorizationServer: issuer, subject: code, signer, expiresInSeconds: 300 };
    return server.createAccessTokenResponse({ ...token, cNonce: randomBytes(32).toString('base64url') });
  };
  const issue = async (accessToken: string, nonce: string, credentialRequest: Record<string, unknown>) => {
    const decoded = decodeJwt({ jwt: accessToken });
    await verifyJwt({ ...decoded, compact: accessToken, signer, verifyJwtCallback: callbacks.verifyJwt });
    const read = credentials.parseCredentialRequest({ issuerMetadata: metadata, credentialRequest });
    const [jwt = ''] = read.proofs?.jwt ?? [];
    const proof = await credentials.verifyCredentialRequestJwtProof({
      issuerMetadata: metadata,
      jwt,
      expectedNonce: nonce,
    });
    const did = String(proof.header.kid).split('#')[0] ?? '';
    const credential = await makeCredential({ did, publicJwk: proof.signer.publicJwk as JsonWebKey });
    return credentials.createCredentialResponse({ credentialRequest: read, credential });
  };
  return async () => {
    const { access_token: accessToken, c_nonce: nonce = '' } = await redeem(await offer());
    const proof = { proof_type: 'jwt', jwt: prove(nextHolder(), issuer, nonce) };
    const answer = await issue(accessToken, nonce, { ...asked, proof });
    return String(answer.credential);
  };
}
