import { createHmac } from 'node:crypto';
import { createServer, type Server } from 'node:https';
import type { AddressInfo } from 'node:net';
import { expect } from 'chai';
import { GRANT, makeHolderKey } from '../../../demo/actors/holder-key.ts';
import { HttpPeer, type PeerReply } from '../../actors/http-peer.ts';
import { DEGREE } from '../../actors/openid4vci.ts';
import { decodeJwt, proofOf } from '../../actors/wallet.ts';
import { type Answer, useServer } from '../../support/servers/server.ts';
import { makeCertificate, type TestCertificate, testCa, testKeys } from '../../support/trust/certificates.ts';

const SECRET = 'a signing secret of a registry, 40 chars';
const TOKEN = 'registry-token-5f0c';
const ADA = { given_name: 'Ada', address: { city: 'London' } };
const CLAIMS = { given_name: '$.credentialSubject.givenName', '$.address.city': '$.credentialSubject.home.city' };
const SCHEMA = {
  type: 'object',
  required: ['given_name'],
  properties: { given_name: { type: 'string' }, address: { type: 'object' } },
};

const profileOf = (attributeSource: object) => ({
  name: 'Person',
  credentialConfigurationId: DEGREE,
  credentialData: { type: ['VerifiableCredential', 'UniversityDegree'], credentialSubject: { level: 'high' } },
  attributeSource: { claims: CLAIMS, ...attributeSource },
});

