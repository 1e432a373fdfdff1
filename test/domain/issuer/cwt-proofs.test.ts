import { cborDecode, cborEncode } from '@owf/mdoc';
import { expect } from 'chai';
import fc from 'fast-check';
import { NodeCertificates } from '../../../adapters/crypto/certificates.ts';
import { NodeSignatures } from '../../../adapters/crypto/signatures.ts';
import { OwfCwtProofs } from '../../../adapters/formats/mdoc/cwt-proofs.ts';
import { PrometheusMetrics } from '../../../adapters/metrics/prometheus.ts';
import { isDomainError } from '../../../domain/foundation/errors.ts';
import { HolderProofs } from '../../../domain/issuer/endpoints/holder-proofs.ts';
import { type CwtSpec, coseKeyOf, cwtProofOf } from '../../support/credentials/cwt-proofs.ts';
import { testKeys } from '../../support/trust/certificates.ts';

const now = 1_750_000_000;
const audience = 'https://issuer.example/draft13';
const proofs = new HolderProofs({
  dids: { key: () => Promise.reject(new Error('a CWT names no DID')) },
  signatures: new NodeSignatures(new PrometheusMetrics()),
  certificates: new NodeCertificates(),
  cwts: new OwfCwtProofs(),
  clock: { now: () => now * 1000 },
});

const proofOf = (changes: Partial<CwtSpec> = {}) => cwtProofOf({ audience, now, nonce: 'fresh', ...changes });
const verify = (proof: unknown) => proofs.verify(proof, { audience, accepts: async (nonce) => nonce === 'fresh' });

const refusal = (proof: unknown): Promise<string> =>
  verify(proof).then(
    () => expect.fail('it was accepted'),
    (error) => {
      if (!isDomainError(error, 'BadRequest')) throw error;
      return error.message;
    },
  );

const keys = testKeys('P-256', 50);
const { kty, crv, x, y } = keys.publicKey.export({ format: 'jwk' });

describe('proofs of possession as CWT', () => {
  it('name the key of the holder, in a byte string or not, with the tags of a CWT or without', async () => {
    const key = cborDecode(coseKeyOf(keys));
    for (const changes of [{}, { tags: [0xd2] }, { tags: [0xd8, 61, 0xd2] }, { header: new Map([['COSE_Key', key]]) }])
      expect(await verify(proofOf(changes))).to.deep.equal({
        holders: [{ jwk: { kty, crv, x, y } }],
        signer: { kty, crv, x, y },
        nonce: 'fresh',
      });
  });

  const other = testKeys('P-256', 51);
  const claim = (key: number, value: unknown) => ({ claims: new Map([[key, value]]) });
  const header = (key: unknown, value: unknown) => ({ header: new Map([[key, value]]) });
  const wrong: [string, Partial<CwtSpec>, RegExp][] = [
    ['another key', { signedBy: other }, /signature/],
    ['another content type', header(3, 'openid4vci-proof+jwt'), /content type/],
    ['no content type', header(3, undefined), /content type/],
    ['an alg that does not fit the key', header(1, -35), /signature/],
    ['an alg that no mdoc has', header(1, -257), /alg must be/],
    ['no COSE_Key', header('COSE_Key', undefined), /COSE_Key/],
    ['a COSE_Key that is none', header('COSE_Key', 7), /COSE_Key/],
    ['a private COSE_Key', header('COSE_Key', coseKeyOf(keys, { d: new Uint8Array(32) })), /private/],
    ['an x5chain', { unprotected: new Map([[33, new Uint8Array(3)]]) }, /x5chain/],
    ['crit', header(2, [3]), /crit/],
    ['another audience', { audience: 'https://a.example' }, /aud/],
    ['no audience', claim(3, undefined), /aud/],
    ['no iat', claim(6, undefined), /iat/],
    ['an iat as text', claim(6, String(now)), /iat/],
    ['an iat in the future', { now: now + 90 }, /iat/],
    ['an iat of six minutes ago', { now: now - 360 }, /iat/],
    ['an exp that has passed', claim(4, now - 90), /exp/],
    ['an nbf that is not reached', claim(5, now + 90), /nbf/],
    ['another nonce', { nonce: 'stale' }, /nonce/],
    ['no nonce', { nonce: undefined }, /nonce/],
    ['a nonce that is not UTF-8', claim(10, new Uint8Array([0xff])), /UTF-8/],
  ];
  for (const [title, changes, message] of wrong)
    it(`are refused for ${title}`, async () => {
      expect(await refusal(proofOf(changes))).to.match(message);
    });

  it('are refused when they are malformed, deep or too long', async () => {
    const deep = cborEncode([
      Buffer.from(`${'81'.repeat(5000)}01`, 'hex'),
      new Map(),
      new Uint8Array([1]),
      new Uint8Array([1]),
    ]);
    for (const cwt of ['%', 'oA', 'AQ', 'gw', Buffer.from(deep).toString('base64url')])
      expect(await refusal({ proof_type: 'cwt', cwt })).to.include('the cwt is not acceptable');
    expect(await refusal({ proof_type: 'cwt', cwt: 'A'.repeat(16_385) })).to.include('16384');
    for (const proof of [{ proof_type: 'cwt' }, { proof_type: 'cwt', jwt: proofOf().cwt }, { cwt: proofOf().cwt }])
      expect(await refusal(proof)).to.include('proof_type jwt or cwt');
  });

  it('of any changed byte only a refusal is made, or the same holder and nonce', async () => {
    const accepted = await verify(proofOf());
    const bytes = Buffer.from(proofOf().cwt, 'base64url');
    await fc.assert(
      fc.asyncProperty(fc.nat(bytes.length - 1), fc.integer({ min: 1, max: 255 }), async (at, mask) => {
        const changed = Buffer.from(bytes);
        changed[at] = (changed[at] ?? 0) ^ mask;
        const proof = { proof_type: 'cwt', cwt: changed.toString('base64url') };
        const outcome = await verify(proof).catch((error) => {
          if (!isDomainError(error, 'BadRequest')) throw error;
        });
        if (outcome) expect(outcome).to.deep.equal(accepted);
      }),
      { numRuns: 300 },
    );
  });
});
