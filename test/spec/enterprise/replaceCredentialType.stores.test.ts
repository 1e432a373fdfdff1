import { expect } from 'chai';
import fc from 'fast-check';
import { GRANT, makeHolderKey } from '../../../demo/actors/holder-key.ts';
import { offerId } from '../../actors/issuance.ts';
import { crossDevice, Openid4vp } from '../../actors/openid4vp.ts';
import {
  asForm,
  type EnterpriseFixture,
  fieldsOf,
  KMS,
  may,
  oversized,
  startEnterprise,
  VERIFIER,
} from '../../actors/tenant.ts';
import { ok } from '../../actors/tenant-certificates.ts';
import { createIssuer, ISSUER, MEMBER } from '../../actors/tenant-issuer.ts';
import { refusesStrangers } from '../../actors/tenant-refusals.ts';
import { proofOf } from '../../actors/wallet.ts';
import { newWalletUser, type WalletUser } from '../../actors/wallet-user.ts';
import { operationOf } from '../../support/documents/contract.ts';
import { exampleOf } from '../../support/documents/examples.ts';

// biome-ignore lint/suspicious/noExplicitAny: types and answers are looked into in any member
type Json = Record<string, any>;

const STATUS = 'acme.t1.status1';
const CARD = { ...MEMBER, formats: ['dc+sd-jwt', 'jwt_vc_json'], revocable: true, version: 1 };

