import { AsnConvert } from '@peculiar/asn1-schema';
import { ExtendedKeyUsage, KeyUsageFlags } from '@peculiar/asn1-x509';
import { expect } from 'chai';
import fc from 'fast-check';
import { NodeCertificates } from '../../../adapters/crypto/certificates.ts';
import { loginCertificateViolation } from '../../../domain/x509/certificate-rules.ts';
import { byCertificate } from '../../actors/accounts.ts';
import { startServer } from '../../support/servers/server.ts';
import {
  type CertificateSpec,
  makeCertificate,
  type TestExtension,
  testKeys,
} from '../../support/trust/certificates.ts';

const certificates = new NodeCertificates();
const CLIENT = '1.3.6.1.5.5.7.3.2';
const SERVER = '1.3.6.1.5.5.7.3.1';
const ANY = '2.5.29.37.0';
const CODE_SIGNING = '1.3.6.1.5.5.7.3.3';
const TIME_STAMPING = '1.3.6.1.5.5.7.3.8';

const purposes = (oids: string[], critical: boolean): TestExtension => ({
  oid: '2.5.29.37',
  critical,
  value: new Uint8Array(AsnConvert.serialize(new ExtendedKeyUsage(oids))),
});

const defectOf = (spec: CertificateSpec): string | undefined =>
  loginCertificateViolation(certificates.parse(makeCertificate({ keys: testKeys('P-256'), ...spec }).der));

const FLAGS = Object.values(KeyUsageFlags).filter((flag): flag is KeyUsageFlags => typeof flag === 'number');
const SIGNING = KeyUsageFlags.digitalSignature | KeyUsageFlags.nonRepudiation;

describe('the certificate of a login', () => {
  it('property: may sign exactly when it has no key usage or one with digitalSignature or contentCommitment', () => {
    const usages = fc.option(fc.subarray(FLAGS, { minLength: 1 }).map((flags) => flags.reduce((a, b) => a | b, 0)));
    fc.assert(
      fc.property(usages, (keyUsage) => {
        const allowed = keyUsage === null || (keyUsage & SIGNING) !== 0;
        expect(defectOf({ keyUsage })).to.equal(allowed ? undefined : 'may not sign by its key usage');
      }),
    );
  });

  it('property: has a purpose that fits when the extended key usage is not critical, or names client, server or any', () => {
    const lists = fc.subarray([CLIENT, SERVER, ANY, CODE_SIGNING, TIME_STAMPING], { minLength: 1 });
    fc.assert(
      fc.property(lists, fc.boolean(), (oids, critical) => {
        const allowed = !critical || oids.some((oid) => [CLIENT, SERVER, ANY].includes(oid));
        const expected = allowed ? undefined : 'is not for logins by its extended key usage';
        expect(defectOf({ extensions: [purposes(oids, critical)] })).to.equal(expected);
      }),
    );
  });

  it('is refused when it may not sign or is for something else: 400 on register, 401 on login', async () => {
    const server = await startServer();
    const wrong: [CertificateSpec, string][] = [
      [{ keyUsage: KeyUsageFlags.keyEncipherment }, 'may not sign by its key usage'],
      [{ extensions: [purposes([CODE_SIGNING], true)] }, 'is not for logins by its extended key usage'],
    ];
    for (const [spec, reason] of wrong)
      for (const [operationId, status] of [
        ['registerWithCertificate', 400],
        ['loginWithCertificate', 401],
      ] as const) {
        const answer = await server.call(operationId, { json: byCertificate(0, {}, spec) });
        expect(answer.status).to.equal(status);
        expect(answer.body.message).to.equal(`token: the leaf certificate ${reason}`);
      }
    const right = byCertificate(0, {}, { extensions: [purposes([CLIENT, CODE_SIGNING], true)] });
    expect((await server.call('registerWithCertificate', { json: right })).status).to.equal(201);
    await server.close();
  });
});
