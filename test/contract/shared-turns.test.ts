import { setImmediate as nextTurn } from 'node:timers/promises';
import { expect } from 'chai';
import { NodeSignatures } from '../../adapters/crypto/signatures.ts';
import { PrometheusMetrics } from '../../adapters/metrics/prometheus.ts';
import { localKeys } from '../support/keys/local-keys.ts';

const metrics = new PrometheusMetrics();

/** Does the work and returns how many turns of the event loop began meanwhile. */
async function turnsDuring(work: () => Promise<unknown>): Promise<number> {
  let [turns, isDone] = [0, false];
  const counting = (async () => {
    for (; !isDone; turns += 1) await nextTurn();
  })();
  await work();
  isDone = true;
  await counting;
  return turns;
}

describe('signatures that are made and verified synchronously', () => {
  const hundred = Array.from({ length: 100 });

  it('are verified in turns of the event loop, regardless of their number', async () => {
    const signatures = new NodeSignatures(metrics);
    const { publicJwk } = await localKeys().service.create({ keyType: 'Ed25519', config: {} });
    const check = { alg: 'EdDSA', jwk: publicJwk, data: new Uint8Array(64), signature: new Uint8Array(64) };
    const outcomes: boolean[] = [];
    const turns = await turnsDuring(() =>
      Promise.all(hundred.map(async () => outcomes.push(await signatures.verify(check)))),
    );
    expect(outcomes).to.deep.equal(hundred.map(() => false));
    expect(turns).to.be.at.least(20);
  });

  it('are made in turns of the event loop, also one after the other', async () => {
    const { service } = localKeys();
    const signer = service.signer(await service.create({ keyType: 'secp256r1', config: {} }));
    const one = () => signer.sign(new Uint8Array(64));
    expect(await turnsDuring(() => Promise.all(hundred.map(one)))).to.be.at.least(6);
    const inRow = async () => {
      for (const _ of hundred) await one();
    };
    expect(await turnsDuring(inRow)).to.be.at.least(6);
  });
});
