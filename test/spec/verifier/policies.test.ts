import { expect } from 'chai';
import { HttpPeer } from '../../actors/http-peer.ts';
import { jwkParty } from '../../actors/party.ts';
import { DEGREE_REQUEST, type PolicyLine, VerificationFixture } from '../../actors/verification.ts';

const TYPE = 'UniversityDegreeCredential';
const DAY_MS = 86_400_000;

/** A request for one field of a descriptor `d`. */
const fieldRequest = (field: object, more: object = {}) => ({
  vp_policies: ['signature', 'expired', 'not-before', 'presentation-definition'],
  vc_policies: ['signature', 'expired', 'not-before'],
  request_credentials: [{ format: 'jwt_vc_json', input_descriptor: { id: 'd', constraints: { fields: [field] } } }],
  ...more,
});

const withPattern = (path: string, pattern: string) => ({ path: [path], filter: { type: 'string', pattern } });

describe('policies: presentation-definition', () => {
  const on = new VerificationFixture();

  const DEGREE_TYPE = '$.vc.credentialSubject.degree.type';
  const CASES: [string, object, boolean][] = [
    ['the type, unanchored', withPattern('$.vc.type', 'UniversityDegree'), true],
    ['a path that a data model 1.1 credential has not', withPattern('$.type', 'UniversityDegree'), false],
    ['a claim', withPattern(DEGREE_TYPE, 'BachelorDegree'), true],
    ['another value of a claim', withPattern(DEGREE_TYPE, 'potato'), false],
    ['any value of a claim', withPattern(DEGREE_TYPE, '.*'), true],
    ['a claim that is missing', withPattern('$.vc.credentialSubject.other', '.*'), false],
    ['an optional claim that is missing', { ...withPattern('$.vc.other', '.*'), optional: true }, true],
    ['an optional claim that is there and wrong', { ...withPattern(DEGREE_TYPE, 'potato'), optional: true }, false],
    ['the type as a list', { path: ['$.vc.type'], filter: { type: 'array', contains: { const: TYPE } } }, true],
    ['the first of the paths that is there', { path: ['$.none', '$.vc.type'], filter: { type: 'array' } }, true],
  ];
  for (const [what, field, isMet] of CASES)
    it(`${isMet ? '200: is met' : '400: is not met'} by ${what}`, async () => {
      expect((await on.outcome(fieldRequest(field))).verificationResult).to.equal(isMet);
    });

  it('400: is not met by one of two requested credentials', async () => {
    const request_credentials = [TYPE, 'PND91Credential'];
    const line = await on.line(
      { vp_policies: ['presentation-definition'], request_credentials },
      'presentation-definition',
      {
        at: 0,
        places: { [TYPE]: 0 },
      },
    );
    expect(line.error).to.deep.equal({
      type: 'PresentationDefinitionException',
      presentationDefinitionMatch: false,
      missing: ['PND91Credential'],
    });
  });

  it('200: is met in any order of credentials and submission', async () => {
    const credentials = [
      await on.credential({ type: 'A' }),
      await on.credential({ type: 'B' }),
      await on.credential({ type: 'C' }),
    ];
    const request_credentials = ['A', 'B', 'C'];
    for (const [a, b, c] of [
      [0, 1, 2],
      [2, 0, 1],
      [1, 2, 0],
    ] as const) {
      const order = [credentials[a], credentials[b], credentials[c]];
      const places = { C: [a, b, c].indexOf(2), A: [a, b, c].indexOf(0), B: [a, b, c].indexOf(1) };
      const session = await on.outcome({ request_credentials }, { credentials: order, places });
      expect(session.verificationResult).to.equal(true);
    }
  });

  it('400: is not met by an index of another credential or of none, though a matching one is presented', async () => {
    const credentials = [await on.credential(), await on.credential({ type: 'Other' })];
    for (const place of [1, 2, '$.vp.nonsense[0]', '$'])
      expect(
        (await on.outcome(DEGREE_REQUEST, { credentials, places: { [TYPE]: place } })).verificationResult,
      ).to.equal(false);
    expect((await on.outcome(DEGREE_REQUEST, { credentials, places: { [TYPE]: 0 } })).verificationResult).to.equal(
      true,
    );
  });

  it('200: reads every form in which wallets write the index', async () => {
    const ways = ["$['vp']['verifiableCredential'][0]", '$.verifiableCredential[0]', '$.vp.verifiableCredential', '$'];
    for (const place of ways)
      expect((await on.outcome(DEGREE_REQUEST, { places: { [TYPE]: place } })).verificationResult, place).to.equal(
        true,
      );
  });

  it('200: matches by itself when the submission does not mention a descriptor', async () => {
    expect((await on.outcome(DEGREE_REQUEST, { places: { unknown: 0 } })).verificationResult).to.equal(true);
  });

  it('enforces relational constraints that are required', async () => {
    const bound = (constraints: object) => ({
      request_credentials: [{ format: 'jwt_vc_json', input_descriptor: { id: 'd', constraints } }],
    });
    const isHolder = bound({ is_holder: [{ field_id: ['x'], directive: 'required' }] });
    expect((await on.outcome(isHolder)).verificationResult).to.equal(true);
    const stranger = await jwkParty();
    const claims = { vp: undefined };
    expect((await on.outcome(isHolder, { holder: stranger })).verificationResult).to.equal(false);
    expect((await on.outcome(bound({ subject_is_issuer: 'required' }))).verificationResult).to.equal(false);
    expect((await on.outcome(bound({ subject_is_issuer: 'preferred' }))).verificationResult).to.equal(true);
    expect((await on.outcome(isHolder, { claims })).verificationResult).to.equal(false);
  });
});

