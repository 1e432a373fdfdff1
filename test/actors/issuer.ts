import { randomUUID } from 'node:crypto';
import {
  base64url,
  decodeProtectedHeader,
  exportJWK,
  generateKeyPair,
  type JWTPayload,
  jwtVerify,
  SignJWT,
} from 'jose';
import { HttpPeer, type PeerReply, type PeerRequest } from './http-peer.ts';
import { keyOfDid } from './party.ts';

/** The behaviour of a test issuer; each test changes what it needs. */
export interface IssuerBehaviour {
  /** The source of `c_nonce`. */
  nonces: 'token' | 'endpoint';
  /** Rejects the nonce of this many proofs; the error has a fresh one when there is no nonce endpoint. */
  staleProofs: number;
  txCode?: string;
  /** Changes the claims of a credential before it is signed. */
  claims: (claims: JWTPayload) => JWTPayload;
  /** Changes a signed credential. */
  credential: (jwt: string) => string;
  /** The id of every credential; a fresh one each time when absent. */
  id?: string;
  /** How many copies it gives for one request. */
  batchSize?: number;
  /** Changes the copies of an answer. */
  copies: (jwts: string[]) => string[];
}

export type TestIssuer = Awaited<ReturnType<typeof startIssuer>>;

const didJwkOf = (jwk: object): string => `did:jwk:${base64url.encode(JSON.stringify(jwk))}`;

/** An independent OpenID4VCI issuer, written against the specification with jose. */
export async function startIssuer() {
  const peer = await new HttpPeer().listen();
  const { privateKey, publicKey } = await generateKeyPair('ES256', { extractable: true });
  const { kty, crv, x, y } = await exportJWK(publicKey);
  const did = didJwkOf({ kty, crv, x, y });
  const behaviour: IssuerBehaviour = {
    nonces: 'token',
    staleProofs: 0,
    claims: (c) => c,
    credential: (jwt) => jwt,
    copies: (jwts) => jwts,
  };
  const nonces = new Set<string>();
  const freshNonce = (): string => {
    const nonce = randomUUID();
    nonces.add(nonce);
    return nonce;
  };
  const issuer = `${peer.url}/issuer`;
  const configuration = (type: string) => ({
    format: 'jwt_vc_json',
    cryptographic_binding_methods_supported: ['did'],
    credential_definition: { type: ['VerifiableCredential', type] },
  });

  peer.routes['/issuer/.well-known/openid-credential-issuer'] = () => ({
    body: {
      credential_issuer: issuer,
      token_endpoint: `${issuer}/token`,
      credential_endpoint: `${issuer}/credential`,
      ...(behaviour.nonces === 'endpoint' && { nonce_endpoint: `${issuer}/nonce` }),
      ...(behaviour.batchSize !== undefined && { batch_credential_issuance: { batch_size: behaviour.batchSize } }),
      credential_configurations_supported: {
        Degree_jwt_vc_json: configuration('Degree'),
        Passport_jwt_vc_json: configuration('Passport'),
        Licence_ldp: { format: 'ldp_vc' },
      },
    },
  });
  peer.routes['/issuer/nonce'] = () => ({ body: { c_nonce: freshNonce() } });
  peer.routes['/issuer/token'] = ({ body }) => {
    const form = new URLSearchParams(body);
    const isRight = form.get('grant_type') === 'urn:ietf:params:oauth:grant-type:pre-authorized_code';
    if (!isRight || form.get('pre-authorized_code') !== 'the-code')
      return {
        status: 400,
        body: { error: 'invalid_grant', error_description: 'The code is not known\u0007\r\nhere' },
      };
    if (behaviour.txCode !== undefined && form.get('tx_code') !== behaviour.txCode)
      return { status: 400, body: { error: 'invalid_grant', error_description: 'Wrong transaction code' } };
    const nonce = behaviour.nonces === 'token' ? { c_nonce: freshNonce() } : {};
    return { body: { access_token: 'the-token', token_type: 'Bearer', expires_in: 60, ...nonce } };
  };
  peer.routes['/issuer/credential'] = (request) => deliver(request);

  async function deliver({ headers, body }: PeerRequest): Promise<PeerReply> {
    if (headers.authorization !== 'Bearer the-token') return { status: 401, body: { error: 'invalid_token' } };
    const request = JSON.parse(body);
    const isFinal = behaviour.nonces === 'endpoint';
    const proof: string = isFinal ? request.proofs.jwt[0] : request.proof.jwt;
    const type = isFinal
      ? request.credential_configuration_id.split('_')[0]
      : request.credential_definition.type.at(-1);
    const { kid = '', typ } = decodeProtectedHeader(proof);
    const { payload } = await jwtVerify(proof, await keyOfDid(kid), { audience: issuer });
    if (typ !== 'openid4vci-proof+jwt' || payload.iat === undefined)
      return { status: 400, body: { error: 'invalid_proof' } };
    const isKnown = nonces.delete(String(payload.nonce));
    if (!isKnown || behaviour.staleProofs > 0) {
      behaviour.staleProofs -= 1;
      const fresh = isFinal ? {} : { c_nonce: freshNonce() };
      return { status: 400, body: { error: isFinal ? 'invalid_nonce' : 'invalid_proof', ...fresh } };
    }
    const issueFor = (jwt: string) => issue(type, (decodeProtectedHeader(jwt).kid ?? '').split('#')[0] ?? '');
    if (isFinal) {
      const jwts = behaviour.copies(await Promise.all(request.proofs.jwt.map(issueFor)));
      return { body: { credentials: jwts.map((credential) => ({ credential })) } };
    }
    const credential = await issueFor(proof);
    return { body: { format: 'jwt_vc_json', credential, c_nonce: freshNonce() } };
  }

  async function issue(type: string, subject: string): Promise<string> {
    const id = behaviour.id ?? `urn:uuid:${randomUUID()}`;
    const vc = {
      '@context': ['https://www.w3.org/2018/credentials/v1'],
      id,
      type: ['VerifiableCredential', type],
      issuer: { id: did, name: 'Test issuer' },
      issuanceDate: '2024-01-01T00:00:00Z',
      credentialSubject: { id: subject, level: 'master' },
    };
    const claims = behaviour.claims({ iss: did, sub: subject, jti: id, nbf: 1704067200, vc });
    const header = { alg: 'ES256', kid: `${did}#0`, typ: 'JWT' };
    return behaviour.credential(await new SignJWT(claims).setProtectedHeader(header).sign(privateKey));
  }

  const offer = (ids = ['Degree_jwt_vc_json']) => ({
    credential_issuer: issuer,
    credential_configuration_ids: ids,
    grants: {
      'urn:ietf:params:oauth:grant-type:pre-authorized_code': {
        'pre-authorized_code': 'the-code',
        ...(behaviour.txCode !== undefined && { tx_code: { length: 4 } }),
      },
    },
  });
  peer.routes['/issuer/offer'] = () => ({ body: offer() });
  /** An offer link by value. */
  const link = (ids?: string[]): string =>
    `openid-credential-offer://?credential_offer=${encodeURIComponent(JSON.stringify(offer(ids)))}`;
  return { peer, issuer, did, behaviour, offer, link, close: () => peer.close() };
}
