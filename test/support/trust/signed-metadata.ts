import { exportJWK, type JWTPayload, SignJWT } from 'jose';
import type { PeerRequest } from '../../actors/http-peer.ts';
import type { TestIssuer } from '../../actors/issuer.ts';
import { makeCertificate, type TestCertificate, type TestKeys, testKeys } from './certificates.ts';

const METADATA = '/issuer/.well-known/openid-credential-issuer';

/** The access certificate of an issuer below an authority. */
export const accessCertificate = (issuer: TestCertificate): TestCertificate =>
  makeCertificate({ subject: 'CN=Registry+O=City', keys: testKeys('P-256', 92), issuer });

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
  const named = certificate ? { x5c: [Buffer.from(certificate.der).toString('base64')] } : { kid: 'own' };
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
