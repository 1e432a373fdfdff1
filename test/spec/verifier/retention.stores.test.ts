import { inspect } from 'node:util';
import { expect } from 'chai';
import { HttpPeer } from '../../actors/http-peer.ts';
import { crossDevice, DEGREE_QUERY, Openid4vp } from '../../actors/openid4vp.ts';
import { until } from '../../support/runs/waiting.ts';
import { canary, PLACES } from '../../support/secrets/secret-places.ts';
import { SecretSweep } from '../../support/secrets/secret-sweep.ts';
import { startServer, useServer } from '../../support/servers/server.ts';
import { WrittenRecords } from '../../support/stores/written-records.ts';

// biome-ignore lint/suspicious/noExplicitAny: sessions are read in any member
type Json = Record<string, any>;

const ONCE = { verifier: { presentedData: 'deleteOnHandover' } } as const;
const REGEX = { policy: 'regex', path: '$.credentialSubject.name', regex: '.*' };
const STATUS = {
  id: 'https://issuer.example/lists/1#7',
  type: 'BitstringStatusListEntry',
  statusPurpose: 'revocation',
  statusListIndex: '7',
  statusListCredential: 'https://issuer.example/lists/1',
};

/** A query that names the value it asks for. */
const queryFor = (name: string): Json => {
  const [degree] = DEGREE_QUERY.credentials;
  return { credentials: [{ ...degree, claims: [{ path: ['credentialSubject', 'name'], values: [name] }] }] };
};

/** Presents a credential with a name for a session with a policy that quotes it; returns the session's creation. */
async function presented(vp: Openid4vp, name: string, setup: (core: Json) => Json = crossDevice): Promise<Json> {
  const core = { dcql_query: queryFor(name), policies: { vc_policies: [REGEX] } };
  const created = await vp.create(setup(core));
  const request = await vp.request(created);
  const credential = await vp.credential({ subject: { name }, vc: { credentialStatus: STATUS } });
  const { body } = await vp.respond(request, await vp.response(request, { credential }));
  return { ...created, redirect: body.redirect_uri };
}

const claimsOf = ({ presented_credentials: { degree } }: Json): unknown => degree[0].claims?.credentialSubject.name;

describe('getVerificationSession', () => {
  const keeping = useServer();
  const server = useServer({ settings: ONCE });
  let vp: Openid4vp;
  before(async () => {
    vp = await Openid4vp.with(server);
  });

  it('200: what was presented is shown as long as the session is kept', async () => {
    const own = await Openid4vp.with(keeping);
    const created = await presented(own, 'Ada');
    for (const _ of [1, 2, 3]) {
      const body = await own.info(created);
      expect(body).to.include.keys('presented_raw_data').and.not.include.keys('handoverDate');
      expect(claimsOf(body)).to.equal('Ada');
    }
  });

  it('200: what was presented is shown once; then its handles and what came of each check', async () => {
    const created = await presented(vp, 'Ada');
    const first = await vp.info(created);
    expect(claimsOf(first)).to.equal('Ada');
    expect(first.policy_results.vc_policies[0].result.value).to.equal('Ada');
    server.clock.advance(1000);
    const second = await vp.info(created);
    const [{ digest, ...credential }] = second.presented_credentials.degree;
    expect(digest)
      .to.match(/^[\w-]{43}$/)
      .and.equal(first.presented_credentials.degree[0].digest);
    expect(credential).to.deep.equal({
      format: 'jwt_vc_json',
      type: 'UniversityDegreeCredential',
      issuer: vp.issuer.did,
      status: [STATUS],
    });
    expect(second).to.include({ status: 'SUCCESSFUL', attempted: true, retentionDate: first.retentionDate });
    expect(second.handoverDate).to.equal(new Date(server.clock.now() - 1000).toISOString());
    expect(second).to.not.include.keys('presented_raw_data');
    const place = { query_id: 'degree', credential_index: 0 };
    expect(second.policy_results).to.deep.equal({
      ...first.policy_results,
      vc_policies: [
        { policy: { policy: 'regex' }, success: true, code: 'passed', reason: 'The check succeeded', ...place },
      ],
    });
    expect(JSON.stringify(second)).to.not.include('Ada');
    expect(second.authorizationRequest.dcql_query.credentials[0].claims).to.deep.equal([
      { path: ['credentialSubject', 'name'] },
    ]);
  });

  it('200: of many who ask at once one gets what was presented', async () => {
    const created = await presented(vp, 'Ada');
    const answers = await Promise.all(Array.from({ length: 20 }, () => vp.info(created)));
    expect(answers.filter((body) => claimsOf(body) === 'Ada')).to.have.length(1);
    expect(answers.filter((body) => body.handoverDate !== undefined)).to.have.length(19);
  });

  it('200: that what was presented was deleted is the last event of the session, once', async () => {
    const created = await presented(vp, canary());
    expect(await vp.events(created)).to.not.include('data_retention_purge');
    await Promise.all([1, 2, 3].map(() => vp.info(created)));
    const events = await vp.events(created);
    expect(events.filter((event) => event === 'data_retention_purge')).to.have.length(1);
    expect(events.at(-1)).to.equal('data_retention_purge');
  });

  it('200: of a failed session too', async () => {
    const wrong = { ...REGEX, regex: 'x' };
    const created = await presented(vp, 'Ada', (core) => crossDevice({ ...core, policies: { vc_policies: [wrong] } }));
    expect(claimsOf(await vp.info(created))).to.equal('Ada');
    const { status, failure, presented_credentials: credentials } = await vp.info(created);
    expect([status, failure.type]).to.deep.equal(['FAILED', 'vc_policy_violations']);
    expect(failure.violations[0]).to.include({ code: 'pattern-mismatch' }).and.not.include.keys('error', 'result');
    expect(credentials.degree[0]).to.not.include.keys('claims');
  });

  it('200: what no request reads is kept until the end; then 404', async () => {
    const created = await presented(vp, 'Ada');
    server.clock.advance(86_400_000 - 1);
    expect(claimsOf(await vp.info(created))).to.equal('Ada');
    server.clock.advance(1);
    const path = { sessionId: created.sessionId };
    expect((await server.call('getVerificationSession', { path })).status).to.equal(404);
  });
});

