import { expect } from 'chai';
import { StatusListCwt } from '../../adapters/formats/token-status-list/status-list-cwt.ts';
import type { StatusListChoice } from '../../domain/credentials/status-entries.ts';
import type { DomainError } from '../../domain/foundation/errors.ts';
import type { KeyBackends } from '../../domain/keys/key-backends.ts';
import { ListPublication, type PublishedList } from '../../domain/status/list-publication.ts';
import type { KeyReference } from '../../ports/key-service.ts';
import { testFormats } from '../support/credentials/formats.ts';
import { localKeys } from '../support/keys/local-keys.ts';
import { useClouds } from '../support/kms/clouds.ts';
import { remoteBackends } from '../support/kms/remote-backends.ts';
import { type ReadList, readCwtList, readListCredential, readTokenList } from '../support/status/issued-lists.ts';
import { allocationOn, CHOICES, entryRequest, LISTS_URL } from '../support/status/status-entries.ts';
import { openStore } from '../support/stores/stores.ts';
import type { StoreUnderTest } from './collection.contract.ts';

const NOW = 1_790_000_000_000;
const TIMES = { ttlSeconds: 900, lifetimeSeconds: 86_400 };

/** How an independent reader reads each media type. */
const READERS: Record<string, (body: string & Uint8Array, key: object) => ReadList | Promise<ReadList>> = {
  'application/vc+jwt': readListCredential,
  'application/jwt': readListCredential,
  'application/statuslist+jwt': readTokenList,
  'application/statuslist+cwt': readCwtList,
};

const read = async ({ mediaType, body }: PublishedList, key: object): Promise<ReadList> => {
  const reader = READERS[mediaType];
  if (!reader) throw new Error(`There is no reader of ${mediaType}`);
  return reader(body as string & Uint8Array, key);
};

