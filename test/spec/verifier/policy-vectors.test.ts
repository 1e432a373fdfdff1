import { createHash, randomBytes } from 'node:crypto';
import { expect } from 'chai';
import { encodeJson } from '../../../demo/actors/jws.ts';
import { jwkParty, type Party } from '../../actors/party.ts';
import { VerificationFixture } from '../../actors/verification.ts';

const TYPE = 'UniversityDegree';
const JWT = 'jwt_vc_json';

const digestOf = (text: string): string => createHash('sha256').update(text).digest('base64url');

/** A disclosure of a member or, without a name, of a list element (RFC 9901 §4.2). */
const disclosureOf = (value: unknown, name?: string): string =>
  encodeJson([randomBytes(16).toString('base64url'), ...(name === undefined ? [] : [name]), value]);

const withPattern = (path: string, pattern: string) => ({ path: [path], filter: { type: 'string', pattern } });
const descriptor = (id: string, fields: object[]) => ({ id, constraints: { fields } });

/** A request with descriptors of a test, and the policies of the reference's suite. */
const asking = (...descriptors: object[]) => ({
  vp_policies: ['signature', 'expired', 'not-before', 'presentation-definition'],
  vc_policies: ['signature', 'expired', 'not-before'],
  request_credentials: descriptors.map((input_descriptor) => ({ format: JWT, input_descriptor })),
});

const OF_TYPE = withPattern('$.vc.type', TYPE);
const ofDegree = (pattern: string) => withPattern('$.vc.credentialSubject.degree.type', pattern);

describe('tables of the reference: presentation definitions over JWT credentials', () => {
  const on = new VerificationFixture();

  /** A degree whose type its holder can withhold. */
  async function sdDegree(
    isDisclosed: boolean,
    [name, value] = ['type', 'BachelorDegree'],
    type = TYPE,
  ): Promise<string> {
    const disclosure = disclosureOf(value, name);
    const degree = { name: 'Science', _sd: [digestOf(disclosure)] };
    const credentialSubject = { id: on.holder.did, degree };
    const vc = { type: ['VerifiableCredential', type], issuer: on.issuer.did, credentialSubject };
    const jwt = await on.issuer.sign({ iss: on.issuer.did, sub: on.holder.did, vc, _sd_alg: 'sha-256' });
    return isDisclosed ? `${jwt}~${disclosure}~` : `${jwt}~`;
  }

  const present = async (body: object, credentials: string[]): Promise<boolean> =>
    (await on.outcome(body, { credentials })).verificationResult;

  const plain = () => on.credential({ type: TYPE });

  const ROWS: [what: string, fields: object[], credential: () => Promise<string>, expected: boolean][] = [
    ['1 a type, by pattern', [OF_TYPE], plain, true],
    ['2 the type at the place of another data model', [withPattern('$.type', TYPE)], plain, false],
    ['5 type and a disclosed claim', [OF_TYPE, ofDegree('BachelorDegree')], () => sdDegree(true), true],
    ['6 type and a withheld claim', [OF_TYPE, ofDegree('BachelorDegree')], () => sdDegree(false), false],
    ['7 another value of a disclosed claim', [ofDegree('potato')], () => sdDegree(true), false],
    ['8 any value of a disclosed claim', [ofDegree('.*')], () => sdDegree(true), true],
    ['9 any value of a withheld claim', [ofDegree('.*')], () => sdDegree(false), false],
    ['matching: another type', [withPattern('$.vc.type', 'XYZ')], plain, false],
    ['matching: a claim in place of the type', [withPattern('$.vc.type', 'BachelorDegree')], plain, false],
    ['matching: swapped', [withPattern('$.vc.type', 'BachelorDegree'), ofDegree(TYPE)], plain, false],
    ['matching: only the claim', [ofDegree('BachelorDegree')], plain, true],
    ['matching: the type as the claim', [ofDegree(TYPE)], plain, false],
  ];
  for (const [what, fields, credential, expected] of ROWS)
    it(`${what}: ${expected}`, async () => {
      expect(await present(asking(descriptor('d', fields)), [await credential()])).to.equal(expected);
    });

  it('3, 4 two types of which one is presented: false', async () => {
    const request_credentials = [TYPE, 'PND91Credential'].map((type) => ({ type, format: JWT }));
    const body = { vp_policies: ['presentation-definition'], request_credentials };
    expect(await present(body, [await plain()])).to.equal(false);
  });

  it('12 a claim of each of two credentials: false when one has another value, else true', async () => {
    const pattern = (value: string) => [
      withPattern('$.vc.type', 'VerifiablePortableDocumentA1'),
      withPattern('$.vc.credentialSubject.degree.sex', value),
    ];
    const run = async (sex: string) => {
      const held = [await sdDegree(true), await sdDegree(true, ['sex', '01'], 'VerifiablePortableDocumentA1')];
      return present(asking(descriptor('a', [ofDegree('BachelorDegree')]), descriptor('b', pattern(sex))), held);
    };
    expect([await run('XXX'), await run('01')]).to.deep.equal([false, true]);
  });

  it('a list filter with the policy revoked-status-list and no status: true', async () => {
    const field = { path: ['$.vc.type'], filter: { type: 'array', contains: { const: TYPE } } };
    const input_descriptor = descriptor('d', [field]);
    const request_credentials = [
      { format: 'jwt_vc', input_descriptor, policies: ['signature', 'revoked-status-list'] },
    ];
    expect(await present({ request_credentials }, [await plain()])).to.equal(true);
  });

  it('two types in one presentation: true, and false when one of them is missing', async () => {
    const types = ['OpenBadgeCredential', 'UniversityDegreeCredential'];
    const request_credentials = types.map((type) => ({ format: JWT, type }));
    const [badge = '', degree = ''] = await Promise.all(types.map((type) => on.credential({ type })));
    const session = await on.outcome({ request_credentials }, { credentials: [badge, degree] });
    expect(session.verificationResult).to.equal(true);
    const names = session.policyResults.results.map(({ credential }: { credential: string }) => credential);
    expect(names.slice(1)).to.deep.equal(types);
    expect(await present({ request_credentials }, [badge])).to.equal(false);
    expect(await present({ request_credentials }, [badge, badge])).to.equal(false);
  });

  it('a credential with disclosures and the policy schema of its own: true', async () => {
    const schema = { type: 'object', required: ['credentialSubject'] };
    const request_credentials = [{ format: JWT, type: TYPE, policies: [{ policy: 'schema', args: schema }] }];
    const request = await on.ask({ request_credentials });
    const { status } = await on.present(request, { credentials: [await sdDegree(true)] });
    const session = await on.session(request);
    expect([status, session.verificationResult]).to.deep.equal([200, true]);
    expect(session.tokenResponse.vp_token.split('.')).to.have.length(3);
    expect(session.tokenResponse).to.have.property('presentation_submission');
    expect(session.presentationDefinition).to.deep.equal(await on.definition(request));
    expect(session.policyResults.results[1].policies).to.have.length(1);
  });
});

