import { deflateSync } from 'node:zlib';
import { exportJWK, type JWTPayload, SignJWT } from 'jose';
import type { PeerRequest } from '../../actors/http-peer.ts';
import type { TestIssuer } from '../../actors/issuer.ts';
import { makeCertificate, type TestCertificate, type TestKeys, testKeys } from './certificates.ts';

const METADATA = '/issuer/.well-known/openid-credential-issuer';

/** The access certificate of an issuer below an authority. */
export const accessCertificate = (issuer: TestCertificate): TestCertificate =>
  makeCertificate({ subject: 'CN=Registry+O=City+2.5.4.97=NTRZZ-Q1', keys: testKeys('P-256', 92), issuer });

const x5cOf = ({ der }: TestCertificate): string[] => [Buffer.from(der).toString('base64')];

/**
 * The `issuer_info` of the holder of `accessCertificate`, whom a registrar registered to issue SD-JWT VCs of a type; with a
 * list that says whether that is revoked, at a path of the issuer.
 */
export async function registrationInfo(
  { peer }: TestIssuer,
  { authority, vct, isRevoked = false }: { authority: TestCertificate; vct: string; isRevoked?: boolean },
) {
  const registrar = makeCertificate({ subject: 'CN=Registrar', keys: testKeys('P-256', 95), issuer: authority });
  const signed = (typ: string, claims: JWTPayload): Promise<string> =>
    new SignJWT(claims)
      .setIssuedAt()
      .setProtectedHeader({ alg: 'ES256', typ, x5c: x5cOf(registrar) })
      .sign(registrar.keys.privateKey);
  const uri = `${peer.url}/list`;
  const lst = deflateSync(Buffer.from([isRevoked ? 1 : 0])).toString('base64url');
  const list = await signed('statuslist+jwt', { sub: uri, status_list: { bits: 1, lst } });
  peer.routes['/list'] = () => ({ body: list, headers: { 'content-type': 'application/statuslist+jwt' } });
  const data = await signed('rc-wrp+jwt', {
    name: 'City registry',
    sub: 'NTRZZ-Q1',
    entitlements: ['https://uri.etsi.org/19475/Entitlement/PUB_EAA_Provider'],
    provides_attestations: [{ format: 'dc+sd-jwt', meta: { vct_values: [vct] } }],
    status: { status_list: { idx: 0, uri } },
  });
  return [{ format: 'registration_cert', data }];
}

/** How metadata are signed: with a certificate, or with a key that may be another one than the issuer publishes. */
interface Signing {
  certificate?: TestCertificate;
  keys?: TestKeys;
  claims?: JWTPayload;
}

/** Signs the metadata of a test issuer for wallets that ask for it, and publishes the key `own`. */
export async function signMetadata(issuer: TestIssuer, { certificate, keys, claims }: Signing): Promise<void> {
  const { body } = (await issuer.peer.routes[METADATA]?.({ headers: {} } as PeerRequest)) ?? {};
  const own = { ...(await exportJWK(testKeys('P-256', 93).publicKey)), kid: 'own' };
  const named = certificate ? { x5c: x5cOf(certificate) } : { kid: 'own' };
  const signer = certificate?.keys ?? keys ?? testKeys('P-256', 93);
  const token = await new SignJWT({ ...Object(body), sub: issuer.issuer, ...claims })
    .setIssuedAt()
    .setProtectedHeader({ alg: 'ES256', typ: 'openidvci-issuer-metadata+jwt', ...named })
    .sign(signer.privateKey);
  issuer.peer.routes['/.well-known/jwt-vc-issuer/issuer'] = () => ({
    body: { issuer: issuer.issuer, jwks: { keys: [own] } },
  });
  issuer.peer.routes[METADATA] = ({ headers }) =>
    headers.accept?.startsWith('application/jwt')
      ? { body: token, headers: { 'content-type': 'application/jwt' } }
      : { body };
}
