import { expect } from 'chai';
import { readSettings } from '../../../adapters/config/read-settings.ts';
import { NodeCertificates } from '../../../adapters/crypto/certificates.ts';
import { nodePemKeys } from '../../../adapters/crypto/pem-keys.ts';
import { CallerSchemas } from '../../../adapters/json/json-schemas.ts';
import { draftIssuer, v1Issuer } from '../../../composition/services/issuers.ts';
import { mappedShape } from '../../../domain/credentials/mapping.ts';
import { utf8Length } from '../../../domain/foundation/bytes.ts';
import type { CredentialConfiguration } from '../../../domain/issuer/credential-configuration.ts';
import type { CredentialIssuer } from '../../../domain/issuer/credential-issuer.ts';
import { CredentialBuilder } from '../../../domain/issuer/offers/credential-builder.ts';
import { readContent } from '../../../domain/issuer/offers/issuance-request.ts';
import { issuerDocument as draft11Document } from '../../../domain/issuer/openid4vci/draft11-metadata.ts';
import { draft13Configuration, issuerDocument } from '../../../domain/issuer/openid4vci/draft13-metadata.ts';
import { v1Configuration } from '../../../domain/issuer/openid4vci/v1-metadata.ts';
import type { Version } from '../../../domain/issuer/versions.ts';
import { readDisplay } from '../../../domain/wallet/issuance/credential-display.ts';
import { testFormats as formats } from '../../support/credentials/formats.ts';
import { deviceKey, documentSignerChain } from '../../support/credentials/mdoc-issuer.ts';
import { localKeys } from '../../support/keys/local-keys.ts';

/** How versions describe a configuration. */
const WRITTEN = [
  ['draft13', draft13Configuration],
  ['v1', v1Configuration],
] as const;

/** The configurations that have more than a name. */
const DESCRIBED = [
  'OpenBadgeCredential_jwt_vc_json',
  'UniversityDegree_jwt_vc_json',
  'identity_credential',
  'urn:eudi:pid:1',
  'eu.europa.ec.eudi.pid.1',
  'org.iso.18013.5.1.mDL',
  'org.iso.23220.photoid.1',
];

/** The largest list that is published, in bytes: wallets refuse issuer metadata over 64 KiB. */
const MAX_BYTES = 56 * 1024;

