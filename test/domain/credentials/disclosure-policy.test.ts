import { expect } from 'chai';
import fc from 'fast-check';
import { evaluatePolicy, readDisclosurePolicy } from '../../../domain/credentials/disclosure-policy.ts';

const ROOT = 'ab'.repeat(32);
const ONE = { policy_type: 'authorized_relying_parties', authorized_relying_parties: ['NTRZZ-Q1'] };
const BELOW = { policy_type: 'specific_root_of_trust', trusted_roots: [ROOT.toUpperCase()] };

describe('disclosure policies of issuers', () => {
  it('are read in their three kinds; what cannot be read is known as that', () => {
    expect(readDisclosurePolicy(undefined)).to.equal(undefined);
    expect(readDisclosurePolicy({ policy_type: 'none' })).to.deep.equal({ type: 'none' });
    expect(readDisclosurePolicy({ ...ONE, policy_url: 'https://a.example/why' })).to.deep.equal({
      type: 'authorized_relying_parties',
      parties: ['NTRZZ-Q1'],
      infoUri: 'https://a.example/why',
    });
    expect(readDisclosurePolicy(BELOW)).to.deep.equal({ type: 'specific_root_of_trust', roots: [ROOT] });
    const unreadable: unknown[] = [
      null,
      'none',
      {},
      { policy_type: 'attestation' },
      { ...ONE, authorized_relying_parties: [] },
      { ...ONE, authorized_relying_parties: ['NTRZZ-Q1', 7] },
      { ...ONE, authorized_relying_parties: Array.from({ length: 257 }, () => 'a') },
      { ...BELOW, trusted_roots: [ROOT, 'ab'] },
      { ...BELOW, trusted_roots: undefined, authorized_relying_parties: ['a'] },
    ];
    for (const one of unreadable) expect(readDisclosurePolicy(one), String(one)).to.deep.equal({ type: 'unreadable' });
    const script = { policy_type: 'none', policy_url: 'javascript:alert(1)' };
    expect(readDisclosurePolicy(script)).to.deep.equal({ type: 'none' });
  });

  it('property: allow who has one of the names or roots, refuse who has none, and know nothing where nothing is proven', () => {
    const names = fc.subarray(['a', 'b', 'c', 'd'], { minLength: 1 });
    const proven = fc.option(fc.subarray(['a', 'B', 'c', 'e']), { nil: undefined });
    fc.assert(
      fc.property(names, proven, fc.boolean(), (listed, known, isByRoot) => {
        const hashOf = (name: string) => name.toLowerCase().charCodeAt(0).toString(16).repeat(32);
        const policy = readDisclosurePolicy(
          isByRoot
            ? { policy_type: 'specific_root_of_trust', trusted_roots: listed.map(hashOf) }
            : { policy_type: 'authorized_relying_parties', authorized_relying_parties: listed },
        );
        const asker = isByRoot
          ? { roots: known?.map(hashOf), registered: listed }
          : { registered: known, roots: listed };
        const common = (known ?? []).map((name) => name.toLowerCase()).filter((name) => listed.includes(name));
        const expected = common.length > 0 ? 'allowed' : 'refused';
        expect(policy && evaluatePolicy(policy, asker).outcome).to.equal(known ? expected : 'unknown');
      }),
      { numRuns: 200 },
    );
    expect(evaluatePolicy({ type: 'none' }, {}).outcome).to.equal('allowed');
    expect(evaluatePolicy({ type: 'unreadable' }, { roots: [ROOT], registered: ['a'] }).outcome).to.equal('unknown');
  });
});
