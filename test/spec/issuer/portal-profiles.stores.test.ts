import { generateKeyPairSync, X509Certificate } from 'node:crypto';
import { cborDecode, type DataItem, DateOnly } from '@owf/mdoc';
import { expect } from 'chai';
import { GRANT, type HolderKey, makeHolderKey } from '../../../demo/actors/holder-key.ts';
import { signerChain } from '../../actors/issuance-formats.ts';
import { FinalIssuance } from '../../actors/openid4vci.ts';
import { testFormats } from '../../support/credentials/formats.ts';
import { MDL } from '../../support/credentials/mdoc-issuer.ts';
import { offline } from '../../support/credentials/sd-jwts.ts';
import type { Answer, TestServer } from '../../support/servers/server.ts';

type Json = Record<string, unknown>;

/** The profiles that existing portals ask for, with the formats of their credentials. */
const NAMES = {
  openBadgeCredential: 'jwt_vc_json',
  universityDegree: 'jwt_vc_json',
  identityCredentialSdJwt: 'dc+sd-jwt',
  isoMdl: 'mso_mdoc',
};

const makeJwk = () => generateKeyPairSync('ec', { namedCurve: 'P-256' }).privateKey.export({ format: 'jwk' });

describe('createCredentialOffer: the profiles of existing portals', () => {
  let issuance: FinalIssuance;
  before(async () => {
    const settings = { rateLimit: { issuer2_token_endpoint: { requestsPerMinute: 1000 } } };
    issuance = await FinalIssuance.start({ settings });
  });
  after(() => issuance.close());

  const offered = (profileId: string, runtimeOverrides?: Json, server: TestServer = issuance.server) => {
    const json = { profileId, authMethod: 'PRE_AUTHORIZED', valueMode: 'BY_VALUE', runtimeOverrides };
    return server.call('createCredentialOffer', { json });
  };

  /** A holder claims what an offer has. */
  async function claimed({ status, body }: Answer, holder: HolderKey, at = issuance): Promise<Answer> {
    expect(status, JSON.stringify(body)).to.equal(201);
    const offer = JSON.parse(new URL(body.credentialOffer).searchParams.get('credential_offer') ?? '');
    const token = (await at.redeem(offer.grants[GRANT]['pre-authorized_code'])).body.access_token;
    const jwt = [at.proof(holder, { nonce: await at.nonce(), header: { kid: undefined, jwk: holder.jwk } })];
    const [credential_configuration_id] = offer.credential_configuration_ids;
    return at.claim(token, { credential_configuration_id, proofs: { jwt } });
  }

  const shown = async (profileId: string) =>
    (await issuance.server.call('getIssuanceProfile', { path: { profileId } })).body;

  /** The elements of an mdoc of one namespace, as they are encoded, and its signed object. */
  function decoded(mdoc: string, namespace: string) {
    const issuerSigned = cborDecode(Buffer.from(mdoc, 'base64url')) as Map<string, unknown>;
    const namespaces = issuerSigned.get('nameSpaces') as Map<string, DataItem<Map<string, unknown>>[]>;
    const items = namespaces.get(namespace)?.map(({ data }) => data) ?? [];
    const elements = items.map((item) => [item.get('elementIdentifier'), item.get('elementValue')]);
    const [, , payload] = issuerSigned.get('issuerAuth') as [unknown, unknown, Uint8Array];
    return { elements: Object.fromEntries(elements), object: cborDecode(payload) as Map<string, unknown> };
  }

  /** The types of transaction data that the holder's key may sign. */
  const authorizedIn = (object: Map<string, unknown>) => {
    const info = object.get('deviceKeyInfo') as Map<string, Map<string, Map<string, unknown>>>;
    return [...(info.get('keyAuthorizations')?.get('dataElements')?.keys() ?? [])];
  };

  it('201: the certificates of the mdoc are made at first use, once for instances that use it at the same time', async () => {
    const other = await FinalIssuance.startBeside(issuance);
    expect(await shown('isoMdl')).not.to.have.any.keys('x5Chain', 'iacaPem');
    const servers = [issuance.server, other, issuance.server, other];
    const offers = await Promise.all(servers.map((server) => offered('isoMdl', undefined, server)));
    await other.close();
    const { x5Chain, iacaPem } = await shown('isoMdl');
    const [leaf, authority] = [new X509Certificate(x5Chain[0]), new X509Certificate(iacaPem)];
    expect(leaf.verify(authority.publicKey)).to.equal(true);
    for (const offer of offers) {
      const holder = makeHolderKey();
      const { status, body } = await claimed(offer, holder);
      expect(status, JSON.stringify(body)).to.equal(200);
      const parsed = await testFormats.get('mso_mdoc').codec.parse(body.credentials[0].credential);
      expect(await parsed.verifyIssuer(offline)).to.deep.equal({ valid: true });
      expect(parsed.holder?.jwk).to.deep.include({ x: holder.jwk.x, y: holder.jwk.y });
      const { issuer } = parsed;
      expect(issuer.kind === 'certificates' && issuer.chain.map((der) => Buffer.from(der))).to.deep.equal([leaf.raw]);
    }
    const listed = (await issuance.server.call('listIssuanceProfiles')).body;
    expect(listed.find(({ profileId }: Json) => profileId === 'isoMdl')).to.include({ iacaPem });
  });

  it('201: each is known by its name, and its credential can be claimed', async () => {
    for (const [name, format] of Object.entries(NAMES)) {
      expect((await shown(name)).format, name).to.equal(format);
      const { status, body } = await claimed(await offered(name), makeHolderKey());
      expect(status, `${name}: ${JSON.stringify(body)}`).to.equal(200);
      const parsed = await testFormats.get(format).codec.parse(body.credentials[0].credential);
      expect(await parsed.verifyIssuer(offline), name).to.include({ valid: true });
    }
  });

  it('201: expectedCredentialProofKeyJwk names the only key that gets the credential', async () => {
    const [expected, other] = [makeHolderKey(), makeHolderKey()];
    const offer = await offered('universityDegree', { expectedCredentialProofKeyJwk: expected.jwk });
    const refused = await claimed(
      await offered('universityDegree', { expectedCredentialProofKeyJwk: expected.jwk }),
      other,
    );
    expect([refused.status, refused.body.error]).to.deep.equal([400, 'invalid_proof']);
    expect(refused.body.error_description).to.include('another key');
    expect((await claimed(offer, expected)).status).to.equal(200);
  });

  it('201: an mdoc has the types of transaction data and of elements that its offer states', async () => {
    const date = { type: 'string', conversionType: 'stringToFullDate' };
    const { body } = await claimed(
      await offered('isoMdl', {
        credentialData: {
          'org.example.own.1': {
            joined: '2020-01-31',
            photo: '_-0',
            at: '2020-01-31T00:00:00Z',
            jobs: [{ since: '2021-01-31' }],
            other: '2020-01-31',
          },
        },
        authorizedTransactionDataTypes: ['payment'],
        mDocNameSpacesDataMappingConfig: {
          'org.example.own.1': {
            entriesConfigMap: {
              joined: date,
              photo: { type: 'string', conversionType: 'base64UrlStringToByteString' },
              at: { type: 'string', conversionType: 'stringToTDate' },
              jobs: { type: 'array', arrayConfig: [{ type: 'object', entriesConfigMap: { since: date } }] },
            },
          },
        },
      }),
      makeHolderKey(),
    );
    const { elements, object } = decoded(body.credentials[0].credential, 'org.example.own.1');
    expect(elements.joined).to.be.instanceOf(DateOnly);
    expect(elements.photo).to.deep.equal(Uint8Array.of(0xff, 0xed));
    expect(elements.at).to.be.instanceOf(Date);
    expect(elements.jobs[0].get('since')).to.be.instanceOf(DateOnly);
    expect(elements.other).to.equal('2020-01-31');
    expect(authorizedIn(object)).to.deep.equal(['payment']);
  });

  it('201: an mdoc has the types that its profile states', async () => {
    const stated = {
      authorizedTransactionDataTypes: ['payment'],
      mDocNameSpacesDataMappingConfig: {
        [MDL.namespace]: { entriesConfigMap: { joined: { type: 'string', conversionType: 'stringToFullDate' } } },
      },
    };
    const jwk = makeJwk();
    const own = {
      name: 'Own',
      credentialConfigurationId: MDL.docType,
      issuerKey: { type: 'jwk', jwk },
      x5Chain: signerChain(jwk),
      credentialData: { [MDL.namespace]: { joined: '2020-01-31' } },
      ...stated,
    };
    const at = await FinalIssuance.start({ settings: { issuer2Profiles: { profiles: { own } } } });
    const { body } = await claimed(await offered('own', undefined, at.server), makeHolderKey(), at);
    const profile = await at.server.call('getIssuanceProfile', { path: { profileId: 'own' } });
    await at.close();
    const { elements, object } = decoded(body.credentials[0].credential, MDL.namespace);
    expect(elements.joined).to.be.instanceOf(DateOnly);
    expect(authorizedIn(object)).to.deep.equal(['payment']);
    expect(profile.body).to.deep.include(stated);
  });

  const refused: [string, string, Json, string][] = [
    [
      'a private key to expect',
      'universityDegree',
      { expectedCredentialProofKeyJwk: { kty: 'EC', d: 'AA' } },
      'expectedCredentialProofKeyJwk',
    ],
    [
      'a key to expect that is none',
      'universityDegree',
      { expectedCredentialProofKeyJwk: { kty: 'oct' } },
      'expectedCredentialProofKeyJwk',
    ],
    [
      'types of transaction data for a W3C credential',
      'universityDegree',
      { authorizedTransactionDataTypes: ['a'] },
      'authorizedTransactionDataTypes',
    ],
    [
      'types of elements for an SD-JWT VC',
      'identityCredentialSdJwt',
      { mDocNameSpacesDataMappingConfig: {} },
      'mDocNameSpacesDataMappingConfig',
    ],
    [
      'an unknown conversion',
      'isoMdl',
      { mDocNameSpacesDataMappingConfig: { a: { entriesConfigMap: { b: { type: 'string', conversionType: 'x' } } } } },
      'mDocNameSpacesDataMappingConfig/a/entriesConfigMap/b/conversionType',
    ],
    [
      'an unknown kind of value',
      'isoMdl',
      { mDocNameSpacesDataMappingConfig: { a: { entriesConfigMap: { b: { type: 'x' } } } } },
      'mDocNameSpacesDataMappingConfig/a/entriesConfigMap/b/type',
    ],
    [
      'entries that are no object',
      'isoMdl',
      { mDocNameSpacesDataMappingConfig: { a: {} } },
      'mDocNameSpacesDataMappingConfig/a/entriesConfigMap',
    ],
  ];
  for (const [title, profileId, overrides, field] of refused)
    it(`400: ${title} is refused by its field`, async () => {
      const { status, body } = await offered(profileId, overrides);
      expect([status, body.details?.[0]?.path]).to.deep.equal([400, `/body/runtimeOverrides/${field}`]);
    });
});