describe('Published status lists', () => {
  const clouds = useClouds();
  let under: StoreUnderTest;
  let backends: KeyBackends;
  before(async () => {
    under = await openStore('memory');
    ({ backends } = remoteBackends({ ...clouds.settings, allow: ['127.0.0.1'] }));
  });
  after(() => Promise.all([under.close(), backends.close()]));
  beforeEach(() => {
    under.clock.time = NOW;
  });

  /** A list with this key and what publishes it. */
  async function listOf(key: KeyReference, choice: StatusListChoice, keys = backends, x5c?: string[]) {
    const { lists, entries } = allocationOn(under.store);
    const { signer, ...request } = entryRequest(key, choice);
    const [entry = {}] = await entries.allocate({ ...request, signer: { ...signer, x5c } }, 1);
    const url = String(
      entry.statusListCredential ?? entry.revocationListCredential ?? (entry.status_list as { uri: string }).uri,
    );
    const publication = new ListPublication({
      lists,
      keys,
      clock: { now: () => under.clock.time },
      publicUrl: LISTS_URL,
      times: TIMES,
      credentials: testFormats.standard.codec,
      cwts: new StatusListCwt(),
    });
    return { lists, url, id: url.split('/').at(-1) ?? '', publication };
  }

  const localKey = (): Promise<KeyReference> => backends.create('jwk', { keyType: 'secp256r1' });

  for (const name of Object.keys(CHOICES) as (keyof typeof CHOICES)[])
    it(`a list of the kind ${CHOICES[name].kind} is signed by every key service and read as its specification says`, async () => {
      const remote = clouds.all.map(({ backend, config }) =>
        backends.create(backend, { keyType: 'secp256r1', config: config() }),
      );
      for (const key of await Promise.all([localKey(), ...remote])) {
        const { id, lists, publication } = await listOf(key, CHOICES[name]);
        const statuses = [0, 7, 8, 9, 5000, 131_071];
        for (const index of statuses) await lists.change(id, index, () => 1);
        const list = await read(await publication.get({ id }), key.publicJwk);
        expect(list.size).to.equal(131_072);
        const set = Array.from({ length: list.size }, (_, index) => index).filter((index) => list.status(index) !== 0);
        expect(set, key.backend).to.deep.equal(statuses);
      }
    });

  it('values of every size stand where the Token Status List says', async () => {
    const key = await localKey();
    for (const kind of ['TokenStatusListJwt', 'TokenStatusListCwt'] as const)
      for (const bits of [1, 2, 4, 8]) {
        const { id, lists, publication } = await listOf(key, { kind, bits });
        const values = [0, 1, 2, 3, 11, 1024].map(
          (index, n) => [index, (2 ** bits - 1 - n) & (2 ** bits - 1)] as const,
        );
        for (const [index, value] of values) await lists.change(id, index, () => value);
        const list = await read(await publication.get({ id }), key.publicJwk);
        expect(values.map(([index]) => [index, list.status(index)])).to.deep.equal(values);
      }
  });

  it('a Token Status List names its URL, its times and its signer', async () => {
    const key = await localKey();
    const times = { exp: NOW / 1000 + 86_400, iat: NOW / 1000, ttl: 900 };
    const jwt = await listOf(key, CHOICES.jwt, backends, ['AAAA']);
    const { header, claims } = await read(await jwt.publication.get({ id: jwt.id }), key.publicJwk);
    expect(header).to.deep.equal({ alg: 'ES256', typ: 'statuslist+jwt', kid: 'did:example:issuer#0', x5c: ['AAAA'] });
    expect(claims).to.deep.include({ sub: jwt.url, iss: 'did:example:issuer', ...times });
    for (const [x5c, expected] of [
      [['AAAA'], new Uint8Array(3)],
      [
        ['AAAA', 'AAAB'],
        [new Uint8Array(3), Uint8Array.of(0, 0, 1)],
      ],
    ] as const) {
      const cwt = await listOf(key, CHOICES.cwt, backends, [...x5c]);
      const read2 = await read(await cwt.publication.get({ id: cwt.id }), key.publicJwk);
      expect(read2.header.protected).to.deep.equal(
        new Map<number, unknown>([
          [1, -7],
          [16, 'application/statuslist+cwt'],
        ]),
      );
      const unprotected = read2.header.unprotected as Map<number, unknown>;
      expect(Buffer.from(unprotected.get(4) as Uint8Array).toString()).to.equal('did:example:issuer#0');
      expect(unprotected.get(33)).to.deep.equal(expected);
      expect(read2.claims).to.deep.include({
        1: 'did:example:issuer',
        2: cwt.url,
        4: times.exp,
        6: times.iat,
        65534: 900,
      });
    }
  });

  it('a list credential names its URL, its issuer and its validity, in the token as in the document', async () => {
    const key = await localKey();
    const bitstring = await listOf(key, CHOICES.bitstring);
    const v2 = await read(await bitstring.publication.get({ id: bitstring.id }), key.publicJwk);
    expect(v2.header).to.include({ typ: 'vc+jwt', alg: 'ES256' });
    const period = ['2026-09-21T14:13:20Z', '2026-09-22T14:13:20Z'];
    expect(v2.claims).to.deep.include({
      id: bitstring.url,
      issuer: 'did:example:issuer',
      iss: 'did:example:issuer',
      type: ['VerifiableCredential', 'BitstringStatusListCredential'],
      validFrom: period[0],
      validUntil: period[1],
      exp: NOW / 1000 + 86_400,
    });
    expect(v2.claims.credentialSubject).to.include({
      id: `${bitstring.url}#list`,
      type: 'BitstringStatusList',
      statusPurpose: 'revocation',
      ttl: 900_000,
    });
    const list2021 = await listOf(key, CHOICES.list2021);
    const { claims } = await read(await list2021.publication.get({ id: list2021.id }), key.publicJwk);
    const vc = claims.vc as Record<string, unknown>;
    expect(vc).to.deep.include({
      id: list2021.url,
      type: ['VerifiableCredential', 'StatusList2021Credential'],
      issuanceDate: period[0],
      expirationDate: period[1],
    });
    expect(vc.credentialSubject).to.include({ type: 'StatusList2021', statusPurpose: 'revocation' });
    const list2020 = await listOf(key, CHOICES.list2020);
    const { claims: oldest } = await read(await list2020.publication.get({ id: list2020.id }), key.publicJwk);
    const { credentialSubject, ...document } = oldest.vc as Record<string, Record<string, string>>;
    expect(document).to.deep.include({
      '@context': ['https://www.w3.org/2018/credentials/v1', 'https://w3id.org/vc-revocation-list-2020/v1'],
      type: ['VerifiableCredential', 'RevocationList2020Credential'],
    });
    expect(credentialSubject).to.have.all.keys('id', 'type', 'encodedList');
    expect(credentialSubject?.encodedList).to.match(/^eN[A-Za-z0-9+/]+={0,2}$/);
  });

  it('is signed again when a status was set and when its time to live is over, else not', async () => {
    const [cloud] = clouds.all;
    if (!cloud) throw new Error('There is no cloud');
    const key = await backends.create(cloud.backend, { keyType: 'secp256r1', config: cloud.config() });
    const { id, lists, publication } = await listOf(key, CHOICES.jwt);
    const bodies = await Promise.all(Array.from({ length: 20 }, async () => (await publication.get({ id })).body));
    expect(new Set(bodies).size).to.equal(1);
    under.clock.time += 899_000;
    expect((await publication.get({ id })).body).to.equal(bodies[0]);
    under.clock.time += 1000;
    const later = await publication.get({ id });
    expect(later.body).not.to.equal(bodies[0]);
    await lists.change(id, 3, () => 1);
    const changed = await read(await publication.get({ id }), key.publicJwk);
    expect([changed.status(3), changed.status(4)]).to.deep.equal([1, 0]);
  });

  it('while its key cannot sign, the last list is published until it expires, unless a status was set', async () => {
    const key = await localKey();
    const { service } = localKeys();
    let isDown = false;
    const keys = Object.assign(Object.create(backends), {
      signer: (reference: KeyReference) => {
        const signer = service.signer(reference);
        const sign = (data: Uint8Array) =>
          isDown ? backends.read({ type: 'none' }).then(() => data) : signer.sign(data);
        return { ...signer, sign };
      },
    }) as KeyBackends;
    const { id, lists, publication } = await listOf(key, CHOICES.jwt, keys);
    const { body } = await publication.get({ id });
    isDown = true;
    under.clock.time += 86_399_000;
    expect((await publication.get({ id })).body).to.equal(body);
    under.clock.time += 1000;
    const outcome = async (): Promise<string> =>
      publication.get({ id }).then(String, (error: DomainError) => error.code);
    expect(await outcome()).to.equal('UpstreamFailed');
    under.clock.time = NOW;
    await lists.change(id, 3, () => 1);
    expect(await outcome()).to.equal('UpstreamFailed');
    isDown = false;
    under.clock.time += 5000;
    expect((await read(await publication.get({ id }), key.publicJwk)).status(3)).to.equal(1);
  });

  it('a list that does not exist is not found', async () => {
    const { publication } = await listOf(await localKey(), CHOICES.jwt);
    const refusal = await publication.get({ id: 'none' }).catch((error: DomainError) => error.code);
    expect(refusal).to.equal('NotFound');
  });
});
