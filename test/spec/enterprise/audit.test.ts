import { expect } from 'chai';
import { auditedOperations } from '../../../adapters/http/edge/audit-steps.ts';
import type { AuditEvent } from '../../../domain/tenancy/audit/audit-event.ts';
import {
  accountRequest,
  type EnterpriseFixture,
  fieldsOf,
  KMS,
  login,
  may,
  mayNot,
  SUPERADMIN,
  startEnterprise,
} from '../../actors/tenant.ts';
import { contract } from '../../support/documents/contract.ts';
import { documentedCall } from '../../support/documents/operation-calls.ts';
import type { Answer } from '../../support/servers/server.ts';

describe('audit', () => {
  let world: EnterpriseFixture;
  before(async () => {
    world = await startEnterprise();
  });
  after(() => world.close());

  type Query = Record<string, string>;
  const ask = (operationId: string, target: string, query: Query = {}, token = world.root): Promise<Answer> =>
    world.server.call(operationId, { path: { target }, query, token });
  const events = async (target: string, query: Query = {}, token?: string): Promise<AuditEvent[]> =>
    (await ask('listAuditEvents', target, query, token)).body.events;
  const installation = async (query: Query = {}): Promise<AuditEvent[]> =>
    (await world.server.call('listInstallationEvents', { query, token: world.root })).body.events;
  const linesOf = ({ body }: Answer): AuditEvent[] =>
    typeof body === 'string'
      ? body
          .split('\n')
          .filter((line) => line !== '')
          .map((line) => JSON.parse(line))
      : body;

  let _keys = 0;
  /** Creates a key at the service; the service names it. */
  const makeKey = async (headers: Record<string, string> = {}, target = KMS) => {
    _keys += 1;
    return world.server.call('generateKey', { path: { target }, json: {}, headers, token: world.root });
  };

  describe('listAuditEvents', () => {
    it('200: who did what, where, from where, and how it ended; what was created too', async () => {
      const requestId = '0b1f9f0e-5f54-4d3b-9e39-6f4f6f3b0c11';
      const { body } = await makeKey({ 'x-request-id': requestId });
      const { body: page } = await ask('listAuditEvents', KMS, { limit: '1' });
      const [event] = page.events;
      const [begun] = await events(KMS, { outcome: 'begun', limit: '1' });
      expect(event).to.deep.include({
        action: 'generateKey',
        target: KMS,
        resource: body._id,
        outcome: 'succeeded',
        status: 201,
        begun: begun?.sequence,
        parameters: {},
        source: '127.0.0.1',
        requestId,
      });
      expect(begun).to.deep.include({ action: 'generateKey', account: event.account, requestId });
      expect(begun).to.not.have.any.keys('status', 'resource');
      expect(page.next).to.equal(event.sequence);
    });

    it('200: refused calls too, those that the document refuses among them', async () => {
      const reader = await world.member([may('acme.t1', 'audit-view')]);
      const refused = async (token: string, json: object, requestId: string) => {
        const call = { path: { target: 'acme.t1.refused' }, json, headers: { 'x-request-id': requestId }, token };
        const { status } = await world.server.call('createTenant', call);
        const found = await events('acme.t1.refused', {});
        return [status, ...found.filter((event) => event.requestId === requestId).map((event) => event.status)];
      };
      expect(await refused(reader.token, {}, 'r-forbidden')).to.deep.equal([403, 403, undefined]);
      expect(await refused(world.root, { surprise: 1 }, 'r-malformed')).to.deep.equal([400, 400]);
      const [event] = await events('acme.t1.refused', { account: reader.id, outcome: 'refused' }, reader.token);
      expect(event?.account).to.equal(reader.id);
    });

    it('200: filtered by action, account, time, outcome and target', async () => {
      const member = await world.member([may('acme.t2')]);
      await world.post('createTenant', 'acme.t2', {});
      const from = new Date(world.server.clock.now() + 60_000).toISOString();
      world.server.clock.advance(120_000);
      await world.post('createTenant', 'acme.t2.deep', {}, member.token);
      world.server.clock.advance(120_000);
      const to = new Date(world.server.clock.now() - 60_000).toISOString();
      await world.post('createTenant', 'acme.t2.deep', {}, member.token);
      const numbers = async (query: Query) => (await events('acme.t2', query)).map(({ status = 0 }) => status);
      expect(await numbers({})).to.deep.equal([409, 0, 201, 0, 201, 0]);
      expect(await numbers({ order: 'oldest', outcome: 'ended' })).to.deep.equal([201, 201, 409]);
      expect(await numbers({ account: member.id })).to.deep.equal([409, 0, 201, 0]);
      expect(await numbers({ from })).to.deep.equal([409, 0, 201, 0]);
      for (const order of ['newest', 'oldest'])
        expect(await numbers({ from, to, order, outcome: 'ended' }), order).to.deep.equal([201]);
      expect(await numbers({ to })).to.deep.equal([201, 0, 201, 0]);
      expect(await numbers({ subtree: 'false' })).to.deep.equal([201, 0]);
      expect(await numbers({ action: 'generateKey' })).to.deep.equal([]);
      expect(await numbers({ outcome: 'refused' })).to.deep.equal([409]);
    });

    it('200: pages put together are the whole list, in either order', async () => {
      for (let n = 0; n < 5; n += 1) await makeKey();
      for (const order of ['newest', 'oldest']) {
        const whole = await events('acme', { order, limit: '1000' });
        const found: AuditEvent[] = [];
        for (let after: string | undefined = ''; after !== undefined; ) {
          const { body } = await ask('listAuditEvents', 'acme', { order, limit: '3', ...(after && { after }) });
          found.push(...body.events);
          after = body.next === undefined ? undefined : String(body.next);
        }
        expect(found).to.deep.equal(whole);
      }
    });

    it('200: nothing of what is denied to the caller, nor of its siblings', async () => {
      const { token } = await world.member([may('acme.t1', 'audit-view'), mayNot(KMS, 'audit-view')]);
      await makeKey();
      await world.post('createTenant', 'acme.t1.seen', {});
      await world.post('createTenant', 'acme.t10', {});
      const targets = new Set((await events('acme.t1', { limit: '1000' }, token)).map(({ target }) => target));
      expect([...targets])
        .to.include('acme.t1.seen')
        .and.not.include(KMS)
        .and.not.include('acme.t10');
      expect((await ask('listAuditEvents', KMS, {}, token)).status).to.equal(403);
    });

    it('400: names every parameter that is wrong', async () => {
      const wrong = { limit: '0', after: '-1', order: 'up', outcome: 'x', from: '2026-13-01T00:00:00.000Z', to: 'now' };
      const answer = await ask('listAuditEvents', 'acme', wrong);
      expect(answer.status).to.equal(400);
      expect(fieldsOf(answer)).to.include.members(['/query/after', '/query/order', '/query/outcome', '/query/to']);
      expect(fieldsOf(await ask('listAuditEvents', 'acme', { limit: '1001' }))).to.deep.equal(['/query/limit']);
      expect(fieldsOf(await ask('listAuditEvents', 'acme', { from: wrong.from }))).to.deep.equal(['/query/from']);
    });
  });

  describe('exportAuditEvents', () => {
    it('200: all events of the list, the oldest first, a line each', async () => {
      const whole = await events('acme.t1', { order: 'oldest', limit: '1000' });
      const found = linesOf(await ask('exportAuditEvents', 'acme.t1'));
      expect(found).to.deep.equal(whole);
      expect(linesOf(await ask('exportAuditEvents', 'acme.t1', { outcome: 'refused' }))).to.deep.equal(
        whole.filter(({ outcome }) => outcome === 'refused'),
      );
    });

    it('200: a caller can compute the hashes and the chain of a whole organization again', async () => {
      const { hashOf } = await import('../../../domain/tenancy/audit/audit-event.ts');
      const found = linesOf(await ask('exportAuditEvents', 'acme'));
      expect(found.map(hashOf)).to.deep.equal(found.map(({ hash }) => hash));
      expect(found.slice(1).map(({ previous }) => previous)).to.deep.equal(found.slice(0, -1).map(({ hash }) => hash));
    });

    it('400: names the parameter', async () => {
      expect(fieldsOf(await ask('exportAuditEvents', 'acme', { from: 'x' }))).to.deep.equal(['/query/from']);
    });
  });

  describe('checkAuditTrail', () => {
    it('200: the last event that is right', async () => {
      const [last] = await events('acme');
      const { body } = await ask('checkAuditTrail', 'acme');
      expect(body).to.deep.equal({
        valid: true,
        checked: last?.sequence,
        last: { sequence: last?.sequence, hash: last?.hash },
      });
      expect((await ask('checkAuditTrail', 'acme', { after: '2' })).body.checked).to.equal((last?.sequence ?? 0) - 2);
    });

    it('400: names the parameter', async () => {
      expect(fieldsOf(await ask('checkAuditTrail', 'acme', { after: 'x' }))).to.deep.equal(['/query/after']);
    });

    it('404: at what is no organization', async () => {
      expect((await ask('checkAuditTrail', 'acme.t1')).status).to.equal(404);
    });
  });

  for (const operationId of ['listAuditEvents', 'exportAuditEvents', 'checkAuditTrail'])
    describe(operationId, () => {
      it('400: a malformed target', async () => {
        expect(fieldsOf(await ask(operationId, 'a..b'))).to.deep.equal(['/path/target']);
      });

      it('401, 403, 404: without a login, without the permission, and where nothing is visible', async () => {
        expect((await ask(operationId, 'acme', {}, 'x')).status).to.equal(401);
        const { token } = await world.member([may('acme', 'resource-view')]);
        expect((await ask(operationId, 'acme', {}, token)).status).to.equal(403);
        const [foreign, absent] = [
          await ask(operationId, 'other', {}, token),
          await ask(operationId, 'xther', {}, token),
        ];
        expect([foreign.status, absent.status]).to.deep.equal([404, 404]);
        expect(foreign.body.message.replace('other', 'xther')).to.equal(absent.body.message);
      });
    });

  describe('listInstallationEvents', () => {
    it('200: logins that succeed and fail, accounts and organizations, without an address', async () => {
      await world.server.call('registerEnterpriseAccount', {
        json: accountRequest('audited@example.org'),
        token: world.root,
      });
      await world.server.call('loginEnterpriseAccount', { json: { email: SUPERADMIN, password: 'wrong' } });
      await world.server.call('loginEnterpriseAccount', { json: { email: 'unknown@example.org', password: 'wrong' } });
      const [unknown, wrong, registered] = await installation({ outcome: 'ended', limit: '3' });
      const [superadmin] = await installation({ order: 'oldest', outcome: 'ended', limit: '1' });
      expect(superadmin).to.include({ action: 'createSuperadmin', status: 200 });
      expect(registered).to.include({ action: 'registerEnterpriseAccount', status: 201, account: superadmin?.account });
      expect(registered?.resource).to.match(/^[0-9a-f-]{36}$/);
      expect(wrong).to.include({ action: 'loginEnterpriseAccount', status: 401, account: superadmin?.account });
      expect(unknown).to.include({ action: 'loginEnterpriseAccount', status: 401, account: '' });
      expect(JSON.stringify(await installation({ limit: '1000' }))).to.not.include('@');
    });

    it('200: what callers try where they see nothing, which the organization does not see', async () => {
      await world.server.call('createOrganization', { json: { _id: 'other' }, token: world.root });
      const [created] = await installation({ outcome: 'ended', limit: '1' });
      expect(created).to.include({ action: 'createOrganization', status: 201, resource: 'other' });
      const { token, id } = await world.member([may('acme')]);
      for (const target of ['other.t1', 'absent.t1']) await world.post('createTenant', target, {}, token);
      const found = await installation({ account: id, outcome: 'refused' });
      expect(found.map(({ target, status }) => `${target} ${status}`)).to.deep.equal(['absent.t1 404', 'other.t1 404']);
      expect(await events('other', { account: id })).to.deep.equal([]);
    });
  });

  describe('exportInstallationEvents', () => {
    it('200: all events, the oldest first', async () => {
      const answer = await world.server.call('exportInstallationEvents', { token: world.root });
      expect(linesOf(answer)).to.deep.equal(await installation({ order: 'oldest', limit: '1000' }));
    });
  });

  describe('checkInstallationTrail', () => {
    it('200: as the check of an organization', async () => {
      const { body } = await world.server.call('checkInstallationTrail', { token: world.root });
      expect(body.valid).to.equal(true);
      expect(body.last.sequence).to.equal((await installation({ limit: '1' }))[0]?.sequence);
    });
  });

  for (const operationId of ['listInstallationEvents', 'exportInstallationEvents', 'checkInstallationTrail'])
    describe(operationId, () => {
      it('400, 401, 403: a wrong parameter, no login, no superadmin', async () => {
        const call = (query: Query, token: string) => world.server.call(operationId, { query, token });
        const wrong: Query = operationId.startsWith('check') ? { after: 'x' } : { outcome: 'x' };
        expect((await call(wrong, world.root)).status).to.equal(400);
        expect((await call({}, 'x')).status).to.equal(401);
        const { token } = await world.member([may('acme')]);
        expect((await call(wrong, token)).status).to.equal(403);
      });
    });

  describe('every operation that changes something', () => {
    it('is recorded with its status', async () => {
      const { operations } = await contract;
      const audited = auditedOperations(operations);
      expect([...audited]).to.include.members([
        'createSuperadmin',
        'loginEnterpriseAccount',
        'createOrganization',
        'generateKey',
      ]);
      const target = 'acme.t1.kms1';
      for (const operation of operations.filter(({ operationId }) => audited.has(operationId))) {
        const { operationId, authentication, path } = operation;
        const requestId = `every-${operationId}`;
        const call = documentedCall(operation, { target, org: 'acme' });
        const token = authentication === 'none' ? undefined : await login(world.server, SUPERADMIN);
        const { status } = await world.server.call(operationId, {
          ...call,
          headers: { ...call.headers, 'x-request-id': requestId },
          token,
        });
        const query = { action: operationId, outcome: 'ended' };
        const found = /\{(target|org)\}/.test(path) ? await events('acme', query) : await installation(query);
        const own = found.filter((event) => event.requestId === requestId);
        expect(
          own.map((event) => `${event.action} ${event.status}`),
          operationId,
        ).to.deep.equal([`${operationId} ${status}`]);
      }
    });

    it('and no other one', async () => {
      const { operations } = await contract;
      const audited = auditedOperations(operations);
      const read = operations.filter(({ method }) => method === 'GET').map(({ operationId }) => operationId);
      expect(read.filter((operationId) => audited.has(operationId))).to.deep.equal([]);
      const open = operations.filter(({ realm, path }) => realm !== 'enterprise' && path.includes('{target}'));
      expect(open.filter(({ operationId }) => audited.has(operationId))).to.deep.equal([]);
    });
  });
});
