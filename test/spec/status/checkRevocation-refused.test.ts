import { expect } from 'chai';
import { bitstring, encodeList, LIST_BITS, statusEntry } from '../../../demo/actors/status-list.ts';
import { isRevoked, type ListOptions, refused, StatusChecks } from '../../support/status/status-checks.ts';
import { credentialWith, listClaims } from '../../support/status/status-lists.ts';

describe('checkRevocation', () => {
  const on = new StatusChecks();

  it('400: refuses a body that is not a credential', async () => {
    for (const text of [
      '',
      ' ',
      'text',
      '{',
      '[]',
      '"x"',
      '7',
      'null',
      '{"a":1,"a":2}',
      '{"__proto__":{}}',
      'eyJ.e30.',
    ])
      await refused(on.server.call('checkRevocation', { text, contentType: 'text/plain' }), 400, 'BadRequest');
    for (const text of ['{', '[]', '7', 'null'])
      await refused(on.server.call('checkRevocation', { text, contentType: 'application/json' }), 400, 'BadRequest');
  });

  it('400: refuses a credential in JWT form that its issuer did not sign', async () => {
    const vc = credentialWith(on.issuer.did, statusEntry(await on.publish(), 7));
    const good = await on.issuer.sign({ iss: on.issuer.did, vc });
    const tampered = good.replace(/\.([^.]{4})/, (_, first: string) => `.${first === 'eyJp' ? 'eyJq' : 'eyJp'}`);
    const [, payload] = good.split('.');
    const none = `${Buffer.from('{"alg":"none"}').toString('base64url')}.${payload}.`;
    const forged = await on.other.sign({ iss: on.issuer.did, vc }, { kid: `${on.issuer.did}#0` });
    const foreignKey = await on.other.sign({ iss: on.issuer.did, vc });
    const twoIssuers = await on.issuer.sign({ iss: on.issuer.did, vc: { ...vc, issuer: on.other.did } });
    const twoIds = await on.issuer.sign({ iss: on.issuer.did, jti: 'urn:a', vc: { ...vc, id: 'urn:b' } });
    const beside = await on.issuer.sign({ iss: on.issuer.did, issuer: on.other.did, vc });
    const listed = await on.issuer.sign({ iss: on.issuer.did, vc: { ...vc, issuer: [on.issuer.did] } });
    const unnamed = await on.issuer.sign({ iss: on.issuer.did, vc: { ...vc, issuer: { name: 'x' } } });
    const presentation = await on.issuer.sign({ iss: on.issuer.did, vc }, { typ: 'vp+jwt' });
    const nobody = await on.issuer.sign({ vc: { ...vc, issuer: undefined } });
    const unknown = await on.issuer.sign({ iss: 'did:example:x', vc: { ...vc, issuer: undefined } }, { kid: 'x' });
    const twofold = [twoIssuers, twoIds, beside, listed, unnamed, presentation];
    for (const text of [none, forged, foreignKey, ...twofold, nobody, unknown])
      await refused(on.server.call('checkRevocation', { text }), 400, 'STATUS_VERIFICATION_ERROR');
    expect((await on.server.call('checkRevocation', { text: tampered })).status).to.equal(400);
  });

  it('400: refuses a credential that names two issuers or subjects, or an invalid one', async () => {
    const vc = credentialWith(on.issuer.did, statusEntry(await on.publish(), 7));
    const twofold = [
      { ...vc, issuer: [on.issuer.did] },
      { iss: on.other.did, vc },
      { ...vc, issuer: {} },
    ];
    for (const credential of twofold) await refused(on.check(credential), 400, 'BadRequest');
    const aboutAnother = await on.issuer.sign({ iss: on.issuer.did, sub: on.other.did, vc });
    await refused(on.server.call('checkRevocation', { text: aboutAnother }), 400, 'BadRequest');
    expect(await isRevoked(on.check({ iss: on.issuer.did, vc }))).to.equal(false);
  });

  it('400: refuses a status that cannot be checked, naming the member', async () => {
    const list = await on.publish();
    const members: Record<string, unknown[]> = {
      type: ['RevocationList2020', 'x', undefined],
      statusPurpose: [undefined, 7],
      statusListIndex: [7, '-1', '01', '1e2', '', undefined],
      statusListCredential: ['x', 'file:///etc/passwd', undefined],
    };
    for (const [name, values] of Object.entries(members))
      for (const value of values) {
        const sending = on.checkEntry(statusEntry(list, 7, { [name]: value }));
        const { message } = await refused(sending, 400, 'MALFORMED_VALUE_ERROR');
        expect(message).to.include(`/credentialStatus/${name}`);
      }
    for (const status of [null, [], 'x', [statusEntry(list, 7), {}]])
      await refused(on.checkEntry(status), 400, 'MALFORMED_VALUE_ERROR');
    await refused(on.check({ credentialStatus: statusEntry(list, 7) }), 400, 'MALFORMED_VALUE_ERROR');
  });

  it('400: refuses a list at an address that is not public', async () => {
    const at = [
      'http://10.0.0.1/1',
      'http://169.254.169.254/latest',
      'http://[::1]/1',
      'http://[::ffff:127.0.0.1]/1',
      'http://user:pass@127.0.0.1/1',
    ];
    for (const url of at) await refused(on.checkList(url), 400, 'AddressRefused');
    const moved = on.host.publish((_, response) => void response.writeHead(302, { location: 'http://[::1]/' }).end());
    await refused(on.checkList(moved), 400, 'AddressRefused');
  });

  it('400: refuses a list that the issuer of the credential did not sign', async () => {
    const good = await on.issuer.sign(listClaims({ did: on.issuer.did }));
    const plain = listClaims({ did: on.issuer.did }).vc;
    const [header, payload, signature] = good.split('.');
    const lists = [
      JSON.stringify(plain),
      JSON.stringify({ ...(plain as object), proof: { type: 'Ed25519Signature2020' } }),
      await on.other.sign(listClaims({ did: on.other.did })),
      await on.other.sign(listClaims({ did: on.issuer.did })),
      await on.other.sign(listClaims({ did: on.issuer.did }), { kid: `${on.issuer.did}#0` }),
      await on.other.sign(listClaims({ did: on.issuer.did, claims: { iss: on.other.did } })),
      await on.issuer.sign(listClaims({ did: on.issuer.did, vc: { issuer: [on.issuer.did] } })),
      await on.issuer.sign(listClaims({ did: on.issuer.did, claims: { issuer: on.other.did } })),
      `${header}.${payload}.`,
      `${Buffer.from('{"alg":"none"}').toString('base64url')}.${payload}.${signature}`,
      `${good}.`,
      '',
      '<html>',
    ];
    for (const list of lists) await refused(on.checkList(on.host.publish(list)), 400, 'STATUS_VERIFICATION_ERROR');
  });

  it('400: refuses a list for another purpose, of another type, or of another URL', async () => {
    const suspension = await on.publish({ subject: { statusPurpose: 'suspension' } });
    await refused(on.checkList(suspension), 400, 'STATUS_VERIFICATION_ERROR');
    const ofType = (type: string) => on.publish({ vc: { type: ['VerifiableCredential', type] } });
    await refused(on.checkList(await ofType('DegreeCredential')), 400, 'STATUS_VERIFICATION_ERROR');
    const bitstringEntry = statusEntry(await on.publish(), 7, { type: 'BitstringStatusListEntry' });
    await refused(on.checkEntry(bitstringEntry), 400, 'STATUS_VERIFICATION_ERROR');
    const elsewhere = await on.publish({ vc: { id: `${on.host.url}/lists/elsewhere` } });
    await refused(on.checkList(elsewhere), 400, 'STATUS_VERIFICATION_ERROR');
    const refresh = await on.publish({ subject: { statusPurpose: 'refresh' } });
    const refreshed = statusEntry(refresh, 7, { statusPurpose: 'refresh' });
    await refused(on.checkEntry(refreshed), 400, 'STATUS_VERIFICATION_ERROR');
  });

  it('400: refuses a list that is expired or not valid yet', async () => {
    const now = () => on.server.clock.now();
    const seconds = (ms: number) => Math.floor((now() + ms) / 1000);
    const iso = (ms: number) => new Date(now() + ms).toISOString();
    const lists: ListOptions[] = [
      { claims: { exp: seconds(-1000) } },
      { claims: { nbf: seconds(120_000) } },
      { vc: { expirationDate: iso(-1) } },
      { vc: { validUntil: iso(-1) } },
      { vc: { validFrom: iso(120_000) } },
      { vc: { issuanceDate: iso(120_000) } },
    ];
    for (const options of lists)
      await refused(on.checkList(await on.publish(options)), 400, 'STATUS_VERIFICATION_ERROR');
    const ahead = await on.publish({ set: [7], vc: { validFrom: iso(30_000) } });
    expect(await isRevoked(on.checkList(ahead))).to.equal(true);
  });

  it('400: refuses a list that cannot be parsed', async () => {
    const bomb = encodeList(new Uint8Array(16 * 1024 * 1024 + 1));
    for (const encodedList of [undefined, '', '!', 'AAAA', bomb])
      await refused(on.checkList(await on.publish({ subject: { encodedList } })), 400, 'MALFORMED_VALUE_ERROR');
    const others: ListOptions[] = [
      { vc: { credentialSubject: [] } },
      { subject: { ttl: 'x' } },
      { claims: { exp: 'tomorrow' } },
      { vc: { validUntil: 'tomorrow' } },
    ];
    for (const options of others) await refused(on.checkList(await on.publish(options)), 400, 'MALFORMED_VALUE_ERROR');
  });

  it('400: refuses an index beyond the list, and a list that is too short', async () => {
    const list = await on.publish();
    for (const index of [String(LIST_BITS), '9'.repeat(400)])
      await refused(on.checkEntry(statusEntry(list, 0, { statusListIndex: index })), 400, 'RANGE_ERROR');
    const short = await on.publish({ subject: { encodedList: encodeList(bitstring([], LIST_BITS - 8)) } });
    await refused(on.checkList(short), 400, 'STATUS_LIST_LENGTH_ERROR');
  });

  it('400: refuses a credential with one invalid entry, even beside one that is set', async () => {
    const list = await on.publish({ set: [1] });
    const beyond = statusEntry(list, LIST_BITS);
    await refused(on.checkEntry([statusEntry(list, 1), beyond]), 400, 'RANGE_ERROR');
    const suspension = statusEntry(list, 0, { statusPurpose: 'suspension' });
    await refused(on.checkEntry([statusEntry(list, 0), suspension]), 400, 'STATUS_VERIFICATION_ERROR');
  });
});
