import { expect } from 'chai';
import { OPEN_ENDED, openEndedKind } from '../../adapters/http/edge/open-ended.ts';
import { BulkCall } from '../actors/bulk-call.ts';
import { EventListener } from '../actors/event-listener.ts';
import { from, STRANGERS } from '../actors/strangers.ts';
import type { EnterpriseFixture } from '../actors/tenant.ts';
import { ISSUER, offerOf, startIssuer } from '../actors/tenant-issuer.ts';
import { contract, operationOf } from '../support/documents/contract.ts';
import { exampleOf } from '../support/documents/examples.ts';
import { until } from '../support/runs/waiting.ts';
import type { Answer } from '../support/servers/server.ts';

const OFFER = { profileId: 'UniversityDegree_jwt_vc_json', authMethod: 'PRE_AUTHORIZED' };

describe('what strangers can hold', () => {
  let world: EnterpriseFixture;
  before(async () => {
    const rateLimit = { open_endpoints: { storedMiBPerDay: 1 } };
    world = await startIssuer({ ...STRANGERS, rateLimit });
  });
  after(() => world.close());

  const offer = (json: object, headers: Record<string, string> = {}): Promise<Answer> =>
    world.server.call('createCredentialOffer', { json: { ...OFFER, ...json }, headers });
  const bulk = (headers: Record<string, string>): Promise<Answer> =>
    world.server.call('createCredentialOffersInBulk', { lines: [OFFER], headers });

  it('rows: is everything that lasts as long as its caller likes: streams, bodies of lines and exports', async () => {
    const { operations } = await contract;
    const kinds = operations.flatMap((operation) => {
      const kind = openEndedKind(operation);
      return kind === undefined ? [] : [[operation.operationId, kind]];
    });
    expect(Object.fromEntries(kinds)).to.deep.equal({
      streamIssuanceSessionEvents: 'events',
      streamVerificationSessionEvents: 'events',
      tenantStreamIssuanceSessionEvents: 'events',
      tenantStreamVerificationSessionEvents: 'events',
      followSignIn: 'events',
      tenantFollowSignIn: 'events',
      createCredentialOffersInBulk: 'bodies',
      tenantCreateCredentialOffersInBulk: 'bodies',
      exportAuditEvents: 'exports',
      exportInstallationEvents: 'exports',
    });
  });

  it('bodies of lines: 429 beyond the share of a source, 503 beyond that of all strangers, 200 with a login', async () => {
    const slow = [1, 1, 2, 2].map((network) => new BulkCall(world.server.url, from(network)));
    for (const call of slow) await call.send(OFFER);
    await until(() => slow.every(({ lines }) => lines.length === 1));
    const answers = [await bulk(from(1)), await bulk(from(3))];
    expect(answers.map(({ status, headers }) => [status, headers.get('retry-after')])).to.deep.equal([
      [429, '5'],
      [503, '5'],
    ]);
    const call = { path: { target: ISSUER }, lines: [offerOf()], headers: from(1), token: world.root };
    expect((await world.server.call('tenantCreateCredentialOffersInBulk', call)).status).to.equal(200);
    expect((await bulk({})).status, 'the operator').to.equal(200);
    for (const one of slow) one.leave();
    await until(async () => (await bulk(from(1))).status === 200);
  });

  it('streams of events: one source has its share, which another and the operator do not lose', async () => {
    const { ofSource } = OPEN_ENDED.events;
    const sessions: string[] = [];
    for (let n = 0; n * 7 < ofSource + 2; n += 1) sessions.push((await offer({})).body.offerId);
    const listeners: EventListener[] = [];
    const open = async (n: number, headers: Record<string, string>): Promise<unknown> => {
      const opened = EventListener.open(world.server, sessions[Math.floor(n / 7)] ?? '', { headers });
      return opened.then(
        (listener) => void listeners.push(listener),
        (error: Error) => error.message.slice(0, 3),
      );
    };
    for (let n = 0; n < ofSource; n += 1) expect(await open(n, from(1))).to.equal(undefined);
    expect(await open(ofSource, from(1))).to.equal('429');
    expect(await open(ofSource, from(2))).to.equal(undefined);
    expect(await open(ofSource, {})).to.equal(undefined);
    listeners[0]?.leave();
    await until(async () => (await open(0, from(1))) === undefined);
    for (const listener of listeners) listener.leave();
  });

  it('a record lasts a day at most, unless a caller is logged in or calls from a network of the operator', async () => {
    const start = world.server.clock.now();
    const secondsOf = ({ body }: Answer): number => Math.round((body.expiresAt - start) / 1000);
    expect(secondsOf(await offer({ expiresInSeconds: -1 }, from(4)))).to.equal(86_400);
    expect(secondsOf(await offer({ expiresInSeconds: -1 }))).to.equal(315_360_000);
    const call = {
      path: { target: ISSUER },
      json: offerOf({ expiresInSeconds: -1 }),
      headers: from(4),
      token: world.root,
    };
    expect(secondsOf(await world.server.call('tenantCreateCredentialOffer', call))).to.equal(315_360_000);
    const refused = await offer({ expiresInSeconds: 86_401 }, from(4));
    expect([refused.status, refused.body.message]).to.deep.equal([
      400,
      'expiresInSeconds: may be at most 86400 without a login (open_endpoints.longestSeconds of rate-limit.conf)',
    ]);
    const lines = [{ ...OFFER, expiresInSeconds: 86_401 }];
    const { body } = await world.server.call('createCredentialOffersInBulk', { lines, headers: from(4) });
    expect(body[0].status).to.equal(400);
    for (const operationId of ['issueJwtCredential', 'startVerification']) {
      const json = exampleOf(await operationOf(operationId));
      const headers = { ...from(4), sessionTtl: '86401' };
      const answer = await world.server.call(operationId, { json, headers });
      expect([answer.status, answer.body.message], operationId).to.deep.equal([
        400,
        'sessionTtl: may be at most 86400 without a login (open_endpoints.longestSeconds of rate-limit.conf)',
      ]);
    }
  });

  it('rows: every open operation whose caller names a life is bounded', async () => {
    const { operations } = await contract;
    const named = operations.filter((operation) => {
      const text = JSON.stringify([operation.resolved.parameters ?? [], operation.resolved.requestBody ?? {}]);
      return (
        operation.authentication === 'none' && /"(sessionTtl|expiresInSeconds|ttlSeconds|lifetimeSeconds)"/i.test(text)
      );
    });
    expect(named.map(({ operationId, rateLimit }) => [operationId, rateLimit])).to.have.deep.members(
      [
        'startVerification',
        ...['issueJwtCredential', 'issueJwtCredentialBatch', 'issueSdJwtCredential', 'issueSdJwtCredentialBatch'],
        ...['issueMdoc', 'issueMdocBatch', 'createCredentialOffer', 'createCredentialOffersInBulk'],
      ].map((id) => [id, 'open_endpoints']),
    );
  });

  it('a body has 64 KiB at most, unless a caller calls from a network of the operator', async () => {
    const large = { runtimeOverrides: { credentialData: { text: 'x'.repeat(65_536) } } };
    const refused = await offer(large, from(5));
    expect(refused.status).to.equal(413);
    expect(refused.body.message).to.contain('open_endpoints.largestKiB of rate-limit.conf');
    expect((await offer(large)).status).to.equal(201);
    const lines = [{ ...OFFER, ...large }, OFFER];
    const { body } = await world.server.call('createCredentialOffersInBulk', { lines, headers: from(5) });
    expect(body.map(({ status }: { status: number }) => status)).to.deep.equal([413, 201]);
  });

  it('a source has its quota of bytes a day; another source and the operator are served', async () => {
    const json = { runtimeOverrides: { credentialData: { text: 'x'.repeat(60_000) } } };
    const statuses: number[] = [];
    for (let n = 0; n < 17; n += 1) statuses.push((await offer(json, from(6))).status);
    expect(statuses).to.deep.equal(new Array(17).fill(201));
    const refused = await offer(json, from(6));
    expect(refused.status).to.equal(429);
    expect(Number(refused.headers.get('retry-after'))).to.be.within(82_800, 86_400);
    expect((await offer(json, from(7))).status).to.equal(201);
    expect((await offer(json)).status).to.equal(201);
    world.server.clock.advance(86_400_000);
    expect((await offer(json, from(6))).status).to.equal(201);
  });
});
