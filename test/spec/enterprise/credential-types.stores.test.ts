import { createHash } from 'node:crypto';
import { expect } from 'chai';
import fc from 'fast-check';
import { MDL_DOCUMENT_SIGNER } from '../../../domain/x509/signer-profiles.ts';
import { signerChain } from '../../actors/issuance-formats.ts';
import { crossDevice, Openid4vp } from '../../actors/openid4vp.ts';
import { type EnterpriseFixture, fieldsOf, jwkDid, KMS, may, startEnterprise, VERIFIER } from '../../actors/tenant.ts';
import { ok } from '../../actors/tenant-certificates.ts';
import { createIssuer, ISSUER, MEMBER } from '../../actors/tenant-issuer.ts';
import { refusesBodies, refusesStrangers } from '../../actors/tenant-refusals.ts';
import { newWalletUser, type WalletUser } from '../../actors/wallet-user.ts';
import { iaca } from '../../support/credentials/mdoc-issuer.ts';
import { contract } from '../../support/documents/contract.ts';
import { exampleOf } from '../../support/documents/examples.ts';
import { authorityKeyId, usageExtension } from '../../support/trust/issuer-chains.ts';

// biome-ignore lint/suspicious/noExplicitAny: types and answers are looked into in any member
type Json = Record<string, any>;

/** One pixel. */
const PNG = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
);
const PICTURE = `data:image/png;base64,${PNG.toString('base64')}`;
const FORMATS = ['dc+sd-jwt', 'jwt_vc_json', 'mso_mdoc'];

