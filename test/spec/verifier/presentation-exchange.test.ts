import { expect } from 'chai';
import { jwkParty, keyParty } from '../../actors/party.ts';
import { type PresentOptions, VerificationFixture } from '../../actors/verification.ts';

/** The example "multi group" of Presentation Exchange 2.0 in part: bank account or employment, and a licence. */
const GROUPS = {
  submission_requirements: [
    { rule: 'pick', count: 1, from: 'A' },
    { rule: 'all', from: 'B' },
  ],
  input_descriptors: [
    {
      id: 'banking_input_1',
      group: ['A'],
      constraints: {
        limit_disclosure: 'required',
        fields: [
          {
            path: ['$.issuer', '$.vc.issuer', '$.iss'],
            filter: { type: 'string', pattern: '^did:' },
            intent_to_retain: true,
          },
          {
            path: ['$.credentialSubject.account[*].id', '$.vc.credentialSubject.account[*].id', '$.account[*].id'],
            filter: { type: 'string', pattern: '^DE[0-9]{2}' },
          },
        ],
      },
    },
    {
      id: 'banking_input_2',
      group: ['A'],
      constraints: {
        fields: [{ path: ['$.vc.credentialSubject.portfolio_value'], filter: { type: 'number', minimum: 1_000_000 } }],
      },
    },
    {
      id: 'drivers_license_input',
      group: ['B'],
      constraints: {
        fields: [{ path: ['$.credentialSubject.dob', '$.vc.credentialSubject.dob'], filter: { format: 'date' } }],
      },
    },
  ],
};

describe('presentation exchange', () => {
  const on = new VerificationFixture();

  async function isMet(presentation_definition: object, options: PresentOptions = {}): Promise<boolean> {
    const session = await on.outcome({ request_credentials: [], presentation_definition }, options);
    return session.verificationResult;
  }

  const ofField = (field: object) => ({ input_descriptors: [{ id: 'd', constraints: { fields: [field] } }] });

  it('a path whose value does not pass leads to the next path', async () => {
    const path = ['$.iss', '$.vc.credentialSubject.degree.type', '$.none'];
    const degree = { type: 'string', const: 'BachelorDegree' };
    expect(await isMet(ofField({ path, filter: degree }))).to.equal(true);
    expect(await isMet(ofField({ path: [...path].reverse(), filter: degree }))).to.equal(true);
    expect(await isMet(ofField({ path, filter: { type: 'string', const: 'MasterDegree' } }))).to.equal(false);
  });

  it('an optional field may be absent, but not wrong', async () => {
    const filter = { type: 'string', const: 'MasterDegree' };
    const none = { path: ['$.none', '$.vc.none'], filter };
    expect(await isMet(ofField({ ...none, optional: true }))).to.equal(true);
    expect(await isMet(ofField({ ...none, optional: false }))).to.equal(false);
    expect(await isMet(ofField(none))).to.equal(false);
    const there = { path: ['$.none', '$.vc.credentialSubject.degree.type'], filter, optional: true };
    expect(await isMet(ofField(there))).to.equal(false);
  });

  it('every value of a path is a candidate, and every element of a list for a filter of strings', async () => {
    const content = { subject: { account: [{ id: 'FR1' }, { id: 'DE2' }], names: ['x', 'DE'] } };
    const credentials = [await on.credential(content)];
    const filter = { type: 'string', pattern: '^DE' };
    const at = (path: string, more: object = filter) => isMet(ofField({ path: [path], filter: more }), { credentials });
    expect(await at('$.vc.credentialSubject.account[*].id')).to.equal(true);
    expect(await at('$.vc.credentialSubject.account[0].id')).to.equal(false);
    expect(await at('$.vc.credentialSubject.names')).to.equal(true);
    expect(await at('$.vc.credentialSubject.names', { pattern: '^IT', type: 'string' })).to.equal(false);
    expect(await at('$.vc.credentialSubject.names', { type: 'array', contains: { const: 'IT' } })).to.equal(false);
  });

  for (const [name, holder, own] of [
    ['jwt_vc_json', 'EdDSA', 'ES256'],
    ['jwt_vc', 'EdDSA', 'ES256'],
    ['jwt_vp_json', 'ES256', 'EdDSA'],
    ['jwt_vp', 'ES256', 'EdDSA'],
  ] as const)
    it(`400: refuses a signature with an algorithm that ${name} does not list, in a descriptor or for all`, async () => {
      const asked = (alg: string[]) => {
        const format = { [name]: { alg } };
        const descriptor = { id: 'd', constraints: { fields: [{ path: ['$.vc'] }] } };
        return [{ input_descriptors: [{ ...descriptor, format }] }, { format, input_descriptors: [descriptor] }];
      };
      for (const definition of asked(['ES384', holder])) expect(await isMet(definition)).to.equal(false);
      for (const definition of asked(['ES384', own])) expect(await isMet(definition)).to.equal(true);
    });

  it('400: the narrower of a shared and an own list of algorithms counts', async () => {
    const descriptor = { id: 'd', format: { jwt_vc: { alg: ['ES256'] } } };
    expect(await isMet({ format: { jwt_vc: { alg: ['EdDSA'] } }, input_descriptors: [descriptor] })).to.equal(false);
    expect(await isMet({ format: { jwt_vc: { alg: ['ES256'] } }, input_descriptors: [descriptor] })).to.equal(true);
  });

  it('an input descriptor in a request enforces its algorithms too', async () => {
    const ask = async (alg: string[], credentials?: string[]) => {
      const input_descriptor = {
        id: 'd',
        format: { jwt_vc_json: { alg } },
        constraints: { fields: [{ path: ['$.vc'] }] },
      };
      const request_credentials = [{ format: 'jwt_vc_json', input_descriptor }];
      return (await on.outcome({ request_credentials }, credentials && { credentials })).verificationResult;
    };
    expect(await ask(['EdDSA'])).to.equal(false);
    expect(await ask(['ES256'])).to.equal(true);
    const eddsa = await keyParty();
    const vc = { type: ['VerifiableCredential', 'X'], issuer: eddsa.did };
    expect(await ask(['EdDSA'], [await eddsa.sign({ iss: eddsa.did, vc })])).to.equal(true);
  });

  it('the example of several groups takes one account and the licence', async () => {
    const issuer = await jwkParty();
    const held = (subject: object) =>
      issuer.sign({
        iss: issuer.did,
        vc: { type: ['VerifiableCredential', 'X'], issuer: issuer.did, credentialSubject: subject },
      });
    const [bank, wealth, licence] = [
      await held({ account: [{ id: 'DE12' }] }),
      await held({ portfolio_value: 2_000_000 }),
      await held({ dob: '1999-05-16' }),
    ];
    const poor = await held({ portfolio_value: 1 });
    expect(await isMet(GROUPS, { credentials: [bank, licence], places: {} })).to.equal(true);
    expect(await isMet(GROUPS, { credentials: [licence, wealth], places: {} })).to.equal(true);
    expect(await isMet(GROUPS, { credentials: [bank], places: {} })).to.equal(false);
    expect(await isMet(GROUPS, { credentials: [poor, licence], places: {} })).to.equal(false);
  });
});
