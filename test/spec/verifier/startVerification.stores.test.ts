import { expect } from 'chai';
import { DEGREE_REQUEST, VerificationFixture } from '../../actors/verification.ts';
import { readRequest } from '../../actors/wallet.ts';

const JWT = 'jwt_vc_json';

describe('startVerification', () => {
  const on = new VerificationFixture();

  const start = (json: unknown, headers: Record<string, string> = {}) =>
    on.server.call('startVerification', { json, headers });

  async function refused(json: unknown, path: string, headers: Record<string, string> = {}): Promise<string> {
    const { status, body } = await start(json, headers);
    expect(status, JSON.stringify(body)).to.equal(400);
    expect(body.details?.map((detail: { path: string }) => detail.path) ?? [body.message]).to.include(path);
    return body.message;
  }

  it('200: returns the request URL of the DEFAULT profile as text, its parameters in order', async () => {
    const { status, headers, body } = await start(DEGREE_REQUEST);
    expect(status).to.equal(200);
    expect(headers.get('content-type')).to.match(/^text\/plain/);
    const { params, state } = readRequest(body);
    expect(body).to.match(/^openid4vp:\/\/authorize\?response_type=vp_token&/);
    expect([...params.keys()]).to.deep.equal([
      'response_type',
      'client_id',
      'response_mode',
      'state',
      'presentation_definition_uri',
      'client_id_scheme',
      'client_metadata',
      'nonce',
      'response_uri',
    ]);
    const { url } = on.server;
    expect(params.get('client_id')).to.equal(`${url}/openid4vc/verify/${state}`);
    expect(params.get('response_mode')).to.equal('direct_post');
    expect(params.get('client_id_scheme')).to.equal('redirect_uri');
    expect(params.get('presentation_definition_uri')).to.equal(`${url}/openid4vc/pd/${state}`);
    expect(params.get('response_uri')).to.equal(`${url}/openid4vc/verify/${state}`);
    const { vp_formats: formats } = JSON.parse(params.get('client_metadata') ?? '');
    expect(formats).to.deep.equal({ jwt_vp_json: { alg: ['ES256', 'EdDSA', 'ES256K'] } });
    expect(params.get('nonce')).to.match(/^[0-9a-f-]{36}$/);
  });

  it('200: the URL fits a QR code of version 20 with 858 bytes at most', async () => {
    const { body } = await start(DEGREE_REQUEST, { authorizeBaseUrl: 'openid4vp://authorize' });
    const longer = body.replaceAll(
      encodeURIComponent(on.server.url),
      encodeURIComponent('https://verifier.example.org'),
    );
    expect(longer.length).to.be.at.most(858);
  });

  it('200: starts the URL with the value of the header and its query', async () => {
    const urlFor = async (authorizeBaseUrl: string) => (await start(DEGREE_REQUEST, { authorizeBaseUrl })).body;
    expect(await urlFor('https://wallet.example/use')).to.match(/^https:\/\/wallet\.example\/use\?response_type=/);
    expect(await urlFor('https://wallet.example/use?a=b')).to.match(/\/use\?a=b&response_type=/);
    expect(await urlFor('https://wallet.example/use?')).to.match(/\/use\?response_type=/);
  });

  it('200: accepts every form of request_credentials', async () => {
    const forms = [
      ['UniversityDegreeCredential'],
      [{ credential: 'UniversityDegreeCredential', policies: ['signature'] }],
      [{ type: 'UniversityDegreeCredential', format: JWT, id: 'degree', policies: [{ policy: 'expired' }] }],
      [{ format: JWT, input_descriptor: { id: 'x', constraints: { fields: [{ path: ['$.vc.type'] }] } } }],
      [{ input_descriptor: { id: 'x', format: { jwt_vc: { alg: ['ES256'] } }, constraints: {} } }],
      ['VerifiableId', { credential: 'OpenBadgeCredential', policies: [] }],
    ];
    for (const request_credentials of forms) expect((await start({ request_credentials })).status).to.equal(200);
  });

  it('200: accepts every policy of the contract in the long and the short form', async () => {
    const policies = [
      'signature',
      'expired',
      'not-before',
      { policy: 'schema', args: { type: 'object' } },
      { policy: 'webhook', args: 'https://hook.example/x' },
    ];
    const vp_policies = [...policies, 'presentation-definition', { policy: 'minimum-credentials', args: 1 }];
    expect((await start({ ...DEGREE_REQUEST, vp_policies, vc_policies: policies })).status).to.equal(200);
    expect((await start({ ...DEGREE_REQUEST, vc_policies: [{ policy: 'signature', args: null }] })).status).to.equal(
      200,
    );
  });

  it('200: accepts the profile in any letter case, in the header or the body', async () => {
    expect((await start(DEGREE_REQUEST, { openId4VPProfile: 'default' })).status).to.equal(200);
    expect(
      (await start({ ...DEGREE_REQUEST, openid_profile: 'DEFAULT' }, { openId4VPProfile: 'HAIP' })).status,
    ).to.equal(200);
  });

  it('200: uses stateId as the state; 409: refuses it while the session or its result lives', async () => {
    const headers = { stateId: 'my-state.1' };
    expect(readRequest((await start(DEGREE_REQUEST, headers)).body).state).to.equal('my-state.1');
    expect((await start(DEGREE_REQUEST, headers)).status).to.equal(409);
    on.server.clock.advance(301_000);
    expect((await start(DEGREE_REQUEST, headers)).status).to.equal(200);
  });

  it('409: accepts exactly one of 50 concurrent requests with a stateId', async () => {
    const answers = await Promise.all(Array.from({ length: 50 }, () => start(DEGREE_REQUEST, { stateId: 'raced' })));
    const counts = [200, 409].map((status) => answers.filter((answer) => answer.status === status).length);
    expect(counts).to.deep.equal([1, 49]);
  });

  it('400: refuses unknown policies and bad arguments, naming the element', async () => {
    const vc = (...vc_policies: unknown[]) => ({ ...DEGREE_REQUEST, vc_policies });
    expect(await refused(vc('signature', 'nonsense'), '/body/vc_policies/1')).to.include('nonsense');
    await refused(vc('toString'), '/body/vc_policies/0');
    await refused({ ...DEGREE_REQUEST, vp_policies: ['signature', { policy: 'constructor' }] }, '/body/vp_policies/1');
    await refused(
      { request_credentials: [{ type: 'A', format: JWT, policies: ['x'] }] },
      '/body/request_credentials/0/policies/0',
    );
    await refused(vc('presentation-definition'), '/body/vc_policies/0');
    await refused(vc({ policy: 'revoked-status-list', args: {} }), '/body/vc_policies/0/args');
    await refused(vc({ policy: 'signature', args: { other: 1 } }), '/body/vc_policies/0/args/other');
    for (const policy of ['signature', 'revoked-status-list', 'schema'])
      await refused(vc({ policy, other: 1 }), '/body/vc_policies/0/other');
    await refused(vc({ policy: 'expired', args: {}, requireField: true }), '/body/vc_policies/0/requireField');
    for (const policy of ['webhook', 'schema'])
      for (const listed of [policy, { policy }, { policy, args: null }]) {
        await refused(vc(listed), '/body/vc_policies/0/args');
        await refused({ ...DEGREE_REQUEST, vp_policies: [listed] }, '/body/vp_policies/0/args');
        const request_credentials = [{ type: 'A', format: JWT, policies: [listed] }];
        await refused({ request_credentials }, '/body/request_credentials/0/policies/0/args');
      }
    for (const args of ['ftp://x.example', 'https://u:p@x.example', 'nowhere', 7, 'https://x.example/\r\nX: y'])
      await refused(vc({ policy: 'webhook', args }), '/body/vc_policies/0/args');
    for (const args of [
      { type: 'nonsense' },
      7,
      '{',
      { $ref: 'https://x.example/s' },
      { pattern: '(a+)+(?=b)' },
      { $ref: '#' },
    ])
      await refused(vc({ policy: 'schema', args }), '/body/vc_policies/0/args');
    await refused(
      { ...DEGREE_REQUEST, vp_policies: [{ policy: 'minimum-credentials', args: -1 }] },
      '/body/vp_policies/0/args',
    );
    await refused(vc({ policy: 'allowed-issuer', args: [] }), '/body/vc_policies/0/args');
  });

  it('400: refuses credentials that cannot be requested, naming the element', async () => {
    const at = '/body/request_credentials';
    const ask = (...request_credentials: unknown[]) => ({ request_credentials });
    await refused({}, at);
    await refused(ask(), at);
    await refused({ request_credentials: 'VerifiableId' }, at);
    await refused(ask(''), `${at}/0`);
    await refused(ask(7), `${at}/0`);
    await refused(ask({ type: 'A' }), `${at}/0/format`);
    await refused(ask({ format: JWT }), `${at}/0/type`);
    await refused(ask({ type: 'A', format: 'nonsense' }), `${at}/0/format`);
    await refused(ask({ type: 'A', format: 'ldp_vc' }), `${at}/0/format`);
    for (const format of ['vc+sd-jwt', 'dc+sd-jwt']) await refused(ask({ type: 'A', format }), `${at}/0/type`);
    await refused(ask({ type: 'A', vct: 'B', format: JWT }), `${at}/0/vct`);
    await refused(ask({ doc_type: 'B', format: JWT }), `${at}/0/doc_type`);
    await refused(ask({ type: 'A', format: JWT, other: 1 }), `${at}/0/other`);
    await refused(ask({ credential: 'A', type: 'A' }), `${at}/0/type`);
    const twice = { type: 'A', format: JWT };
    for (const two of [ask('A', 'A'), ask(twice, twice), ask({ ...twice, id: 'x' }, { ...twice, id: 'x' })]) {
      expect(await refused(two, at)).to.match(/two input descriptors have the id .*give each an id/);
    }
    expect((await start(ask({ ...twice, id: 'x' }, { ...twice, id: 'y' }))).status).to.equal(200);
  });

  it('400: refuses descriptors and definitions that cannot be used, naming the path', async () => {
    const at = '/body/request_credentials/0/input_descriptor';
    const field = (content: object) => ({
      request_credentials: [{ format: JWT, input_descriptor: { id: 'x', constraints: { fields: [content] } } }],
    });
    const inField = `${at}/constraints/fields/0`;
    await refused({ request_credentials: [{ format: JWT, input_descriptor: {} }] }, `${at}/id`);
    await refused(field({}), `${inField}/path`);
    await refused(field({ path: ['$.a', 'nonsense['] }), `${inField}/path/1`);
    await refused(field({ path: ['$..a..b'] }), `${inField}/path/0`);
    await refused(field({ path: ["$.x[?search(@, '(a+)+$')]"] }), `${inField}/path/0`);
    await refused(field({ path: ['$.a'], filter: { type: 'nonsense' } }), `${inField}/filter`);
    await refused(field({ path: ['$.a'], filter: { pattern: '(a+)+(?=b)' } }), `${inField}/filter`);
    await refused(field({ path: ['$.a'], filter: { $ref: '#' } }), `${inField}/filter`);
    const custom = (presentation_definition: unknown) => ({ request_credentials: [], presentation_definition });
    const pd = '/body/presentation_definition';
    await refused(custom({}), `${pd}/input_descriptors`);
    await refused(custom({ input_descriptors: [{ id: '' }] }), `${pd}/input_descriptors/0/id`);
    await refused(
      custom({ input_descriptors: [{ id: 'a', format: { ldp_vc: {} } }] }),
      `${pd}/input_descriptors/0/format`,
    );
    for (const [format, path] of [
      [{ ldp_vc: {} }, ''],
      [{ jwt_vc: { alg: 'ES256' } }, '/jwt_vc/alg'],
      [{ jwt_vc: { alg: [] } }, '/jwt_vc/alg'],
      [{ jwt_vc: { alg: [7] } }, '/jwt_vc/alg'],
      [{ jwt_vc: { alg: Array(65).fill('ES256') } }, '/jwt_vc/alg'],
      [{ jwt_vc: [] }, '/jwt_vc'],
      [7, ''],
    ]) {
      await refused(custom({ format, input_descriptors: [{ id: 'a' }] }), `${pd}/format${path}`);
      await refused(custom({ input_descriptors: [{ id: 'a', format }] }), `${pd}/input_descriptors/0/format${path}`);
    }
    await refused(custom(7), pd);
  });

  it('400: refuses own policies that the definition binds to no descriptor', async () => {
    const input_descriptor = { id: 'mine', constraints: { fields: [] } };
    await refused(
      {
        request_credentials: [{ format: JWT, input_descriptor, policies: ['expired'] }],
        presentation_definition: { input_descriptors: [{ id: 'other' }] },
      },
      '/body/request_credentials/0/policies',
    );
  });

  it('400: refuses more policies and paths than can be evaluated', async () => {
    const policies = Array(15).fill('signature');
    const request_credentials = Array.from({ length: 9 }, (_, i) => ({ type: `T${i}`, format: JWT, policies }));
    expect((await start({ request_credentials })).body.message).to.include('at most 128 policies');
    const filter = { enum: Array.from({ length: 60 }, (_, i) => i) };
    const fields = Array.from({ length: 40 }, () => ({ path: ['$.a'], filter }));
    const presentation_definition = { input_descriptors: [{ id: 'a', constraints: { fields } }] };
    expect((await start({ ...DEGREE_REQUEST, presentation_definition })).body.message).to.include('too large');
    await refused({ ...DEGREE_REQUEST, vc_policies: Array(17).fill('signature') }, '/body/vc_policies');
    await refused({ request_credentials: Array(33).fill('A') }, '/body/request_credentials');
  });

  it('400: refuses malformed headers, naming the header', async () => {
    const cases: [string, string][] = [
      ['responseMode', 'fragment'],
      ['responseMode', 'query'],
      ['responseMode', 'form_post'],
      ['responseMode', 'post'],
      ['responseMode', 'nonsense'],
      ['openId4VPProfile', 'nonsense'],
      ['sessionTtl', '0'],
      ['sessionTtl', '1e2'],
      ['sessionTtl', '99999999'],
      ['stateId', '../x'],
      ['stateId', 'a/b'],
      ['stateId', '..'],
      ['stateId', 'a%0d%0ab'],
      ['authorizeBaseUrl', 'nowhere'],
      ['authorizeBaseUrl', 'javascript:alert(1)'],
      ['authorizeBaseUrl', 'https://wallet.example/#x'],
      ['authorizeBaseUrl', 'https://wallet.example/use?state=chosen'],
      ['authorizeBaseUrl', 'openid4vp://authorize?re%71uest_uri=https://evil.example'],
      ['successRedirectUri', 'javascript:alert(1)'],
      ['successRedirectUri', '//evil.example'],
      ['errorRedirectUri', 'data:text/html,x'],
      ['errorRedirectUri', 'https://a b.example'],
      ['statusCallbackUri', 'file:///etc/passwd'],
      ['statusCallbackUri', 'https://u:p@x.example'],
      ['statusCallbackApiKey', 'k\tey'],
    ];
    for (const [name, value] of cases) await refused(DEGREE_REQUEST, `/header/${name}`, { [name]: value });
    await refused({ ...DEGREE_REQUEST, openid_profile: 'nonsense' }, '/body/openid_profile');
    const at = '/body/request_credentials/0';
    expect(await refused(DEGREE_REQUEST, at, { authorizeBaseUrl: 'mdoc-openid4vp://' })).to.include('mso_mdoc only');
  });

  it('200: accepts the private-use scheme of an app for redirects', async () => {
    expect((await start(DEGREE_REQUEST, { successRedirectUri: 'com.example.app:/done/$id' })).status).to.equal(200);
  });

  it('400: refuses unknown members, __proto__ and what is not JSON', async () => {
    await refused({ ...DEGREE_REQUEST, other: 1 }, '/body/other');
    const text = '{"request_credentials":["A"],"__proto__":{}}';
    const call = { text, contentType: 'application/json' };
    expect((await on.server.call('startVerification', call)).status).to.equal(400);
    expect((await on.server.call('startVerification', { ...call, text: '{' })).status).to.equal(400);
  });

  it('400: refuses a schema that is not JSON Schema draft-07, in a policy and in a filter', async () => {
    for (const own of [{ $async: true }, { properties: { a: { $async: true } } }, { type: 'string', nullable: true }]) {
      await refused({ ...DEGREE_REQUEST, vc_policies: [{ policy: 'schema', args: own }] }, '/body/vc_policies/0/args');
      const constraints = { fields: [{ path: ['$.vc.type'], filter: own }] };
      const presentation_definition = { id: 'd', input_descriptors: [{ id: 'a', constraints }] };
      const answer = await start({ ...DEGREE_REQUEST, presentation_definition });
      expect(answer.status).to.equal(400);
      expect(JSON.stringify(answer.body)).to.contain('/constraints/fields/0/filter');
    }
    expect((await on.server.call('getLiveness')).status).to.equal(200);
  });

  it('400: refuses a definition over 64 KiB', async () => {
    const definition = (purpose: string) => ({ id: 'd', input_descriptors: [{ id: 'a', purpose, constraints: {} }] });
    const asked = (length: number) =>
      start({ ...DEGREE_REQUEST, presentation_definition: definition('x'.repeat(length)) });
    expect((await asked(65_000)).status).to.equal(200);
    const { status, body } = await asked(65_536);
    expect([status, body.details[0].message]).to.deep.equal([400, 'must be at most 65536 bytes of JSON']);
  });

  it('413: refuses a body over 1 MiB', async () => {
    expect((await start({ ...DEGREE_REQUEST, openid_profile: 'x'.repeat(1_100_000) })).status).to.equal(413);
  });

  it('415: refuses another media type', async () => {
    const answer = await on.server.call('startVerification', { text: '{}', contentType: 'text/plain' });
    expect(answer.status).to.equal(415);
  });
});