describe('tables of the reference: SD-JWT VCs', () => {
  const on = new VerificationFixture();
  let holder: Party;

  before(async () => {
    holder = await jwkParty();
  });

  const keyOf = ({ did }: Party) => JSON.parse(Buffer.from(did.slice('did:jwk:'.length), 'base64url').toString());

  /** What a holder discloses: all of the claims or none, and some of the nationalities. */
  interface Shown {
    isDisclosed?: boolean;
    nationalities?: { all: string[]; shown: string[] };
  }

  /** Presents an SD-JWT VC with these claims, of which the holder discloses all or none. */
  async function outcome(body: object, withheld: Record<string, unknown>, options: Shown = {}) {
    const { isDisclosed = true, nationalities: { all, shown: named } = { all: [], shown: [] } } = options;
    const request = await on.ask(body);
    const definition = await on.definition(request);
    const now = Math.floor(on.server.clock.now() / 1000);
    const disclosures = Object.entries(withheld).map(([name, value]) => disclosureOf(value, name));
    const elements = all.map((value) => ({ value, disclosure: disclosureOf(value) }));
    const list = elements.length > 0 && { nationalities: elements.map((one) => ({ '...': digestOf(one.disclosure) })) };
    const disclosed = elements.filter(({ value }) => named.includes(value)).map(({ disclosure }) => disclosure);
    const claims = { ...list, vct: 'urn:identity', iss: on.issuer.did, iat: now - 60, cnf: { jwk: keyOf(holder) } };
    const digests = { _sd: disclosures.map(digestOf), _sd_alg: 'sha-256' };
    const jwt = await on.issuer.sign({ ...claims, ...digests }, { typ: 'vc+sd-jwt' });
    const shown = [jwt, ...(isDisclosed ? disclosures : []), ...disclosed, ''].join('~');
    const binding = { nonce: request.nonce, aud: request.clientId, iat: now, sd_hash: digestOf(shown) };
    const keyBinding = await holder.sign(binding, { typ: 'kb+jwt', kid: undefined });
    const ids: string[] = definition.input_descriptors.map(({ id }: { id: string }) => id);
    const descriptor_map = ids.map((id) => ({ id, format: 'vc+sd-jwt', path: '$' }));
    const presentation_submission = JSON.stringify({ id: 's', definition_id: definition.id, descriptor_map });
    const form = { vp_token: `${shown}${keyBinding}`, presentation_submission, state: request.state };
    await on.server.call('submitPresentation', { path: { state: request.state }, form });
    return { ...(await on.session(request)), served: definition, state: request.state };
  }

  const asked = (policies: string[], ...inputs: object[]) => ({
    vp_policies: policies,
    request_credentials: inputs.map((input_descriptor) => ({ format: 'vc+sd-jwt', input_descriptor })),
  });

  for (const [row, value, expected] of [
    ['10', true, true],
    ['11', false, false],
  ] as const)
    it(`${row} a disclosed claim that is ${value} as asked: ${expected}`, async () => {
      const body = asked(
        ['presentation-definition'],
        descriptor('type', [withPattern('$.vct', 'urn:identity')]),
        descriptor('age', [{ path: ['$.is_over_65'], filter: { const: value } }]),
      );
      const session = await outcome(body, { is_over_65: true });
      expect(session.verificationResult, JSON.stringify(session.policyResults)).to.equal(expected);
    });

  it('the default policies: true with disclosures and without', async () => {
    const input_descriptor = descriptor('d', [withPattern('$.vct', 'urn:identity')]);
    const body = { request_credentials: [{ format: 'vc+sd-jwt', input_descriptor }] };
    for (const isDisclosed of [true, false]) {
      const session = await outcome(body, { name: 'Ada' }, { isDisclosed });
      expect(session.verificationResult, JSON.stringify(session.policyResults)).to.equal(true);
    }
  });

  it('a vct without a descriptor: true with none, some and all elements of a list', async () => {
    const body = { request_credentials: [{ vct: 'urn:identity', format: 'vc+sd-jwt' }] };
    const all = ['US', 'DE'];
    for (const shown of [[], ['DE'], all]) {
      const session = await outcome(body, { name: 'Ada' }, { nationalities: { all, shown } });
      expect(session.verificationResult, JSON.stringify(session.policyResults)).to.equal(true);
      expect(session.presentationDefinition).to.deep.equal(session.served);
      const path = { state: session.state };
      const { body: presented } = await on.server.call('getPresentedCredentials', { path });
      expect(Object.keys(presented.credentialsByFormat)).to.deep.equal(['vc+sd-jwt']);
      expect(JSON.stringify(presented)).to.include(`"nationalities":${JSON.stringify(shown)}`);
    }
  });

  it('signature_sd-jwt-vc and holder-binding: by the key of the credential', async () => {
    const input = descriptor('d', [{ path: ['$.vct'] }]);
    const session = await outcome(asked(['signature_sd-jwt-vc', 'holder-binding'], input), { name: 'Ada' });
    expect(session.policyResults.results[0].policies.map(({ code }: { code: string }) => code)).to.deep.equal([
      'passed',
      'passed',
    ]);
    const honest = holder;
    const [issued, thief] = [holder, await jwkParty()];
    holder = { ...issued, sign: thief.sign };
    const stolen = await outcome(asked(['signature_sd-jwt-vc', 'holder-binding'], input), { name: 'Ada' });
    holder = honest;
    expect(stolen.verificationResult).to.equal(false);
    for (const line of stolen.policyResults.results[0].policies) expect(line.code).to.equal('signature-invalid');
  });

  it('limit_disclosure: a claim that nothing asks for fails', async () => {
    const constraints = {
      limit_disclosure: 'required',
      fields: [{ path: ['$.vct'] }, { path: ['$.name'], optional: true }],
    };
    const run = (withheld: Record<string, unknown>) =>
      outcome(asked(['signature'], { id: 'd', constraints }), withheld);
    expect((await run({ name: 'Ada' })).verificationResult).to.equal(true);
    const session = await run({ name: 'Ada', address: 'London' });
    const line = session.policyResults.results[0].policies.at(-1);
    expect([session.verificationResult, line.code]).to.deep.equal([false, 'discloses-too-much']);
    expect(line.reason).to.equal('address was disclosed, which d does not ask for');
  });
});
