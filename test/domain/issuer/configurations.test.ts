import { expect } from 'chai';
import fc from 'fast-check';
import { CredentialFormats } from '../../../domain/credentials/formats/formats.ts';
import type { JsonObject } from '../../../domain/foundation/json.ts';
import { claimTree, readClaims } from '../../../domain/issuer/configurations/claim-descriptions.ts';
import { type ConfigurationEntry, readConfigurations } from '../../../domain/issuer/configurations/configurations.ts';
import type { ClaimDescription, CredentialConfiguration } from '../../../domain/issuer/credential-configuration.ts';
import { draft11Configuration } from '../../../domain/issuer/openid4vci/draft11-metadata.ts';
import { draft13Configuration } from '../../../domain/issuer/openid4vci/draft13-metadata.ts';
import { v1Configuration } from '../../../domain/issuer/openid4vci/v1-metadata.ts';
import { VERSIONS, type Version } from '../../../domain/issuer/versions.ts';
import { testFormats as formats } from '../../support/credentials/formats.ts';

const identifier = 'https://issuer.example/draft13';

const read = (supported: Record<string, ConfigurationEntry>, version: Version = 'draft13') =>
  readConfigurations(supported, { formats, identifier, version });

const only = (entry: ConfigurationEntry, name = 'A'): CredentialConfiguration => {
  const [one] = [...read({ [name]: entry }).values()];
  if (!one) throw new Error('nothing was read');
  return one;
};

const name = fc.stringMatching(/^[A-Za-z][A-Za-z0-9]{0,11}$/);
const types = fc.array(name, { minLength: 1, maxLength: 4 });

describe('credential configurations', () => {
  it('a list of types gives one of the W3C format and one SD-JWT VC whose type is below the issuer, in each version', () => {
    fc.assert(
      fc.property(name, types, fc.constantFrom<Version>('draft13', 'v1'), (id, list, version) => {
        const [w3c, sdJwt, ...others] = [...read({ [id]: list }, version).values()];
        const format = version === 'v1' ? 'dc+sd-jwt' : 'vc+sd-jwt';
        expect(others).to.deep.equal([]);
        expect(w3c).to.deep.include({ id: `${id}_jwt_vc_json`, format: 'jwt_vc_json', types: list, type: undefined });
        expect(sdJwt).to.deep.include({ id: `${id}_${format}`, format, types: [], type: `${identifier}/${id}` });
      }),
    );
  });

  it('a text with a colon is the vct of an SD-JWT VC, dotted names are the document type of an mdoc', () => {
    fc.assert(
      fc.property(name, fc.array(name, { minLength: 3, maxLength: 5 }), fc.boolean(), (id, parts, isVct) => {
        const text = isVct ? `urn:${parts.join(':')}` : parts.join('.');
        const format = isVct ? 'vc+sd-jwt' : 'mso_mdoc';
        expect(only(text, id)).to.deep.include({ id: `${id}_${format}`, format, type: text, types: [] });
      }),
    );
  });

  it('a configuration stands under its own id, and its members are read wherever drafts and 1.0 have them', () => {
    const display = [{ name: 'A card', locale: 'en' }];
    const claims = [{ path: ['a', 'b'], mandatory: true }];
    const drafts = {
      format: 'dc+sd-jwt',
      vct: 'urn:a:1',
      scope: 'a',
      display,
      claims: { a: { b: { mandatory: true } } },
    };
    const final = { format: 'dc+sd-jwt', vct: 'urn:a:1', scope: 'a', credential_metadata: { display, claims } };
    expect(only(drafts)).to.deep.equal(only(final)).and.to.deep.include({ id: 'A', scope: 'a', display, claims });
    const older = {
      format: 'jwt_vc',
      types: ['X'],
      credentialSubject: { a: {} },
      cryptographic_suites_supported: ['ES256'],
    };
    const newer = {
      format: 'jwt_vc_json',
      credential_definition: { type: ['X'], credentialSubject: { a: {} } },
      credential_signing_alg_values_supported: ['ES256'],
    };
    expect(only(older))
      .to.deep.equal(only(newer))
      .and.to.deep.include({ types: ['X'], algorithms: ['ES256'] });
  });

  it('the type of a whole configuration is its own, or made from its id', () => {
    expect(only({ format: 'vc+sd-jwt' }, 'identity_vc+sd-jwt').type).to.equal(`${identifier}/identity`);
    expect(only({ format: 'vc+sd-jwt', vct: 'vctBaseUrl' }, 'a b').type).to.equal(`${identifier}/a%20b`);
    expect(only({ format: 'mso_mdoc' }, 'org.iso.18013.5.1.mDL').type).to.equal('org.iso.18013.5.1.mDL');
    expect(only({ format: 'mso_mdoc', doctype: 'org.a.b.1' }).type).to.equal('org.a.b.1');
  });

  it('a configuration with a vct and no format is an SD-JWT VC in the format of each version', () => {
    const card = { Card: { vct: 'urn:card:1', display: [{ name: 'Card' }] } };
    for (const [version, format] of [
      ['draft13', 'vc+sd-jwt'],
      ['v1', 'dc+sd-jwt'],
    ] as const)
      expect(read(card, version).get('Card')).to.deep.include({
        format,
        type: 'urn:card:1',
        display: [{ name: 'Card' }],
      });
  });

  it('1.0 has no configuration of the drafts’ name of SD-JWT VCs', () => {
    const supported = { A: { format: 'vc+sd-jwt' }, B: { format: 'dc+sd-jwt' }, C: 'urn:c:1' };
    expect([...read(supported).keys()]).to.deep.equal(['A', 'B', 'C_vc+sd-jwt']);
    expect([...read(supported, 'v1').keys()]).to.deep.equal(['B', 'C_dc+sd-jwt']);
  });

  it('an entry that is none of these is refused by its name', () => {
    const refused: [ConfigurationEntry, RegExp][] = [
      ['plain', /^A: is neither a vct/],
      [{}, /^A\.format: must be one of jwt_vc_json, /],
      [{ format: 'ldp_vc' }, /^A\.format: must be one of/],
      [{ format: 'jwt_vc_json' }, /^A\.credential_definition\.type: must list/],
    ];
    for (const [entry, message] of refused) expect(() => read({ A: entry })).to.throw(Error, message);
    const withoutMdoc = {
      formats: new CredentialFormats(formats.standard),
      identifier,
      version: 'draft13',
    } as const;
    expect(() => readConfigurations({ A: 'org.iso.18013.5.1.mDL' }, withoutMdoc)).to.throw(Error, /not available/);
  });
});