describe('attribute sources of profiles', () => {
  let peer: HttpPeer;
  let tls: TlsRegistry;
  let answer: () => PeerReply | undefined;
  const server = useServer(async () => {
    peer = await new HttpPeer().listen();
    peer.routes['/people'] = () => answer();
    tls = await TlsRegistry.listen();
    const url = `${peer.url}/people`;
    const allow = [peer.url, tls.url].map((one) => new URL(one).host);
    const { authorities, clientCertificate } = tls;
    const profiles = {
      person: profileOf({ url, schema: SCHEMA, bearerToken: TOKEN, signingSecret: SECRET, timeoutSeconds: 1 }),
      strict: profileOf({ url, maxBytes: 256 }),
      mutual: profileOf({ url: tls.url, authorities, clientCertificate }),
      unproven: profileOf({ url: tls.url, authorities }),
      inside: profileOf({ url: 'http://10.1.2.3/people' }),
      listed: profileOf({ table: 'people', claims: { name: '$.credentialSubject.givenName' } }),
      gone: profileOf({ url: 'http://127.0.0.1:9/people' }),
    };
    const rateLimit = Object.fromEntries(
      ['issuer2_token_endpoint', 'issuer2_credential_endpoint', 'open_endpoints'].map((name) => [
        name,
        { requestsPerMinute: 1000 },
      ]),
    );
    return { settings: { issuer2Profiles: { profiles }, outbound: { allow: [...allow, '127.0.0.1:9'] }, rateLimit } };
  });
  beforeEach(() => {
    answer = () => ({ body: ADA });
  });
  after(() => Promise.all([peer.close(), tls.close()]));

  /** The access token of a new offer. */
  async function accessTo(profileId: string): Promise<string> {
    const json = { profileId, authMethod: 'PRE_AUTHORIZED', valueMode: 'BY_VALUE', reference: 'case 7' };
    const { status, body } = await server.call('createCredentialOffer', { json });
    expect(status, JSON.stringify(body)).to.equal(201);
    const offer = JSON.parse(new URL(body.credentialOffer).searchParams.get('credential_offer') ?? '');
    const form = { grant_type: GRANT, 'pre-authorized_code': offer.grants[GRANT]['pre-authorized_code'] };
    return (await server.call('requestOpenid4vciToken', { form })).body.access_token;
  }

  async function claim(token: string, holders = [makeHolderKey()]): Promise<Answer> {
    const { c_nonce: nonce } = (await server.call('requestOpenid4vciNonce')).body;
    const claims = { aud: `${server.url}/openid4vci` };
    const jwt = holders.map((holder) => proofOf(server, holder, { nonce, claims }).jwt);
    const json = { credential_configuration_id: DEGREE, proofs: { jwt } };
    return server.call('requestOpenid4vciCredential', { token, json });
  }

  const collect = (token: string, transaction_id: string) =>
    server.call('requestOpenid4vciDeferredCredential', { token, json: { transaction_id } });

  const subjectsOf = ({ status, body }: Answer) => {
    expect(status, JSON.stringify(body)).to.equal(200);
    return body.credentials.map(
      ({ credential }: { credential: string }) => decodeJwt(credential).claims.vc.credentialSubject,
    );
  };

  it('requestOpenid4vciCredential 200: asked once, by the reference of the offer, with token and signature', async () => {
    const before = peer.seen.length;
    const subjects = subjectsOf(await claim(await accessTo('person'), [makeHolderKey(), makeHolderKey()]));
    for (const subject of subjects)
      expect(subject).to.deep.include({ level: 'high', givenName: 'Ada', home: { city: 'London' } });
    expect(subjects.length).to.equal(2);
    const [asked, ...others] = peer.seen.slice(before);
    expect([others, asked?.method, asked?.headers.authorization]).to.deep.equal([[], 'POST', `Bearer ${TOKEN}`]);
    const { sessionId, ...query } = JSON.parse(asked?.body ?? '');
    expect(query).to.deep.equal({ key: 'case 7', profileId: 'person', credentialConfigurationId: DEGREE });
    expect((await server.call('getIssuanceSession', { path: { sessionId } })).body.status).to.equal('SUCCESSFUL');
    const [, time, signature] = /^t=(\d+),v1=([0-9a-f]{64})$/.exec(String(asked?.headers['x-signature'])) ?? [];
    const signed = `${time}.${asked?.headers['x-event-id']}.${asked?.body}`;
    expect(createHmac('sha256', SECRET).update(signed).digest('hex')).to.equal(signature);
  });

  it('requestOpenid4vciCredential 202: a source that says later is asked again at the deferred endpoint', async () => {
    answer = () => ({ status: 202, headers: { 'retry-after': '120' } });
    const token = await accessTo('person');
    const holder = makeHolderKey();
    const { status, body } = await claim(token, [holder]);
    expect([status, body.interval]).to.deep.equal([202, 120]);
    const { transaction_id: id } = body;
    answer = () => ({ status: 202, headers: { 'retry-after': 'soon' } });
    const pending = await collect(token, id);
    expect([pending.status, pending.body]).to.deep.equal([202, { transaction_id: id, interval: 60 }]);
    answer = () => ({ status: 500 });
    expect((await collect(token, id)).status).to.equal(202);
    expect((await claim(token, [holder])).status).to.equal(202);
    answer = () => ({ body: ADA });
    const [subject] = subjectsOf(await collect(token, id));
    expect(subject).to.include({ givenName: 'Ada' });
  });

  const FAILURES: [string, string, () => PeerReply | undefined][] = [
    ['an error', 'person', () => ({ status: 500, body: 'Ada Lovelace' })],
    ['no answer', 'person', () => undefined],
    ['a redirect', 'person', () => ({ status: 302, headers: { location: '/people' } })],
    ['no JSON', 'person', () => ({ body: 'Ada' })],
    ['no object', 'person', () => ({ body: [ADA] })],
    ['two truths', 'person', () => ({ body: '{"given_name":"Ada","given_name":"Eve"}' })],
    ['another type', 'person', () => ({ body: { ...ADA, given_name: 7 } })],
    ['a missing member, by the schema', 'person', () => ({ body: { address: {} } })],
    ['a missing member, without a schema', 'strict', () => ({ body: { given_name: 'Ada' } })],
    ['too large', 'strict', () => ({ body: { ...ADA, more: 'x'.repeat(300) } })],
  ];
  it('requestOpenid4vciCredential 503: a source that fails; the same offer is good once it works', async () => {
    for (const [what, profileId, reply] of FAILURES) {
      const token = await accessTo(profileId);
      answer = reply;
      const { status, body, headers } = await claim(token);
      expect([status, body.error, headers.get('retry-after')], what).to.deep.equal([
        503,
        'temporarily_unavailable',
        '5',
      ]);
      expect(body.error_description, what).to.not.match(/127\.0\.0\.1|Ada/);
      answer = () => ({ body: ADA });
      expect(subjectsOf(await claim(token)).length, what).to.equal(1);
    }
  });

  it('requestOpenid4vciCredential 503: a source that is down, or at an address that is not permitted', async () => {
    for (const profileId of ['gone', 'inside', 'unproven']) {
      const { status, body } = await claim(await accessTo(profileId));
      expect([status, body.error], profileId).to.deep.equal([503, 'temporarily_unavailable']);
    }
  });

  it('requestOpenid4vciCredential 400: credential_request_denied for a person that is not known, as long as that is so', async () => {
    const token = await accessTo('person');
    answer = () => ({ status: 404 });
    const { status, body } = await claim(token);
    expect([status, body.error]).to.deep.equal([400, 'credential_request_denied']);
    answer = () => ({ body: { given_name: 'Ada' } });
    expect(subjectsOf(await claim(token))[0].home).to.equal(undefined);
  });

  it('requestOpenid4vciCredential 200: a source that wants a certificate of who asks', async () => {
    expect(subjectsOf(await claim(await accessTo('mutual')))[0]).to.include({ givenName: 'Grace' });
  });

  const table = (operationId: string, call: object = {}, tableId = 'people') =>
    server.call(operationId, { path: { tableId }, ...call });
  const imported = (text: string, call: object = {}) =>
    table('replaceAttributeTable', { text, contentType: 'text/csv', ...call });

  describe('replaceAttributeTable', () => {
    it('200: the row of the reference is the attributes, of the latest import', async () => {
      const token = await accessTo('listed');
      expect((await claim(token)).status).to.equal(503);
      const { status, body } = await imported('name,case,note\r\nAda,case 7,\r\nEve,case 8,x\r\n', {
        query: { key: 'case' },
      });
      const { importedDateTime: _, ...facts } = body;
      const columns = ['name', 'case', 'note'];
      expect([status, facts]).to.deep.equal([200, { tableId: 'people', columns, keyColumn: 'case', rows: 2 }]);
      expect((await table('getAttributeTable')).body).to.deep.equal(body);
      expect(subjectsOf(await claim(token))[0]).to.include({ givenName: 'Ada' });
      await imported('case,name\r\ncase 8,Eve\r\n');
      const denied = await claim(await accessTo('listed'));
      expect([denied.status, denied.body.error]).to.deep.equal([400, 'credential_request_denied']);
    });

    it('400, 413, 415: names body or key; too large, or of another media type', async () => {
      const places = async (text: string, call?: object) =>
        (await imported(text, call)).body.details?.map(({ path }: { path: string }) => path);
      expect(await places('case\r\n7\r\n7\r\n')).to.deep.equal(['/body']);
      expect(await places('case\r\n7\r\n', { query: { key: 'person' } })).to.deep.equal(['/query/key']);
      expect((await imported('x'.repeat(2_100_000))).status).to.equal(413);
      expect((await table('replaceAttributeTable', { json: {} })).status).to.equal(415);
    });
  });

  describe('getAttributeTable', () => {
    it('404: a table that was not imported; 400: what is no id', async () => {
      expect((await table('getAttributeTable', {}, 'none')).status).to.equal(404);
      expect((await table('getAttributeTable', {}, 'a b')).status).to.equal(400);
    });
  });

  describe('deleteAttributeTable', () => {
    it('204: it is gone, 404 then; 400: what is no id', async () => {
      await imported('case\r\n7\r\n');
      expect((await table('deleteAttributeTable')).status).to.equal(204);
      for (const operationId of ['getAttributeTable', 'deleteAttributeTable'])
        expect((await table(operationId)).status, operationId).to.equal(404);
      expect((await table('deleteAttributeTable', {}, 'a b')).status).to.equal(400);
    });
  });

  it('createCredentialOffer 400: an offer without a reference', async () => {
    const json = { profileId: 'person', authMethod: 'PRE_AUTHORIZED' };
    const { status, body } = await server.call('createCredentialOffer', { json });
    expect([status, body.details?.[0]?.path]).to.deep.equal([400, '/body/reference']);
  });

  it('getIssuanceProfile 200: says that there is a source, and no secret; the log has none and no attribute', async () => {
    const { body } = await server.call('getIssuanceProfile', { path: { profileId: 'person' } });
    expect(body.attributeSource).to.deep.equal({});
    expect(server.lines.some(({ message }) => message === 'an attribute source failed')).to.equal(true);
    expect(JSON.stringify([body, server.lines])).to.not.match(new RegExp(`${TOKEN}|${SECRET}|Ada|Eve|PRIVATE KEY`));
  });
});

