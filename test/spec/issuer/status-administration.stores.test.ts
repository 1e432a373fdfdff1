import { expect } from 'chai';
import { decodeJwt } from 'jose';
import { degree, type Issuer, onboard } from '../../../demo/actors/issuer.ts';
import { makeOffer } from '../../actors/issuance.ts';
import { ASKED, claim, identity, licence, signerChain } from '../../actors/issuance-formats.ts';
import { accept } from '../../actors/wallet.ts';
import { type Answer, useServer } from '../../support/servers/server.ts';
import { readCwtList, readListCredential, readTokenList } from '../../support/status/issued-lists.ts';

describe('status administration', () => {
  type Json = Record<string, unknown>;

  const server = useServer({ settings: { pagination: { defaultLimit: 100, maxLimit: 1000 } } });
  let issuer: Issuer;
  before(async () => {
    issuer = await onboard(server, { key: { keyType: 'secp256r1' } });
  });

  const ok = async (sending: Promise<Answer>, status = 200) => {
    const { body, ...answer } = await sending;
    expect(answer.status, JSON.stringify(body)).to.equal(status);
    return body;
  };

  const refused = async (sending: Promise<Answer>, status: number) => {
    const { body, ...answer } = await sending;
    expect(answer.status, JSON.stringify(body)).to.equal(status);
    return body.message as string;
  };

  const open = (changes: Json = {}) =>
    server.call('createStatusList', { json: { ...issuer, type: 'TokenStatusList', ...changes } });
  const allocate = (listId: string, json: Json = {}) => server.call('allocateStatusEntry', { path: { listId }, json });
  const entryAt = (listId: string, index: number) => ({ path: { listId, index: String(index) } });
  const change = (listId: string, index: number, json: Json) =>
    server.call('changeStatusEntry', { ...entryAt(listId, index), json });

  /** The statuses of the published Token Status List. */
  async function published(listId: string) {
    const { body } = await server.call('getStatusList', { path: { id: listId } });
    return readTokenList(body, { ...issuer.issuerKey.jwk, d: undefined });
  }

  describe('createStatusList', () => {
    it('201: opens the list of a signer, kind, purpose and size; 200 when there is one', async () => {
      const list = await ok(open({ statusSize: 4 }), 201);
      expect(list).to.include({ type: 'TokenStatusList', format: 'JWT', statusSize: 4, size: 131_072 });
      expect(list).to.include({ issuer: issuer.issuerDid, url: `${server.url}/status-lists/${list.listId}` });
      expect(await ok(open({ statusSize: 4 }))).to.deep.equal(list);
      expect((await published(list.listId)).size).to.equal(131_072);
      const bitstring = await ok(server.call('createStatusList', { json: issuer }), 201);
      expect(bitstring).to.include({
        type: 'BitstringStatusList',
        format: 'JWT',
        purpose: 'revocation',
        statusSize: 1,
      });
      const { body } = await server.call('getStatusList', { path: { id: bitstring.listId } });
      expect((await readListCredential(body, { ...issuer.issuerKey.jwk, d: undefined })).size).to.equal(131_072);
    });

    it('201: the list of a document signer, as CWT', async () => {
      const x5Chain = signerChain(issuer.issuerKey.jwk);
      const { listId } = await ok(open({ format: 'CWT', issuerDid: undefined, x5Chain }), 201);
      const answer = await fetch(`${server.url}/status-lists/${listId}`);
      expect(answer.headers.get('content-type')).to.equal('application/statuslist+cwt');
      const body = new Uint8Array(await answer.arrayBuffer());
      expect((await readCwtList(body, { ...issuer.issuerKey.jwk, d: undefined })).size).to.equal(131_072);
    });

    it('is the list that credentials of the issuer have their entries of', async () => {
      const other = await onboard(server, { key: { keyType: 'secp256r1' } });
      const list = await ok(server.call('createStatusList', { json: { ...other, purpose: 'suspension' } }), 201);
      const offer = await makeOffer(server, degree(other, { statusList: { purpose: 'suspension' } }));
      const { vc } = decodeJwt((await accept(server, offer)).body.credential) as { vc: Json };
      expect(vc.credentialStatus).to.include({ statusListCredential: list.url });
    });

    it('400: what does not fit, by its name', async () => {
      const other = await onboard(server, { key: { keyType: 'secp256r1' } });
      for (const [changes, path] of [
        [{ type: 'StatusList2021', format: 'CWT' }, '/body/format'],
        [{ purpose: 'revocation' }, '/body/purpose'],
        [{ type: 'StatusList2021', statusSize: 2 }, '/body/statusSize'],
        [{ type: 'BitstringStatusList', issuerDid: undefined }, '/body/issuerDid'],
        [{ issuerDid: other.issuerDid }, '/body/issuerDid'],
        [{ format: 'CWT' }, '/body/x5Chain'],
        [{ x5Chain: signerChain(other.issuerKey.jwk) }, '/body/x5Chain/0'],
        [{ issuerKey: { type: 'none' } }, '/body/issuerKey/type'],
        [{ other: true }, '/body/other'],
      ] as const) {
        const { status, body } = await open(changes);
        expect({ status, path: body.details?.[0].path }, JSON.stringify(body)).to.deep.equal({ status: 400, path });
      }
    });
  });

  describe('listStatusLists', () => {
    it('200: every list once, in pages', async () => {
      const opened = [await ok(open({ statusSize: 1 }), 201), await ok(open({ statusSize: 8 }), 201)];
      const all = await ok(server.call('listStatusLists', { query: { sort: 'createdDateTime+', limit: '1000' } }));
      expect(all.slice(-2)).to.deep.equal(opened);
      const pages = await Promise.all(
        all.map((_: unknown, n: number) =>
          ok(server.call('listStatusLists', { query: { limit: '1', offset: `${n}` } })),
        ),
      );
      expect(new Set(pages.flat().map(({ listId }) => listId)).size).to.equal(all.length);
      await refused(server.call('listStatusLists', { query: { limit: '0' } }), 400);
    });
  });

  describe('getStatusListFacts', () => {
    it('200: how far the list is used and when a status was set last; 404 for a list that does not exist', async () => {
      const list = await ok(open({ statusSize: 1 }));
      const facts = () => ok(server.call('getStatusListFacts', { path: { listId: list.listId } }));
      expect(await facts()).to.deep.equal({ ...list, used: 0 });
      const { index } = (await ok(allocate(list.listId), 201)).entry;
      expect(await facts()).to.deep.equal({ ...list, used: 1 });
      server.clock.advance(1000);
      const changedDateTime = new Date(server.clock.now()).toISOString();
      await ok(change(list.listId, index, { action: 'revoke' }));
      server.clock.advance(1000);
      expect(await facts()).to.deep.equal({ ...list, used: 1, changedDateTime });
      const listId = '00000000-0000-4000-8000-000000000000';
      await refused(server.call('getStatusListFacts', { path: { listId } }), 404);
      await refused(server.call('getStatusListFacts', { path: { listId: 'x' } }), 400);
    });
  });

  describe('allocateStatusEntry', () => {
    it('201: an entry of its own for each call, with what its credential must say', async () => {
      const { listId, url } = await ok(open({}), 201);
      const made = await Promise.all(Array.from({ length: 5 }, () => ok(allocate(listId, { credentialId: 'c' }), 201)));
      expect(new Set(made.map(({ entry }) => entry.index)).size).to.equal(5);
      for (const { entry, reference } of made) {
        expect(entry).to.deep.include({ listId, status: 'valid', credentialId: 'c', history: [] });
        expect(reference).to.deep.equal({ status_list: { idx: entry.index, uri: url } });
        expect(await ok(server.call('getStatusEntry', entryAt(listId, entry.index)))).to.deep.equal(entry);
      }
      await refused(allocate('00000000-0000-4000-8000-000000000000'), 404);
      await refused(allocate(listId, { other: 1 }), 400);
    });
  });

  describe('getStatusEntry', () => {
    it('200: an entry with all that is known of it, alone, in its list and among those of its names', async () => {
      const { listId } = await ok(
        server.call('createStatusList', { json: { ...issuer, type: 'StatusList2021' } }),
        201,
      );
      const names = { session: 'enrolment 1', credentialId: 'urn:uuid:5f0b6b0c-2b5e-4ae8-9a53-1e0d1cbf3a7e' };
      const { index } = (await ok(allocate(listId, names), 201)).entry;
      const json = { session: names.session, action: 'revoke', reason: 'Withdrawn', changedBy: 'registrar-7' };
      const [entry] = await ok(server.call('changeStatusEntries', { json }));
      expect(entry).to.include({ listId, index, status: 'revoked', ...names });
      expect(entry.history[0]).to.include({
        from: 'valid',
        to: 'revoked',
        reason: 'Withdrawn',
        changedBy: 'registrar-7',
      });
      expect(await ok(change(listId, index, { action: 'revoke' }))).to.deep.equal(entry);
      expect(await ok(server.call('getStatusEntry', entryAt(listId, index)))).to.deep.equal(entry);
      expect(await ok(server.call('listStatusEntries', { path: { listId } }))).to.deep.equal([entry]);
      expect(await ok(server.call('findStatusEntries', { query: { session: names.session } }))).to.deep.equal([entry]);
    });

    it('404: no credential has this entry; 400: what is no index', async () => {
      const { listId } = await ok(open({}));
      const { entry } = await ok(allocate(listId), 201);
      await refused(server.call('getStatusEntry', entryAt(listId, (entry.index + 1) % 131_072)), 404);
      await refused(server.call('getStatusEntry', { path: { listId, index: '01' } }), 400);
    });
  });

  describe('changeStatusEntry', () => {
    it('200: suspends, lifts and revokes for ever; the list and the history say so', async () => {
      const { listId } = await ok(open({}));
      const { index } = (await ok(allocate(listId), 201)).entry;
      await refused(change(listId, index, { action: 'lift' }), 409);
      const suspended = await ok(change(listId, index, { action: 'suspend', reason: 'Lost', changedBy: 'desk-1' }));
      expect(suspended.status).to.equal('suspended');
      expect((await published(listId)).status(index)).to.equal(2);
      await ok(change(listId, index, { action: 'lift', reason: 'Found' }));
      expect((await published(listId)).status(index)).to.equal(0);
      await ok(change(listId, index, { action: 'suspend' }));
      const revoked = await ok(change(listId, index, { action: 'revoke', reason: 'Withdrawn', changedBy: 'desk-2' }));
      expect((await published(listId)).status(index)).to.equal(1);
      expect(await refused(change(listId, index, { action: 'lift' }), 409)).to.include('final');
      expect(await refused(change(listId, index, { action: 'suspend' }), 409)).to.include('final');
      expect(await ok(change(listId, index, { action: 'revoke', reason: 'Again' }))).to.deep.equal(revoked);
      expect((await published(listId)).status(index)).to.equal(1);
      const history = revoked.history.map(({ changedAt, ...line }: Json) => line);
      expect(history).to.deep.equal([
        { from: 'valid', to: 'suspended', reason: 'Lost', changedBy: 'desk-1' },
        { from: 'suspended', to: 'valid', reason: 'Found' },
        { from: 'valid', to: 'suspended' },
        { from: 'suspended', to: 'revoked', reason: 'Withdrawn', changedBy: 'desk-2' },
      ]);
      expect(
        revoked.updatedDateTime > revoked.createdDateTime || revoked.updatedDateTime === revoked.createdDateTime,
      ).to.equal(true);
    });

    it('400: a list without the state, and a reason that is too long; 404: no such entry', async () => {
      const bit = await ok(open({ statusSize: 1 }));
      const { index } = (await ok(allocate(bit.listId), 201)).entry;
      for (const action of ['suspend', 'lift'])
        expect(await refused(change(bit.listId, index, { action }), 400)).to.include('cannot be suspended');
      const { listId } = await ok(server.call('createStatusList', { json: { ...issuer, purpose: 'suspension' } }), 201);
      const other = (await ok(allocate(listId), 201)).entry;
      expect(await refused(change(listId, other.index, { action: 'revoke' }), 400)).to.include('cannot be revoked');
      for (const json of [{}, { action: 'delete' }, { action: 'revoke', reason: 'x'.repeat(501) }])
        await refused(change(bit.listId, index, json), 400);
      await ok(change(bit.listId, index, { action: 'revoke', reason: 'x'.repeat(500), changedBy: 'y'.repeat(200) }));
      await refused(change(bit.listId, (index + 1) % 131_072, { action: 'revoke' }), 404);
    });

    it('50 revocations at once are 50 bits, and of two different changes of one entry each is on the result of the other', async () => {
      const { listId } = await ok(open({ statusSize: 2, issuerDid: issuer.issuerDid }));
      const before = await published(listId);
      const made = await Promise.all(Array.from({ length: 50 }, () => ok(allocate(listId), 201)));
      const indexes = made.map(({ entry }) => entry.index as number);
      await Promise.all(indexes.map((index) => ok(change(listId, index, { action: 'revoke' }))));
      const after = await published(listId);
      const set = Array.from({ length: after.size }, (_, n) => n).filter((n) => after.status(n) !== before.status(n));
      expect(set).to.deep.equal(indexes.toSorted((a, b) => a - b));
      const { index } = (await ok(allocate(listId), 201)).entry;
      const both = await Promise.all(['suspend', 'revoke'].map((action) => change(listId, index, { action })));
      expect(both[1]?.status).to.equal(200);
      const { status, history } = await ok(server.call('getStatusEntry', entryAt(listId, index)));
      expect(status).to.equal('revoked');
      for (const [n, line] of history.entries()) expect(line.from).to.equal(history[n - 1]?.to ?? 'valid');
    });
  });

  describe('listStatusEntries', () => {
    it('200: the entries in pages, all or those in one state', async () => {
      const { listId } = await ok(
        server.call('createStatusList', { json: { ...issuer, type: 'StatusList2021', purpose: 'suspension' } }),
        201,
      );
      const made = await Promise.all(Array.from({ length: 9 }, () => ok(allocate(listId), 201)));
      const indexes = made.map(({ entry }) => entry.index as number).toSorted((a, b) => a - b);
      const suspended = indexes.filter((_, n) => n % 3 === 0);
      for (const index of suspended) await ok(change(listId, index, { action: 'suspend' }));
      const list = async (query: Record<string, string>) =>
        (await ok(server.call('listStatusEntries', { path: { listId }, query }))).map(({ index }: Json) => index);
      expect(await list({})).to.deep.equal(indexes);
      expect(await list({ limit: '4', offset: '3' })).to.deep.equal(indexes.slice(3, 7));
      expect(await list({ status: 'suspended' })).to.deep.equal(suspended);
      expect(await list({ status: 'revoked' })).to.deep.equal([]);
      const valid = indexes.filter((index) => !suspended.includes(index));
      expect(await list({ status: 'valid', limit: '2', offset: '3' })).to.deep.equal(valid.slice(3, 5));
      expect(await list({ sort: 'updatedDateTime', limit: '3' })).to.deep.equal(suspended.toReversed());
      const path = { listId };
      const wrong: Record<string, string>[] = [
        { status: 'other' },
        { limit: '1001' },
        { offset: '-1' },
        { sort: 'index' },
      ];
      for (const query of wrong) await refused(server.call('listStatusEntries', { path, query }), 400);
      await refused(
        server.call('listStatusEntries', { path: { listId: '00000000-0000-4000-8000-000000000000' } }),
        404,
      );
    });
  });

  describe('findStatusEntries', () => {
    it('200: the entries of a session and of a credential, which are issued with one', async () => {
      const offer = await makeOffer(server, degree(issuer, { statusList: {} }));
      const { credential } = (await accept(server, offer)).body;
      const { jti } = decodeJwt(credential) as { jti: string };
      const [entry] = await ok(server.call('findStatusEntries', { query: { credentialId: jti } }));
      expect(entry).to.include({ credentialId: jti, status: 'valid' });
      expect(entry.session).to.be.a('string');
      const { session } = entry;
      expect(await ok(server.call('findStatusEntries', { query: { session } }))).to.deep.equal([entry]);
      expect(await ok(server.call('findStatusEntries', { query: { session, offset: '1' } }))).to.deep.equal([]);
      expect(await ok(server.call('findStatusEntries', { query: { session: 'unknown' } }))).to.deep.equal([]);
      const wrong: Record<string, string>[] = [
        {},
        { session, credentialId: jti },
        { session, sort: 'createdDateTime' },
      ];
      for (const query of wrong) await refused(server.call('findStatusEntries', { query }), 400);
    });

    it('200: of an SD-JWT VC and of an mdoc, by their session', async () => {
      const before = await ok(server.call('listStatusLists', { query: { limit: '1000' } }));
      const x5Chain = signerChain(issuer.issuerKey.jwk);
      for (const [operationId, json, asked] of [
        ['issueSdJwtCredential', identity(issuer, { statusList: { statusSize: 8 } }), ASKED.identity(server)],
        ['issueMdoc', licence(issuer, { statusList: { statusSize: 8 }, x5Chain }), ASKED.licence()],
      ] as const)
        expect((await claim(server, await makeOffer(server, json, { operationId }), asked)).status).to.equal(200);
      const lists = await ok(server.call('listStatusLists', { query: { limit: '1000' } }));
      const known = new Set(before.map(({ listId }: Json) => listId));
      for (const { listId } of lists.filter(({ listId: id }: Json) => !known.has(id))) {
        const [entry] = await ok(server.call('listStatusEntries', { path: { listId } }));
        const found = await ok(server.call('findStatusEntries', { query: { session: entry.session } }));
        expect(found).to.deep.equal([entry]);
      }
    });
  });

  for (const operationId of ['createStatusList', 'allocateStatusEntry', 'changeStatusEntry', 'changeStatusEntries'])
    describe(operationId, () => {
      it('413: refuses a body over 1 MiB; 415: another media type', async () => {
        const path = { listId: '00000000-0000-4000-8000-000000000000', index: '0' };
        await refused(server.call(operationId, { path, json: { reason: 'x'.repeat(1024 * 1024) } }), 413);
        await refused(server.call(operationId, { path, text: 'x', contentType: 'text/plain' }), 415);
      });
    });

  describe('changeStatusEntries', () => {
    it('200: all entries of a session, as far as they can be changed', async () => {
      const { listId } = await ok(open({}));
      const session = 'enrolment 7/8 ü';
      const made = await Promise.all(Array.from({ length: 3 }, () => ok(allocate(listId, { session }), 201)));
      await ok(change(listId, made[0].entry.index, { action: 'revoke' }));
      const changeAll = (json: Json) => server.call('changeStatusEntries', { json });
      const states = async (json: Json) => (await ok(changeAll(json))).map(({ status }: Json) => status).toSorted();
      expect(await states({ session, action: 'suspend', reason: 'Fees' })).to.deep.equal([
        'revoked',
        'suspended',
        'suspended',
      ]);
      expect(await states({ session, action: 'lift' })).to.deep.equal(['revoked', 'valid', 'valid']);
      expect(await states({ session, action: 'revoke' })).to.deep.equal(['revoked', 'revoked', 'revoked']);
      await refused(changeAll({ session, action: 'lift' }), 409);
      await refused(changeAll({ session: 'unknown', action: 'revoke' }), 404);
      for (const json of [{ action: 'revoke' }, { session, credentialId: 'c', action: 'revoke' }, { session }])
        await refused(changeAll(json), 400);
    });
  });
});