describe('policies: own policies of a credential', () => {
  const on = new VerificationFixture();

  const names = (session: { policyResults: { results: { policies: PolicyLine[] }[] } }, at: number) =>
    session.policyResults.results[at]?.policies.map(({ policy }) => policy);

  it('200: replace the global ones for that credential only, in any order of presentation', async () => {
    const body = {
      vc_policies: ['signature', 'expired'],
      request_credentials: ['A', { type: 'B', format: 'jwt_vc_json', policies: ['not-before'] }],
    };
    const [a, b] = [await on.credential({ type: 'A' }), await on.credential({ type: 'B' })];
    const session = await on.outcome(body, { credentials: [b, a], places: { A: 1, B: 0 } });
    expect(session.verificationResult).to.equal(true);
    expect([names(session, 1), names(session, 2)]).to.deep.equal([['not-before'], ['signature', 'expired']]);
  });

  it('200: are bound by the descriptor id, also when that is not the type', async () => {
    const input_descriptor = { id: 'mine', constraints: { fields: [withPattern('$.vc.type', TYPE)] } };
    const body = { request_credentials: [{ format: 'jwt_vc_json', input_descriptor, policies: ['not-before'] }] };
    expect(names(await on.outcome(body), 1)).to.deep.equal(['not-before']);
  });

  it('400: cannot be escaped by leaving the credential out of the submission', async () => {
    const policies = ['signature', { policy: 'allowed-issuer', args: 'did:example:other' }];
    const body = { vc_policies: [], request_credentials: [{ type: TYPE, format: 'jwt_vc_json', policies }] };
    const session = await on.outcome(body, { places: {} });
    expect(session.verificationResult).to.equal(false);
    expect(names(session, 1)).to.deep.equal(['signature', 'allowed-issuer']);
  });

  it('400: the policies of both descriptors run on a credential that is presented for two', async () => {
    const any = (id: string, policies?: unknown[]) => ({
      format: 'jwt_vc_json',
      input_descriptor: { id, constraints: { fields: [] } },
      ...(policies && { policies }),
    });
    const body = { vc_policies: ['signature'], request_credentials: [any('a', []), any('b')] };
    const forged = await (await jwkParty()).sign({ iss: on.issuer.did, vc: { type: ['VerifiableCredential', 'X'] } });
    const session = await on.outcome(body, { credentials: [forged], places: { a: 0, b: 0 } });
    expect(session.verificationResult).to.equal(false);
    expect(names(session, 1)).to.deep.equal(['signature']);
  });

  it('200: no policy runs on credentials when vc_policies is empty', async () => {
    const session = await on.outcome({ ...DEGREE_REQUEST, vc_policies: [] });
    expect(session.verificationResult).to.equal(true);
    expect(names(session, 1)).to.deep.equal([]);
  });
});

