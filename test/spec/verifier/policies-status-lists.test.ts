import { deflateSync } from 'node:zlib';
import { expect } from 'chai';
import { bitstring, encodeList } from '../../../demo/actors/status-list.ts';
import { HttpPeer } from '../../actors/http-peer.ts';
import { type CredentialContent, jwkParty } from '../../actors/party.ts';
import { DEGREE_REQUEST, type PolicyLine, VerificationFixture } from '../../actors/verification.ts';

const CACHED_MS = 6 * 60_000;

/** How each kind of list writes its bits. */
const ENCODINGS = {
  StatusList2021: (bits: Uint8Array) => encodeList(bits, 'base64'),
  BitstringStatusList: (bits: Uint8Array) => `u${encodeList(bits)}`,
  RevocationList2020: (bits: Uint8Array) => deflateSync(bits).toString('base64'),
} as const;
type Kind = keyof typeof ENCODINGS;

describe('policies: status lists of the issuer', () => {
  const on = new VerificationFixture();
  let peer: HttpPeer;

  before(async () => {
    peer = await new HttpPeer().listen();
  });
  after(() => peer.close());

  const vc = (policy: object | string, options: object, name: string) =>
    on.line({ ...DEGREE_REQUEST, vc_policies: [policy] }, name, options);

  let lists = 0;

  /** Publishes a list and returns its URL; it is signed anew for each request. */
  function publish(claims: (url: string) => Record<string, unknown>, header: object = {}, signer = on.issuer): string {
    lists += 1;
    const path = `/lists/${lists}`;
    peer.routes[path] = async () => ({ body: await signer.sign(claims(`${peer.url}${path}`), { ...header }) });
    return `${peer.url}${path}`;
  }

  /** Publishes a list with these bits, in the encoding of its kind or in another. */
  const listOf = (
    kind: Kind,
    purpose: string,
    bytes: () => Uint8Array,
    { signer = on.issuer, encode = ENCODINGS[kind] } = {},
  ) =>
    publish(
      () => ({
        iss: signer.did,
        vc: {
          type: ['VerifiableCredential', `${kind}Credential`],
          issuer: signer.did,
          credentialSubject: { type: kind, statusPurpose: purpose, encodedList: encode(bytes()) },
        },
      }),
      { typ: undefined },
      signer,
    );

  const bits = (kind: Kind, purpose: string, set: number[], signer = on.issuer) =>
    listOf(kind, purpose, () => bitstring(set), { signer });

  const entry = (kind: Kind, statusPurpose: string, index: number, url: string, more: object = {}) =>
    kind === 'RevocationList2020'
      ? { type: 'RevocationList2020Status', revocationListIndex: index, revocationListCredential: url }
      : {
          type: `${kind}Entry`,
          statusPurpose,
          statusListIndex: String(index),
          statusListCredential: url,
          ...more,
        };

  const demand = (type: string, purpose = 'revocation', value = 0) => ({
    discriminator: 'w3c',
    type,
    purpose,
    value,
  });

  async function check(args: object, content: object): Promise<PolicyLine> {
    const credentials = [await on.credential(content)];
    return vc({ policy: 'credential-status', args }, { credentials }, 'credential-status');
  }

  for (const [kind, indices] of [
    ['StatusList2021', [7, 42, 4044]],
    ['BitstringStatusList', [12_810]],
    ['RevocationList2020', [6049]],
  ] as const)
    for (const index of indices)
      it(`${kind}: the entry ${index}, set and not set`, async () => {
        const [set, unset] = [bits(kind, 'revocation', [index]), bits(kind, 'revocation', [index + 1])];
        const run = async (url: string) =>
          (await check(demand(kind), { vc: { credentialStatus: entry(kind, 'revocation', index, url) } })).is_success;
        expect([await run(set), await run(unset)]).to.deep.equal([false, true]);
      });

  it('BitstringStatusList: the entry 1781 of two bits, with the demanded value 3 and with another', async () => {
    const kind = 'BitstringStatusList';
    const statusMessage = ['0x0', '0x1', '0x2', '0x3'].map((status) => ({ status, message: `is ${status}` }));
    const run = async (value: number) => {
      const list = new Uint8Array(2 * 16_384);
      list[Math.floor((1781 * 2) / 8)] = value << (6 - ((1781 * 2) % 8));
      const url = listOf(kind, 'custom', () => list);
      const credentialStatus = entry(kind, 'custom', 1781, url, { statusSize: 2, statusMessage });
      return (await check(demand(kind, 'custom', 3), { vc: { credentialStatus } })).code;
    };
    expect([await run(3), await run(2)]).to.deep.equal(['passed', 'status-set']);
  });

  for (const [kind, spelling, encode] of [
    ['BitstringStatusList', 'base64', ENCODINGS.StatusList2021],
    ['BitstringStatusList', 'base64url without multibase', (bytes: Uint8Array) => encodeList(bytes)],
    ['RevocationList2020', 'gzip', ENCODINGS.StatusList2021],
    ['RevocationList2020', 'multibase', ENCODINGS.BitstringStatusList],
    ['StatusList2021', 'zlib', ENCODINGS.RevocationList2020],
  ] as const)
    it(`${kind}: the encoding of another kind of list is refused: ${spelling}`, async () => {
      const url = listOf(kind, 'revocation', () => bitstring([]), { encode });
      const line = await check(demand(kind), { vc: { credentialStatus: entry(kind, 'revocation', 3202, url) } });
      expect([line.is_success, line.code]).to.deep.equal([false, 'undetermined']);
      expect(line.reason).to.match(/encodedList is not|data is not/);
    });

  it('several entries: all, only the first, only the last', async () => {
    const kind = 'BitstringStatusList';
    const args = { discriminator: 'w3c-list', list: [demand(kind), demand(kind, 'suspension')] };
    const run = async (revoked: number[], suspended: number[]) => {
      const credentialStatus = [
        entry(kind, 'revocation', 12_810, bits(kind, 'revocation', revoked)),
        entry(kind, 'suspension', 6782, bits(kind, 'suspension', suspended)),
      ];
      return (await check(args, { vc: { credentialStatus } })).is_success;
    };
    expect([await run([], []), await run([12_810], []), await run([], [6782])]).to.deep.equal([true, false, false]);
  });

  /** The entry of a token list with one bit. */
  const tokenEntry = (index: number, value: number, spell = (lst: string) => lst) => {
    const statuses = new Uint8Array(2048);
    statuses[Math.floor(index / 8)] = value << (index % 8);
    const list = { bits: 1, lst: spell(deflateSync(statuses).toString('base64url')) };
    const iat = Math.floor(on.server.clock.now() / 1000);
    const uri = publish((sub) => ({ iss: on.issuer.did, sub, iat, status_list: list }), { typ: 'statuslist+jwt' });
    return { status_list: { idx: index, uri } };
  };

  /** Checks the entry of a token list with one bit. */
  const checkToken = (...given: Parameters<typeof tokenEntry>) =>
    check({ discriminator: 'ietf', value: 0 }, { claims: { status: tokenEntry(...given) } });

  it('a token list: the entry 5964, valid and not', async () => {
    expect((await checkToken(5964, 0)).is_success).to.equal(true);
    expect((await checkToken(5964, 1)).code).to.equal('status-set');
  });

  it('a token list in multibase is refused', async () => {
    const line = await checkToken(11_476, 0, (lst) => `u${lst}`);
    expect([line.is_success, line.code]).to.deep.equal([false, 'undetermined']);
    expect(line.reason).to.match(/data is not zlib/);
  });

  it('fails closed, as the check does: a status of no mechanism or an unknown one, alone or beside a valid one', async () => {
    const kind = 'BitstringStatusList';
    const valid = entry(kind, 'revocation', 3, bits(kind, 'revocation', []));
    const statuses = [{}, null, [], '', 'active', 0, true, { other: {} }, { other: null }, [tokenEntry(3, 0)]];
    const w3c = [
      {},
      null,
      [],
      'x',
      { type: 'Other', id: 'https://a.example' },
      [valid, { type: 'Other' }],
      [valid, {}],
    ];
    const contents: CredentialContent[] = [
      ...statuses.map((status) => ({ claims: { status } })),
      { claims: { status: { ...tokenEntry(3, 0), other: {} } } },
      { claims: { status: { other: {} } }, vc: { credentialStatus: valid } },
      { vc: { credentialStatus: valid, status: {} } },
      ...w3c.map((credentialStatus) => ({ vc: { credentialStatus } })),
    ];
    const args = { discriminator: 'ietf', value: 0 };
    for (const content of contents) {
      const credential = await on.credential(content);
      for (const policy of [{ policy: 'credential-status', args }, 'revoked-status-list']) {
        const name = typeof policy === 'string' ? policy : policy.policy;
        const line = await vc(policy, { credentials: [credential] }, name);
        expect([line.is_success, line.code], JSON.stringify(content)).to.deep.equal([false, 'undetermined']);
      }
      const { status, body } = await on.server.call('checkRevocation', { text: credential });
      expect([status, body.id], JSON.stringify(content)).to.deep.equal([400, 'MALFORMED_VALUE_ERROR']);
    }
  });

  it('revoked-status-list: false when it is suspended, true again when that is lifted', async () => {
    const kind = 'BitstringStatusList';
    const suspended: number[] = [];
    const url = bits(kind, 'suspension', suspended);
    const credentialStatus = [
      entry(kind, 'revocation', 3, bits(kind, 'revocation', [])),
      entry(kind, 'suspension', 3, url),
    ];
    const credentials = [await on.credential({ vc: { credentialStatus } })];
    const run = async () => {
      on.server.clock.advance(CACHED_MS);
      return (await vc('revoked-status-list', { credentials }, 'revoked-status-list')).reason;
    };
    expect(await run()).to.equal('The credential is not revoked');
    suspended.push(3);
    expect(await run()).to.equal('The credential is suspended');
    suspended.pop();
    expect(await run()).to.equal('The credential is not revoked');
  });

  it('fails closed: a list that is not answered, is signed by another, or is of another purpose', async () => {
    const kind = 'BitstringStatusList';
    const stranger = await jwkParty();
    const urls: [string, string][] = [
      [`${peer.url}/none`, 'unreachable'],
      ['http://169.254.169.254/', 'unreachable'],
      [bits(kind, 'revocation', [], stranger), 'undetermined'],
      [bits(kind, 'suspension', []), 'undetermined'],
    ];
    for (const [url, code] of urls) {
      const credentialStatus = entry(kind, 'revocation', 3, url);
      const line = await check(demand(kind), { vc: { credentialStatus } });
      expect([line.is_success, line.code], url).to.deep.equal([false, code]);
    }
  });
});
