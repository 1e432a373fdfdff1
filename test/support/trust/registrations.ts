import { deflateSync } from 'node:zlib';
import { importJWK, type JWTPayload, SignJWT } from 'jose';
import type { HttpPeer } from '../../actors/http-peer.ts';
import { makeCertificate, type TestCertificate, testKeys } from './certificates.ts';
import { iaca } from './issuer-chains.ts';
import { certifiedKey } from './verifier-chains.ts';

/** The identifier under which the party of tests is registered. */
export const REGISTERED_AS = 'NTRZZ-Q1';

/** The authority of registrars. */
export const registrars = iaca(95);

/** A registrar below the authority. */
export const registrar = makeCertificate({
  subject: 'CN=Registrar',
  keys: testKeys('P-256', 95),
  issuer: registrars,
});

/** How a certificate is signed; members of the header are replaced. */
interface Signing {
  by?: TestCertificate;
  header?: Record<string, unknown>;
}

/** A registration certificate (ETSI TS 119 475 §5.2) as another implementation makes them; claims are replaced. */
export const signedRegistration = (
  claims: JWTPayload = {},
  { by = registrar, header = {} }: Signing = {},
): Promise<string> =>
  new SignJWT({
    name: 'Shop',
    sub: REGISTERED_AS,
    iat: Math.floor(Date.now() / 1000),
    entitlements: ['https://uri.etsi.org/19475/Entitlement/Service_Provider'],
    purpose: [
      { lang: 'en', value: 'To send a parcel' },
      { lang: 'de', value: 'Um ein Paket zu schicken' },
    ],
    ...claims,
  })
    .setProtectedHeader({
      alg: 'ES256',
      typ: 'rc-wrp+jwt',
      x5c: [Buffer.from(by.der).toString('base64')],
      ...header,
    })
    .sign(by.keys.privateKey);

/** The status of a certificate in a list of the registrar, which a peer serves; servers cache what they fetched. */
export async function listedStatus(peer: HttpPeer, { isRevoked = false } = {}) {
  const path = isRevoked ? '/revoked' : '/registrations';
  const uri = `${peer.url}${path}`;
  const lst = deflateSync(Buffer.from([isRevoked ? 1 : 0])).toString('base64url');
  const body = await new SignJWT({ sub: uri, status_list: { bits: 1, lst } })
    .setIssuedAt()
    .setProtectedHeader({
      alg: 'ES256',
      typ: 'statuslist+jwt',
      x5c: [Buffer.from(registrar.der).toString('base64')],
    })
    .sign(registrar.keys.privateKey);
  peer.routes[path] = () => ({ body, headers: { 'content-type': 'application/statuslist+jwt' } });
  return { status: { status_list: { idx: 0, uri } } };
}

/** The link of a request that the holder of a certificate signed, with statements about it. */
export async function statingRequest(dcql_query: object, verifier_info: unknown): Promise<string> {
  const { key, x5c, hash: client_id } = await certifiedKey({ identifier: REGISTERED_AS });
  const request = await new SignJWT({
    client_id,
    dcql_query,
    verifier_info,
    nonce: 'nonce',
    response_type: 'vp_token',
    response_mode: 'direct_post',
    response_uri: 'https://verifier.example.com/response',
    client_metadata: { client_name: 'Shop' },
  })
    .setProtectedHeader({ alg: 'ES256', typ: 'oauth-authz-req+jwt', x5c })
    .sign(await importJWK(key.jwk, 'ES256'));
  return `openid4vp://?${new URLSearchParams({ client_id, request })}`;
}
