import { expect } from 'chai';
import { startCallback } from '../../actors/http-peer.ts';
import { crossDevice, DEGREE_QUERY, Openid4vp, readLink } from '../../actors/openid4vp.ts';
import { useServer } from '../../support/servers/server.ts';
import { signedRegistration } from '../../support/trust/registrations.ts';
import { certifiedKey } from '../../support/trust/verifier-chains.ts';

// biome-ignore lint/suspicious/noExplicitAny: setups are changed in any member
type Json = Record<string, any>;

const [DEGREE] = DEGREE_QUERY.credentials;
const page = (core: Json = {}, more: Json = {}): Json => ({
  ...crossDevice(core),
  flow_type: 'dc_api_openid4vp',
  expectedOrigins: ['https://shop.example.org'],
  ...more,
});
const query = (change: Json): Json => ({ dcql_query: { credentials: [{ ...DEGREE, ...change }] } });

describe('createVerificationSession', () => {
  const server = useServer();
  let vp: Openid4vp;
  let certified: Awaited<ReturnType<typeof certifiedKey>>;
  before(async () => {
    vp = await Openid4vp.with(server);
    certified = await certifiedKey();
  });

  const refused = async (setup: Json): Promise<string> => {
    const { status, body } = await server.call('createVerificationSession', { json: setup });
    expect([status, body.id], JSON.stringify(body)).to.deep.equal([400, 'BadRequest']);
    return body.details[0].path;
  };

  it('200: a request that is not signed is in its whole link, and behind its short one; its client is its response URI', async () => {
    const created = await vp.create();
    const { parameters, requestId } = readLink(created.fullAuthorizationRequestUrl);
    const short = readLink(created.bootstrapAuthorizationRequestUrl);
    expect(short).to.deep.equal({
      requestId,
      parameters: {
        client_id: parameters.client_id,
        request_uri: `${server.url}/verification-session/${requestId}/request`,
      },
    });
    expect(parameters.response_uri).to.equal(`${server.url}/verification-session/${requestId}/response`);
    expect(parameters).to.include({
      client_id: `redirect_uri:${parameters.response_uri}`,
      response_type: 'vp_token',
      response_mode: 'direct_post',
    });
    expect(parameters.dcql_query).to.deep.equal(DEGREE_QUERY);
    expect(parameters.client_metadata.vp_formats_supported).to.have.all.keys('jwt_vc_json');
    const ids = [created.sessionId, requestId, parameters.state, parameters.nonce];
    expect(new Set(ids).size).to.equal(4);
    expect(ids.slice(1).map((id) => id.length)).to.deep.equal([86, 43, 43]);
  });

  it('200: a signed request is fetched from its link', async () => {
    const { key, x5c, sanDns: clientId } = certified;
    const created = await vp.create(crossDevice({ signed_request: true, clientId, key, x5c }));
    expect(created).to.have.all.keys('sessionId', 'bootstrapAuthorizationRequestUrl');
    const { parameters } = readLink(created.bootstrapAuthorizationRequestUrl);
    expect(parameters).to.have.all.keys('client_id', 'request_uri', 'request_uri_method');
    expect(parameters).to.include({ client_id: clientId, request_uri_method: 'post' });
  });

  it('200: the session says how the wallet gets the request', async () => {
    const { key, x5c, sanDns: clientId } = certified;
    const signed = { signed_request: true, clientId, key, x5c };
    const modes = [crossDevice(), crossDevice(signed), page()].map(async (setup) => {
      const { sessionId } = await vp.create(setup);
      return (await server.call('getVerificationSession', { path: { sessionId } })).body.requestMode;
    });
    expect(await Promise.all(modes)).to.deep.equal(['REQUEST_URI', 'REQUEST_URI_SIGNED', 'DC_API']);
  });

  it('200: an encrypted response has a key of its own in each session, and both algorithms', async () => {
    const links = [];
    for (const _ of [1, 2]) {
      const { fullAuthorizationRequestUrl: link } = await vp.create(crossDevice({ encrypted_response: true }));
      links.push(readLink(link).parameters);
    }
    const metadata = links.map(({ client_metadata: one }) => one);
    expect(links[0]).to.include({ response_mode: 'direct_post.jwt' });
    expect(metadata[0].encrypted_response_enc_values_supported).to.deep.equal(['A128GCM', 'A256GCM']);
    const [first, second] = metadata.map(({ jwks }) => jwks.keys);
    expect(first).to.have.length(1);
    expect(first[0]).to.have.all.keys('kty', 'crv', 'kid', 'x', 'y', 'use', 'alg');
    expect(first[0].kid).to.not.equal(second[0].kid);
  });

  it('200: over the Digital Credentials API the page gets the request; there is neither client nor state', async () => {
    const created = await vp.create(page({ encrypted_response: true }));
    expect(created).to.have.all.keys('sessionId', 'data', 'requestUri', 'responseUri');
    const [{ protocol, data }] = created.data.digital.requests;
    expect(protocol).to.equal('openid4vp-v1-unsigned');
    expect(data).to.include({ response_type: 'vp_token', response_mode: 'dc_api.jwt' });
    expect(data).to.not.have.any.keys('client_id', 'state', 'response_uri', 'expected_origins');
  });

  it('200: own start of the link, own prefix, id, end, metadata, statements and transactions', async () => {
    const transaction = { type: 'payment', credential_ids: ['pid'], amount: 5 };
    const licence = { format: 'mso_mdoc', meta: { doctype_value: 'org.iso.18013.5.1.mDL' } };
    const credentials = [{ id: 'pid', ...licence }];
    const data = await signedRegistration({ credentials: [licence] });
    const info = [{ format: 'registration_cert', data, credential_ids: ['pid'] }];
    const created = await vp.create(
      crossDevice(
        {
          dcql_query: { credentials },
          sessionId: 'mine-1',
          expiration_duration: 'PT1H',
          client_metadata: { client_name: 'Shop' },
          verifier_info: info,
        },
        {
          url_config: { url_host: 'https://wallet.example/use?a=b', url_prefix: 'https://proxy.example/vp/' },
          openid: { transactionData: [transaction] },
        },
      ),
    );
    expect(created.sessionId).to.equal('mine-1');
    expect(created.bootstrapAuthorizationRequestUrl).to.match(/^https:\/\/wallet\.example\/use\?a=b&client_id=/);
    expect(created.fullAuthorizationRequestUrl).to.match(/^https:\/\/wallet\.example\/use\?a=b&response_type=/);
    const { parameters } = readLink(created.fullAuthorizationRequestUrl);
    expect(parameters.response_uri).to.match(/^https:\/\/proxy\.example\/vp\/[^/]+\/response$/);
    expect(parameters.verifier_info).to.deep.equal(info);
    expect(parameters.client_metadata.client_name).to.equal('Shop');
    expect(JSON.parse(Buffer.from(parameters.transaction_data[0], 'base64url').toString())).to.deep.equal(transaction);
    const { expirationDate, creationDate } = await vp.info(created);
    expect(Date.parse(expirationDate) - Date.parse(creationDate)).to.be.closeTo(3_600_000, 1000);
  });

  it('200: authorities by their key identifiers', async () => {
    const trusted_authorities = [{ type: 'aki', values: ['s9tIpPmhxdiuNkHMEWNpYim8S8Y'] }];
    expect((await vp.create(crossDevice(query({ trusted_authorities })))).sessionId).to.be.a('string');
  });

  it('409: an id that is in use', async () => {
    await vp.create(crossDevice({ sessionId: 'twice' }));
    const { status, body } = await server.call('createVerificationSession', {
      json: crossDevice({ sessionId: 'twice' }),
    });
    expect([status, body.details[0].path]).to.deep.equal([409, '/body/core_flow/sessionId']);
  });

  const mdoc = { format: 'mso_mdoc', meta: { doctype_value: 'd' } };
  const transaction = (change: Json) => ({
    openid: { transactionData: [{ type: 't', credential_ids: ['degree'], ...change }] },
  });
  const CASES: [string, Json, string][] = [
    ['an unknown flow', { ...crossDevice(), flow_type: 'post' }, '/body/flow_type'],
    ['no query', { flow_type: 'cross_device', core_flow: {} }, '/body/core_flow/dcql_query'],
    [
      'a query without credentials',
      crossDevice({ dcql_query: { credentials: [] } }),
      '/body/core_flow/dcql_query/credentials',
    ],
    ['an empty id', crossDevice(query({ id: '' })), '/body/core_flow/dcql_query/credentials/0/id'],
    [
      'authorities of a federation',
      crossDevice(query({ trusted_authorities: [{ type: 'openid_federation', values: ['https://a.example'] }] })),
      '/body/core_flow/dcql_query/credentials/0/trusted_authorities/0/type',
    ],
    ['no claims', crossDevice(query({ claims: [] })), '/body/core_flow/dcql_query/credentials/0/claims'],
    [
      'meta of another format',
      crossDevice(query({ meta: { vct_values: ['v'] } })),
      '/body/core_flow/dcql_query/credentials/0/meta/type_values',
    ],
    [
      'a format that cannot be verified',
      crossDevice(query({ format: 'ldp_vc' })),
      '/body/core_flow/dcql_query/credentials/0/format',
    ],
    [
      'two queries with one id',
      crossDevice({ dcql_query: { credentials: [DEGREE, DEGREE] } }),
      '/body/core_flow/dcql_query/credentials',
    ],
    [
      'a set with an unknown id',
      crossDevice({ dcql_query: { credentials: [DEGREE], credential_sets: [{ options: [['other']] }] } }),
      '/body/core_flow/dcql_query/credential_sets/0/options/0/0',
    ],
    ['signed without a client', crossDevice({ signed_request: true }), '/body/core_flow/clientId'],
    [
      'signed with redirect_uri:',
      crossDevice({ signed_request: true, clientId: 'redirect_uri:https://a.example' }),
      '/body/core_flow/signed_request',
    ],
    [
      'openid_federation:',
      crossDevice({ signed_request: true, clientId: 'openid_federation:https://a.example' }),
      '/body/core_flow/clientId',
    ],
    [
      'a prefix without a name',
      crossDevice({ signed_request: true, clientId: 'x509_hash:' }),
      '/body/core_flow/clientId',
    ],
    [
      'x509_san_dns: without certificates',
      crossDevice({ signed_request: true, clientId: 'x509_san_dns:a.example' }),
      '/body/core_flow/x5c',
    ],
    [
      'x509_san_dns: that is not signed',
      crossDevice({ clientId: 'x509_san_dns:a.example' }),
      '/body/core_flow/signed_request',
    ],
    ['a key for a request that is not signed', crossDevice({ key: { type: 'jwk' } }), '/body/core_flow/key'],
    [
      'a malformed key',
      crossDevice({ signed_request: true, clientId: 'me', key: { type: 'jwk', jwk: {} } }),
      '/body/core_flow/key/jwk',
    ],
    [
      'verifier_attestation: without one',
      crossDevice({ signed_request: true, clientId: 'verifier_attestation:me' }),
      '/body/core_flow/verifier_attestation',
    ],
    [
      'keys in the metadata',
      crossDevice({ client_metadata: { jwks: { keys: [] } } }),
      '/body/core_flow/client_metadata/jwks',
    ],
    [
      'metadata without a requested format',
      crossDevice({ client_metadata: { vp_formats_supported: {} } }),
      '/body/core_flow/client_metadata/vp_formats_supported/jwt_vc_json',
    ],
    [
      'a statement without data',
      crossDevice({ verifier_info: [{ format: 'f' }] }),
      '/body/core_flow/verifier_info/0/data',
    ],
    ['a duration in the past', crossDevice({ expiration_duration: '-PT1M' }), '/body/core_flow/expiration_duration'],
    ['a duration of a year', crossDevice({ expiration_duration: 'P365D' }), '/body/core_flow/expiration_duration'],
    ['a date in the past', crossDevice({ expiration_date: '2020-01-01T00:00:00Z' }), '/body/core_flow/expiration_date'],
    [
      'an unknown policy',
      crossDevice({ policies: { vc_policies: ['nope'] } }),
      '/body/core_flow/policies/vc_policies/0',
    ],
    [
      'an unknown check',
      crossDevice({ policies: { vp_policies: ['nope'] } }),
      '/body/core_flow/policies/vp_policies/0',
    ],
    [
      'policies of an unknown query',
      crossDevice({ policies: { specific_vc_policies: { other: ['signature'] } } }),
      '/body/core_flow/policies/specific_vc_policies/other',
    ],
    [
      'two ways to authenticate',
      crossDevice({
        notifications: {
          webhook: { url: 'https://a.example', basic_auth_username: 'u', basic_auth_password: 'p', bearer_token: 't' },
        },
      }),
      '/body/core_flow/notifications/webhook/bearer_token',
    ],
    [
      'half of basic authentication',
      crossDevice({ notifications: { webhook: { url: 'https://a.example', basic_auth_username: 'u' } } }),
      '/body/core_flow/notifications/webhook/basic_auth_username',
    ],
    [
      'a webhook that is no URL',
      crossDevice({ notifications: { webhook: { url: 'ftp://a.example' } } }),
      '/body/core_flow/notifications/webhook/url',
    ],
    [
      'a redirect that a browser would execute',
      crossDevice({}, { redirects: { success_redirect_uri: 'javascript:alert(1)' } }),
      '/body/redirects/success_redirect_uri',
    ],
    [
      'one device without a way back',
      { ...crossDevice(), flow_type: 'same_device' },
      '/body/redirects/success_redirect_uri',
    ],
    ['origins without a page', crossDevice({}, { expectedOrigins: ['https://a.example'] }), '/body/expectedOrigins'],
    [
      'a prefix with a query',
      crossDevice({}, { url_config: { url_prefix: 'https://a.example?x' } }),
      '/body/url_config/url_prefix',
    ],
    [
      'a link with a parameter of the request',
      crossDevice({}, { url_config: { url_host: 'openid4vp://?nonce=1' } }),
      '/body/url_config/url_host',
    ],
    ['a page without origins', page({}, { expectedOrigins: undefined }), '/body/expectedOrigins'],
    ['redirects for a page', page({}, { redirects: {} }), '/body/redirects'],
    [
      'a blank type of transaction',
      crossDevice(query(mdoc), transaction({ type: ' ' })),
      '/body/openid/transactionData/0/type',
    ],
    [
      'a transaction for no query',
      crossDevice(query(mdoc), transaction({ credential_ids: [] })),
      '/body/openid/transactionData/0/credential_ids',
    ],
    [
      'a transaction for an unknown query',
      crossDevice(query(mdoc), transaction({ credential_ids: ['x'] })),
      '/body/openid/transactionData/0/credential_ids/0',
    ],
    [
      'a transaction for a format without',
      crossDevice({}, transaction({})),
      '/body/openid/transactionData/0/credential_ids/0',
    ],
    [
      'a transaction without holder binding',
      crossDevice(query({ ...mdoc, require_cryptographic_holder_binding: false }), transaction({})),
      '/body/openid/transactionData/0/credential_ids/0',
    ],
    ['HAIP without encryption', crossDevice(query(mdoc), { haip: true }), '/body/core_flow/encrypted_response'],
    [
      'HAIP without a signature',
      crossDevice({ ...query(mdoc), encrypted_response: true }, { haip: true }),
      '/body/core_flow/signed_request',
    ],
    [
      'HAIP with another prefix',
      crossDevice({ ...query(mdoc), encrypted_response: true, signed_request: true, clientId: 'me' }, { haip: true }),
      '/body/core_flow/clientId',
    ],
    [
      'HAIP with a JWT credential',
      page({ encrypted_response: true }, { haip: true }),
      '/body/core_flow/dcql_query/credentials/0/format',
    ],
  ];
  for (const [title, setup, path] of CASES)
    it(`400: ${title}`, async () => expect(await refused(setup)).to.equal(path));

  for (const [origin, isFine] of [
    ['https://shop.example.org', true],
    ['https://shop.example.org:8443', true],
    ['http://localhost:3000', true],
    ['http://shop.localhost', true],
    ['http://shop.example.org', false],
    ['https://shop.example.org/', false],
    ['https://shop.example.org/path', false],
    ['HTTPS://shop.example.org', false],
    ['https://shop.example.org:443', false],
    ['shop.example.org', false],
    ['null', false],
  ] as const)
    it(`${isFine ? '200' : '400'}: the origin ${origin}`, async () => {
      const { status, body } = await server.call('createVerificationSession', {
        json: page({}, { expectedOrigins: [origin] }),
      });
      expect([status, body.details?.[0].path]).to.deep.equal(
        isFine ? [200, undefined] : [400, '/body/expectedOrigins/0'],
      );
    });

  it('400: certificates must be for the key that signs, in their order, and have the name of the client', async () => {
    const { key, x5c, withRoot, pem, sanDns, hash } = certified;
    const signed = (change: Json) => crossDevice({ signed_request: true, clientId: sanDns, key, x5c, ...change });
    for (const fine of [{}, { clientId: hash }, { x5c: [pem] }, { x5c: withRoot }]) await vp.create(signed(fine));
    const other = await certifiedKey({ isAlone: true });
    for (const [change, path] of [
      [{ clientId: 'x509_san_dns:other.example' }, '/body/core_flow/clientId'],
      [{ clientId: `${hash}A` }, '/body/core_flow/clientId'],
      [{ key: undefined }, '/body/core_flow/x5c/0'],
      [{ x5c: [...withRoot].reverse() }, '/body/core_flow/x5c/0'],
      [{ x5c: [...x5c, ...other.x5c] }, '/body/core_flow/x5c/1'],
      [{ x5c: ['AAAA'] }, '/body/core_flow/x5c/0'],
      [{ x5c: ['no certificate'] }, '/body/core_flow/x5c/0'],
    ] as const)
      expect(await refused(signed(change)), JSON.stringify(change).slice(0, 80)).to.equal(path);
    const alone = crossDevice(
      {
        ...query(mdoc),
        signed_request: true,
        encrypted_response: true,
        clientId: other.hash,
        key: other.key,
        x5c: other.x5c,
      },
      { haip: true },
    );
    expect(await refused(alone)).to.equal('/body/core_flow/x5c/0');
  });

  it('400: a webhook at an address of this machine, unless the operator allows it', async () => {
    const callback = await startCallback();
    await vp.create(crossDevice({ notifications: { webhook: { url: callback.url } } }));
    await callback.goAway();
    const { status, body } = await server.call('createVerificationSession', {
      json: crossDevice({ notifications: { webhook: { url: 'http://10.0.0.1/' } } }),
    });
    expect([status, body.id, body.details[0].path]).to.deep.equal([
      400,
      'AddressRefused',
      '/body/core_flow/notifications/webhook/url',
    ]);
  });

  it('413 and 415: a body that is too large, or no JSON', async () => {
    const text = JSON.stringify(crossDevice({ client_metadata: { x: 'x'.repeat(1024 * 1024) } }));
    const tooLarge = await server.call('createVerificationSession', { text, contentType: 'application/json' });
    const wrongType = await server.call('createVerificationSession', { text: 'x', contentType: 'text/plain' });
    expect([tooLarge.status, wrongType.status]).to.deep.equal([413, 415]);
  });
});