const describing = fc.record(
  {
    mandatory: fc.boolean(),
    value_type: fc.constantFrom('string', 'image/jpeg'),
    display: fc.array(fc.record({ name: fc.string(), locale: fc.constant('en') }), { maxLength: 2 }),
  },
  { requiredKeys: [] },
);
/** Also the names that descriptions use for themselves. */
const claimName = fc.oneof(name, fc.constantFrom('display', 'mandatory', 'value_type', '__proto__', 'constructor'));
/** A tree of at most this depth. */
const tree = (depth: number): fc.Arbitrary<JsonObject> =>
  depth === 0
    ? describing
    : fc
        .tuple(describing, fc.array(fc.tuple(claimName, tree(depth - 1)), { maxLength: 3 }))
        .map(([own, parts]) => ({ ...own, ...Object.fromEntries(parts) }));

describe('claim descriptions', () => {
  it('a tree that is read and written again is the same, also with claims named as the members of a description', () => {
    fc.assert(
      fc.property(fc.array(fc.tuple(claimName, tree(3)), { maxLength: 5 }), (entries) => {
        const claims = Object.fromEntries(entries);
        expect(claimTree(readClaims(claims))).to.deep.equal(claims);
      }),
    );
  });

  it('the elements of a list are a null in the path, and a list of one description in the tree', () => {
    const claims: ClaimDescription[] = [{ path: ['degrees', null, 'type'], display: [{ name: 'Type' }] }];
    const written = { degrees: [{ type: { display: [{ name: 'Type' }] } }] };
    expect(claimTree(claims)).to.deep.equal(written);
    expect(readClaims(written)).to.deep.equal(claims);
    expect(claimTree([{ path: ['degrees', 0] }, { path: [null] }])).to.deep.equal({});
  });
});

describe('the metadata of one configuration', () => {
  const label = (text: string) => [{ name: text, locale: 'en' }];
  const display = label('Card');

  it('of a W3C credential: draft 11, draft 13 and 1.0 each have it in their form', () => {
    const card = only({
      format: 'jwt_vc_json',
      credential_definition: {
        type: ['VerifiableCredential', 'Card'],
        credentialSubject: { no: { display: label('No') } },
      },
      display,
      scope: 'card',
    });
    const credentialSubject = { no: { display: label('No') } };
    expect(draft11Configuration(card)).to.deep.include({ id: 'A', types: card.types, display, credentialSubject });
    expect(draft13Configuration(card)).to.deep.include({
      format: 'jwt_vc_json',
      scope: 'card',
      credential_definition: { type: card.types, credentialSubject },
      display,
    });
    const claims = [{ path: ['credentialSubject', 'no'], display: label('No') }];
    expect(v1Configuration(card)).to.deep.include({
      credential_definition: { type: card.types },
      credential_metadata: { display, claims },
    });
    expect(v1Configuration(card)).to.not.have.any.keys('display', 'claims');
  });

  it('of an SD-JWT VC: its vct, and the claims as tree or list', () => {
    const card = only({
      format: 'dc+sd-jwt',
      vct: 'urn:card:1',
      claims: { no: { value_type: 'number' } },
      order: ['no'],
    });
    expect(VERSIONS.draft11.hasFormat(card.facts)).to.equal(false);
    expect(draft13Configuration(card)).to.deep.include({
      vct: 'urn:card:1',
      claims: { no: { value_type: 'number' } },
      order: ['no'],
      cryptographic_binding_methods_supported: ['jwk'],
    });
    expect(v1Configuration(card)).to.deep.include({
      vct: 'urn:card:1',
      credential_metadata: { claims: [{ path: ['no'] }] },
    });
  });

  it('of an mdoc: its document type; 1.0 names the algorithms by their COSE numbers', () => {
    const card = only('org.iso.18013.5.1.mDL');
    expect(draft13Configuration(card)).to.deep.include({
      doctype: 'org.iso.18013.5.1.mDL',
      credential_signing_alg_values_supported: ['ES256', 'ES384', 'ES512', 'EdDSA'],
      cryptographic_binding_methods_supported: ['cose_key'],
    });
    expect(v1Configuration(card).credential_signing_alg_values_supported).to.deep.equal([-7, -35, -36, -8]);
    const numbered = only({ format: 'mso_mdoc', credential_signing_alg_values_supported: [-7] });
    expect(v1Configuration(numbered).credential_signing_alg_values_supported).to.deep.equal([-7]);
  });
});
