import { expect } from 'chai';
import type { Answer } from '../support/servers/server.ts';
import { type EnterpriseFixture, KMS } from './tenant.ts';

export const STORE = 'acme.t1.store1';
export const CERTIFIER = 'acme.t1.x509';
export const VICAL = 'acme.t1.vical1';
export const TRUST = 'acme.t1.trust1';
export const MDL = 'org.iso.18013.5.1.mDL';

/** What the answer of a call that succeeds says. */
export async function ok(sending: Promise<Answer>, status = 200) {
  const { body, ...answer } = await sending;
  expect(answer.status, JSON.stringify(body)).to.equal(status);
  return body;
}

export const IACA_DATA = {
  country: 'AT',
  commonName: 'Example IACA',
  issuerAlternativeNameConf: { uri: 'https://authority.example.org' },
};
export const SIGNER_DATA = {
  country: 'AT',
  commonName: 'Example Document Signer',
  crlDistributionPointUri: 'https://authority.example.org/iaca.crl',
};

/** A request for the certificate of an authority with the key `iaca`. */
export const newIaca = (certificateId: string, more: object = {}) => ({
  kid: `${KMS}.iaca`,
  certificateId,
  certificateData: IACA_DATA,
  ...more,
});

/** A request for a certificate below the authority `iaca1`. */
export const newSigner = (certificateId: string, more: object = {}) => ({
  kid: `${KMS}.signer`,
  certificateId,
  iaca: { kid: `${KMS}.iaca`, certificate: `${STORE}.iaca1` },
  certificateData: SIGNER_DATA,
  ...more,
});

/** A store, a certificate service with the authority `iaca1` and its document signer `signer1`, and a trust registry. */
export async function startCertificates({ post }: EnterpriseFixture): Promise<void> {
  for (const name of ['iaca', 'signer']) await ok(post('generateKey', `${KMS}.${name}`, { keyType: 'secp256r1' }), 201);
  await ok(post('createService', STORE, { type: 'x509-store' }), 201);
  await ok(post('createService', CERTIFIER, { type: 'x509-service', dependencies: [KMS, STORE] }), 201);
  await ok(post('createService', TRUST, { type: 'trust-registry' }), 201);
  await ok(post('createTenantIaca', CERTIFIER, newIaca('iaca1', { docType: [MDL] })), 201);
  await ok(post('createTenantSigner', CERTIFIER, newSigner('signer1')), 201);
}

/** A VICAL service that signs with the key `vical`, certified by `iaca1`. */
export async function startVical({ post }: EnterpriseFixture): Promise<string> {
  await ok(post('generateKey', `${KMS}.vical`, { keyType: 'secp384r1' }), 201);
  const certificateData = { country: 'AT', commonName: 'VICAL signer' };
  const wanted = newSigner('vical-signer', { kid: `${KMS}.vical`, purpose: 'status-list', certificateData });
  const { certificate } = await ok(post('createTenantSigner', CERTIFIER, wanted), 201);
  const { pem } = certificate.data;
  const config = { type: 'vical-service', dependencies: [KMS, STORE], kid: `${KMS}.vical`, x5Chain: [pem] };
  await ok(post('createService', VICAL, config), 201);
  return pem;
}
