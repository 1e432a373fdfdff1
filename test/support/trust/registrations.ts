import { type JWTPayload, SignJWT } from 'jose';
import { makeCertificate, type TestCertificate, testKeys } from './certificates.ts';
import { iaca } from './issuer-chains.ts';

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
