import { setImmediate as nextTurn } from 'node:timers/promises';
import { expect } from 'chai';
import { NodeSignatures } from '../../adapters/crypto/signatures.ts';
import { PrometheusMetrics } from '../../adapters/metrics/prometheus.ts';
import { localKeys } from '../support/local-keys.ts';

const metrics = new PrometheusMetrics();

describe('signatures that are verified synchronously', () => {
  it('are spread over turns of the event loop, regardless of their number', async () => {
    const signatures = new NodeSignatures(metrics);
    const { publicJwk } = await localKeys().service.create({ keyType: 'Ed25519', config: {} });
    const check = { alg: 'EdDSA', jwk: publicJwk, data: new Uint8Array(64), signature: new Uint8Array(64) };
    let [turns, isDone] = [0, false];
    const counting = (async () => {
      for (; !isDone; turns += 1) await nextTurn();
    })();
    const outcomes = await Promise.all(Array.from({ length: 100 }, () => signatures.verify(check)));
    isDone = true;
    await counting;
    expect(new Set(outcomes)).to.deep.equal(new Set([false]));
    expect(turns).to.be.at.least(20);
  });
});
