import { deflateSync, gzipSync } from 'node:zlib';
import { cborEncode } from '@owf/mdoc';
import { expect } from 'chai';
import { onboard } from '../../../demo/actors/issuer.ts';
import { bitstring } from '../../../demo/actors/status-list.ts';
import { makeOffer } from '../../actors/issuance.ts';
import { ASKED, claim, licence } from '../../actors/issuance-formats.ts';
import { documentSignerChain, iaca, mdocSigner } from '../../support/credentials/mdoc-issuer.ts';
import { isRevoked, refused, StatusChecks } from '../../support/status/status-checks.ts';
import { credentialWith } from '../../support/status/status-lists.ts';

type Json = Record<string, unknown>;

const NOW = Math.floor(Date.now() / 1000);

describe('checkRevocation of a Revocation List 2020', () => {
  const on = new StatusChecks();
  const publish = async (encodedList: string, by = on.issuer) => {
    const type = ['VerifiableCredential', 'RevocationList2020Credential'];
    const credentialSubject = { type: 'RevocationList2020', encodedList };
    const vc = { type, issuer: by.did, credentialSubject };
    return on.host.publish(await by.sign({ iss: by.did, vc }));
  };
  const encoded = deflateSync(bitstring([7])).toString('base64');
  const check = (revocationListCredential: string, revocationListIndex: unknown) =>
    on.checkEntry({ type: 'RevocationList2020Status', revocationListCredential, revocationListIndex });

  it('200: reads zlib in base64; 400: another encoding, and a list of another issuer', async () => {
    const url = await publish(encoded);
    expect(await isRevoked(check(url, 7))).to.equal(true);
    expect(await isRevoked(check(url, '8'))).to.equal(false);
    const gzip = await publish(gzipSync(bitstring([7])).toString('base64'));
    await refused(check(gzip, 7), 400, 'MALFORMED_VALUE_ERROR');
    await refused(check(await publish(encoded, on.other), 7), 400, 'STATUS_VERIFICATION_ERROR');
    await refused(check(url, 131_072), 400, 'RANGE_ERROR');
  });
});

describe('checkRevocation of a status of several bits', () => {
  const on = new StatusChecks();

  it('200: any value but 0 is set; 400: fewer entries than the least', async () => {
    const publish = (bytes: Uint8Array) => {
      const credentialSubject = {
        type: 'BitstringStatusList',
        statusPurpose: 'revocation',
        encodedList: `u${gzipSync(bytes).toString('base64url')}`,
      };
      const type = ['VerifiableCredential', 'BitstringStatusListCredential'];
      return on.issuer.sign({ iss: on.issuer.did, vc: { type, issuer: on.issuer.did, credentialSubject } });
    };
    const bytes = new Uint8Array(2 * 16_384);
    bytes[1] = 0b0010_0000;
    const list = on.host.publish(await publish(bytes));
    const messages = ['0x0', '0x1', '0x2', '0x3'].map((status) => ({ status, message: `is ${status}` }));
    const check = (statusListCredential: string, index: number, changes: Json = {}) =>
      on.checkEntry({
        type: 'BitstringStatusListEntry',
        statusPurpose: 'revocation',
        statusListIndex: String(index),
        statusListCredential,
        statusSize: 2,
        statusMessage: messages,
        ...changes,
      });
    expect(await isRevoked(check(list, 5))).to.equal(true);
    expect(await isRevoked(check(list, 4))).to.equal(false);
    await refused(check(list, 5, { statusMessage: undefined }), 400, 'MALFORMED_VALUE_ERROR');
    const short = on.host.publish(await publish(new Uint8Array(16_384)));
    await refused(check(short, 5), 400, 'STATUS_LIST_LENGTH_ERROR');
  });
});

describe('checkRevocation under a token', () => {
  const on = new StatusChecks();
  const token = 'HBCT3XV4DFSXWFYL2XT7GYPQ5OTUHVJAVZYJDVY3CJOJYF3XEUKA';
  let last = 0;
  /** Answers a status at a URL that ends in the token. */
  const answer = (body: unknown, status = 200): string => {
    last += 1;
    const url = `${on.host.url}/${last}/${token}`;
    on.host.replace(url, (_, response) => void response.writeHead(status).end(JSON.stringify(body)));
    return url;
  };
  const check = (id: string) => on.checkEntry({ type: 'SimpleCredentialStatus2022', id });

  it('200: the answer about this token, asked for again each time', async () => {
    const url = answer({ token, isRevoked: false });
    expect((await check(url)).body).to.deep.equal({ token, isRevoked: false });
    on.host.replace(
      url,
      (_, response) => void response.end(JSON.stringify({ token, isRevoked: true, timeOfRevocation: 7, other: 1 })),
    );
    expect((await check(url)).body).to.deep.equal({ token, isRevoked: true, timeOfRevocation: 7 });
  });

  it('400 and 502: anything else is an error', async () => {
    for (const body of [{}, { isRevoked: false }, { token, isRevoked: 'false' }, { token }, [], null, 'x'])
      await refused(check(answer(body)), 400, 'MALFORMED_VALUE_ERROR');
    await refused(check(answer({ token: 'A'.repeat(52), isRevoked: false })), 400, 'STATUS_VERIFICATION_ERROR');
    await refused(check(answer({ token, isRevoked: false, more: 'x'.repeat(4096) })), 502, 'STATUS_RETRIEVAL_ERROR');
    for (const status of [201, 302, 404, 500])
      await refused(check(answer({ token, isRevoked: false }, status)), 502, 'STATUS_RETRIEVAL_ERROR');
    await refused(check(`http://lists.example.org/${token}`), 400, 'STATUS_VERIFICATION_ERROR');
    await refused(check(`https://10.0.0.1/${token}`), 400, 'AddressRefused');
    const both = [
      { type: 'SimpleCredentialStatus2022', id: answer({ token, isRevoked: true, timeOfRevocation: 7 }) },
      { type: 'SimpleCredentialStatus2022', id: answer({ token, isRevoked: false }) },
    ];
    expect((await on.check(credentialWith(on.issuer.did, both))).body).to.deep.equal({ isRevoked: true });
  });
});

