import { createHash } from 'node:crypto';
import { expect } from 'chai';
import { decodeJwt } from 'jose';
import { degree, type Issuer, onboard } from '../../../demo/actors/issuer.ts';
import { makeOffer } from '../../actors/issuance.ts';
import { ASKED, claim, identity, licence } from '../../actors/issuance-formats.ts';
import { accept } from '../../actors/wallet.ts';
import { newWalletUser } from '../../actors/wallet-user.ts';
import { testFormats } from '../../support/credentials/formats.ts';
import { type Answer, startServer, useServer } from '../../support/servers/server.ts';

describe('credential status', () => {
  type Json = Record<string, unknown>;

  const server = useServer();
  let issuer: Issuer;
  before(async () => {
    issuer = await onboard(server, { key: { keyType: 'secp256r1' } });
  });

  const ok = async (sending: Promise<Answer>, status = 200) => {
    const { body, ...answer } = await sending;
    expect(answer.status, JSON.stringify(body)).to.equal(status);
    return body;
  };
  const check = (text: string) => ok(server.call('checkRevocation', { text }));
  const revoke = (text: string) => server.call('revokeCredential', { text });
  const refused = async (sending: Promise<Answer>, status: number, id: string) => {
    const { body, ...answer } = await sending;
    expect({ status: answer.status, id: body.id }, body.message).to.deep.equal({ status, id });
  };

  const issueDegree = async (changes: Json, by = issuer) =>
    (await ok(accept(server, await makeOffer(server, degree(by, changes))))).credential as string;

  /** The list and the index in the status of a credential. */
  async function placeOf(text: string): Promise<{ listId: string; index: string }> {
    const { status } = await testFormats.parse(text);
    const value = status[0]?.value as Json;
    const [list, index] = [value.statusListCredential ?? value.uri, value.statusListIndex ?? value.idx];
    return { listId: String(list).split('/').at(-1) ?? '', index: String(index) };
  }
  const change = async (text: string, action: string) =>
    server.call('changeStatusEntry', { path: await placeOf(text), json: { action } });

  /** How credentials of the formats with Token Status Lists are issued. */
  const CASES: [string, () => Promise<string>][] = [
    [
      'an SD-JWT VC',
      async () => {
        const json = identity(issuer, { statusList: {} });
        const offer = await makeOffer(server, json, { operationId: 'issueSdJwtCredential' });
        return (await ok(claim(server, offer, ASKED.identity(server)))).credential;
      },
    ],
    [
      'an mdoc',
      async () => {
        const offer = await makeOffer(server, licence(issuer, { statusList: {} }), { operationId: 'issueMdoc' });
        return (await ok(claim(server, offer, ASKED.licence()))).credential;
      },
    ],
  ];

  describe('a credential with a status', () => {
    for (const [title, issue] of CASES)
      it(`${title} is not revoked, suspended, not suspended, and revoked for ever`, async () => {
        const text = await issue();
        expect(await check(text)).to.deep.equal({ isRevoked: false });
        await ok(change(text, 'suspend'));
        server.clock.advance(301_000);
        expect(await check(text)).to.deep.equal({ isRevoked: false, isSuspended: true });
        await ok(change(text, 'lift'));
        server.clock.advance(301_000);
        expect(await check(text)).to.deep.equal({ isRevoked: false });
        await ok(revoke(text));
        server.clock.advance(301_000);
        expect(await check(text)).to.deep.equal({ isRevoked: true });
        await refused(change(text, 'lift'), 409, 'Conflict');
        await refused(change(text, 'suspend'), 409, 'Conflict');
        expect(await check(text)).to.deep.equal({ isRevoked: true });
      });

    for (const type of ['BitstringStatusList', 'StatusList2021'])
      it(`a W3C credential is revoked in a ${type}, and suspended and restored in one of that purpose`, async () => {
        const revocable = await issueDegree({ statusList: { type } });
        await refused(change(revocable, 'suspend'), 400, 'BadRequest');
        await ok(change(revocable, 'revoke'));
        expect(await check(revocable)).to.deep.equal({ isRevoked: true });
        const text = await issueDegree({ statusList: { type, purpose: 'suspension' } });
        await refused(revoke(text), 404, 'NotFound');
        await ok(change(text, 'suspend'));
        expect(await check(text)).to.deep.equal({ isRevoked: false, isSuspended: true });
        await ok(change(text, 'lift'));
        server.clock.advance(301_000);
        expect(await check(text)).to.deep.equal({ isRevoked: false });
      });

    it('is shown by the wallet that holds it', async () => {
      const holder = await newWalletUser(server);
      const { body: text } = await server.call('issueSdJwtCredential', { json: identity(issuer, { statusList: {} }) });
      const [{ id: credentialId, document }] = (await holder.call('acceptCredentialOffer', { text })).body;
      const shown = async () => {
        server.clock.advance(301_000);
        const { body } = await holder.call('getWalletCredentialStatus', { path: { credentialId } });
        return body.map(({ type, result }: Json) => [type, result]);
      };
      const states = (revocation: boolean, suspension: boolean) => [
        ['revocation', revocation],
        ['suspension', suspension],
      ];
      expect(await shown()).to.deep.equal(states(false, false));
      await ok(change(document, 'suspend'));
      expect(await shown()).to.deep.equal(states(false, true));
      await ok(change(document, 'lift'));
      expect(await shown()).to.deep.equal(states(false, false));
      await ok(change(document, 'revoke'));
      expect(await shown()).to.deep.equal(states(true, false));
    });
  });

  describe('revokeCredential', () => {
    it('200: revokes the credential that is sent, also as a JSON string and as vc+jwt, and again', async () => {
      for (const contentType of ['text/plain', 'application/json', 'application/vc+jwt']) {
        const text = await issueDegree({ statusList: {} });
        const body = contentType === 'application/json' ? { json: text } : { text, contentType };
        for (const _ of [1, 2]) expect(await ok(server.call('revokeCredential', body))).to.equal('');
        server.clock.advance(301_000);
        expect(await check(text)).to.deep.equal({ isRevoked: true });
        const { history } = await ok(server.call('getStatusEntry', { path: await placeOf(text) }));
        expect(history).to.have.length(1);
      }
    });

    it('400: plain JSON, a changed credential, and one of another issuer that names this entry', async () => {
      const text = await issueDegree({ statusList: {} });
      const { vc } = decodeJwt(text) as { vc: Json };
      await refused(revoke(JSON.stringify(vc)), 400, 'BadRequest');
      await refused(revoke('x'), 400, 'BadRequest');
      const [head, payload = '', signature] = text.split('.');
      const claims = JSON.parse(Buffer.from(payload, 'base64url').toString());
      const changed = Buffer.from(JSON.stringify({ ...claims, exp: 4_000_000_000 })).toString('base64url');
      await refused(revoke(`${head}.${changed}.${signature}`), 400, 'STATUS_VERIFICATION_ERROR');
      const stranger = await onboard(server, { key: { keyType: 'secp256r1' } });
      const forged = await issueDegree({ credentialStatus: vc.credentialStatus }, stranger);
      await refused(revoke(forged), 400, 'STATUS_VERIFICATION_ERROR');
      const entry = vc.credentialStatus as Json;
      const beyond = await issueDegree({ credentialStatus: { ...entry, statusListIndex: '131072' } });
      await refused(revoke(beyond), 400, 'RANGE_ERROR');
      expect(await check(text)).to.deep.equal({ isRevoked: false });
    });

    it('404: no status, one of a list of others, and one of a list that does not exist', async () => {
      await refused(revoke(await issueDegree({})), 404, 'NotFound');
      const none = `${server.url}/status-lists/00000000-0000-4000-8000-000000000000`;
      for (const statusListCredential of ['https://lists.example.org/1', none]) {
        const entry = { type: 'StatusList2021Entry', statusPurpose: 'revocation', statusListIndex: '1' };
        const text = await issueDegree({ credentialStatus: { ...entry, statusListCredential } });
        await refused(revoke(text), 404, 'NotFound');
      }
    });

    it('413: a body over 1 MiB; 415: another media type', async () => {
      expect((await revoke('x'.repeat(1024 * 1024 + 1))).status).to.equal(413);
      expect((await server.call('revokeCredential', { text: 'x', contentType: 'image/png' })).status).to.equal(415);
    });
  });

  describe('getStatusCredential', () => {
    it('200: the list that credentials name, by its id; 404 for others', async () => {
      for (const type of ['BitstringStatusList', 'StatusList2021']) {
        const { listId: id } = await placeOf(await issueDegree({ statusList: { type } }));
        const { status, headers, body } = await server.call('getStatusCredential', { path: { id } });
        const list = await server.call('getStatusList', { path: { id } });
        expect({ status, body }).to.deep.equal({ status: 200, body: list.body });
        expect(headers.get('content-type')).to.equal(list.headers.get('content-type'));
      }
      for (const [, issue] of CASES) {
        const { listId: id } = await placeOf(await issue());
        const { status, headers } = await server.call('getStatusCredential', { path: { id } });
        expect(status).to.equal(200);
        expect(headers.get('content-type')).to.match(/^application\/statuslist\+[cj]wt$/);
      }
      await refused(server.call('getStatusCredential', { path: { id: 'none' } }), 404, 'NotFound');
    });
  });

  describe('createStatusToken', () => {
    it('201: a base token of 72 characters, and its SHA-256 digest in base32', async () => {
      const made = await ok(server.call('createStatusToken'), 201);
      expect(made.baseToken).to.match(/^[0-9a-f-]{72}$/);
      expect(made.token).to.match(/^[A-Z2-7]{52}$/);
      const bits = [...createHash('sha256').update(made.baseToken).digest()].map((byte) =>
        byte.toString(2).padStart(8, '0'),
      );
      const letters = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567';
      const digits = `${bits.join('')}0000`.match(/.{5}/g)?.map((five) => letters[Number.parseInt(five, 2)]);
      expect(digits?.join('')).to.equal(made.token);
      const id = `${server.url}/v1/credentials/token/${made.token}`;
      expect(made.credentialStatus).to.deep.equal({ id, type: 'SimpleCredentialStatus2022' });
    });
  });

  describe('getStatusToken', () => {
    const state = (id: string, at = server) => ok(at.call('getStatusToken', { path: { id } }));

    it('200: the status of a credential, for itself and for the check, here and for another server', async () => {
      const other = await startServer();
      const { baseToken, token, credentialStatus } = await ok(server.call('createStatusToken'), 201);
      const text = await issueDegree({ credentialStatus });
      const checkAt = async (at: typeof server) => ok(at.call('checkRevocation', { text }));
      const valid = { token, isRevoked: false };
      for (const at of [server, other]) expect(await checkAt(at)).to.deep.equal(valid);
      expect(await state(token)).to.deep.equal(valid);
      expect(await state(baseToken)).to.deep.equal({ ...valid, token: baseToken });
      await refused(revoke(text), 400, 'BadRequest');
      await ok(revoke(baseToken));
      const timeOfRevocation = server.clock.now();
      server.clock.advance(5000);
      await ok(revoke(baseToken));
      for (const at of [server, other])
        expect(await checkAt(at)).to.deep.equal({ token, isRevoked: true, timeOfRevocation });
      expect(await state(token)).to.deep.equal({ token, isRevoked: true, timeOfRevocation });
      await other.close();
    });

    it('a credential that contains its base token is revoked by itself, as by its base token', async () => {
      const { baseToken } = await ok(server.call('createStatusToken'), 201);
      const id = `${server.url}/v1/credentials/token/${baseToken}`;
      const text = await issueDegree({ credentialStatus: { id, type: 'SimpleCredentialStatus2022' } });
      expect(await check(text)).to.deep.equal({ token: baseToken, isRevoked: false });
      await ok(revoke(text));
      expect(await check(text)).to.deep.include({ token: baseToken, isRevoked: true });
    });

    it('404: an unknown token is not "not revoked", and the check says so', async () => {
      await refused(server.call('getStatusToken', { path: { id: 'A'.repeat(52) } }), 404, 'NotFound');
      const base = '00000000-0000-4000-8000-00000000000000000000-0000-4000-8000-000000000000';
      await refused(server.call('getStatusToken', { path: { id: base } }), 404, 'NotFound');
      await refused(revoke(base), 404, 'NotFound');
      const id = `${server.url}/v1/credentials/token/${base}`;
      const text = await issueDegree({ credentialStatus: { id, type: 'SimpleCredentialStatus2022' } });
      await refused(server.call('checkRevocation', { text }), 502, 'STATUS_RETRIEVAL_ERROR');
    });
  });
});
