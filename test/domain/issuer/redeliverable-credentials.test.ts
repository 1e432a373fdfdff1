import { expect } from 'chai';
import fc from 'fast-check';
import type { IssuableContent } from '../../../domain/issuer/sessions/issuable-content.ts';
import { planItems } from '../../../domain/issuer/sessions/item-plan.ts';
import { holdsCopy, REDELIVERY_MS } from '../../../domain/issuer/sessions/redeliverable-credentials.ts';

const CONTENT: IssuableContent = {
  configurationId: 'Degree',
  format: 'jwt_vc_json',
  types: [],
  issuerKey: { backend: 'jwk', id: 'k', keyType: 'Ed25519', publicJwk: { kty: 'OKP' }, config: {} },
  issuer: 'did:web:a.example',
  credentialData: {},
  mapping: {},
};
const MOST = 4096;

describe('The copy of issued credentials', () => {
  it('stands in a session of one credential that is small and ends with the copy, and in no other', () => {
    const plans = [1, 2].map((count) => planItems(Array.from({ length: count }, () => CONTENT)).plan);
    const lengths = fc.array(fc.constantFrom(1, MOST / 2, MOST, MOST + 1), { minLength: 1, maxLength: 3 });
    fc.assert(
      fc.property(fc.nat(1), lengths, fc.integer({ min: -1, max: 1 }), (more, sizes, late) => {
        const plan = plans[more];
        if (!plan) throw new Error('There are two plans');
        const credentials = sizes.map((size) => 'x'.repeat(size));
        const copy = { grantId: 'g', holder: 'h', format: 'jwt_vc_json', credentials };
        const isSmall = sizes.reduce((sum, size) => sum + size, 0) <= MOST;
        const session = { plan, expiresAt: REDELIVERY_MS + late };
        expect(holdsCopy(session, copy, 0)).to.equal(more === 0 && isSmall && late <= 0);
      }),
    );
  });
});
