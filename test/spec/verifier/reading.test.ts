import { expect } from 'chai';
import { crossDevice } from '../../actors/openid4vp.ts';
import { DEGREE_REQUEST, VerificationFixture } from '../../actors/verification.ts';

describe('getPresentationDefinition', () => {
  const on = new VerificationFixture();

  const get = (state: string) => on.server.call('getPresentationDefinition', { path: { state } });

  it('200: serves the generated definition, the type quoted and every supported algorithm listed', async () => {
    const type = 'https://types.example/A+B';
    const definition = await on.definition(
      await on.ask({ request_credentials: [{ type, format: 'jwt_vc_json', id: 'one' }] }),
    );
    const [descriptor] = definition.input_descriptors;
    expect(descriptor.id).to.equal('one');
    const [field] = descriptor.constraints.fields;
    expect(field.path).to.deep.equal(['$.vc.type', '$.type']);
    const pattern = 'https://types\\.example/A\\+B';
    expect(field.filter).to.deep.equal({ type: 'array', contains: { type: 'string', const: type }, pattern });
    const algorithms = ['EdDSA', 'ES256', 'ES256K', 'ES384', 'ES512', 'RS256', 'RS384', 'RS512'];
    expect(descriptor.format.jwt_vc_json.alg).to.have.members(algorithms);
  });

  it('200: serves a custom descriptor in the place of the generated one, unknown members kept', async () => {
    const input_descriptor = {
      id: 'mine',
      purpose: 'why',
      constraints: { fields: [{ path: ['$.vc.type'], hint: 1 }] },
    };
    const definition = await on.definition(
      await on.ask({ request_credentials: ['VerifiableId', { format: 'jwt_vc_json', input_descriptor }] }),
    );
    expect(definition.input_descriptors.map(({ id }: { id: string }) => id)).to.deep.equal(['VerifiableId', 'mine']);
    expect(definition.input_descriptors[1]).to.deep.equal(input_descriptor);
  });

  it('200: serves a custom definition in the place of the generated one, with an id', async () => {
    const presentation_definition = { input_descriptors: [{ id: 'a', constraints: { fields: [] } }] };
    const definition = await on.definition(await on.ask({ ...DEGREE_REQUEST, presentation_definition }));
    expect(definition).to.deep.include(presentation_definition);
    expect(definition.id).to.match(/^[0-9a-f-]{36}$/);
  });

  it('404: rejects unknown and expired sessions', async () => {
    expect((await get('unknown')).status).to.equal(404);
    const { state } = await on.ask(DEGREE_REQUEST, { sessionTtl: '10' });
    expect((await get(state)).status).to.equal(200);
    on.server.clock.advance(10_001);
    expect((await get(state)).status).to.equal(404);
  });

  it('400: refuses a path that is not properly encoded', async () => {
    expect((await on.server.fetch('/openid4vc/pd/%zz')).status).to.equal(400);
  });
});

describe('getVerificationResult', () => {
  const on = new VerificationFixture();

  it('200: shows a new session without a result', async () => {
    const request = await on.ask(DEGREE_REQUEST, {
      statusCallbackApiKey: 'top-secret',
      statusCallbackUri: 'https://x.example',
    });
    const session = await on.session(request);
    expect(session).to.have.all.keys('id', 'presentationDefinition');
    expect(session.id).to.equal(request.state);
  });

  it('200: returns a result for a day; 404: afterwards', async () => {
    const request = await on.ask(DEGREE_REQUEST);
    await on.present(request);
    on.server.clock.advance(24 * 3600_000 - 5000);
    expect((await on.session(request)).verificationResult).to.equal(true);
    on.server.clock.advance(10_000);
    const path = { state: request.state };
    expect((await on.server.call('getVerificationResult', { path })).status).to.equal(404);
  });

  it('400: refuses unknown query parameters', async () => {
    const answer = await on.server.call('getVerificationResult', {
      path: { state: 'x' },
      query: { viewMode: 'simple' },
    });
    expect(answer.status).to.equal(400);
  });
});

describe('listPolicies', () => {
  const on = new VerificationFixture();

  it('200: describes every policy', async () => {
    const { status, body } = await on.server.call('listPolicies');
    expect(status).to.equal(200);
    expect(Object.keys(body)).to.include.members([
      'signature',
      'expired',
      'not-before',
      'schema',
      'presentation-definition',
      'webhook',
    ]);
  });

  it('400: refuses unknown query parameters', async () => {
    expect((await on.server.call('listPolicies', { query: { x: '1' } })).status).to.equal(400);
  });
});

describe('listVerifierTransactionDataProfiles', () => {
  const payment = { type: 'org.example.payment', displayName: 'Payment', fields: ['amount', 'currency', 'payee'] };
  const access = { type: 'org.example.access', displayName: 'Access', fields: ['door'] };
  const renamed = { ...payment, displayName: 'Transfer' };
  const on = new VerificationFixture({
    settings: {
      verifier: { transactionDataProfiles: [payment] },
      wallet: { transactionDataProfiles: [renamed, access] },
    },
  });
  const list = (query = {}) => on.server.call('listVerifierTransactionDataProfiles', { query });

  it('200: returns what the operator describes; transactions of such a type have exactly its fields', async () => {
    const { status, body } = await list();
    expect([status, body]).to.deep.equal([200, [payment, access]]);
    const credentials = [{ id: 'pid', format: 'mso_mdoc', meta: { doctype_value: 'org.iso.18013.5.1.mDL' } }];
    const whole = { type: payment.type, credential_ids: ['pid'], amount: 5, currency: 'EUR', payee: 'Shop' };
    for (const [transaction, path] of [
      [whole, undefined],
      [{ ...whole, payee: undefined }, '/body/openid/transactionData/0/payee'],
      [{ ...whole, more: 1 }, '/body/openid/transactionData/0/more'],
    ] as const) {
      const setup = crossDevice({ dcql_query: { credentials } }, { openid: { transactionData: [transaction] } });
      const created = await on.server.call('createVerificationSession', { json: setup });
      expect([created.status, created.body.details?.[0].path]).to.deep.equal([path ? 400 : 200, path]);
    }
  });

  it('400: refuses unknown query parameters', async () => {
    expect((await list({ x: '1' })).status).to.equal(400);
  });
});