describe('replaceCredentialType', () => {
  let world: EnterpriseFixture;
  let wallet: WalletUser;
  let vp: Openid4vp;
  before(async () => {
    world = await startEnterprise();
    await ok(world.post('createService', STATUS, { type: 'credential-status', dependencies: [KMS] }), 201);
    await ok(createIssuer(world, { dependencies: [KMS, STATUS] }), 201);
    wallet = await newWalletUser(world.server);
    vp = await Openid4vp.with(world.server, { target: VERIFIER, token: world.root });
    await create('known');
  });
  after(() => world.close());

  const create = (id: string, { version: _, ...changes }: Json = {}) =>
    ok(world.post('createCredentialType', ISSUER, { ...MEMBER, ...changes, id }), 201);
  const call = (operationId: string, typeId: string, json?: object, token = world.root) =>
    world.server.call(operationId, { path: { target: ISSUER, typeId }, json, token });
  const replace = (typeId: string, json: object, token?: string) => call('replaceCredentialType', typeId, json, token);
  const shown = (id: string) => ok(call('getTenantCredentialType', id));
  const offer = (profileId: string, credentialData: object) =>
    world.post('tenantCreateCredentialOffer', ISSUER, {
      profileId,
      authMethod: 'PRE_AUTHORIZED',
      runtimeOverrides: { credentialData },
    });
  const waiting = async (profileId: string, values: object): Promise<string> =>
    (await ok(offer(profileId, values), 201)).credentialOffer;
  const take = (text: string) => wallet.call('acceptCredentialOffer', { text });
  const issued = async (): Promise<Json> =>
    (await ok(world.server.call('listIssuedCredentials', { path: { target: ISSUER }, token: world.root })))[0];
  const configuration = async (id: string): Promise<Json> =>
    (await world.server.call('tenantGetOpenid4vciIssuerMetadata', { path: { target: ISSUER } })).body
      .credential_configurations_supported[id];

  /** What the verifier sees of a credential of the wallet that it asks for by its type and these claims. */
  async function presented(id: string, vct: string, names: string[]): Promise<Json> {
    const query = { id: 'q', format: 'dc+sd-jwt', meta: { vct_values: [vct] } };
    const claims = names.map((name) => ({ path: [name] }));
    const created = await vp.create(crossDevice({ dcql_query: { credentials: [{ ...query, claims }] } }));
    const json = { presentationRequest: created.bootstrapAuthorizationRequestUrl, selectedCredentials: [id] };
    await ok(wallet.call('presentCredentials', { json }));
    const session = await vp.info(created);
    expect(session.status, JSON.stringify(session)).to.equal('SUCCESSFUL');
    return session.presented_credentials.q[0].claims;
  }

  it('200: the documented example; the versions say when and by which account', async () => {
    const { requestBody } = await operationOf('createCredentialType');
    const type = await ok(world.post('createCredentialType', ISSUER, { ...Object(exampleOf({ requestBody })) }), 201);
    const change = Object(exampleOf({ requestBody: (await operationOf('replaceCredentialType')).requestBody }));
    world.server.clock.advance(60_000);
    const { token, id: account } = await world.member([may(ISSUER, 'credential-type-update')]);
    const changed = await ok(replace('member', change, token));
    const { version: _, ...content } = change;
    expect(changed).to.deep.include({ ...content, version: 2, createdDateTime: type.createdDateTime });
    const versions = [...changed.versions, ...type.versions];
    expect(await shown('member')).to.deep.equal({ ...changed, versions });
    expect(changed.versions[0]).to.deep.include({ version: 2, createdDateTime: changed.updatedDateTime });
    expect(changed.versions[0].account).to.equal(account);
    expect(changed.versions).to.have.length(1);
    const { claims } = (await configuration('member_dc+sd-jwt')).credential_metadata;
    expect(claims.map((one: Json) => [one.path.join(), one.mandatory])).to.deep.equal([
      ['family_name', true],
      ['member_since', false],
      ['level', undefined],
    ]);
  });

  it('200: shows the last 20 versions', async () => {
    await create('often');
    for (let version = 1; version <= 21; version += 1) await ok(replace('often', { ...MEMBER, version }));
    const { versions } = await shown('often');
    expect(versions.map(({ version }: Json) => version)).to.deep.equal(Array.from({ length: 20 }, (_, n) => 22 - n));
  });

  const NAMES = ['name', 'level', 'since'];
  const claim = (name: string, more: object = {}) => ({ path: [name], type: 'text', ...more });
  const options = fc.record({
    mandatory: fc.boolean(),
    disclosure: fc.constantFrom('always', 'selective'),
  });
  const version = fc.record({
    names: fc.subarray(NAMES, { minLength: 1 }),
    more: fc.array(options, { minLength: 3, maxLength: 3 }),
    revocable: fc.boolean(),
    validityDays: fc.option(fc.constantFrom(30, 365), { nil: undefined }),
  });

  it('property: an offer is issued in the version that it was made in, and every version is found by the same vct', async () => {
    let run = 0;
    await fc.assert(
      fc.asyncProperty(fc.array(version, { minLength: 2, maxLength: 2 }), async (versions) => {
        run += 1;
        const id = `changed${run}`;
        const offers: { text: string; values: Json; isRevocable: boolean; seen: string[] }[] = [];
        for (const [index, { names, more, revocable: isRevocable, validityDays }] of versions.entries()) {
          const claims = names.map((name, at) => claim(name, more[at]));
          const content = { ...MEMBER, claims, revocable: isRevocable, validityDays };
          if (index === 0) await create(id, content);
          else await ok(replace(id, { ...content, version: index }));
          const values = Object.fromEntries(names.map((name) => [name, `${name} ${index + 1}`]));
          const seen = names.filter((_, at) => at === 0 || more[at]?.disclosure === 'always');
          offers.push({ text: await waiting(`${id}_dc-sd-jwt`, values), values, isRevocable, seen });
        }
        const { vct } = await configuration(`${id}_dc+sd-jwt`);
        for (const [index, { text, values, isRevocable, seen }] of offers.entries()) {
          world.server.clock.advance(1000);
          const [{ id: credential }] = await ok(take(text));
          expect((await issued()).typeVersion).to.equal(index + 1);
          const all = await presented(credential, vct, seen.slice(0, 1));
          expect(all.status !== undefined).to.equal(isRevocable);
          const own = Object.entries(all).filter(([name]) => NAMES.includes(name));
          expect(Object.fromEntries(own)).to.deep.equal(Object.fromEntries(seen.map((name) => [name, values[name]])));
        }
        await call('deleteCredentialType', id);
      }),
      { numRuns: 2 },
    );
  });

  it('200: new offers are checked by the new version; the record says in which version a card was issued', async () => {
    await create('grown');
    const claims = [...MEMBER.claims, claim('level', { mandatory: true })];
    await ok(replace('grown', { ...MEMBER, claims, version: 1 }));
    expect(fieldsOf(await offer('grown_dc-sd-jwt', { name: 'Ada' }))).to.deep.equal([
      '/body/runtimeOverrides/credentialData/level',
    ]);
    world.server.clock.advance(1000);
    await ok(take(await waiting('grown_dc-sd-jwt', { name: 'Ada', level: 'gold' })));
    const { id, typeVersion } = await issued();
    expect(typeVersion).to.equal(2);
    const one = { path: { target: ISSUER, issuedId: id }, token: world.root };
    expect((await world.server.call('getIssuedCredential', one)).body.typeVersion).to.equal(2);
  });

  /** What the issuer answers to a wallet that holds a token and knows the metadata of before. */
  async function claimed(token: string, configurationId: string) {
    const at = (operationId: string, more: object) =>
      world.server.call(operationId, { path: { target: ISSUER }, ...more });
    const { body } = await at('tenantRequestOpenid4vciNonce', {});
    const aud = `${world.server.url}/v2/${ISSUER}/issuer-service-api/openid4vci`;
    const { jwt } = proofOf(world.server, makeHolderKey(), { nonce: body.c_nonce, claims: { aud } });
    const json = { credential_configuration_id: configurationId, proofs: { jwt: [jwt] } };
    return at('tenantRequestOpenid4vciCredential', { token, json });
  }

  it('200: an offer in a format that is left out ends, with an error that says so; that of the other is issued', async () => {
    await create('fewer', CARD);
    const [left, kept] = await Promise.all(
      ['fewer_jwt_vc_json', 'fewer_dc-sd-jwt'].map((profile) => waiting(profile, { name: 'Ada' })),
    );
    const asked = await world.server.call('tenantGetOpenid4vciOffer', {
      path: { target: ISSUER },
      query: { id: offerId(left ?? '') },
    });
    const form = { grant_type: GRANT, 'pre-authorized_code': asked.body.grants[GRANT]['pre-authorized_code'] };
    const token = (await world.server.call('tenantRequestOpenid4vciToken', { path: { target: ISSUER }, form })).body;
    await ok(replace('fewer', { ...CARD, formats: ['dc+sd-jwt'] }));
    expect((await take(left ?? '')).status).to.equal(400);
    expect((await claimed(token.access_token, 'fewer_jwt_vc_json')).body).to.deep.include({
      error: 'unknown_credential_configuration',
      error_description: 'The issuer does not issue this credential any more',
    });
    await ok(take(kept ?? ''));
    expect((await offer('fewer_jwt_vc_json', { name: 'Ada' })).status).to.equal(404);
  });

  const named = { vct: 'urn:card:1', doctype: 'org.example.card', namespace: 'org.example' };
  const list = claim('list', { type: 'list', items: 'text' });
  it('400: names what would change the meaning of issued credentials, also of versions before the last', async () => {
    await create('fixed', { ...named, claims: [...MEMBER.claims, list, claim('born', { type: 'date' })] });
    const WRONG: [string, object][] = [
      ['/body/vct', { vct: 'urn:card:2' }],
      ['/body/vct', { vct: undefined }],
      ['/body/claims/0/type', { claims: [claim('born')] }],
      ['/body/claims/0/items', { claims: [{ ...list, items: 'number' }] }],
      ['/body/claims/0/path', { claims: [claim('exp')] }],
      ['/body/version', { version: 0 }],
      ['/body/version', { version: undefined }],
    ];
    const refused = async (version: number) => {
      for (const [field, change] of WRONG)
        expect(fieldsOf(await replace('fixed', { ...MEMBER, ...named, version, ...change })), field).to.deep.equal([
          field,
        ]);
    };
    await refused(1);
    await ok(replace('fixed', { ...MEMBER, ...named, doctype: 'org.example.other', version: 1 }));
    await refused(2);
  });

  it('403: without the permission at the type', async () => {
    const denied = { target: `${ISSUER}.known`, action: 'credential-type-update', operation: 'REMOVE' } as const;
    const { token } = await world.member([may('acme'), denied]);
    expect((await replace('known', { ...MEMBER, version: 1 }, token)).status).to.equal(403);
  });

  it('409: of changes at once exactly one is made, and the others name the present version', async () => {
    await create('raced');
    const answers = await Promise.all(
      Array.from({ length: 6 }, (_, n) =>
        replace('raced', { ...MEMBER, display: [{ locale: 'en', name: `Card ${n}` }], version: 1 }),
      ),
    );
    expect(answers.map(({ status }) => status).sort()).to.deep.equal([200, 409, 409, 409, 409, 409]);
    const won = answers.find(({ status }) => status === 200)?.body;
    const { versions, ...rest } = await shown('raced');
    expect({ ...rest, versions: versions.slice(0, 1) }).to.deep.equal(won);
    for (const lost of answers.filter(({ status }) => status === 409)) {
      expect(fieldsOf(lost)).to.deep.equal(['/body/version']);
      expect(lost.body.message).to.contain('version 2');
    }
  });

  it('409: metadata that wallets do not read', async () => {
    await create('large');
    const label = [{ locale: 'en', name: 'x'.repeat(256) }];
    const claims = Array.from({ length: 200 }, (_, n) => claim(`claim${n}`, { label }));
    expect((await replace('large', { ...MEMBER, claims, version: 1 })).status).to.equal(409);
    expect((await shown('large')).version).to.equal(1);
  });

  it('404: without the type', async () => {
    for (const absent of ['absent', 'constructor'])
      expect((await replace(absent, { ...MEMBER, version: 1 })).status).to.equal(404);
  });
  refusesStrangers(
    () => world,
    () => ({
      operationId: 'replaceCredentialType',
      target: ISSUER,
      path: { typeId: 'known' },
      json: { ...MEMBER, version: 1 },
    }),
  );

  it('413, 415: refuses large bodies and other media types', async () => {
    const request = { path: { target: ISSUER, typeId: 'known' }, token: world.root };
    expect((await world.server.call('replaceCredentialType', { ...request, ...oversized })).status).to.equal(413);
    expect((await world.server.call('replaceCredentialType', { ...request, ...asForm })).status).to.equal(415);
  });
});
