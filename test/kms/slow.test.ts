import { expect } from 'chai';
import { onboard } from '../../demo/actors/issuer.ts';
import { useClouds } from '../support/kms/clouds.ts';
import { useServer } from '../support/servers/server.ts';

const SLOW = 100;
const SLOW_MS = 2000;

describe('a key management service that is slow', () => {
  const clouds = useClouds();
  const server = useServer(async () => ({
    settings: { outbound: { allow: ['127.0.0.1'] }, kms: { ...clouds.settings, timeoutSeconds: 30 } },
  }));

  it(`does not hold up others: while ${SLOW} requests wait for it, requests for local keys are answered`, async () => {
    const [cloud] = clouds.all;
    if (!cloud) throw new Error('There is no cloud');
    cloud.signing.always({ kind: 'delay', ms: SLOW_MS });
    let answered = 0;
    const slow = Array.from({ length: SLOW }, async () => {
      const json = { key: { backend: cloud.backend, keyType: 'secp256r1', config: cloud.config() } };
      const { status } = await server.call('onboardIssuer', { json });
      answered += 1;
      return status;
    });
    for (let n = 0; n < 20; n += 1) {
      const { issuerKey } = await onboard(server, { key: { keyType: 'secp256r1' } });
      expect(issuerKey.type).to.equal('jwk');
    }
    expect(answered, 'slow requests that were answered before all local ones').to.equal(0);
    expect(new Set(await Promise.all(slow))).to.deep.equal(new Set([200]));
  });

  it('is asked once for a public key that many requests need at the same time', async () => {
    for (const { backend, config, signing, managing } of clouds.all) {
      const key = { backend, keyType: 'secp256r1', config: config() };
      const { body } = await server.call('onboardIssuer', { json: { key } });
      const { _publicKey: _, _keyType: __, ...issuerKey } = body.issuerKey;
      const before = signing.calls.length + (managing === signing ? 0 : managing.calls.length);
      const request = {
        issuerKey,
        issuerDid: body.issuerDid,
        credentialData: {
          '@context': ['https://www.w3.org/2018/credentials/v1'],
          type: ['VerifiableCredential', 'UniversityDegree'],
        },
      };
      const answers = await Promise.all(
        Array.from({ length: 10 }, () => server.call('issueJwtCredential', { json: request })),
      );
      expect(answers.map(({ status }) => status)).to.deep.equal(Array.from({ length: 10 }, () => 200));
      const calls = signing.calls.length + (managing === signing ? 0 : managing.calls.length) - before;
      expect(calls, backend).to.be.at.most(2);
    }
  });

  it('is asked for the eight distinct keys of a batch at the same time', async () => {
    const [cloud] = clouds.all;
    if (!cloud) throw new Error('There is no cloud');
    const { backend, config } = cloud;
    const issuers = await Promise.all(
      Array.from({ length: 8 }, async () => {
        const key = { backend, keyType: 'secp256r1', config: config() };
        return (await server.call('onboardIssuer', { json: { key } })).body;
      }),
    );
    const requests = issuers.map(({ issuerKey: { _publicKey: _, _keyType: __, ...issuerKey }, issuerDid }) => ({
      issuerKey,
      issuerDid,
      credentialData: {
        '@context': ['https://www.w3.org/2018/credentials/v1'],
        type: ['VerifiableCredential', 'UniversityDegree'],
      },
    }));
    cloud.reset();
    cloud.signing.always({ kind: 'delay', ms: 300 });
    const { status } = await server.call('issueJwtCredentialBatch', { json: requests });
    expect([status, cloud.signing.mostAtOnce]).to.deep.equal([200, 8]);
  });
});
