import { expect } from 'chai';
import fc from 'fast-check';
import { jwkParty } from '../../actors/party.ts';
import { type PolicyLine, VerificationFixture } from '../../actors/verification.ts';

const JWT = 'jwt_vc_json';
const TYPES = ['A', 'B', 'C'];

/** A descriptor that any credential with a degree satisfies. */
const open = (id: string) => ({ id, constraints: { fields: [{ path: ['$.vc.credentialSubject.degree'] }] } });

describe('policies: own policies, for any presentation', () => {
  const on = new VerificationFixture();

  const names = (session: { policyResults: { results: { policies: PolicyLine[] }[] } }, at: number): string[] =>
    session.policyResults.results[at]?.policies.map(({ policy }) => policy) ?? [];

  it('400: those that a custom definition binds to no descriptor run on every credential, of any type', async () => {
    const strict = {
      credential: 'A',
      policies: ['signature', { policy: 'allowed-issuer', args: 'did:example:other' }],
    };
    const body = {
      vc_policies: [],
      request_credentials: [strict, { credential: 'B', policies: [] }],
      presentation_definition: { input_descriptors: [open('x')] },
    };
    for (const type of TYPES) {
      const forged = await (await jwkParty()).sign({
        iss: on.issuer.did,
        vc: { type: ['VerifiableCredential', type], credentialSubject: { degree: {} } },
      });
      const session = await on.outcome(body, { credentials: [forged] });
      expect([session.verificationResult, names(session, 1)], type).to.deep.equal([
        false,
        ['signature', 'allowed-issuer'],
      ]);
    }
  });

  it('200: those of a custom definition join the global ones; an id binds them to its descriptor alone', async () => {
    const presentation_definition = { input_descriptors: [open('x'), open('y')] };
    const elements = [{ credential: 'A', policies: ['not-before'] }, 'B'];
    const joined = await on.outcome({ presentation_definition, request_credentials: elements });
    expect(names(joined, 1)).to.deep.equal(['signature', 'not-before']);
    const element = { type: 'A', format: JWT, id: 'x', policies: ['not-before'] };
    const bound = await on.outcome(
      { presentation_definition, request_credentials: [element, { ...element, type: 'B', id: 'y' }] },
      { places: { x: 0, y: 0 } },
    );
    expect(names(bound, 1)).to.deep.equal(['not-before']);
    const twice = [element, { ...element, policies: ['expired'] }];
    const both = await on.outcome({ presentation_definition, request_credentials: twice }, { places: { x: 0, y: 0 } });
    expect(names(both, 1)).to.have.members(['not-before', 'expired', 'signature']);
  });

  it('400: the policies of every descriptor that a credential satisfies run on it, not only of those it is presented for', async () => {
    const any = { format: JWT, input_descriptor: open('any'), policies: [] };
    const body = { vc_policies: ['signature'], request_credentials: [any, { type: 'A', format: JWT }] };
    const forged = await (await jwkParty()).sign({
      iss: on.issuer.did,
      vc: { type: ['VerifiableCredential', 'A'], credentialSubject: { degree: {} } },
    });
    const credentials = [forged, await on.credential({ type: 'A' })];
    const session = await on.outcome(body, { credentials, places: { any: 0, A: 1 } });
    expect(session.verificationResult).to.equal(false);
    expect([names(session, 1), names(session, 2)]).to.deep.equal([['signature'], ['signature']]);
    const honest = await on.credential({ type: 'Other' });
    const apart = await on.outcome(body, { credentials: [honest, credentials[1]], places: { any: 0, A: 1 } });
    expect([apart.verificationResult, names(apart, 1)]).to.deep.equal([true, []]);
  });

  it('the policies of a credential are the same for any position, order and type list', async () => {
    const request_credentials = [
      { type: 'A', format: JWT, policies: ['expired'] },
      { type: 'B', format: JWT, policies: ['not-before'] },
      { type: 'C', format: JWT },
    ];
    const own: Record<string, string> = { A: 'expired', B: 'not-before', C: 'signature' };
    const types = fc.shuffledSubarray(TYPES, { minLength: 1 });
    const place = fc.option(fc.nat({ max: 1 }), { nil: undefined });
    await fc.assert(
      fc.asyncProperty(fc.tuple(types, types), fc.tuple(place, place, place), async (lists, places) => {
        const credentials = await Promise.all(
          lists.map((list) => on.credential({ vc: { type: ['VerifiableCredential', ...list] } })),
        );
        const claimed = places.flatMap((at, index) => (at === undefined ? [] : [[TYPES[index], at] as const]));
        const session = await on.outcome({ request_credentials }, { credentials, places: Object.fromEntries(claimed) });
        for (const [at, list] of lists.entries())
          expect(names(session, at + 1)).to.include.members(list.map((type) => own[type]));
      }),
      { numRuns: 25 },
    );
  });
});