/** A registry that answers over TLS, and only to those who show a certificate of its authority. */
class TlsRegistry {
  private constructor(
    private readonly server: Server,
    private readonly ca: TestCertificate,
    private readonly client: TestCertificate,
  ) {}

  static async listen(): Promise<TlsRegistry> {
    const ca = testCa();
    const made = (subject: string, number: number) =>
      makeCertificate({
        subject,
        issuer: ca,
        keys: testKeys('P-256', number),
        altNames: [{ iPAddress: '127.0.0.1' }],
      });
    const [own, client] = [made('CN=registry', 71), made('CN=credenza', 72)];
    const key = pemOf(own);
    const options = { cert: own.pem, key, ca: ca.pem, requestCert: true, rejectUnauthorized: true };
    const server = createServer(options, (_, response) =>
      response
        .writeHead(200, { 'content-type': 'application/json' })
        .end(JSON.stringify({ given_name: 'Grace', address: { city: 'Arlington' } })),
    );
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    return new TlsRegistry(server, ca, client);
  }

  get url(): string {
    return `https://127.0.0.1:${(this.server.address() as AddressInfo).port}/people`;
  }

  get authorities(): string[] {
    return [this.ca.pem];
  }

  get clientCertificate() {
    return { certificates: [this.client.pem], privateKey: pemOf(this.client) };
  }

  close(): Promise<void> {
    this.server.closeAllConnections();
    return new Promise((resolve) => this.server.close(() => resolve()));
  }
}

const pemOf = ({ keys }: TestCertificate): string =>
  keys.privateKey.export({ format: 'pem', type: 'pkcs8' }).toString();