describe('credential types', () => {
  let world: EnterpriseFixture;
  let wallet: WalletUser;
  let vp: Openid4vp;
  before(async () => {
    world = await startEnterprise({ trustedIssuers: { certificates: [iaca.pem] } });
    const { jwk } = (await ok(world.post('generateKey', `${KMS}.key1`, { keyType: 'secp256r1' }), 201)).key;
    const extensions = [usageExtension(MDL_DOCUMENT_SIGNER), authorityKeyId(iaca)];
    const signer = { defaultIssuerDid: jwkDid(jwk), defaultIssuerX5chain: signerChain(jwk, { extensions }) };
    await ok(createIssuer(world, signer), 201);
    wallet = await newWalletUser(world.server);
    vp = await Openid4vp.with(world.server, { target: VERIFIER, token: world.root });
    await ok(world.post('createCredentialType', ISSUER, { ...MEMBER, id: 'known' }), 201);
  });
  after(() => world.close());

  const create = (json: object) => world.post('createCredentialType', ISSUER, json);
  const at = (operationId: string, typeId: string, token = world.root) =>
    world.server.call(operationId, { path: { target: ISSUER, typeId }, token });
  const offer = (profileId: string, credentialData?: object) =>
    world.post('tenantCreateCredentialOffer', ISSUER, {
      profileId,
      authMethod: 'PRE_AUTHORIZED',
      ...(credentialData && { runtimeOverrides: { credentialData } }),
    });
  const metadata = async (): Promise<Json> =>
    (await world.server.call('tenantGetOpenid4vciIssuerMetadata', { path: { target: ISSUER } })).body;

  /** Issues a credential of a type to the wallet; returns its id there. */
  async function issue(profileId: string, values: object): Promise<string> {
    const { credentialOffer } = await ok(offer(profileId, values), 201);
    const taken = await wallet.call('acceptCredentialOffer', { text: credentialOffer });
    expect(taken.status, `${profileId}: ${JSON.stringify(taken.body)}`).to.equal(200);
    return taken.body[0].id;
  }

  /** What the verifier sees of a credential that the wallet presents for a query. */
  async function presented(id: string, query: object): Promise<Json> {
    const created = await vp.create(crossDevice({ dcql_query: { credentials: [{ id: 'q', ...query }] } }));
    const json = { presentationRequest: created.bootstrapAuthorizationRequestUrl, selectedCredentials: [id] };
    const answer = await wallet.call('presentCredentials', { json });
    expect(answer.status, JSON.stringify(answer.body)).to.equal(200);
    const session = await vp.info(created);
    expect(session.status, JSON.stringify(session)).to.equal('SUCCESSFUL');
    return session.presented_credentials.q[0].claims;
  }

  describe('createCredentialType', () => {
    const text = fc.string({ minLength: 1, maxLength: 20, unit: 'grapheme' });
    const date = fc.date({ min: new Date('1900-01-01'), max: new Date('2100-01-01'), noInvalidDate: true });
    const VALUES: Record<string, fc.Arbitrary<unknown>> = {
      text,
      date: date.map((one) => one.toISOString().slice(0, 10)),
      number: fc.oneof(fc.integer(), fc.constantFrom(0.5, -2.25)),
      boolean: fc.boolean(),
      picture: fc.constant(PICTURE),
      list: fc.array(text, { maxLength: 3 }),
      object: fc.record({ street: text, no: fc.integer() }),
    };
    const claims = fc.tuple(
      ...Object.entries(VALUES).map(([type, value]) =>
        fc.record({ type: fc.constant(type), value, disclosure: fc.constantFrom('always', 'selective') }),
      ),
    );

    it('201: property: what is issued of a type in each format is presented with exactly the values of the claims', async () => {
      let run = 0;
      await fc.assert(
        fc.asyncProperty(claims, fc.nat(6), fc.nat(5), async (kinds, one, step) => {
          run += 1;
          const id = `made${run}`;
          const described = kinds.flatMap(({ type, value, disclosure }): Json[] => {
            const claim = { path: [`a_${type}`], type, mandatory: true, disclosure };
            if (type === 'list') return [{ ...claim, items: 'text', example: value }];
            if (type !== 'object') return [{ ...claim, example: value }];
            return [
              claim,
              { path: ['a_object', 'street'], type: 'text' },
              { path: ['a_object', 'no'], type: 'number' },
            ];
          });
          const values = Object.fromEntries(kinds.map(({ type, value }) => [`a_${type}`, value]));
          const doctype = `org.example.${id}`;
          const { offers } = await ok(
            create({ id, display: MEMBER.display, claims: described, formats: FORMATS, doctype, validityDays: 30 }),
            201,
          );
          const names = [one, (one + 1 + step) % 7].map((n) => `a_${kinds[n]?.type}`);
          const { credential_configurations_supported: all } = await metadata();
          for (const { format, profileId, configurationId } of offers as Json[]) {
            const { vct } = all[configurationId];
            const [meta, place] = ({
              'dc+sd-jwt': [{ vct_values: [vct] }, []],
              jwt_vc_json: [{ type_values: [['VerifiableCredential', id]] }, ['credentialSubject']],
              mso_mdoc: [{ doctype_value: doctype }, [doctype]],
            }[format as string] ?? []) as [object, string[]];
            const paths = names.map((name) => ({ path: [...place, name] }));
            const claims = await presented(await issue(profileId, values), { format, meta, claims: paths });
            const seen = place.reduce<Json>((inner, name) => inner[name], claims.nameSpaces ?? claims);
            for (const name of names) {
              const isBytes = name === 'a_picture' && format === 'mso_mdoc';
              expect(seen[name], `${format} ${name}`).to.deep.equal(isBytes ? PNG.toString('base64url') : values[name]);
            }
          }
          await at('deleteCredentialType', id);
        }),
        { numRuns: 3 },
      );
    });

    it('201: names, claims and images are those of the metadata for wallets and of the type', async () => {
      const claims = [
        { path: ['name'], type: 'text', label: [{ locale: 'de', name: 'Name' }], mandatory: true },
        { path: ['children'], type: 'list', items: 'object' },
        { path: ['children', null, 'name'], type: 'text' },
      ];
      const card = { logo: PICTURE, backgroundColor: '#0b4f8a', textColor: '#ffffff' };
      const display = [{ locale: 'en', name: 'Family card' }];
      await ok(create({ id: 'family', display, claims, card, formats: ['dc+sd-jwt'] }), 201);
      const configuration = (await metadata()).credential_configurations_supported['family_dc+sd-jwt'];
      const { display: shown, claims: described } = configuration.credential_metadata;
      expect(described).to.deep.equal([
        { path: ['name'], mandatory: true, display: [{ locale: 'de', name: 'Name' }] },
        { path: ['children'] },
        { path: ['children', null, 'name'] },
      ]);
      expect(shown).to.deep.equal([
        { locale: 'en', name: 'Family card', logo: shown[0].logo, background_color: '#0b4f8a', text_color: '#ffffff' },
      ]);
      expect(((await (await fetch(configuration.vct)).json()) as Json).name).to.equal('Family card');
      const image = await fetch(shown[0].logo.uri);
      expect(image.headers.get('content-type')).to.equal('image/png');
      expect(Buffer.from(await image.arrayBuffer()).equals(PNG)).to.equal(true);
      const id = await issue('family_dc-sd-jwt', { name: 'Ada', children: [{ name: 'Byron' }, { name: 'Anne' }] });
      const query = { format: 'dc+sd-jwt', meta: { vct_values: [configuration.vct] } };
      const seen = await presented(id, { ...query, claims: [{ path: ['children', null, 'name'] }] });
      expect(seen.children).to.deep.equal([{ name: 'Byron' }, { name: 'Anne' }]);
      expect(seen).not.to.have.property('name');
    });

    it('201: a service without profiles keeps those of its configurations; a change of it keeps its types', async () => {
      const target = 'acme.t1.plain';
      const config = { type: 'issuer2', supportedCredentialTypes: { Card: { format: 'dc+sd-jwt' } } };
      await ok(world.post('createService', target, config), 201);
      await ok(world.post('createCredentialType', target, { ...MEMBER, id: 'member' }), 201);
      await ok(world.post('updateService', target, { ...config, batchSize: 5 }), 200);
      const { body: profiles } = await world.post('tenantListIssuanceProfiles', target);
      expect(profiles.map(({ profileId }: Json) => profileId)).to.deep.equal(['Card', 'member_dc-sd-jwt']);
      const services = { plain: { ...config, batchSize: 5 } };
      expect((await world.post('createServices', 'acme.t1', { services })).status).to.equal(201);
      expect(
        fieldsOf(await world.post('createService', 'acme.t1.other', { ...config, credentialTypes: {} })),
      ).to.deep.equal(['/body/credentialTypes']);
      const same = { ...config, supportedCredentialTypes: { 'member_dc+sd-jwt': { format: 'dc+sd-jwt' } } };
      expect(fieldsOf(await world.post('updateService', target, same))).to.deep.equal([
        '/body/supportedCredentialTypes/member_dc+sd-jwt',
      ]);
    });

    const claim = (more: object) => ({ path: ['x'], type: 'text', ...more });
    const WRONG: [string, object][] = [
      ['/body/claims/1/path', { claims: [claim({}), claim({})] }],
      ['/body/claims/0/path', { claims: [claim({ path: ['exp'] })] }],
      ['/body/claims/0/path', { claims: [claim({ path: ['x', null] })] }],
      ['/body/claims/1/path', { claims: [claim({}), claim({ path: ['x', 'y'] })] }],
      ['/body/claims/0/type', { claims: [claim({ type: 'object' })] }],
      ['/body/claims/0/items', { claims: [claim({ type: 'list' })] }],
      ['/body/claims/0/items', { claims: [claim({ items: 'text' })] }],
      ['/body/claims/0/example', { claims: [claim({ type: 'date', example: '2026-02-30' })] }],
      ['/body/claims/0/example', { claims: [claim({ type: 'picture', example: 'https://x.example/y.png' })] }],
      ['/body/claims/0/example/1', { claims: [claim({ type: 'list', items: 'number', example: [1, 'x'] })] }],
      [
        '/body/claims/0/label/1/locale',
        { claims: [claim({ label: [1, 2].map(() => ({ locale: 'en', name: 'X' })) })] },
      ],
      ['/body/display/1/locale', { display: [1, 2].map(() => ({ locale: 'en', name: 'X' })) }],
      ['/body/card/logo', { card: { logo: 'data:image/svg+xml;base64,PHN2Zy8+' } }],
      ['/body/card/logo', { card: { logo: `${PICTURE}${Buffer.alloc(65_536).toString('base64')}` } }],
      ['/body/card/textColor', { card: { backgroundColor: '#ffffff', textColor: '#eeeeee' } }],
      ['/body/card/backgroundColor', { card: { textColor: '#eeeeee' } }],
      ['/body/formats/0', { formats: ['vc+sd-jwt'] }],
      ['/body/formats', { formats: ['dc+sd-jwt', 'dc+sd-jwt'] }],
      ['/body/id', { id: '__proto__' }],
    ];
    it('400: names what is wrong with a type', async () => {
      for (const [field, change] of WRONG)
        expect(fieldsOf(await create({ ...MEMBER, ...change })), JSON.stringify(change)).to.deep.equal([field]);
    });

    it('400: names the format that the issuer cannot sign', async () => {
      const target = 'acme.t1.uncertified';
      await ok(world.post('createService', target, { type: 'issuer2' }), 201);
      const json = { ...MEMBER, formats: ['dc+sd-jwt', 'mso_mdoc'] };
      expect(fieldsOf(await world.post('createCredentialType', target, json))).to.deep.equal(['/body/formats/1']);
    });

    it('403: needs the permission at the new type too', async () => {
      const denied = { target: `${ISSUER}.no`, action: 'credential-type-create', operation: 'REMOVE' } as const;
      const { token } = await world.member([may('acme'), denied]);
      const json = { ...MEMBER, id: 'no' };
      expect((await world.post('createCredentialType', ISSUER, json, token)).status).to.equal(403);
    });

    it('409: once, and not more than 100 or than wallets read the metadata of', async () => {
      expect((await create({ ...MEMBER, id: 'known' })).status).to.equal(409);
      const large = Array.from({ length: 200 }, (_, n) => ({
        path: [`claim${n}`],
        type: 'text',
        label: [{ locale: 'en', name: 'x'.repeat(256) }],
      }));
      expect((await create({ ...MEMBER, claims: large })).status).to.equal(409);
      const target = 'acme.t1.full';
      await ok(world.post('createService', target, { type: 'issuer2' }), 201);
      for (let n = 0; n < 100; n += 1)
        await ok(world.post('createCredentialType', target, { ...MEMBER, id: `t${n}` }), 201);
      expect((await world.post('createCredentialType', target, MEMBER)).status).to.equal(409);
    });

    it('409: types whose images are more than 256 KiB together', async () => {
      const target = 'acme.t1.pictured';
      await ok(world.post('createService', target, { type: 'issuer2' }), 201);
      const logo = `data:image/png;base64,${Buffer.concat([PNG, Buffer.alloc(65_460)]).toString('base64')}`;
      const made = async (n: number) =>
        (await world.post('createCredentialType', target, { ...MEMBER, id: `p${n}`, card: { logo } })).status;
      expect([await made(1), await made(2), await made(3)]).to.deep.equal([201, 201, 409]);
    });
    refusesStrangers(
      () => world,
      () => ({ operationId: 'createCredentialType', target: ISSUER, json: MEMBER }),
    );
    refusesBodies(() => world, { operationId: 'createCredentialType', target: ISSUER });
  });

  describe('tenantCreateCredentialOffer', () => {
    it('400: names the value of a claim that is missing, unknown or of another kind', async () => {
      const place = '/body/runtimeOverrides/credentialData';
      expect(fieldsOf(await offer('known_dc-sd-jwt'))).to.deep.equal([`${place}/name`]);
      expect(fieldsOf(await offer('known_dc-sd-jwt', { name: 5 }))).to.deep.equal([`${place}/name`]);
      expect(fieldsOf(await offer('known_dc-sd-jwt', { name: 'x', surname: 'y' }))).to.deep.equal([`${place}/surname`]);
    });

    it('201: gives credentials of a revocable type an entry of a status list', async () => {
      await ok(
        create({ ...MEMBER, id: 'revocable', revocable: true, claims: [{ path: ['name'], type: 'text' }] }),
        201,
      );
      const id = await issue('revocable_dc-sd-jwt', {});
      const { vct } = (await metadata()).credential_configurations_supported['revocable_dc+sd-jwt'];
      expect((await presented(id, { format: 'dc+sd-jwt', meta: { vct_values: [vct] } })).status).to.have.property(
        'status_list',
      );
    });
  });

  describe('getTenantCredentialType', () => {
    it('200: as it was created; 404: without one', async () => {
      const { status, body } = await at('getTenantCredentialType', 'known');
      expect(status).to.equal(200);
      expect(body).to.deep.include({ ...MEMBER, _id: `${ISSUER}.known`, parent: ISSUER, id: 'known', version: 1 });
      for (const absent of ['absent', 'constructor'])
        expect((await at('getTenantCredentialType', absent)).status).to.equal(404);
      expect((await at('getTenantCredentialType', 'no id')).status).to.equal(400);
    });

    it('200: the documented example, alone and in the list', async () => {
      const { operations } = await contract;
      const example = exampleOf(operations.find(({ operationId }) => operationId === 'createCredentialType') ?? {});
      const { id } = await ok(create(Object(example)), 201);
      const { body } = await at('getTenantCredentialType', id);
      expect(body).to.deep.include(example);
      const { body: all } = await world.server.call('listCredentialTypes', {
        path: { target: ISSUER },
        token: world.root,
      });
      expect(all.filter((one: Json) => one.id === id)).to.deep.equal([body]);
    });
    refusesStrangers(
      () => world,
      () => ({ operationId: 'getTenantCredentialType', target: ISSUER, path: { typeId: 'known' } }),
    );
  });

  describe('deleteCredentialType', () => {
    it('204: removes it once; nothing more is offered of it, and wallets no longer find what was offered', async () => {
      await ok(create({ ...MEMBER, id: 'gone' }), 201);
      const { credentialOffer } = await ok(offer('gone_dc-sd-jwt', { name: 'Ada' }), 201);
      const answers = await Promise.all(Array.from({ length: 5 }, () => at('deleteCredentialType', 'gone')));
      expect(answers.map(({ status }) => status).sort()).to.deep.equal([204, 404, 404, 404, 404]);
      expect((await offer('gone_dc-sd-jwt', { name: 'Ada' })).status).to.equal(404);
      expect((await metadata()).credential_configurations_supported).not.to.have.property('gone_dc+sd-jwt');
      expect((await wallet.call('acceptCredentialOffer', { text: credentialOffer })).status).to.equal(400);
    });

    it('400: names no type', async () => {
      expect((await at('deleteCredentialType', 'no type')).status).to.equal(400);
    });
    refusesStrangers(
      () => world,
      () => ({ operationId: 'deleteCredentialType', target: ISSUER, path: { typeId: 'known' } }),
    );
  });

  describe('getCredentialImage', () => {
    const IMAGES = {
      png: PNG,
      jpeg: Buffer.from([0xff, 0xd8, 0xff, 0xe0]),
      gif: Buffer.from('GIF89a;'),
      webp: Buffer.from('RIFF\0\0\0\0WEBP;'),
    };

    for (const [kind, bytes] of Object.entries(IMAGES))
      it(`200: image/${kind}, by its digest`, async () => {
        const card = { background: `data:image/${kind};base64,${bytes.toString('base64')}` };
        await ok(create({ ...MEMBER, id: `shown-${kind}`, card }), 201);
        const path = { target: ISSUER, image: createHash('sha256').update(bytes).digest('hex') };
        const { status, headers } = await world.server.call('getCredentialImage', { path });
        expect(status).to.equal(200);
        expect(headers.get('content-type')).to.equal(`image/${kind}`);
      });

    it('400: names no digest', async () => {
      const path = { target: ISSUER, image: 'logo.png' };
      expect((await world.server.call('getCredentialImage', { path })).status).to.equal(400);
    });

    it('404: for an image of no type', async () => {
      const path = { target: ISSUER, image: 'a'.repeat(64) };
      expect((await world.server.call('getCredentialImage', { path })).status).to.equal(404);
    });
  });
});
