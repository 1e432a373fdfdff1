import type { RequestListener } from 'node:http';
import { expect } from 'chai';
import { bitstring, encodeList, LIST_BITS, statusEntry } from '../../../demo/actors/status-list.ts';
import { isRevoked, refused, StatusChecks } from '../../support/status/status-checks.ts';
import { credentialWith, listClaims } from '../../support/status/status-lists.ts';

describe('checkRevocation', () => {
  const on = new StatusChecks({ outboundTimeoutMs: 1500 });

  it('200: returns for each credential of a list whether it is revoked', async () => {
    const list = await on.publish({ set: [0, 9, LIST_BITS - 1] });
    for (const [index, revoked] of [
      [0, true],
      [1, false],
      [8, false],
      [9, true],
      [LIST_BITS - 2, false],
      [LIST_BITS - 1, true],
    ] as const)
      expect((await on.checkList(list, index)).body, String(index)).to.deep.equal({ isRevoked: revoked });
  });

  it('200: accepts the credential as text, as JSON and as a JWT under each media type', async () => {
    const json = credentialWith(on.issuer.did, statusEntry(await on.publish({ set: [7] }), 7));
    const jwt = await on.issuer.sign({ iss: on.issuer.did, vc: json });
    const vc2 = await on.issuer.sign(json, { typ: 'vc+jwt' });
    for (const call of [
      { text: JSON.stringify(json) },
      { text: JSON.stringify(json), contentType: 'text/plain; charset=utf-8' },
      { json },
      { text: jwt },
      { text: `${vc2}\n` },
      { text: jwt, contentType: 'application/vc+jwt' },
      { json: jwt },
    ])
      expect(await isRevoked(on.server.call('checkRevocation', call))).to.equal(true);
  });

  it('200: reports that a credential has no status', async () => {
    const none = credentialWith(on.issuer.did, undefined);
    const answer = 'Verifiable credential has no credential-status property';
    for (const call of [
      { text: JSON.stringify(none) },
      { json: none },
      { text: await on.issuer.sign({ iss: on.issuer.did, vc: none }) },
    ]) {
      const { status, body, headers } = await on.server.call('checkRevocation', call);
      expect({ status, body }).to.deep.equal({ status: 200, body: answer });
      expect(headers.get('content-type')).to.include('application/json');
    }
  });

  it('200: reads lists of the Bitstring Status List specification and in standard base64', async () => {
    const credentialSubject = {
      type: 'BitstringStatusList',
      statusPurpose: ['suspension', 'revocation'],
      encodedList: `u${encodeList(bitstring([3]))}`,
    };
    const type = ['VerifiableCredential', 'BitstringStatusListCredential'];
    const list = on.host.publish(await on.issuer.sign({ issuer: { id: on.issuer.did }, type, credentialSubject }));
    const entry = (index: number) => statusEntry(list, index, { type: 'BitstringStatusListEntry' });
    expect(await isRevoked(on.checkEntry(entry(3)))).to.equal(true);
    expect(await isRevoked(on.checkEntry(entry(4)))).to.equal(false);
    const named = await on.publish({ set: [3], subject: { id: `${list}#list` }, claims: { sub: list } });
    expect(await isRevoked(on.checkList(named, 3))).to.equal(true);
    const standard = await on.publish({ subject: { encodedList: encodeList(bitstring([3]), 'base64') } });
    expect(await isRevoked(on.checkList(standard, 3))).to.equal(true);
  });

  it('200: of several entries, any with the purpose revocation decides', async () => {
    const list = await on.publish({ set: [1] });
    const suspension = await on.publish({ set: [1], subject: { statusPurpose: 'suspension' } });
    const [clear, set] = [statusEntry(list, 0), statusEntry(list, 1)];
    const suspended = statusEntry(suspension, 1, { statusPurpose: 'suspension' });
    expect(await isRevoked(on.checkEntry([clear, set]))).to.equal(true);
    expect(await isRevoked(on.checkEntry([set, clear]))).to.equal(true);
    expect(await isRevoked(on.checkEntry([clear, suspended]))).to.equal(false);
    expect(await isRevoked(on.checkEntry([suspended, set]))).to.equal(true);
  });

  it('200: follows a redirect to the list', async () => {
    const list = await on.publish({ set: [7] });
    const moved = on.host.publish((_, response) => void response.writeHead(302, { location: list }).end());
    expect(await isRevoked(on.checkList(moved))).to.equal(true);
  });

  it('200: allows any origin', async () => {
    const headers = { origin: 'https://elsewhere.example' };
    const answer = await on.server.call('checkRevocation', { json: {}, headers });
    expect(answer.headers.get('access-control-allow-origin')).to.equal('*');
  });

  it('413: refuses a body over 1 MiB', async () => {
    const text = JSON.stringify({ a: 'x'.repeat(1024 * 1024) });
    await refused(on.server.call('checkRevocation', { text }), 413, 'PayloadTooLarge');
  });

  it('415: refuses media types that are not documented', async () => {
    for (const contentType of ['application/xml', 'text/html', 'application/x-www-form-urlencoded'])
      await refused(on.server.call('checkRevocation', { text: '{}', contentType }), 415, 'UnsupportedMediaType');
  });

  it('502: reports a list or keys that cannot be fetched', async () => {
    const replies: RequestListener[] = [
      (_, response) => void response.writeHead(404).end('gone'),
      (_, response) => void response.writeHead(204).end(),
      (request) => void request.socket.destroy(),
      (_, response) => void response.end(Buffer.alloc(5 * 1024 * 1024 + 1)),
      (_, response) => void response.writeHead(200, { 'content-encoding': 'gzip' }).end('x'),
      (_, response) => void response.writeHead(200, { 'content-length': '100' }).end('short').destroy(),
    ];
    for (const reply of replies) await refused(on.checkList(on.host.publish(reply)), 502, 'STATUS_RETRIEVAL_ERROR');
    const did = `did:web:${encodeURIComponent(new URL(on.host.url).host)}:unknown`;
    on.host.replace(`${on.host.url}/unknown/did.json`, (_, response) => void response.writeHead(404).end());
    const list = on.host.publish(await on.issuer.sign(listClaims({ did }), { kid: `${did}#0` }));
    await refused(on.check(credentialWith(did, statusEntry(list, 7))), 502, 'STATUS_RETRIEVAL_ERROR');
    const jwt = await on.issuer.sign({ iss: did, vc: {} }, { kid: `${did}#0` });
    for (const operationId of ['checkRevocation', 'revokeCredential'])
      await refused(on.server.call(operationId, { text: jwt }), 502, 'UpstreamFailed');
  });

  it('504: reports a list that is not received in time', async () => {
    const hanging = on.host.publish(() => {});
    const dripping = on.host.publish((_, response) => {
      const drip = setInterval(() => response.write(' '), 100);
      response.on('close', () => clearInterval(drip));
    });
    const did = `did:web:${encodeURIComponent(new URL(on.host.url).host)}:hanging`;
    on.host.replace(`${on.host.url}/hanging/did.json`, () => {});
    const jwt = await on.issuer.sign({ iss: did, vc: {} }, { kid: `${did}#0` });
    await Promise.all([
      ...[hanging, dripping].map((list) => refused(on.checkList(list), 504, 'STATUS_RETRIEVAL_ERROR')),
      refused(on.server.call('revokeCredential', { text: jwt }), 504, 'UpstreamTimeout'),
    ]);
  });
});