describe('policies: expired and not-before', () => {
  const on = new VerificationFixture();

  const iso = (offset: number) => new Date(on.server.clock.now() + offset).toISOString();
  const seconds = (offset: number) => Math.floor((on.server.clock.now() + offset) / 1000);
  const check = async (policy: string, content: { vc?: object; claims?: object }) =>
    on.line({ ...DEGREE_REQUEST, vc_policies: [policy] }, policy, {
      credentials: [await on.credential(content as Record<string, never>)],
    });

  for (const [policy, dates, claims] of [
    ['expired', ['expirationDate', 'validUntil'], ['exp']],
    ['not-before', ['issuanceDate', 'validFrom'], ['nbf', 'iat']],
  ] as const) {
    const isGood = (offset: number) => (policy === 'expired' ? offset > 0 : offset < 0);
    for (const offset of [-DAY_MS, DAY_MS]) {
      const when = offset < 0 ? 'past' : 'future';
      for (const key of dates) {
        it(`${policy}: ${key} in the ${when}, in the credential or beside it`, async () => {
          for (const place of ['vc', 'claims']) {
            const line = await check(policy, { [place]: { [key]: iso(offset) } });
            expect(line.is_success, place).to.equal(isGood(offset));
            expect(line.result?.used_key ?? line.error?.key).to.equal(key);
          }
        });
      }
      for (const key of claims)
        it(`${policy}: ${key} in the ${when}`, async () => {
          const value = seconds(offset);
          const line = await check(policy, { claims: { [key]: value } });
          expect(line.is_success).to.equal(isGood(offset));
          expect((line.result ?? line.error).date_seconds).to.equal(value);
        });
    }

    it(`${policy}: of several dates the strictest decides, in any member`, async () => {
      const good = policy === 'expired' ? DAY_MS : -DAY_MS;
      const [first, second, [claim]] = [dates[0], dates[1], claims];
      const bounds = [
        ['vc', first, iso],
        ['vc', second, iso],
        ['claims', first, iso],
        ['claims', claim, seconds],
      ] as const;
      for (const bad of bounds) {
        const content: { vc: Record<string, unknown>; claims: Record<string, unknown> } = { vc: {}, claims: {} };
        for (const [place, key, write] of bounds) content[place][key] = write(good * 2);
        expect((await check(policy, content)).is_success).to.equal(true);
        content[bad[0]][bad[1]] = bad[2](-good);
        const { is_success, error } = await check(policy, content);
        expect([is_success, error?.key], bad.join()).to.deep.equal([false, bad[1]]);
      }
    });

    it(`${policy}: succeeds without a date and fails with a text that is not a date`, async () => {
      expect((await check(policy, {})).result).to.deep.equal({ policy_available: false });
      expect((await check(policy, { vc: { [dates[0]]: 'soon' } })).error).to.equal(`${dates[0]} is not a date`);
      expect((await check(policy, { vc: { [dates[0]]: 1e300 } })).is_success).to.equal(false);
    });
  }

  it('not-before: accepts only an issue time that is a minute ahead', async () => {
    expect((await check('not-before', { claims: { iat: seconds(50_000) } })).is_success).to.equal(true);
    expect((await check('not-before', { claims: { iat: seconds(70_000) } })).is_success).to.equal(false);
    expect((await check('not-before', { claims: { nbf: seconds(50_000) } })).is_success).to.equal(false);
    const beside = await check('not-before', { claims: { iat: seconds(50_000), nbf: seconds(30_000) } });
    expect([beside.is_success, beside.error?.key]).to.deep.equal([false, 'nbf']);
    const later = await check('not-before', { claims: { iat: seconds(70_000), nbf: seconds(-30_000) } });
    expect([later.is_success, later.error?.key]).to.deep.equal([false, 'iat']);
  });

  it('expired: reports by how much', async () => {
    const { error } = await check('expired', { claims: { exp: seconds(-3_600_000) } });
    expect(error.type).to.equal('ExpirationDatePolicyException');
    expect(error.expired_in).to.match(/^PT1H/);
    expect(error.expired_in_seconds).to.equal(3600);
  });

  it('expired: runs on the presentation too', async () => {
    const session = await on.outcome(
      { ...DEGREE_REQUEST, vp_policies: ['expired'] },
      { claims: { exp: seconds(-1000) } },
    );
    expect(session.verificationResult).to.equal(false);
  });
});

