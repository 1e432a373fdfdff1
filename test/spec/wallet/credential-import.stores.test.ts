import { randomUUID } from 'node:crypto';
import { expect } from 'chai';
import { issueCredential, jwkParty, keyParty, type Party, tamper } from '../../actors/party.ts';
import { newWalletUser, resetWallet, type WalletUser } from '../../actors/wallet-user.ts';
import { TOY_FORMAT } from '../../support/credentials/toy-format.ts';
import { type Answer, useServer } from '../../support/servers/server.ts';
import { type ListHost, listHost } from '../../support/status/status-lists.ts';

describe('importWalletCredential', () => {
  const server = useServer({ formats: [TOY_FORMAT], outboundTimeoutMs: 1500 });
  let holder: WalletUser;
  let issuer: Party;
  let host: ListHost;
  before(async () => {
    [holder, issuer, host] = [await newWalletUser(server), await jwkParty(), await listHost()];
  });
  beforeEach(() => resetWallet(holder));
  after(() => host.close());

  const me = (): Party => ({ did: holder.did }) as Party;
  const seconds = (): number => Math.floor(server.clock.now() / 1000);
  const take = (jwt: string, associated_did = holder.did): Promise<Answer> =>
    holder.call('importWalletCredential', { json: { jwt, associated_did } });
  const refused = async (jwt: string, reason: string): Promise<void> => {
    const { status, body } = await take(jwt);
    expect([status, body.message], reason).to.deep.equal([400, `jwt: ${reason}`]);
  };

  it('201: stores a credential of any issuer with a DID, which can then be listed and presented', async () => {
    for (const party of [issuer, await keyParty()]) {
      const jti = `urn:uuid:${randomUUID()}`;
      const jwt = await issueCredential(party, me(), {
        claims: { jti, exp: seconds() + 60 },
      });
      const { status, body } = await take(jwt);
      expect(status, JSON.stringify(body)).to.equal(201);
      expect(body).to.include({ wallet: holder.wallet, document: jwt, format: 'jwt_vc_json', pending: false });
      expect(body.id).to.equal(jti);
      const { body: listed } = await holder.call('getWalletCredential', { path: { credentialId: body.id } });
      expect(listed).to.deep.equal(body);
    }
  });

  it('201: a credential without an id has that of its digest', async () => {
    const { body } = await take(await issueCredential(issuer, me()));
    expect(body.id).to.match(/^[\w-]{43}$/);
  });

  it('201: a credential of another format that is bound to the key of the DID', async () => {
    const onboarded = (await server.call('onboardIssuer', { json: { key: { keyType: 'secp256r1' } } })).body;
    const { body: dids } = await holder.call('listWalletDids');
    const { publicKeyJwk: holderKey } = JSON.parse(dids[0].document).verificationMethod[0];
    const { issuerKey, issuerDid } = onboarded;
    const toy = await toyCredential({ jwk: issuerKey.jwk, did: issuerDid, holderKey });
    const { status, body } = await take(toy);
    expect([status, body.format], JSON.stringify(body)).to.deep.equal([201, 'toy']);
    const { privateKey: _, ...other } = { ...holderKey, x: holderKey.y, y: holderKey.x };
    const foreign = await toyCredential({ jwk: issuerKey.jwk, did: issuerDid, holderKey: other });
    await refused(foreign, 'is not issued to the associated DID');
  });

  it('409: for a credential that the wallet has, also when it is marked as deleted; of two at once one is stored', async () => {
    const jwt = await issueCredential(issuer, me(), { claims: { jti: 'urn:same' } });
    const statuses = (await Promise.all([take(jwt), take(jwt), take(jwt)])).map(({ status }) => status);
    expect(statuses.sort()).to.deep.equal([201, 409, 409]);
    await holder.call('deleteWalletCredential', { path: { credentialId: 'urn:same' } });
    expect((await take(jwt)).status).to.equal(409);
    const { body } = await holder.call('getWalletCredential', { path: { credentialId: 'urn:same' } });
    expect(body.deletedOn).to.be.a('string');
  });

  it('201: another credential with the id of a stored one replaces nothing', async () => {
    const claims = { jti: 'urn:same' };
    const first = await issueCredential(issuer, me(), { claims });
    const second = await issueCredential(await jwkParty(), me(), { claims });
    await take(first);
    const { status, body } = await take(second);
    expect([status, body.id === 'urn:same']).to.deep.equal([201, false]);
    const stored = await holder.call('getWalletCredential', { path: { credentialId: 'urn:same' } });
    expect(stored.body.document).to.equal(first);
    expect((await take(second)).status).to.equal(409);
  });

  it('400: refuses what is not a credential, or contradicts itself', async () => {
    const twofold = await issueCredential(issuer, me(), { vc: { issuer: holder.did } });
    for (const jwt of ['x', 'a.b.c', await issuer.sign({ iss: issuer.did, sub: holder.did }), twofold])
      expect((await take(jwt)).status).to.equal(400);
    for (const json of [
      {},
      { jwt: 'x' },
      { jwt: 7, associated_did: holder.did },
      { jwt: 'x', associated_did: 'y', more: 1 },
    ])
      expect((await holder.call('importWalletCredential', { json })).status).to.equal(400);
  });

  it('400: refuses a signature that is not the issuer’s', async () => {
    const jwt = await issueCredential(issuer, me());
    await refused(
      tamper(jwt, (payload) => {
        payload.jti = 'urn:other';
      }),
      'is not signed by its issuer',
    );
    const other = await jwkParty();
    const byAnother = await other.sign({
      iss: issuer.did,
      sub: holder.did,
      vc: { type: ['A'], credentialSubject: {} },
    });
    await refused(byAnother, 'is not signed by its issuer');
  });

  it('400: refuses an issuer that is not a DID', async () => {
    const url = { ...issuer, did: 'https://issuer.example' };
    await refused(await issueCredential(url, me()), 'names an issuer that is not a DID');
  });

  it('400: refuses a credential about another subject, or about none', async () => {
    await refused(await issueCredential(issuer, await jwkParty()), 'is not issued to the associated DID');
    const unbound = await issuer.sign({ iss: issuer.did, vc: { type: ['A'], credentialSubject: { a: 1 } } });
    await refused(unbound, 'is not issued to the associated DID');
  });

  it('400: refuses a credential that is expired, not valid yet, or has a date that is none', async () => {
    const issue = (claims: Record<string, unknown>, vc = {}) => issueCredential(issuer, me(), { claims, vc });
    await refused(await issue({ exp: seconds() - 1 }), 'is no longer valid, by its exp');
    await refused(
      await issue({}, { expirationDate: '2024-01-01T00:00:00Z' }),
      'is no longer valid, by its expirationDate',
    );
    await refused(await issue({ nbf: seconds() + 60 }), 'is not valid yet, by its nbf');
    await refused(await issue({}, { issuanceDate: 'soon' }), 'issuanceDate is not a date');
    await refused(await issue({ exp: 'later' }), 'exp is not a date');
    expect((await take(await issue({ iat: seconds() + 30, nbf: seconds(), exp: seconds() + 60 }))).status).to.equal(
      201,
    );
  });

  it('404: for a DID that the wallet does not have, also one of another wallet', async () => {
    const jwt = await issueCredential(issuer, me());
    const other = await newWalletUser(server);
    for (const did of ['did:key:z', other.did]) expect((await take(jwt, did)).status).to.equal(404);
  });

  it('502 and 504: when the keys of the issuer cannot be fetched', async () => {
    const did = `did:web:${encodeURIComponent(new URL(host.url).host)}`;
    const web: Party = { ...issuer, did, sign: (payload) => issuer.sign(payload, { kid: `${did}#0` }) };
    const jwt = await issueCredential(web, me());
    const path = `${host.url}/.well-known/did.json`;
    host.replace(path, (_, response) => void response.writeHead(500).end());
    expect((await take(jwt)).status).to.equal(502);
    host.replace(path, () => {});
    expect((await take(jwt)).status).to.equal(504);
    expect((await holder.call('listWalletCredentials')).body).to.deep.equal([]);
  });
});

/** A credential of the toy format, signed with a private P-256 key. */
async function toyCredential({
  jwk,
  did,
  holderKey,
}: {
  jwk: object;
  did: string;
  holderKey: object;
}): Promise<string> {
  const { createPrivateKey, sign } = await import('node:crypto');
  const content = { alg: 'ES256', name: 'urn:toy', by: did, kid: `${did}#0`, kinds: ['Toy'], facts: {}, holderKey };
  const text = `toy~${Buffer.from(JSON.stringify(content)).toString('base64url')}`;
  const key = createPrivateKey({ key: jwk as never, format: 'jwk' });
  const signature = sign('sha256', Buffer.from(text), { key, dsaEncoding: 'ieee-p1363' });
  return `${text}~${signature.toString('base64url')}`;
}
