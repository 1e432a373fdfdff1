import { X509Certificate } from 'node:crypto';
import { Pkcs10CertificateRequest } from '@peculiar/x509';
import { expect } from 'chai';
import { IACA_DATA, makeIaca, SIGNER_DATA, signerRequest } from '../../../demo/actors/authority.ts';
import { type Cloud, useClouds } from '../../support/kms/clouds.ts';
import { useServer } from '../../support/servers/server.ts';

const CURVES = ['secp256r1', 'secp384r1', 'secp521r1'] as const;

describe('onboardIaca and onboardDocumentSigner with a key management service', () => {
  const clouds = useClouds();
  const options = (timeoutSeconds: number) => async () => ({
    settings: { outbound: { allow: ['127.0.0.1'] }, kms: { ...clouds.settings, timeoutSeconds } },
  });
  const server = useServer(options(30));
  const hasty = useServer(options(4));
  const each = async (work: (cloud: Cloud) => Promise<void>): Promise<void> => {
    await Promise.all(clouds.all.map(work));
  };
  const keyOf = ({ backend, config }: Cloud, keyType = 'secp256r1') => ({ backend, keyType, config: config() });
  /** Waits until as many keys live as expected: some deletions are scheduled after the answer. */
  const settles = async (cloud: Cloud, expected: number): Promise<void> => {
    for (let wait = 0; cloud.living() !== expected && wait < 100; wait += 1)
      await new Promise((resolve) => setTimeout(resolve, 20));
    expect(cloud.living(), cloud.backend).to.equal(expected);
  };

  it('200: every service has the key of an authority and of a signer, on each curve that it has', () =>
    each(async (cloud) => {
      for (const keyType of CURVES.filter((one) => cloud.keyTypes.includes(one))) {
        const iaca = await makeIaca(server, keyOf(cloud, keyType));
        expect(iaca.iacaKey).to.include({ type: cloud.backend, _keyType: keyType });
        const json = signerRequest(iaca, { ecKeyGenRequestParams: keyOf(cloud, keyType) });
        const { status, body } = await server.call('onboardDocumentSigner', { json });
        expect(status, JSON.stringify(body)).to.equal(200);
        expect(body.documentSignerKey).to.include({ type: cloud.backend, _keyType: keyType });
        const [leaf, root] = [body.certificatePEM, iaca.certificatePEM].map((pem) => new X509Certificate(pem));
        expect(root?.verify(root.publicKey), `${cloud.backend} ${keyType}`).to.equal(true);
        expect(root && leaf?.verify(root.publicKey), `${cloud.backend} ${keyType}`).to.equal(true);
      }
    }));

  it('200: every service signs a request for a certificate', () =>
    each(async (cloud) => {
      const json = { output: 'csr', certificateData: SIGNER_DATA, ecKeyGenRequestParams: keyOf(cloud) };
      const { body } = await server.call('onboardDocumentSigner', { json });
      expect(await new Pkcs10CertificateRequest(body.certificateSigningRequestPEM).verify()).to.equal(true);
    }));

  it('400: a key reference whose stated public key is not that of the key: the certificate is not given out', async () => {
    const iaca = await makeIaca(server);
    const [cloud] = clouds.all;
    if (!cloud) throw new Error('there is no cloud');
    const [one, two] = [await makeIaca(server, keyOf(cloud)), await makeIaca(server, keyOf(cloud))];
    const iacaKey = { ...one.iacaKey, _publicKey: two.iacaKey._publicKey };
    const before = cloud.living();
    const json = signerRequest({ ...iaca, iacaKey, certificatePEM: two.certificatePEM });
    const { status, body } = await server.call('onboardDocumentSigner', { json });
    expect([status, body.details[0].path]).to.deep.equal([400, '/body/iacaSigner/iacaKey/_publicKey']);
    expect(cloud.living()).to.equal(before);
  });

  it('400: what is wrong with the request is refused before any call', () =>
    each(async (cloud) => {
      const iaca = await makeIaca(server);
      const [living, calls] = [cloud.living(), cloud.signing.calls.length];
      const key = { ecKeyGenRequestParams: keyOf(cloud) };
      const signer = (changes: object) =>
        signerRequest(iaca, { ...key, certificateData: { ...SIGNER_DATA, ...changes } });
      const wrong: [string, object][] = [
        ['onboardIaca', { ...key, certificateData: { ...IACA_DATA, country: 'UT' } }],
        ['onboardIaca', { ...key, certificateData: { ...IACA_DATA, notAfter: '2020-01-01' } }],
        ['onboardDocumentSigner', signer({ country: 'AT' })],
        ['onboardDocumentSigner', signer({ notAfter: '2099-01-01' })],
        ['onboardDocumentSigner', signer({ subjectAlternativeName: { dns: 'a.example' } })],
        ['onboardDocumentSigner', { ...signer({ notAfter: '2030-01-01' }), output: 'csr', iacaSigner: undefined }],
        ['onboardDocumentSigner', { ...signer({}), iacaSigner: { iacaKey: iaca.iacaKey } }],
      ];
      for (const [operationId, json] of wrong)
        expect((await server.call(operationId, { json })).status, JSON.stringify(json)).to.equal(400);
      expect([cloud.living(), cloud.signing.calls.length]).to.deep.equal([living, calls]);
    }));

  it('502 and 504: a service that fails or hangs when the authority signs leaves no key of a signer behind', () =>
    each(async (cloud) => {
      const iaca = await makeIaca(server, keyOf(cloud));
      const before = cloud.living();
      const json = signerRequest(iaca, { ecKeyGenRequestParams: keyOf(cloud) });
      for (const [kind, status] of [['fail', 502] as const, ['hang', 504] as const]) {
        cloud.signing.always({ kind });
        const answer = await hasty.call('onboardDocumentSigner', { json });
        cloud.signing.always(undefined);
        expect(answer.status, `${cloud.backend} ${JSON.stringify(answer.body)}`).to.equal(status);
        await settles(cloud, before);
      }
    }));

  it('502 and 504: a service that fails or hangs leaves no key of an authority behind', () =>
    each(async (cloud) => {
      const before = cloud.living();
      const json = { certificateData: IACA_DATA, ecKeyGenRequestParams: keyOf(cloud) };
      for (const [kind, status] of [['fail', 502] as const, ['hang', 504] as const]) {
        cloud.signing.always({ kind });
        const answer = await hasty.call('onboardIaca', { json });
        cloud.signing.always(undefined);
        expect(answer.status, `${cloud.backend} ${JSON.stringify(answer.body)}`).to.equal(status);
        await settles(cloud, before);
      }
    }));
});