describe('policies: schema, webhook and the rest', () => {
  const on = new VerificationFixture();
  let peer: HttpPeer;

  before(async () => {
    peer = await new HttpPeer().listen();
  });
  after(() => peer.close());

  const vc = (policy: string, args?: unknown) =>
    on.line({ ...DEGREE_REQUEST, vc_policies: [args === undefined ? policy : { policy, args }] }, policy);
  const vp = (policy: string, args?: unknown) =>
    on.line({ ...DEGREE_REQUEST, vp_policies: [args === undefined ? policy : { policy, args }] }, policy, { at: 0 });

  it('schema: checks the credential, from an object or a text', async () => {
    const schema = { type: 'object', required: ['credentialSubject'] };
    for (const args of [schema, JSON.stringify(schema)])
      expect(await vc('schema', args)).to.deep.include({ is_success: true, result: schema, args: schema });
    const { error } = await vc('schema', { type: 'object', required: ['name'] });
    expect(error.type).to.equal('JsonSchemaVerificationException');
    expect(error.validationErrors).to.deep.equal([
      { schemaPath: '#/required', objectPath: '', message: "must have required property 'name'" },
    ]);
  });

  it('schema: inherited names are not members', async () => {
    expect((await vc('schema', { type: 'object', required: ['constructor'] })).is_success).to.equal(false);
  });

  it('webhook: posts the claims and shows the answer', async () => {
    peer.routes['/yes'] = () => ({ body: { fine: true } });
    peer.routes['/no'] = () => ({ status: 403, body: { reason: 'no' } });
    peer.routes['/text'] = () => ({ body: 'fine' });
    expect(await vc('webhook', `${peer.url}/yes`)).to.deep.include({ is_success: true, result: { fine: true } });
    const posted = JSON.parse(peer.seen.at(-1)?.body ?? '');
    expect(posted).to.have.keys('iss', 'sub', 'vc');
    expect((await vc('webhook', `${peer.url}/no`)).error).to.deep.equal({
      type: 'WebhookPolicyException',
      response: { reason: 'no' },
    });
    expect((await vc('webhook', `${peer.url}/text`)).result).to.deep.equal({ status: 200 });
    await vp('webhook', `${peer.url}/yes`);
    expect(JSON.parse(peer.seen.at(-1)?.body ?? '')).to.have.nested.property('vp.verifiableCredential');
  });

  it('webhook: one that may not be reached is refused when the session is created', async () => {
    for (const args of ['http://169.254.169.254/', 'http://[::ffff:10.0.0.1]/', 'http://10.1.1.1/x']) {
      const json = {
        request_credentials: ['UniversityDegree'],
        vc_policies: ['signature', { policy: 'webhook', args }],
      };
      const { status, body } = await on.server.call('startVerification', { json });
      expect([status, body.id, body.details?.[0].path], args).to.deep.equal([
        400,
        'AddressRefused',
        '/body/vc_policies/1/args',
      ]);
    }
  });

  it('webhook: fails with a reason when it cannot be reached', async () => {
    for (const url of ['http://127.0.0.1:1/', 'http://name.invalid/']) {
      const line = await vc('webhook', url);
      expect(line.is_success, url).to.equal(false);
      expect(line.error).to.be.a('string').that.is.not.empty;
    }
  });

  it('counts credentials', async () => {
    expect(await vp('minimum-credentials', 1)).to.deep.include({ is_success: true, result: { total: 1, extra: 0 } });
    expect((await vp('minimum-credentials', 2)).error).to.deep.include({ total: 1, missing: 1 });
    expect(await vp('maximum-credentials', 2)).to.deep.include({
      is_success: true,
      result: { total: 1, remaining: 1 },
    });
    expect((await vp('maximum-credentials', 0)).error).to.deep.include({ total: 1, exceeded: 1 });
  });

  it('holder-binding: the presenter is the subject', async () => {
    expect(await vp('holder-binding')).to.deep.include({ is_success: true, result: on.holder.did });
    const options = { at: 0, holder: await jwkParty() };
    const line = await on.line({ ...DEGREE_REQUEST, vp_policies: ['holder-binding'] }, 'holder-binding', options);
    expect(line.error).to.deep.include({ type: 'HolderBindingException', credentialDids: [on.holder.did] });
  });

  it('allowed-issuer: one or a list', async () => {
    expect((await vc('allowed-issuer', on.issuer.did)).result).to.equal(on.issuer.did);
    expect((await vc('allowed-issuer', ['did:example:x', on.issuer.did])).is_success).to.equal(true);
    expect((await vc('allowed-issuer', 'did:example:x')).error.allowedIssuers).to.deep.equal(['did:example:x']);
  });
});
