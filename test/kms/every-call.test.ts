import { expect } from 'chai';
import { makeHolderKey } from '../../demo/actors/holder-key.ts';
import { degree } from '../../demo/actors/issuer.ts';
import type { Fault } from '../../demo/fake-clouds/fake-server.ts';
import { makeOffer } from '../actors/issuance.ts';
import { credentialRequest, proofOf, redeem, requestCredential } from '../actors/wallet.ts';
import { type Cloud, useClouds } from '../support/kms/clouds.ts';
import { type Answer, useServer } from '../support/servers/server.ts';

/** More calls than the attempts of one operation. */
const LASTING = 12;
const FAULTS: readonly Fault[] = [{ kind: 'fail' }, { kind: 'cut', after: true }, { kind: 'nonsense' }];

describe('a key management service that fails at its n-th call and from then on', () => {
  const clouds = useClouds();
  const server = useServer(async () => ({
    settings: { outbound: { allow: ['127.0.0.1'] }, kms: { ...clouds.settings, timeoutSeconds: 5 } },
  }));

  /** Onboards an issuer and issues a credential; after a failure the service works again, and the step is repeated. */
  async function issue({ backend, config, reset }: Cloud): Promise<number[]> {
    const failures: number[] = [];
    const step = async (work: () => Promise<Answer>): Promise<Answer['body']> => {
      const { status, body } = await work();
      if (status === 200) return body;
      failures.push(status);
      reset();
      const again = await work();
      expect(again.status, JSON.stringify(again.body)).to.equal(200);
      return again.body;
    };
    const key = { backend, keyType: 'secp256r1', config: config() };
    const { issuerKey, issuerDid } = await step(() => server.call('onboardIssuer', { json: { key } }));
    const { _publicKey: _, ...unstated } = issuerKey;
    const request = degree({ issuerKey: unstated, issuerDid });
    await step(() => server.call('issueJwtCredential', { json: request }));
    const { code } = await makeOffer(server, request);
    const { access_token: token, c_nonce: nonce } = (await redeem(server, code)).body;
    const proof = credentialRequest(proofOf(server, makeHolderKey(), { nonce }));
    await step(() => requestCredential(server, token, proof));
    return failures;
  }

  for (const fault of FAULTS)
    it(`for every n: ${JSON.stringify(fault)} is answered with 502, and the credential is issued once the service works`, async () => {
      const failing = async (cloud: Cloud): Promise<void> => {
        for (const name of ['managing', 'signing'] as const) {
          let failures: number[] = [];
          for (let n = 1; n === 1 || failures.length > 0; n += 1) {
            cloud.reset();
            for (let later = 0; later < LASTING; later += 1) cloud[name].fault(n + later, fault);
            failures = await issue(cloud);
            expect(failures, `${cloud.backend}, ${name}, call ${n}`).to.satisfy(
              (found: number[]) => found.length === 0 || (found.length === 1 && found[0] === 502),
            );
            if (n === 1) expect(failures, cloud.backend).to.deep.equal([502]);
          }
        }
      };
      await Promise.all(clouds.all.map(failing));
    });
});
