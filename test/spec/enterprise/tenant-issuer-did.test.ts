import { expect } from 'chai';
import { DID_STORE, type EnterpriseFixture, fieldsOf, jwkDid, KMS, startEnterprise } from '../../actors/tenant.ts';
import { ok } from '../../actors/tenant-certificates.ts';
import { CARDS, ISSUER, offerOf, takeCard } from '../../actors/tenant-issuer.ts';
import { decodeJwt } from '../../actors/wallet.ts';

describe('tenant issuer did', () => {
  type Json = Record<string, unknown>;

  const degree = {
    name: 'Degree',
    credentialConfigurationId: 'Degree_jwt_vc_json',
    credentialData: { type: ['VerifiableCredential', 'Degree'], credentialSubject: { level: 1 } },
  };
  const profiles = { ...CARDS.profiles, degree };
  const key = (number: number) => `${KMS}.key${number}`;

  let world: EnterpriseFixture;
  beforeEach(async () => {
    world = await startEnterprise();
    for (const number of [1, 2]) await ok(world.post('generateKey', key(number), { keyType: 'secp256r1' }), 201);
    await ok(world.post('addDependency', DID_STORE, { dependency: KMS }));
  });
  afterEach(() => world.close());

  const createIssuer = (changes: Json = {}) =>
    world.post('createService', ISSUER, {
      type: 'issuer2',
      dependencies: [KMS, DID_STORE],
      ...CARDS,
      profiles,
      ...changes,
    });
  const createDid = (name: string, keyNumber: number, changes: Json = { method: 'jwk' }) =>
    ok(world.post('createTenantDid', `${DID_STORE}.${name}`, { key: key(keyNumber), ...changes }), 201);
  const web = (domain: string) => ({ method: 'web', config: { domain } });
  const remove = (target: string) => world.server.call('deleteResource', { path: { target }, token: world.root });
  const didOf = async (number: number) => {
    const { body } = await world.server.call('getTenantKey', { path: { target: key(number) }, token: world.root });
    return jwkDid(body.key.jwk);
  };

  const keyIn = (did: string): string =>
    JSON.parse(Buffer.from(did.slice('did:jwk:'.length), 'base64url').toString()).x;

  const offer = (profileId = 'degree') => world.post('tenantCreateCredentialOffer', ISSUER, offerOf({ profileId }));

  /** Who issues the credential of a profile, and the key id in its signature. */
  async function issuerOf(profileId = 'degree'): Promise<{ did: unknown; kid: unknown }> {
    const { credentialOffer } = await ok(offer(profileId), 201);
    const [{ document }] = await ok(takeCard(world, credentialOffer));
    const { claims, header } = decodeJwt(document.split('~')[0]);
    return { did: claims.iss, kid: header.kid };
  }
  const conflict = async () => {
    const { status, body } = await offer();
    return [status, body.message];
  };

  describe('an issuer with a did-store', () => {
    it('issues under the only DID of the store, with the key that this was created for', async () => {
      const { did } = await createDid('main', 2);
      expect(keyIn(did)).to.equal(keyIn(await didOf(2)));
      await ok(createIssuer(), 201);
      for (const profileId of ['degree', 'card'])
        expect(await issuerOf(profileId), profileId).to.deep.equal({ did, kid: `${did}#0` });
    });

    it('issues under a did:web that was created for its key without asking for the document', async () => {
      const { did } = await createDid('web', 1, web('university.example.org'));
      await ok(createIssuer({ defaultIssuerKey: key(1) }), 201);
      const { did: issuer, kid } = await issuerOf();
      expect(issuer).to.equal(did).and.equal('did:web:university.example.org');
      expect(String(kid).startsWith(`${did}#`)).to.equal(true);
    });

    it('issues under the DID of the key that a profile names, of several', async () => {
      await createDid('one', 1);
      const { did } = await createDid('two', 2);
      await ok(createIssuer({ profiles: { degree: { ...degree, issuerKey: key(2) } } }), 201);
      expect((await issuerOf()).did).to.equal(did);
    });

    it('issues under the DID that its configuration names, where several fit', async () => {
      const { did } = await createDid('web1', 1, web('one.example.org'));
      const { did: other } = await createDid('web2', 1, web('two.example.org'));
      const named = { degree: { ...degree, issuerDid: `${DID_STORE}.web2` }, card: CARDS.profiles.card };
      await ok(createIssuer({ defaultIssuerDid: `${DID_STORE}.web1`, profiles: named }), 201);
      expect([(await issuerOf('card')).did, (await issuerOf()).did]).to.deep.equal([did, other]);
      const stated = { type: 'issuer2', dependencies: [KMS, DID_STORE], ...CARDS, profiles, defaultIssuerKey: key(1) };
      const path = { target: ISSUER };
      await ok(world.server.call('updateService', { path, json: stated, token: world.root }));
      expect(await conflict()).to.deep.equal([409, `${DID_STORE} has several DIDs: name that of the issuer`]);
      const json = { ...stated, defaultIssuerDid: await didOf(1) };
      await ok(world.server.call('updateService', { path, json, token: world.root }));
      expect((await issuerOf()).did).to.equal(await didOf(1));
    });

    it('409: the store is empty, and 201 when it has a DID', async () => {
      await ok(createIssuer(), 201);
      expect(await conflict()).to.deep.equal([409, `${DID_STORE} has no DID for the issuer`]);
      await createDid('main', 1);
      expect((await offer()).status).to.equal(201);
    });

    it('409: the key of the DID, its kms or the DID is gone', async () => {
      await createDid('main', 1);
      await ok(createIssuer({ defaultIssuerDid: `${DID_STORE}.main` }), 201);
      const gone = (name: string) => [409, `${name} does not exist any more, or its service is no dependency`];
      expect((await offer()).status).to.equal(201);
      await remove(key(1));
      expect(await conflict()).to.deep.equal(gone(key(1)));
      await remove(`${DID_STORE}.main`);
      expect(await conflict()).to.deep.equal(gone(`${DID_STORE}.main`));
    });

    it('a DID that was brought needs the key that it lists', async () => {
      const did = await didOf(1);
      await ok(world.post('addDid', `${DID_STORE}.brought`, { did }), 201);
      await ok(createIssuer(), 201);
      expect(await conflict()).to.deep.equal([
        409,
        `${did} was not created for a key of a kms: name the key that signs`,
      ]);
      for (const [number, status] of [
        [1, 201],
        [2, 400],
      ] as const) {
        await remove(ISSUER);
        await ok(createIssuer({ defaultIssuerKey: key(number) }), 201);
        const answer = await offer();
        expect(answer.status, JSON.stringify(answer.body)).to.equal(status);
        if (status === 400) expect(fieldsOf(answer)).to.deep.equal(['/body/profileId/issuerDid']);
      }
    });

    it('a DID whose document was replaced is resolved before its key signs', async () => {
      const { document } = await createDid('web', 1, web('university.example.org'));
      const json = { did: 'did:web:university.example.org', document };
      const call = { path: { target: `${DID_STORE}.web` }, json, token: world.root };
      expect(await ok(world.server.call('replaceTenantDid', call))).to.not.include.keys('key');
      await ok(createIssuer({ defaultIssuerKey: key(1) }), 201);
      expect((await offer()).status).to.equal(400);
    });
  });
});
