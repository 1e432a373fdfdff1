import { createHash } from 'node:crypto';
import { expect } from 'chai';
import fc from 'fast-check';
import { fromUtf8 } from '../../../domain/foundation/bytes.ts';
import type { JsonObject } from '../../../domain/foundation/json.ts';
import { type ConfigurationEntry, readConfigurations } from '../../../domain/issuer/configurations/configurations.ts';
import {
  createTypeMetadata,
  type PublishedType,
  typeNamed,
} from '../../../domain/issuer/configurations/type-metadata.ts';
import type { CredentialIssuer } from '../../../domain/issuer/credential-issuer.ts';
import { testFormats as formats } from '../../support/credentials/formats.ts';

const identifier = 'https://issuer.example/draft13';

const issuerWith = (supported: Record<string, ConfigurationEntry>): CredentialIssuer => ({
  id: 'open',
  target: '',
  version: 'draft13',
  identifier,
  configurations: readConfigurations(supported, { formats, identifier, version: 'draft13' }),
  display: [],
  identities: [],
});

const sri = (body: Uint8Array): string => `sha256-${createHash('sha256').update(body).digest('base64')}`;
const readType = (type: PublishedType | undefined): JsonObject => JSON.parse(fromUtf8(type?.body ?? new Uint8Array()));
const described = (entry: JsonObject): JsonObject =>
  readType(typeNamed(issuerWith({ 'card_vc+sd-jwt': { format: 'vc+sd-jwt', ...entry } }), 'card'));

const name = fc.stringMatching(/^[A-Za-z][A-Za-z0-9 ._-]{0,11}$/);

describe('type metadata', () => {
  it('every SD-JWT VC of any list has metadata of its own type, whose digest is that of the bytes', () => {
    const entry: fc.Arbitrary<ConfigurationEntry> = fc.oneof(
      fc.array(name, { minLength: 1, maxLength: 3 }),
      name.map((text) => `urn:${text}`),
      fc.constant('org.iso.18013.5.1.mDL'),
      fc.record({ format: fc.constantFrom('vc+sd-jwt', 'dc+sd-jwt', 'mso_mdoc') }),
    );
    fc.assert(
      fc.property(fc.dictionary(name, entry, { maxKeys: 5 }), (supported) => {
        const issuer = issuerWith(supported);
        for (const { format, type = '' } of issuer.configurations.values()) {
          const own = decodeURIComponent(type.replace(`${identifier}/`, ''));
          const published = typeNamed(issuer, own);
          if (!format.endsWith('sd-jwt')) {
            if (type) expect(published).to.equal(undefined);
            continue;
          }
          expect(readType(published)).to.include({ vct: type });
          expect(published?.integrity).to.equal(sri(published?.body ?? new Uint8Array()));
          expect(createTypeMetadata(issuerWith(supported).configurations, type)).to.deep.equal(published);
        }
      }),
    );
  });

  it('is made of the display and the claims, in the members of SD-JWT VC', () => {
    const display = [
      {
        name: 'Card',
        locale: 'en',
        description: 'A card',
        logo: { url: 'https://a.example/logo.png', alt_text: 'Logo' },
        background_image: { uri: 'https://a.example/back.png' },
        background_color: '#123456',
        text_color: '#ffffff',
      },
      { name: 'Karte', locale: 'de' },
      { name: 'Without a language' },
      { locale: 'fr' },
    ];
    const claims = [
      { path: ['no'], mandatory: true, value_type: 'string', display: [{ name: 'Number', locale: 'en' }] },
      { path: ['tags', null] },
    ];
    expect(described({ display, claims })).to.deep.equal({
      vct: `${identifier}/card`,
      name: 'Card',
      description: 'A card',
      display: [
        {
          locale: 'en',
          name: 'Card',
          description: 'A card',
          rendering: {
            simple: {
              logo: { uri: 'https://a.example/logo.png', alt_text: 'Logo' },
              background_image: { uri: 'https://a.example/back.png' },
              background_color: '#123456',
              text_color: '#ffffff',
            },
          },
        },
        { locale: 'de', name: 'Karte' },
        { locale: 'und', name: 'Without a language' },
      ],
      claims: [
        { path: ['no'], display: [{ locale: 'en', label: 'Number' }], mandatory: true },
        { path: ['tags', null] },
      ],
    });
  });

  it('without a display it is named by its type', () => {
    expect(described({})).to.deep.equal({
      vct: `${identifier}/card`,
      name: 'card',
      description: 'card Verifiable Credential',
    });
  });

  it('members of the operator stand instead of these, except the type', () => {
    const claims = [{ path: ['no'], svg_id: 'no', sd: 'always' }];
    const sdJwtVcTypeMetadata = { vct: 'urn:other', name: 'Mine', claims, 'x-more': 1 };
    expect(described({ sdJwtVcTypeMetadata, claims: [{ path: ['a'] }] }))
      .to.include.keys('description')
      .and.deep.include({
        ...sdJwtVcTypeMetadata,
        vct: `${identifier}/card`,
      });
  });

  it('names the digest of a type that it extends, at any depth, where that is published here too', () => {
    const type = (parent?: string) => ({
      format: 'vc+sd-jwt',
      ...(parent && { sdJwtVcTypeMetadata: { extends: parent } }),
    });
    const issuer = issuerWith({ a: type(`${identifier}/b`), b: type(`${identifier}/c`), c: type('urn:foreign') });
    const [a, b, c] = ['a', 'b', 'c'].map((one) => typeNamed(issuer, one));
    expect(readType(a)['extends#integrity']).to.equal(b?.integrity);
    expect(readType(b)['extends#integrity']).to.equal(c?.integrity);
    expect(readType(c)).to.include({ extends: 'urn:foreign' }).and.not.have.property('extends#integrity');
    const circles: Record<string, ConfigurationEntry>[] = [
      { a: type(`${identifier}/a`) },
      { a: type(`${identifier}/b`), b: type(`${identifier}/a`) },
    ];
    for (const circle of circles)
      expect(() => issuerWith(circle)).to.throw(/type https:\/\/issuer\.example\/draft13\/a, which extends itself/);
  });
});
