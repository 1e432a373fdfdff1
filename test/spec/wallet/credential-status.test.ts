import { expect } from 'chai';
import { statusEntry } from '../../../demo/actors/status-list.ts';
import { issueCredential, jwkParty, type Party } from '../../actors/party.ts';
import { newWalletUser, type WalletUser } from '../../actors/wallet-user.ts';
import { type Answer, useServer } from '../../support/servers/server.ts';
import { refused } from '../../support/status/status-checks.ts';
import { type ListHost, listClaims, listHost } from '../../support/status/status-lists.ts';

describe('getWalletCredentialStatus', () => {
  const server = useServer({ outboundTimeoutMs: 1500 });
  let holder: WalletUser;
  let issuer: Party;
  let host: ListHost;
  before(async () => {
    [holder, issuer, host] = [await newWalletUser(server), await jwkParty(), await listHost()];
  });
  after(() => host.close());

  const publish = async (options: object = {}, by = issuer): Promise<string> =>
    host.publish(await by.sign(listClaims({ did: by.did, ...options }), { typ: undefined }));
  const hold = async (credentialStatus?: unknown): Promise<string> => {
    const jwt = await issueCredential(issuer, { ...issuer, did: holder.did }, { vc: { credentialStatus } });
    const json = { jwt, associated_did: holder.did };
    const { status, body } = await holder.call('importWalletCredential', { json });
    expect(status, JSON.stringify(body)).to.be.oneOf([201, 409]);
    return body.id;
  };
  const ask = (credentialId: string): Promise<Answer> =>
    holder.call('getWalletCredentialStatus', { path: { credentialId } });
  const statusesOf = async (credentialStatus?: unknown) => {
    const { status, body } = await ask(await hold(credentialStatus));
    expect(status, JSON.stringify(body)).to.equal(200);
    return body;
  };

  it('200: an empty list for a credential without status entries', async () => {
    expect(await statusesOf()).to.deep.equal([]);
  });

  it('200: one element for each entry, with its purpose, in their order', async () => {
    const revocation = await publish({ set: [7] });
    const suspension = await publish({ subject: { statusPurpose: 'suspension' } });
    expect(await statusesOf(statusEntry(revocation, 8))).to.deep.equal([
      { type: 'revocation', result: false, message: 'unset' },
    ]);
    const entries = [statusEntry(suspension, 7, { statusPurpose: 'Suspension' }), statusEntry(revocation, 7)];
    expect(await statusesOf(entries)).to.deep.equal([
      { type: 'suspension', result: false, message: 'unset' },
      { type: 'revocation', result: true, message: 'set' },
    ]);
  });

  it('the credential says whether it has a status, and when it ends unless that has no date of four digits', async () => {
    const status = statusEntry(await publish(), 9);
    for (const [content, expected] of [
      [
        { vc: { credentialStatus: status, expirationDate: '2036-01-02T03:04:05Z' } },
        [true, '2036-01-02T03:04:05.000Z'],
      ],
      [{ claims: { exp: 999_999_999_999 } }, [false, undefined]],
    ] as const) {
      const jwt = await issueCredential(issuer, { ...issuer, did: holder.did }, content);
      const { body } = await holder.call('importWalletCredential', { json: { jwt, associated_did: holder.did } });
      expect([body.hasStatus, body.validUntil], JSON.stringify(body)).to.deep.equal(expected);
    }
  });

  it('200: the messages of the entry, in one line; what cannot be read of them is ignored', async () => {
    const list = await publish({ set: [7] });
    const statusMessage = [
      { status: '0x0', message: 'in\nforce\u202e' },
      { status: '0x1', message: 'withdrawn' },
      { status: '0x1', message: 'again' },
      { status: '0x7', message: 'unused' },
      { status: 1 },
      'x',
    ];
    const answers = [7, 8].map((index) => statusesOf(statusEntry(list, index, { statusMessage })));
    const messages = (await Promise.all(answers)).map(([{ message }]) => message);
    expect(messages).to.deep.equal(['withdrawn', 'in force']);
    expect(await statusesOf(statusEntry(list, 7, { statusMessage: 'x' }))).to.deep.equal([
      { type: 'revocation', result: true, message: 'set' },
    ]);
  });

  it('400: a status that cannot be determined is an error, never "unset"', async () => {
    const list = await publish();
    const foreign = await publish({}, await jwkParty());
    const cases: [unknown, string][] = [
      [statusEntry(foreign, 7), 'STATUS_VERIFICATION_ERROR'],
      [statusEntry(list, 7, { statusPurpose: 'suspension' }), 'STATUS_VERIFICATION_ERROR'],
      [statusEntry(list, 7, { type: 'RevocationList2021Status' }), 'MALFORMED_VALUE_ERROR'],
      [statusEntry(list, 7, { statusSize: 2 }), 'MALFORMED_VALUE_ERROR'],
      [statusEntry(list, 131_072), 'RANGE_ERROR'],
      [statusEntry('http://10.0.0.1/list', 7), 'AddressRefused'],
      [[], 'MALFORMED_VALUE_ERROR'],
    ];
    for (const [status, id] of cases) await refused(ask(await hold(status)), 400, id);
    const tampered = await issuer.sign(listClaims({ did: issuer.did }), { typ: undefined });
    const forged = host.publish(`${tampered.slice(0, -4)}AAAA`);
    await refused(ask(await hold(statusEntry(forged, 7))), 400, 'STATUS_VERIFICATION_ERROR');
    const half = [statusEntry(list, 7), statusEntry(forged, 7)];
    await refused(ask(await hold(half)), 400, 'STATUS_VERIFICATION_ERROR');
  });

  it('404: for an unknown credential, and for one of another wallet', async () => {
    const credentialId = await hold();
    const other = await newWalletUser(server);
    const path = { credentialId };
    expect((await other.call('getWalletCredentialStatus', { path })).status).to.equal(404);
    expect((await ask('x')).status).to.equal(404);
  });

  it('502 and 504: when the list cannot be fetched', async () => {
    const gone = host.publish((_, response) => void response.writeHead(404).end());
    await refused(ask(await hold(statusEntry(gone, 7))), 502, 'STATUS_RETRIEVAL_ERROR');
    const hanging = host.publish(() => {});
    await refused(ask(await hold(statusEntry(hanging, 7))), 504, 'STATUS_RETRIEVAL_ERROR');
  });

  it('fetches a list once for the wallet and the status check', async () => {
    const list = await publish();
    const jwt = await issueCredential(issuer, issuer, { vc: { credentialStatus: statusEntry(list, 3) } });
    expect((await server.call('checkRevocation', { text: jwt })).body).to.deep.equal({ isRevoked: false });
    await statusesOf(statusEntry(list, 3));
    expect(host.hits.get(new URL(list).pathname)).to.equal(1);
  });
});