describe('checkRevocation of an identifier list', () => {
  const on = new StatusChecks();
  const certificate = Buffer.from(iaca.der).toString('base64url');

  /** An identifier list as CWT, with x5chain in the protected header unless it is open. */
  async function listWith(sub: string, ids: string[], { claims = {}, header = {}, open = false } = {}) {
    const signer = await mdocSigner();
    const chain = documentSignerChain(signer).map((one) => new Uint8Array(Buffer.from(one, 'base64')));
    const x5chain: [number, unknown][] = [[33, chain.length === 1 ? chain[0] : chain]];
    const pairs = (members: Json) => Object.entries(members).map(([name, value]) => [Number(name), value] as const);
    const identifiers = new Map(ids.map((id) => [new Uint8Array(Buffer.from(id, 'hex')), new Map()]));
    const head = new Map<number, unknown>([
      [1, -7],
      [16, 'application/identifierlist+cwt'],
      ...(open ? [] : x5chain),
      ...pairs(header),
    ]);
    const payload = new Map<number, unknown>([
      [2, sub],
      [4, NOW + 86_400],
      [6, NOW],
      [65_534, 60],
      [65_530, new Map([['identifiers', identifiers]])],
      ...pairs(claims),
    ]);
    const [protectedHeader, body] = [cborEncode(head), cborEncode(payload)];
    const signature = await signer.sign(cborEncode(['Signature1', protectedHeader, new Uint8Array(), body]));
    const message = cborEncode([protectedHeader, new Map(open ? x5chain : []), body, signature]);
    return Buffer.concat([Uint8Array.of(0xd2), message]);
  }

  const publish = async (ids: string[], changes = {}): Promise<string> => {
    const url = on.host.publish('');
    const list = await listWith(url, ids, changes);
    on.host.replace(url, (_, response) => void response.end(list));
    return url;
  };

  async function check(uri: string, changes: Json = {}) {
    const issuer = await onboard(on.server, { key: { keyType: 'secp256r1' } });
    const json = licence(issuer, { mdocStatus: { identifier_list: { id: 'a1b2c3', uri, certificate, ...changes } } });
    const { body } = await claim(
      on.server,
      await makeOffer(on.server, json, { operationId: 'issueMdoc' }),
      ASKED.licence(),
    );
    return on.server.call('checkRevocation', { text: body.credential });
  }

  it('200: a credential is revoked when the list has its identifier, wherever the certificate stands', async () => {
    for (const open of [false, true]) {
      expect(await isRevoked(check(await publish(['00', 'a1b2c3', 'ff'], { open })))).to.equal(true);
      expect(await isRevoked(check(await publish(['00', 'a1b2', 'a1b2c3d4'], { open })))).to.equal(false);
    }
    expect(await isRevoked(check(await publish([])))).to.equal(false);
  });

  it('400: a list of another signer, of another URL or type, that is over, or not in this form', async () => {
    const own = await publish([]);
    await refused(check(own, { certificate: undefined }), 400, 'STATUS_VERIFICATION_ERROR');
    const wrong: [object, string][] = [
      [{ claims: { 2: 'https://lists.example/1' } }, 'STATUS_VERIFICATION_ERROR'],
      [{ claims: { 4: NOW - 1 } }, 'STATUS_VERIFICATION_ERROR'],
      [{ claims: { 6: 'x' } }, 'MALFORMED_VALUE_ERROR'],
      [{ claims: { 65534: 0 } }, 'MALFORMED_VALUE_ERROR'],
      [{ claims: { 65530: new Map() } }, 'MALFORMED_VALUE_ERROR'],
      [{ claims: { 65530: new Map([['identifiers', new Map([['text', 1]])]]) } }, 'MALFORMED_VALUE_ERROR'],
      [{ claims: { 65533: new Map() } }, 'STATUS_VERIFICATION_ERROR'],
      [{ header: { 16: 'application/statuslist+cwt' } }, 'STATUS_VERIFICATION_ERROR'],
      [{ header: { 33: new Uint8Array(0) } }, 'STATUS_VERIFICATION_ERROR'],
    ];
    for (const [changes, id] of wrong) await refused(check(await publish([], changes)), 400, id);
    const url = on.host.publish('eyJhbGciOiJFUzI1NiJ9.e30.AAAA');
    await refused(check(url), 400, 'STATUS_VERIFICATION_ERROR');
  });
});