describe('the built-in credential configurations', () => {
  let issuers: Record<Version, CredentialIssuer>;
  before(async () => {
    const settings = await readSettings({ CONFIG_DIR: new URL('./none', import.meta.url).pathname });
    const certificates = new NodeCertificates();
    const described = { settings, formats, certificates, schemas: new CallerSchemas(), pems: nodePemKeys };
    issuers = {
      draft11: draftIssuer(described, 'draft11'),
      draft13: draftIssuer(described, 'draft13'),
      v1: v1Issuer(described),
    };
  });

  const configuration = (id: string): CredentialConfiguration => {
    const found = issuers.v1.configurations.get(id);
    if (!found) throw new Error(`${id} is not built in`);
    return found;
  };

  for (const [version, written] of WRITTEN)
    it(`of ${version}: their metadata stay well below what a wallet accepts`, () => {
      const { configurations } = issuers[version];
      const all = Object.fromEntries([...configurations].map(([id, one]) => [id, written(one)]));
      expect(utf8Length(JSON.stringify(all))).to.be.within(MAX_BYTES / 2, MAX_BYTES);
    });

  it('of draft 13 and of draft 11: so do whole documents', () => {
    for (const document of [issuerDocument(issuers.draft13), draft11Document(issuers.draft11)])
      expect(utf8Length(JSON.stringify(document))).to.be.below(MAX_BYTES);
  });

  it('of the drafts have no format of a later one, by which wallets would take them for metadata of that', () => {
    expect([...issuers.draft13.configurations.values()].map(({ format }) => format)).to.not.include('dc+sd-jwt');
  });

  it('have display data that wallets read: a name, colours, and a label for every claim, in English and German', () => {
    for (const [version, written] of WRITTEN)
      for (const one of issuers[version].configurations.values()) {
        const shown = readDisplay({}, written(one));
        expect(shown?.credential[0]?.name, one.id).to.be.a('string');
        expect(shown?.claims.length, one.id).to.equal(one.claims.length);
      }
    for (const id of DESCRIBED) {
      const { display, claims } = configuration(id);
      expect(display[0], id).to.include({ locale: 'en' }).and.include.keys('background_color', 'text_color');
      for (const shown of [display, ...claims.map((claim) => claim.display ?? [])])
        expect(
          shown.map(({ locale }) => locale),
          id,
        ).to.deep.equal(['en', 'de']);
      expect(claims.filter(({ mandatory }) => mandatory).length, id).to.be.greaterThan(0);
    }
  });

  it('the card of the tour, from a list of types, has a name, colours and labels', () => {
    const { display, claims } = configuration('IdentityCredential_dc+sd-jwt');
    expect(display.map(({ locale }) => locale)).to.deep.equal(['en', 'de']);
    expect(display[0]).to.include.keys('background_color', 'text_color');
    expect(claims.map(({ path }) => path)).to.deep.equal([['given_name'], ['family_name'], ['birthdate']]);
    const w3c = configuration('IdentityCredential_jwt_vc_json');
    expect([w3c.display, w3c.claims]).to.deep.equal([display, []]);
  });

  it('an EU PID is shown with the labels of its claims, in both formats', () => {
    const labelsOf = (id: string): [string, string | undefined][] =>
      readDisplay({}, v1Configuration(configuration(id)))?.claims.map(({ path, labels }) => [
        path.join('/'),
        labels[0]?.name,
      ]) ?? [];
    expect(labelsOf('urn:eudi:pid:1')).to.deep.include.members([
      ['family_name', 'Family name'],
      ['birthdate', 'Date of birth'],
      ['age_equal_or_over/18', 'Over 18'],
    ]);
    expect(labelsOf('eu.europa.ec.eudi.pid.1')).to.deep.include.members([
      ['eu.europa.ec.eudi.pid.1/family_name', 'Family name'],
      ['eu.europa.ec.eudi.pid.1/birth_date', 'Date of birth'],
    ]);
  });

  for (const id of [...DESCRIBED, 'identity_credential_vc+sd-jwt'])
    it(`${id}: its example is issued, with a value of every claim that is described`, async () => {
      const { issuer, content } = await exampleOf(id);
      const credential = await builder().build(content, { jwk: deviceKey(), did: 'did:example:holder' });
      const parsed = await formats.parse(credential);
      expect(parsed.format).to.equal(content.format);
      const { claims = [] } = issuer.configurations.get(id) ?? {};
      const { document } = mappedShape({ data: content.credentialData, mapping: content.mapping });
      for (const { path } of claims) expect(valueAt(document, path), `${id} ${path.join('/')}`).to.not.equal(undefined);
    });

  const { backends } = localKeys();
  const builder = () =>
    new CredentialBuilder({
      keys: backends,
      formats,
      statusEntries: { allocate: async () => [] },
      outbound: { send: async () => ({ status: 500, headers: {}, body: new Uint8Array() }) },
      clock: { now: () => Date.now() },
      ids: { uuid: () => '0f0e7a4c-5d4f-4f0e-9d55-3a3c5c1f5b11' },
    } as never);

  /** The example as a request would have it, with a key of the issuer. */
  async function exampleOf(id: string) {
    const issuer = issuers.draft13;
    const issuerKey = await backends.create('jwk', { keyType: 'secp256r1' });
    const { format, example } = issuer.configurations.get(id) ?? configuration(id);
    const signer = backends.signer(issuerKey);
    const request = {
      issuerKey: {},
      issuerDid: 'did:example:issuer',
      credentialConfigurationId: id,
      ...example,
      ...(format === 'mso_mdoc' && { x5Chain: ['PEM'] }),
    };
    const x5c = format === 'mso_mdoc' ? documentSignerChain(signer) : undefined;
    const content = { ...readContent(request, { issuer, formats }), issuerKey, issuer: request.issuerDid, x5c };
    return { issuer, content };
  }
});

/** The value at a path; the first element of a list stands for all. */
const valueAt = (value: unknown, path: readonly (string | number | null)[]): unknown =>
  path.reduce<unknown>((node, part) => (node as Record<string | number, unknown> | undefined)?.[part ?? 0], value);
