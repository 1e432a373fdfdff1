import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { deflateSync } from 'node:zlib';
import { expect } from 'chai';
import fc from 'fast-check';
import { StatusListCwt } from '../../../adapters/formats/token-status-list/status-list-cwt.ts';
import { type Issuer, onboard } from '../../../demo/actors/issuer.ts';
import { statusEntry } from '../../../demo/actors/status-list.ts';
import { makeOffer } from '../../actors/issuance.ts';
import { ASKED, claim, identity, licence, signerChain } from '../../actors/issuance-formats.ts';
import { newWalletUser } from '../../actors/wallet-user.ts';
import { testFormats } from '../../support/credentials/formats.ts';
import { documentSignerChain, iaca, mdocSigner } from '../../support/credentials/mdoc-issuer.ts';
import { startServer, type TestServer } from '../../support/servers/server.ts';
import { isRevoked, refused, StatusChecks } from '../../support/status/status-checks.ts';
import { listHost } from '../../support/status/status-lists.ts';
import { setStatus } from '../../support/status/status-writer.ts';
import { makeCertificate } from '../../support/trust/certificates.ts';

type Json = Record<string, unknown>;

const NOW = Math.floor(Date.now() / 1000);
const lst = deflateSync(Buffer.from([0b0000_1101])).toString('base64url');

describe('checkRevocation of a Token Status List', () => {
  const on = new StatusChecks();

  /** Publishes a list at a URL of its own; index 0 is revoked, 1 has no meaning, 2 and 3 are valid. */
  async function publish(
    claims: Json = {},
    { header = {}, signer = on.issuer }: { header?: Json; signer?: typeof on.issuer } = {},
  ) {
    const url = on.host.publish('');
    const list = {
      sub: url,
      iss: on.issuer.did,
      iat: NOW,
      exp: NOW + 3600,
      ttl: 60,
      status_list: { bits: 2, lst },
      ...claims,
    };
    on.host.replace(url, await signer.sign(list, { typ: 'statuslist+jwt', ...(header as Record<string, string>) }));
    return url;
  }
  const credential = (uri: string, idx: unknown): Json => ({
    '@context': ['https://www.w3.org/ns/credentials/v2'],
    type: ['VerifiableCredential'],
    issuer: on.issuer.did,
    credentialSubject: {},
    status: { status_list: { idx, uri } },
  });
  const check = (uri: string, idx: unknown = 2) => on.check(credential(uri, idx));

  it('200: reads the status at the index', async () => {
    const url = await publish();
    expect(await isRevoked(check(url, 0))).to.equal(true);
    expect(await isRevoked(check(url, 2))).to.equal(false);
    const jwt = await on.issuer.sign({ ...credential(url, 0), iss: on.issuer.did });
    expect(await isRevoked(on.server.call('checkRevocation', { text: jwt }))).to.equal(true);
    expect(await isRevoked(check(await publish({ iss: on.issuer.did, ttl: undefined, exp: undefined })))).to.equal(
      false,
    );
  });

  it('200: a list is read again after its ttl, in seconds', async () => {
    const url = await publish();
    expect(await isRevoked(check(url))).to.equal(false);
    const revoked = { bits: 1, lst: deflateSync(Buffer.from([0xff])).toString('base64url') };
    const list = { sub: url, iss: on.issuer.did, iat: NOW, status_list: revoked };
    on.host.replace(url, await on.issuer.sign(list, { typ: 'statuslist+jwt' }));
    on.server.clock.advance(59_000);
    expect(await isRevoked(check(url)), 'cached').to.equal(false);
    on.server.clock.advance(1001);
    expect(await isRevoked(check(url)), 'fetched').to.equal(true);
  });

  const wrongClaims: [string, Json, string][] = [
    ['another sub', { sub: 'https://lists.example/1' }, 'STATUS_VERIFICATION_ERROR'],
    ['another issuer', { iss: 'did:example:other' }, 'STATUS_VERIFICATION_ERROR'],
    ['no issuer', { iss: undefined }, 'STATUS_VERIFICATION_ERROR'],
    ['an issuer that is no text', { iss: 7 }, 'STATUS_VERIFICATION_ERROR'],
    ['no iat', { iat: undefined }, 'MALFORMED_VALUE_ERROR'],
    ['an iat to come', { iat: NOW + 86_400 }, 'STATUS_VERIFICATION_ERROR'],
    ['an exp that is over', { exp: NOW - 1 }, 'STATUS_VERIFICATION_ERROR'],
    ['an exp that is no number', { exp: 'x' }, 'MALFORMED_VALUE_ERROR'],
    ['an nbf to come', { nbf: NOW + 86_400 }, 'STATUS_VERIFICATION_ERROR'],
    ['a ttl that is none', { ttl: -1 }, 'MALFORMED_VALUE_ERROR'],
    ['statuses of 3 bits', { status_list: { bits: 3, lst } }, 'MALFORMED_VALUE_ERROR'],
    ['statuses that are not zlib', { status_list: { bits: 2, lst: 'AAAA' } }, 'MALFORMED_VALUE_ERROR'],
    [
      'statuses that inflate to more than 16 MiB',
      { status_list: { bits: 2, lst: deflateSync(Buffer.alloc(2 ** 24 + 1)).toString('base64url') } },
      'MALFORMED_VALUE_ERROR',
    ],
  ];
  for (const [title, claims, id] of wrongClaims)
    it(`400: refuses a list with ${title}`, async () => {
      await refused(check(await publish(claims)), 400, id);
    });

  it('400: refuses a list that the issuer did not sign, or of another type', async () => {
    const untyped = await publish({}, { header: { typ: undefined } });
    const credentialTyped = await publish({}, { header: { typ: 'vc+jwt' } });
    const foreign = await publish({ iss: on.other.did }, { signer: on.other });
    const forged = await publish({}, { signer: on.other, header: { kid: `${on.issuer.did}#0` } });
    for (const url of [untyped, credentialTyped, foreign, forged])
      await refused(check(url), 400, 'STATUS_VERIFICATION_ERROR');
    const plain = on.host.publish(JSON.stringify({ status_list: { bits: 2, lst } }));
    const none = on.host.publish(`${Buffer.from('{"alg":"none","typ":"statuslist+jwt"}').toString('base64url')}.e30.`);
    for (const url of [plain, none, await on.publish()]) await refused(check(url), 400, 'STATUS_VERIFICATION_ERROR');
  });

  it('400: a status without a meaning, an index beyond the end, an entry that cannot be read', async () => {
    const url = await publish();
    await refused(check(url, 1), 400, 'STATUS_VERIFICATION_ERROR');
    await refused(check(url, 4), 400, 'RANGE_ERROR');
    for (const idx of [null, '2', -1, 0.5]) await refused(check(url, idx), 400, 'MALFORMED_VALUE_ERROR');
    await refused(check('urn:list', 0), 400, 'MALFORMED_VALUE_ERROR');
    await refused(on.checkEntry(statusEntry(url, 0)), 400, 'STATUS_VERIFICATION_ERROR');
  });

  it('property: a list of which one character is changed, added or left out is never a status', async () => {
    const url = on.host.publish('');
    const list = { sub: url, iss: on.issuer.did, iat: NOW, status_list: { bits: 2, lst } };
    const good = await on.issuer.sign(list, { typ: 'statuslist+jwt' });
    await fc.assert(
      fc.asyncProperty(
        fc.nat(good.length - 1),
        fc.constantFrom('', 'A', '.', '-'),
        fc.boolean(),
        async (at, other, isAdded) => {
          const changed = good.slice(0, at) + other + good.slice(isAdded ? at : at + 1);
          fc.pre(changed !== good);
          on.host.replace(url, changed);
          on.server.clock.advance(5001);
          const { status, body } = await check(url);
          expect(status, JSON.stringify(body)).to.equal(400);
        },
      ),
    );
    on.host.replace(url, good);
    on.server.clock.advance(5001);
    expect(await isRevoked(check(url))).to.equal(false);
  });

  it('502: the list cannot be fetched', async () => {
    const url = on.host.publish((_, response) => void response.writeHead(404).end());
    await refused(check(url), 502, 'STATUS_RETRIEVAL_ERROR');
  });
});

