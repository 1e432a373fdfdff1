import { expect } from 'chai';
import { startIssuer, type TestIssuer } from '../../actors/issuer.ts';
import { newWalletUser, resetWallet, type WalletUser } from '../../actors/wallet-user.ts';
import { useServer } from '../../support/servers/server.ts';

describe('the credentials of a wallet', () => {
  const server = useServer();
  let issuer: TestIssuer;
  let holder: WalletUser;
  before(async () => {
    issuer = await startIssuer();
    holder = await newWalletUser(server);
  });
  beforeEach(async () => {
    await resetWallet(holder);
    issuer.behaviour.id = undefined;
  });
  after(() => issuer.close());

  const receive = async (ids: string[], query: Record<string, string> = {}): Promise<string[]> => {
    const { body } = await holder.call('acceptCredentialOffer', { text: issuer.link(ids), query });
    return body.map(({ id }: { id: string }) => id);
  };
  const list = async (query: Record<string, string> = {}): Promise<string[]> =>
    (await holder.call('listWalletCredentials', { query })).body.map(({ id }: { id: string }) => id);

  describe('listWalletCredentials', () => {
    it('200: oldest first unless descending, without pending or deleted ones unless requested', async () => {
      const ids: string[] = [];
      for (const requireUserInput of ['false', 'false', 'true']) {
        ids.push(...(await receive(['Degree_jwt_vc_json'], { requireUserInput })));
        server.clock.advance(1000);
      }
      const [first = '', second = '', pending = ''] = ids;
      expect(await list({ showDeleted: 'false', showPending: 'false' })).to.deep.equal([first, second]);
      expect(await list({ descending: 'true', sortBy: 'addedOn' })).to.deep.equal([second, first]);
      expect(await list({ showPending: 'true' })).to.deep.equal([first, second, pending]);
      const addedOn = async (credentialId: string): Promise<string> =>
        (await holder.call('getWalletCredential', { path: { credentialId } })).body.addedOn;
      expect(await list({ limit: '1' })).to.deep.equal([first]);
      expect(await list({ limit: '1', after: await addedOn(first) })).to.deep.equal([second]);
      expect(await list({ limit: '1', after: await addedOn(second), descending: 'true' })).to.deep.equal([first]);
      await holder.call('deleteWalletCredential', { path: { credentialId: first } });
      expect(await list()).to.deep.equal([second]);
      expect(await list({ showDeleted: 'true' })).to.deep.equal([first, second]);
    });

    it('200: finds more credentials than one page of the store', async () => {
      for (let round = 0; round < 21; round += 1)
        await Promise.all(Array.from({ length: 10 }, () => receive(['Degree_jwt_vc_json'])));
      expect(new Set(await list())).to.have.property('size', 210);
    });

    it('400: refuses a filter that is not a boolean, a page without size and one after no time', async () => {
      const query = { showDeleted: 'perhaps', limit: '0', after: 'now' };
      for (const [name, value] of Object.entries(query)) {
        const { status, body } = await holder.call('listWalletCredentials', { query: { [name]: value } });
        expect(status).to.equal(400);
        expect(body.details[0].path).to.equal(`/query/${name}`);
      }
    });
  });

  describe('getWalletCredential', () => {
    it('200: returns the credential as issued and its claims, also by an id that needs percent-encoding', async () => {
      issuer.behaviour.id = 'http://example.org/credentials/3732?a=b#c%20d';
      // Each earlier credential with the same time of the clock was given a later one.
      server.clock.advance(1000);
      const [credentialId = ''] = await receive(['Degree_jwt_vc_json']);
      expect(credentialId).to.equal(issuer.behaviour.id);
      const { status, body } = await holder.call('getWalletCredential', { path: { credentialId } });
      expect(status).to.equal(200);
      expect(body).to.include({ wallet: holder.wallet, id: credentialId, pending: false, format: 'jwt_vc_json' });
      expect(body.document).to.match(/^ey[\w-]+\.[\w-]+\.[\w-]+$/);
      expect(body.parsedDocument).to.include({ id: credentialId });
      expect(body.parsedDocument.type).to.deep.equal(['VerifiableCredential', 'Degree']);
      expect(Date.parse(body.addedOn)).to.equal(server.clock.now());
    });

    it('404: for a credential of another wallet', async () => {
      const [credentialId = ''] = await receive(['Degree_jwt_vc_json']);
      const other = await newWalletUser(server);
      expect((await other.call('getWalletCredential', { path: { credentialId } })).status).to.equal(404);
    });
  });

  describe('deleteWalletCredential', () => {
    it('202: marks as deleted, and deletes permanently when requested', async () => {
      const [credentialId = ''] = await receive(['Degree_jwt_vc_json']);
      const path = { credentialId };
      expect((await holder.call('deleteWalletCredential', { path })).status).to.equal(202);
      expect((await holder.call('getWalletCredential', { path })).body.deletedOn).to.be.a('string');
      const answer = await holder.call('deleteWalletCredential', { path, query: { permanent: 'true' } });
      expect(answer.status).to.equal(202);
      expect((await holder.call('getWalletCredential', { path })).status).to.equal(404);
    });

    it('404: for an unknown credential', async () => {
      expect((await holder.call('deleteWalletCredential', { path: { credentialId: 'x' } })).status).to.equal(404);
    });
  });

  it('concurrent operations on one credential answer only success or not found', async () => {
    const [credentialId = ''] = await receive(['Degree_jwt_vc_json'], { requireUserInput: 'true' });
    const calls = Array.from({ length: 20 }, (_, index) => [
      holder.call('acceptWalletCredential', { path: { credentialId } }),
      holder.call('deleteWalletCredential', { path: { credentialId }, query: { permanent: String(index > 15) } }),
    ]);
    const statuses = (await Promise.all(calls.flat())).map(({ status }) => status);
    expect([...new Set(statuses)].sort()).to.deep.equal([202, 404]);
    expect(await list({ showDeleted: 'true', showPending: 'true' })).to.deep.equal([]);
  });

  describe('acceptWalletCredential', () => {
    it('202: a pending credential becomes listed', async () => {
      const [credentialId = ''] = await receive(['Degree_jwt_vc_json'], { requireUserInput: 'true' });
      expect(await list()).to.deep.equal([]);
      expect((await holder.call('acceptWalletCredential', { path: { credentialId } })).status).to.equal(202);
      expect(await list()).to.deep.equal([credentialId]);
    });

    it('404: for an unknown credential', async () => {
      expect((await holder.call('acceptWalletCredential', { path: { credentialId: 'x' } })).status).to.equal(404);
    });
  });

  describe('rejectWalletCredential', () => {
    const reject = (credentialId: string, json?: unknown) =>
      holder.call('rejectWalletCredential', { path: { credentialId }, json });

    it('202: removes a pending credential permanently, with or without a note', async () => {
      for (const json of [undefined, {}, { note: 'Not mine' }]) {
        const [credentialId = ''] = await receive(['Degree_jwt_vc_json'], { requireUserInput: 'true' });
        expect((await reject(credentialId, json)).status).to.equal(202);
        expect((await holder.call('getWalletCredential', { path: { credentialId } })).status).to.equal(404);
      }
      expect(await list({ showDeleted: 'true', showPending: 'true' })).to.deep.equal([]);
    });

    it('409: leaves a credential that is not pending as it is', async () => {
      const [credentialId = ''] = await receive(['Degree_jwt_vc_json']);
      expect((await reject(credentialId)).status).to.equal(409);
      expect(await list()).to.deep.equal([credentialId]);
    });

    it('404: for an unknown credential, and the second time', async () => {
      const [credentialId = ''] = await receive(['Degree_jwt_vc_json'], { requireUserInput: 'true' });
      const statuses = (await Promise.all([reject(credentialId), reject(credentialId)])).map(({ status }) => status);
      expect(statuses.sort()).to.deep.equal([202, 404]);
      expect((await reject('x')).status).to.equal(404);
    });

    it('exactly one of accepting and rejecting at the same time decides', async () => {
      for (let round = 0; round < 10; round += 1) {
        const [credentialId = ''] = await receive(['Degree_jwt_vc_json'], { requireUserInput: 'true' });
        const [accepted, rejected] = await Promise.all([
          holder.call('acceptWalletCredential', { path: { credentialId } }),
          reject(credentialId),
        ]);
        expect([accepted.status, rejected.status].join()).to.be.oneOf(['202,409', '404,202']);
        expect((await list({ showPending: 'true' })).includes(credentialId)).to.equal(accepted.status === 202);
      }
    });

    it('400: refuses a note that is too long, and unknown members', async () => {
      for (const json of [{ note: 'x'.repeat(1001) }, { note: '' }, { reason: 'x' }, []])
        expect((await reject('x', json)).status).to.equal(400);
    });

    it('413 and 415: refuses a body over 1 MiB, and one that is not JSON', async () => {
      const path = { credentialId: 'x' };
      const text = `{"note":"${'x'.repeat(1024 * 1024)}"}`;
      const contentType = 'application/json';
      expect((await holder.call('rejectWalletCredential', { path, text, contentType })).status).to.equal(413);
      const other = { path, text: 'x', contentType: 'text/csv' };
      expect((await holder.call('rejectWalletCredential', other)).status).to.equal(415);
    });
  });

  describe('restoreWalletCredential', () => {
    const restore = (credentialId: string) => holder.call('restoreWalletCredential', { path: { credentialId } });

    it('200: a credential that is marked as deleted is listed again; one that is not stays as it is', async () => {
      const [credentialId = ''] = await receive(['Degree_jwt_vc_json']);
      const before = (await holder.call('getWalletCredential', { path: { credentialId } })).body;
      expect((await restore(credentialId)).body).to.deep.equal(before);
      await holder.call('deleteWalletCredential', { path: { credentialId } });
      expect(await list()).to.deep.equal([]);
      const { status, body } = await restore(credentialId);
      expect([status, body]).to.deep.equal([200, before]);
      expect(await list()).to.deep.equal([credentialId]);
    });

    it('404: for an unknown credential and one that was deleted permanently', async () => {
      const [credentialId = ''] = await receive(['Degree_jwt_vc_json']);
      await holder.call('deleteWalletCredential', { path: { credentialId }, query: { permanent: 'true' } });
      for (const id of [credentialId, 'x']) expect((await restore(id)).status).to.equal(404);
    });
  });

  it('listWalletEvents: receiving, deciding and deleting are in the event log, without claims of the credential', async () => {
    const user = await newWalletUser(server);
    const ids: string[] = [];
    for (const type of ['Degree', 'Passport', 'Degree']) {
      const text = issuer.link([`${type}_jwt_vc_json`]);
      ids.push((await user.call('acceptCredentialOffer', { text, query: { requireUserInput: 'true' } })).body[0].id);
    }
    const [accepted = '', rejected = '', deleted = ''] = ids;
    await user.call('acceptWalletCredential', { path: { credentialId: accepted } });
    await user.call('rejectWalletCredential', { path: { credentialId: rejected }, json: { note: 'Not mine' } });
    await user.call('deleteWalletCredential', { path: { credentialId: deleted } });
    const { body } = await user.call('listWalletEvents', { query: { filter: 'event=Credential' } });
    type Event = { action: string; credentialId: string; originator: string; note?: string };
    const seen = body.items.map(({ action, credentialId, note }: Event) =>
      [action, credentialId, note].filter(Boolean),
    );
    expect(seen).to.deep.equal([
      ...ids.map((id) => ['Receive', id]),
      ['Accept', accepted],
      ['Reject', rejected, 'Not mine'],
      ['Delete', deleted],
    ]);
    expect(body.items[0].originator).to.equal(issuer.issuer);
    expect(body.items[0].data).to.include({ credentialType: 'Degree', issuer: issuer.did });
    expect(JSON.stringify(body)).to.not.include('master');
  });

  it('PUT on the list is not served: 405 with Allow', async () => {
    const { status, headers } = await server.fetch(`/wallet-api/wallet/${holder.wallet}/credentials`, {
      method: 'PUT',
    });
    expect([status, headers.get('allow')]).to.deep.equal([405, 'HEAD, GET, OPTIONS']);
  });
});
