import { expect } from 'chai';
import { type EnterpriseFixture, fieldsOf, jwkDid, KMS, may, startEnterprise } from '../../actors/tenant.ts';
import { refusesBodies, refusesStrangers } from '../../actors/tenant-refusals.ts';
import type { Answer } from '../../support/servers/server.ts';
import { readListCredential, readTokenList } from '../../support/status/issued-lists.ts';

describe('tenant status', () => {
  type Json = Record<string, unknown>;

  const STATUS = 'acme.t1.status1';
  const ISSUER = 'acme.t1.issuer1';

  let world: EnterpriseFixture;
  let jwk: Json;
  let issuerDid: string;
  before(async () => {
    world = await startEnterprise({ pagination: { defaultLimit: 100, maxLimit: 1000 } });
    const { body } = await world.post('generateKey', `${KMS}.key1`, { keyType: 'secp256r1' });
    const { kid: _, ...publicJwk } = body.key.jwk;
    jwk = publicJwk;
    issuerDid = jwkDid(jwk);
    await world.post('createService', STATUS, { type: 'credential-status', dependencies: [KMS] });
    await world.post('createService', ISSUER, { type: 'issuer2', dependencies: [STATUS] });
  });
  after(() => world.close());

  const ok = async (sending: Promise<Answer>, status = 200) => {
    const { body, ...answer } = await sending;
    expect(answer.status, JSON.stringify(body)).to.equal(status);
    return body;
  };

  const at = (operationId: string, path: Json, more: Json = {}) =>
    world.server.call(operationId, { path: { target: STATUS, ...path }, token: world.root, ...more });
  const NEW = () => ({ kid: `${KMS}.key1`, issuerDid, config: { type: 'TokenStatusList', format: 'JWT' } });
  const create = (name: string, changes: Json = {}) =>
    world.post('createStatusCredential', `${STATUS}.${name}`, { ...NEW(), ...changes });

  const published = async (url: string) => readTokenList(await (await fetch(url)).text(), jwk);

  /** The members that every test uses: a status credential with one entry. */
  async function entryOf(names: Json = {}, changes: Json = {}) {
    const { listId, url } = await ok(create(`c${Math.random()}`.replace('.', ''), changes), 201);
    const { entry } = await ok(at('tenantAllocateStatusEntry', { listId }, { json: names }), 201);
    return { listId, url, index: entry.index as number };
  }

  describe('createStatusCredential', () => {
    it('201: opens a list that the key of the tenant signs, published below the target', async () => {
      const body = await ok(create('tokens'), 201);
      expect(body).to.deep.include({ _id: `${STATUS}.tokens`, parent: STATUS, kid: `${KMS}.key1`, issuerDid });
      expect(body.config).to.deep.equal({ type: 'TokenStatusList', format: 'JWT', statusSize: 2 });
      expect(body.url).to.equal(`${world.server.url}/v1/${STATUS}/status-lists/${body.listId}`);
      const list = await published(body.url);
      expect(list.claims).to.include({ sub: body.url, iss: issuerDid });
      expect(list.size).to.equal(131_072);
    });

    it('201: with a name of its own at the service; the same signer has the same list', async () => {
      const [one, two] = [
        await ok(create('same1'), 201),
        await ok(world.post('createStatusCredential', STATUS, NEW()), 201),
      ];
      expect(two._id).to.match(/^acme\.t1\.status1\.[0-9a-f-]{36}$/);
      expect(two.listId).to.equal(one.listId);
    });

    for (const type of ['BitstringStatusList', 'StatusList2021', 'RevocationList2020'])
      it(`201: a list of the W3C of the type ${type}, in which an entry is revoked`, async () => {
        const { url, listId, config } = await ok(create(type, { config: { type } }), 201);
        expect(config).to.deep.equal({ type, format: 'JWT', purpose: 'revocation', statusSize: 1 });
        const { entry, reference } = await ok(at('tenantAllocateStatusEntry', { listId }, { json: {} }), 201);
        expect(reference.id).to.equal(`${url}#${entry.index}`);
        const list = async () => readListCredential(await (await fetch(url)).text(), jwk);
        expect([(await list()).size, (await list()).status(entry.index)]).to.deep.equal([131_072, 0]);
        const place = { listId, index: String(entry.index) };
        await ok(at('tenantChangeStatusEntry', place, { json: { action: 'revoke' } }));
        expect((await list()).status(entry.index)).to.equal(1);
      });

    it('400: what does not fit, by its name, and nothing is created', async () => {
      await world.post('createService', 'acme.t1.kms2', { type: 'kms' });
      await world.post('generateKey', 'acme.t1.kms2.key1', { keyType: 'secp256r1' });
      for (const [changes, path] of [
        [{ kid: `${KMS}.absent` }, '/body/kid'],
        [{ kid: 'acme.t1.kms2.key1' }, '/body/kid'],
        [{ kid: 'other.t1.kms1.key1' }, '/body/kid'],
        [{ kid: 'a..b' }, '/body/kid'],
        [{ issuerDid: undefined }, '/body/issuerDid'],
        [{ issuerDid: jwkDid({ ...jwk, x: jwk.y, y: jwk.x }) }, '/body/issuerDid'],
        [{ config: { type: 'TokenStatusList', format: 'CWT' } }, '/body/x5Chain'],
        [{ config: { type: 'TokenStatusList', purpose: 'revocation' } }, '/body/config/purpose'],
        [{ config: { type: 'StatusList2021', statusSize: 2 } }, '/body/config/statusSize'],
        [{ config: { type: 'RevocationList2020', purpose: 'suspension' } }, '/body/config/purpose'],
        [{ config: { type: 'Unknown' } }, '/body/config/type'],
        [{ x5Chain: ['none'] }, '/body/x5Chain/0'],
        [{ other: true }, '/body/other'],
      ] as const) {
        const answer = await create('wrong', changes);
        expect(answer.status, JSON.stringify(answer.body)).to.equal(400);
        expect(fieldsOf(answer)[0], JSON.stringify(answer.body)).to.equal(path);
      }
      expect(
        (await world.server.call('getResource', { path: { target: `${STATUS}.wrong` }, token: world.root })).status,
      ).to.equal(404);
    });

    it('409: of many at once with one name one wins', async () => {
      const answers = await Promise.all(Array.from({ length: 10 }, () => create('raced')));
      expect(answers.map(({ status }) => status).sort()).to.deep.equal([201, ...Array(9).fill(409)]);
    });

    refusesStrangers(
      () => world,
      () => ({ operationId: 'createStatusCredential', target: `${STATUS}.x`, json: NEW() }),
    );
    refusesBodies(() => world, { operationId: 'createStatusCredential', target: STATUS });
  });

  describe('tenantGetStatusList', () => {
    it('200: without a login, and only at its own place', async () => {
      const { listId, url } = await ok(create('placed'), 201);
      const answer = await at('tenantGetStatusList', { id: listId });
      expect((await fetch(url)).status).to.equal(200);
      expect(answer.headers.get('content-type')).to.equal('application/statuslist+jwt');
      expect(answer.headers.get('cache-control')).to.match(/^public, max-age=\d+$/);
      for (const place of [`/v1/acme.t1.status2/status-lists/${listId}`, `/status-lists/${listId}`])
        expect((await world.server.fetch(place)).status, place).to.equal(404);
      const open = {
        json: { issuerKey: { type: 'jwk', jwk: OPEN_KEY }, issuerDid: jwkDid(PUBLIC_KEY), type: 'TokenStatusList' },
      };
      const other = await ok(world.server.call('createStatusList', open), 201);
      expect((await at('tenantGetStatusList', { id: other.listId })).status).to.equal(404);
      expect((await at('tenantGetStatusListFacts', { listId: other.listId })).status).to.equal(404);
    });

    it('200: outlives the service, since credentials name it', async () => {
      const target = 'acme.t1.passing';
      await ok(world.post('createService', target, { type: 'credential-status', dependencies: [KMS] }), 201);
      const { url } = await ok(world.post('createStatusCredential', `${target}.list`, NEW()), 201);
      for (const gone of [`${target}.list`, target])
        await ok(world.server.call('deleteResource', { path: { target: gone }, token: world.root }), 204);
      expect((await fetch(url)).status).to.equal(200);
    });
  });

  describe('the lists of a service', () => {
    const inList = (listId: string, index: number): Json => ({ listId, index: String(index) });

    it('tenantListStatusLists, tenantGetStatusListFacts 200: those of the service', async () => {
      const { listId, url } = await ok(create('listed'), 201);
      const all = await ok(at('tenantListStatusLists', {}));
      const { used, ...facts } = await ok(at('tenantGetStatusListFacts', { listId }));
      expect(used).to.be.at.most(facts.size);
      expect(facts).to.deep.include({ listId, url, type: 'TokenStatusList', issuer: issuerDid });
      expect(all).to.deep.include(facts);
      expect(await ok(world.server.call('listStatusLists'))).not.to.deep.include(facts);
    });

    it('tenantAllocateStatusEntry 201, tenantGetStatusEntry, tenantListStatusEntries, tenantFindStatusEntries 200', async () => {
      const { listId, url, index } = await entryOf({ session: 'session-1' });
      const entry = await ok(at('tenantGetStatusEntry', inList(listId, index)));
      expect(entry).to.deep.include({ listId, index, status: 'valid', session: 'session-1', history: [] });
      expect(await ok(at('tenantListStatusEntries', { listId }))).to.deep.include(entry);
      expect(await ok(at('tenantFindStatusEntries', {}, { query: { session: 'session-1' } }))).to.deep.equal([entry]);
      const { reference } = await ok(at('tenantAllocateStatusEntry', { listId }, { json: {} }), 201);
      expect(reference.status_list.uri).to.equal(url);
    });

    it('tenantChangeStatusEntry, tenantChangeStatusEntries 200: are published, with their history', async () => {
      const { listId, url, index } = await entryOf({ session: 'session-2' });
      const wanted = { action: 'suspend', reason: 'Lost', changedBy: 'clerk-1' };
      const changed = await ok(at('tenantChangeStatusEntry', inList(listId, index), { json: wanted }));
      expect(changed.history[0]).to.include({ from: 'valid', to: 'suspended', reason: 'Lost', changedBy: 'clerk-1' });
      expect((await published(url)).status(index)).to.equal(2);
      await ok(at('tenantChangeStatusEntries', {}, { json: { session: 'session-2', action: 'revoke' } }));
      expect((await published(url)).status(index)).to.equal(1);
    });

    it('200: fifty changes at once are all published', async () => {
      const { listId, url } = await ok(create('crowd'), 201);
      const indexes = await Promise.all(
        Array.from({ length: 50 }, async () => {
          const { entry } = await ok(at('tenantAllocateStatusEntry', { listId }, { json: {} }), 201);
          return entry.index as number;
        }),
      );
      expect(new Set(indexes).size).to.equal(50);
      await Promise.all(
        indexes.map((index) =>
          ok(at('tenantChangeStatusEntry', inList(listId, index), { json: { action: 'revoke' } })),
        ),
      );
      const list = await published(url);
      expect(indexes.map((index) => list.status(index))).to.deep.equal(Array(50).fill(1));
    });

    it('404: entries of the lists of another service stay as they are', async () => {
      const target = 'acme.t1.status3';
      await ok(world.post('createService', target, { type: 'credential-status', dependencies: [KMS] }), 201);
      const { listId, index } = await entryOf({ session: 'session-3' });
      const place = { target, ...inList(listId, index) };
      expect((await at('tenantChangeStatusEntry', place, { json: { action: 'revoke' } })).status).to.equal(404);
      expect((await at('tenantAllocateStatusEntry', { target, listId }, { json: {} })).status).to.equal(404);
      const json = { session: 'session-3', action: 'revoke' };
      expect((await at('tenantChangeStatusEntries', { target }, { json })).status).to.equal(404);
      expect((await ok(at('tenantGetStatusEntry', inList(listId, index)))).status).to.equal('valid');
    });
  });

  const LIST = '00000000-0000-4000-8000-000000000000';
  const OPERATIONS: Record<string, { path?: Record<string, string>; json?: Json; query?: Record<string, string> }> = {
    tenantListStatusLists: {},
    tenantGetStatusListFacts: { path: { listId: LIST } },
    tenantAllocateStatusEntry: { path: { listId: LIST }, json: {} },
    tenantListStatusEntries: { path: { listId: LIST } },
    tenantGetStatusEntry: { path: { listId: LIST, index: '1' } },
    tenantChangeStatusEntry: { path: { listId: LIST, index: '1' }, json: { action: 'revoke' } },
    tenantFindStatusEntries: { query: { session: 'none' } },
    tenantChangeStatusEntries: { json: { session: 'none', action: 'revoke' } },
  };

  for (const [operationId, more] of Object.entries(OPERATIONS))
    describe(operationId, () => {
      refusesStrangers(
        () => world,
        () => ({ operationId, target: STATUS, ...more }),
      );
    });

  describe('updateSessionStatus', () => {
    const update = (json: Json, target = STATUS) =>
      world.server.call('updateSessionStatus', { path: { target }, json, token: world.root });
    const session = 'a2b7c1de-0000-4000-8000-000000000001';

    it('200: sets the status of the credentials of a session', async () => {
      const { url, index } = await entryOf({ session });
      const changed = await ok(update({ session: `${ISSUER}.${session}`, status: '0x2' }));
      expect(changed.map((entry: Json) => entry.status)).to.deep.equal(['suspended']);
      await ok(update({ session: `${ISSUER}.${session}`, status: '0x0' }));
      expect((await published(url)).status(index)).to.equal(0);
      await ok(update({ session: `${ISSUER}.${session}`, status: '0x1' }));
      expect((await published(url)).status(index)).to.equal(1);
    });

    it('409: revocation is final', async () => {
      const [final, status] = ['final', '0x1'];
      await entryOf({ session: final });
      await ok(update({ session: `${ISSUER}.${final}`, status }));
      for (const other of ['0x0', '0x2'])
        expect((await update({ session: `${ISSUER}.${final}`, status: other })).status).to.equal(409);
    });

    it('400: names a status that the list does not have, and a malformed one', async () => {
      await entryOf({ session: 'w3c' }, { config: { type: 'BitstringStatusList' } });
      for (const status of ['0x2', '0x0', '0xff', '1', '0x'])
        expect(fieldsOf(await update({ session: `${ISSUER}.w3c`, status })), status).to.deep.equal(['/body/status']);
      expect(fieldsOf(await update({ session: 'x', status: '0x1', other: 1 }))).to.deep.equal(['/body/other']);
    });

    it('404: no such session, and an issuer that does not use this service', async () => {
      await world.post('createService', 'acme.t1.issuer2', { type: 'issuer2' });
      await entryOf({ session: 'present' });
      for (const wrong of [`${ISSUER}.absent`, 'acme.t1.issuer2.present', 'acme.t1.absent.present', 'present'])
        expect((await update({ session: wrong, status: '0x1' })).status, wrong).to.equal(404);
    });

    refusesStrangers(
      () => world,
      () => ({
        operationId: 'updateSessionStatus',
        target: STATUS,
        json: { session: `${ISSUER}.x`, status: '0x1' },
      }),
    );
    refusesBodies(() => world, { operationId: 'updateSessionStatus', target: STATUS });
  });

  describe('the permissions of status lists', () => {
    it('each operation needs its own', async () => {
      const { token } = await world.member([may(STATUS, 'status-entry-list')]);
      const { listId, index } = await entryOf();
      const path = { listId, index: String(index) };
      expect((await at('tenantGetStatusEntry', path, { token })).status).to.equal(200);
      const changing = await at('tenantChangeStatusEntry', path, { json: { action: 'revoke' }, token });
      expect(changing.status).to.equal(403);
    });
  });

  const PUBLIC_KEY = {
    kty: 'EC',
    crv: 'P-256',
    x: 'f83OJ3D2xF1Bg8vub9tLe1gHMzV76e8Tus9uPHvRVEU',
    y: 'x_FEzRu9m36HLN_tue659LNpXW6pCyStikYjKIWI5a0',
  };
  const OPEN_KEY = { ...PUBLIC_KEY, d: 'jpsQnnGQmL-YBIffH1136cspYG6-0iY7X1fCE9-E9LI' };
});