describe('checkRevocation of a credential with an entry of our own Token Status List', () => {
  let dataDir: string;
  let server: TestServer;
  let other: TestServer;
  before(async () => {
    dataDir = await mkdtemp(join(tmpdir(), 'credenza-lists-'));
    server = await startServer({ store: 'sqlite', dataDir });
    other = await startServer();
  });
  after(async () => {
    await server.close();
    await other.close();
    await rm(dataDir, { recursive: true, force: true });
  });

  async function issue(operation: string, json: Json, asked: Json): Promise<string> {
    const { status, body } = await claim(server, await makeOffer(server, json, { operationId: operation }), asked);
    expect(status, JSON.stringify(body)).to.equal(200);
    return body.credential;
  }
  const CASES: [string, () => Promise<string>][] = [
    [
      'an SD-JWT VC of a DID',
      async () => {
        const issuer = await onboard(server, { key: { keyType: 'secp256r1' } });
        return issue('issueSdJwtCredential', identity(issuer, { statusList: {} }), ASKED.identity(server));
      },
    ],
    [
      'an SD-JWT VC of a certificate',
      async () => {
        const { issuerKey } = await onboard(server, { key: { keyType: 'secp256r1' } });
        const altNames = [{ uniformResourceIdentifier: 'https://issuer.example' }];
        const changes = {
          issuerDid: undefined,
          x5Chain: signerChain(issuerKey.jwk, { altNames }),
          statusList: {},
        };
        const json = identity({ issuerKey, issuerDid: '' }, changes);
        return issue('issueSdJwtCredential', json, ASKED.identity(server));
      },
    ],
    [
      'an mdoc',
      async () => {
        const issuer = await onboard(server, { key: { keyType: 'secp256r1' } });
        return issue('issueMdoc', licence(issuer, { statusList: {} }), ASKED.licence());
      },
    ],
  ];
  for (const [title, make] of CASES)
    it(`${title} is valid, suspended, revoked, of a status without a meaning and valid again, here and for a server that fetches the list`, async () => {
      const text = await make();
      const {
        status: [reference],
      } = await testFormats.parse(text);
      const entry = { status_list: reference?.value };
      for (const [value, expected] of [
        [0, false],
        [2, false],
        [1, true],
        [3, undefined],
        [0, false],
      ] as const) {
        await setStatus(server, entry, value);
        for (const at of [server, other]) {
          at.clock.advance(301_000);
          const answer = at.call('checkRevocation', { text });
          if (expected === undefined) await refused(answer, 400, 'STATUS_VERIFICATION_ERROR');
          else expect(await isRevoked(answer), `${value}`).to.equal(expected);
        }
      }
      const tampered = `${text.slice(0, 400)}${text[400] === 'A' ? 'B' : 'A'}${text.slice(401)}`;
      expect((await server.call('checkRevocation', { text: tampered })).status).to.equal(400);
    });

  it('400: the list of another document signer, though its authority is the same', async () => {
    const [own, stranger] = (await Promise.all(
      [1, 2].map(() => onboard(server, { key: { keyType: 'secp256r1' } })),
    )) as [Issuer, Issuer];
    const listed = await issue('issueMdoc', licence(own, { statusList: {} }), ASKED.licence());
    const {
      status: [reference],
    } = await testFormats.parse(listed);
    expect(await isRevoked(server.call('checkRevocation', { text: listed }))).to.equal(false);
    const mdocStatus = { status_list: reference?.value };
    const text = await issue('issueMdoc', licence(stranger, { mdocStatus }), ASKED.licence());
    await refused(server.call('checkRevocation', { text }), 400, 'STATUS_VERIFICATION_ERROR');
  });

  it('a list of another signer counts below the certificate that the credential names for it', async () => {
    const host = await listHost();
    const issuer = await onboard(server, { key: { keyType: 'secp256r1' } });
    const signer = await mdocSigner('secp384r1');
    const statuses = deflateSync(Buffer.from([0b0100]));
    const publish = async (x5c: string[]) => {
      const sub = host.publish('');
      const list = { sub, iss: 'https://lists.example', iat: NOW, exp: NOW + 86_400, ttl: 60, bits: 2, lst: statuses };
      const bytes = await new StatusListCwt().sign({ ...list, kid: 'k', x5c }, signer);
      host.replace(sub, (_, response) => void response.end(bytes));
      return sub;
    };
    const uri = await publish(documentSignerChain(signer));
    const expired = await publish(documentSignerChain(signer, { notAfter: new Date(0) }));
    const check = async (status: Json) => {
      const json = licence(issuer, { mdocStatus: { status_list: status } });
      return server.call('checkRevocation', { text: await issue('issueMdoc', json, ASKED.licence()) });
    };
    const certificate = Buffer.from(iaca.der).toString('base64url');
    expect(await isRevoked(check({ uri, idx: 0, certificate }))).to.equal(false);
    expect(await isRevoked(check({ uri, idx: 1, certificate }))).to.equal(true);
    const other = Buffer.from(makeCertificate({ subject: 'CN=Utopia IACA,C=UT', ca: true }).der).toString('base64url');
    for (const status of [
      { uri, idx: 0 },
      { uri, idx: 0, certificate: other },
      { uri: expired, idx: 0, certificate },
    ])
      await refused(check(status), 400, 'STATUS_VERIFICATION_ERROR');
    await refused(check({ uri, idx: 0, certificate: 'AAAA' }), 400, 'MALFORMED_VALUE_ERROR');
    await host.close();
  });

  it('a wallet shows whether its SD-JWT VC is revoked and whether it is suspended', async () => {
    const issuer = await onboard(server, { key: { keyType: 'secp256r1' } });
    const holder = await newWalletUser(server);
    const { body: text } = await server.call('issueSdJwtCredential', { json: identity(issuer, { statusList: {} }) });
    const [{ id: credentialId, document }] = (await holder.call('acceptCredentialOffer', { text })).body;
    const read = async () => {
      server.clock.advance(301_000);
      return (await holder.call('getWalletCredentialStatus', { path: { credentialId } })).body;
    };
    const set = (value: number) => setStatus(server, statusOf(document), value);
    expect(await read()).to.deep.equal([
      { type: 'revocation', result: false, message: 'unset' },
      { type: 'suspension', result: false, message: 'unset' },
    ]);
    await set(2);
    expect((await read()).map(({ result }: { result: boolean }) => result)).to.deep.equal([false, true]);
    await set(1);
    expect((await read()).map(({ result }: { result: boolean }) => result)).to.deep.equal([true, false]);
  });
});

/** The status in an SD-JWT VC. */
const statusOf = (document: string): Json =>
  JSON.parse(Buffer.from(document.split('.')[1] ?? '', 'base64url').toString()).status;