describe('redeemResponseCode', () => {
  const server = useServer({ settings: ONCE });

  it('200: hands over what was presented; what is withheld before was not handed over', async () => {
    const vp = await Openid4vp.with(server);
    const redirects = { success_redirect_uri: 'https://shop.example.org/done' };
    const setup = (core: Json) => ({ ...crossDevice(core), flow_type: 'same_device', redirects });
    const shown = (core: Json) => crossDevice(core, { response_code: true });
    for (const [asked, status] of [
      [setup, 'PROCESSING_FLOW'],
      [shown, 'SUCCESSFUL'],
    ] as const) {
      const created = await presented(vp, 'Ada', asked);
      await vp.info(created);
      const before = await vp.info(created);
      expect([before.status, before.handoverDate]).to.deep.equal([status, undefined]);
      const response_code = before.response_code ?? new URL(created.redirect).searchParams.get('response_code');
      const path = { sessionId: created.sessionId };
      const { body } = await server.call('redeemResponseCode', { path, json: { response_code } });
      expect(claimsOf(body)).to.equal('Ada');
      expect(claimsOf(await vp.info(created))).to.equal(undefined);
    }
  });
});

for (const [name, openPlace] of Object.entries(PLACES))
  describe(`what was handed over, with ${name}`, () => {
    const sweep = new SecretSweep();
    const hook = new HttpPeer();
    const records = new WrittenRecords();

    it('is nowhere: neither in the store, sealed or opened, nor in logs, metrics, events and answers', async () => {
      const place = await openPlace(sweep);
      const server = await startServer({
        ...place.options,
        settings: { ...ONCE, ...place.options.settings },
        wrapStore: (store) => records.wrap(store),
      });
      const opened = async () => (await records.opened(server.settings, server.clock.now)).join('\n');
      await hook.listen();
      const vp = await Openid4vp.with(sweep.watch(server));
      const secret = sweep.plant('a claim', canary(), ['getVerificationSession', 'createVerificationSession']);
      const notifications = { webhook: { url: hook.url } };
      const created = await presented(vp, secret, (core) => crossDevice({ ...core, notifications }));
      expect(await opened()).to.include(secret);
      expect(claimsOf(await vp.info(created))).to.equal(secret);
      expect(sweep.sightings()).to.deep.equal([]);
      sweep.note(
        'a later answer',
        JSON.stringify((await server.call('getVerificationSession', { path: created })).body),
      );
      sweep.note('opened store', await opened());
      sweep.note('store', await place.bytes());
      sweep.note('log', inspect(server.lines, { depth: 12, maxStringLength: null }));
      sweep.note('metrics', (await server.call('getMetrics')).body);
      await until(() => hook.seen.length === 7);
      expect(hook.seen.at(-1)?.body).to.include('data_retention_purge');
      sweep.note('webhook', hook.seen.map(({ body }) => body).join());
      sweep.note('events', (await vp.events(created)).join());
      await server.close();
      sweep.note('store after the end', await place.bytes());
      await Promise.all([place.close(), hook.close()]);
      expect(sweep.sightings()).to.deep.equal([]);
    });
  });
