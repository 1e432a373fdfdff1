import { expect } from 'chai';
import fc from 'fast-check';
import type { JsonObject } from '../../../domain/foundation/json.ts';
import type { CredentialDisplay } from '../../../domain/holdings/records.ts';
import { DISPLAY_BOUNDS, readDisplay } from '../../../domain/wallet/issuance/credential-display.ts';
import { createManifest } from '../../../domain/wallet/manifest.ts';

const entry = (name: string, more: object = {}) => ({ name, ...more });

/** JSON of the members that issuers use, in any places and with any values. */
const anyMetadata = fc.letrec((tie) => ({
  value: fc.oneof(
    { maxDepth: 6 },
    fc.constantFrom(
      '#12107c',
      'de-AT',
      'https://a.example/x.png',
      'data:image/png;base64,AAAA',
      '\u202ex\n',
      '',
      '\ud800',
    ),
    fc.string({ unit: 'binary' }),
    fc.constantFrom(null, 0, -1, 1.5, true),
    fc.array(tie('value'), { maxLength: 5 }),
    tie('object'),
  ),
  object: fc.dictionary(
    fc.constantFrom(
      'display',
      'name',
      'locale',
      'logo',
      'uri',
      'url',
      'alt_text',
      'description',
      'background_color',
      'text_color',
      'background_image',
      'claims',
      'path',
      'credential_metadata',
      'credential_definition',
      'credentialSubject',
      '__proto__',
      'degree',
    ),
    tie('value'),
    { maxKeys: 8 },
  ),
})).object as fc.Arbitrary<JsonObject>;

const textsIn = (value: unknown): string[] =>
  typeof value === 'string' ? [value] : typeof value === 'object' && value ? Object.values(value).flatMap(textsIn) : [];

function checkBounded({ issuer, credential, claims }: CredentialDisplay): void {
  for (const entries of [issuer, credential]) {
    expect(entries.length).to.be.at.most(DISPLAY_BOUNDS.languages);
    for (const { name = '', description = '', backgroundColor = '#fff', textColor = '#fff', ...more } of entries) {
      expect(name.length).to.be.at.most(DISPLAY_BOUNDS.nameCharacters);
      expect(description.length).to.be.at.most(DISPLAY_BOUNDS.descriptionCharacters);
      for (const colour of [backgroundColor, textColor]) expect(colour).to.match(/^#[0-9a-f]{3,8}$/i);
      for (const { uri } of [more.logo, more.backgroundImage].flatMap((image) => image ?? []))
        expect(uri).to.match(/^(?:https?|data):/i);
    }
    expect(new Set(entries.map(({ locale = '' }) => locale.toLowerCase())).size).to.equal(entries.length);
  }
  expect(claims.length).to.be.at.most(DISPLAY_BOUNDS.claims);
  expect(JSON.stringify(claims).length).to.be.at.most(DISPLAY_BOUNDS.claimCharacters + claims.length + 2);
  for (const { path, labels } of claims) {
    expect(path.length).to.be.within(1, 16);
    expect(labels.length).to.be.within(1, DISPLAY_BOUNDS.languages);
  }
  for (const text of textsIn({ issuer, credential, claims })) {
    expect(text).to.match(/^[^\p{Cc}\p{Cs}\u202a-\u202e\u2066-\u2069]+$/u);
  }
}

describe('readDisplay', () => {
  it('any JSON gives display data within the bounds, or none, and a manifest; it never throws', () =>
    fc.assert(
      fc.property(anyMetadata, anyMetadata, (metadata, configuration) => {
        const display = readDisplay(metadata, configuration);
        if (!display) return;
        checkBounded(display);
        expect(display.issuer.length + display.credential.length + display.claims.length).to.be.greaterThan(0);
        const { issuer, display: shown } = createManifest(display, 'did:key:z');
        expect([issuer.id, Object.keys(shown.claims).length <= display.claims.length]).to.deep.equal([
          'did:key:z',
          true,
        ]);
      }),
      { numRuns: 2000 },
    ));

  it('any labelled claim of a tree has one path, in draft 13 and in 1.0', () =>
    fc.assert(
      fc.property(
        fc.uniqueArray(fc.array(fc.constantFrom('a', 'b', 'c', 'd'), { minLength: 1, maxLength: 4 }), {
          selector: String,
          maxLength: 10,
        }),
        (paths) => {
          const tree: JsonObject = {};
          for (const path of paths) {
            let node = tree;
            for (const part of path) {
              node[part] ??= {};
              node = node[part] as JsonObject;
            }
            node.display = [entry(path.join())];
          }
          const draft13 = readDisplay({}, { claims: tree });
          const claims = paths.map((path) => ({ path, display: [entry(path.join())] }));
          const final = readDisplay({}, { credential_metadata: { claims } });
          const sorted = (read: CredentialDisplay | undefined) =>
            [...(read?.claims ?? [])].map(({ path }) => String(path)).sort();
          expect(sorted(draft13)).to.deep.equal(paths.map(String).sort());
          expect(sorted(final)).to.deep.equal(sorted(draft13));
        },
      ),
    ));

  it('draft 13: display and claims of the configuration, with `credentialSubject` in the path of a W3C credential', () => {
    const logo = { uri: 'https://issuer.example/logo.png', alt_text: 'A shield' };
    const configuration = {
      display: [
        entry('University Degree', { locale: 'en-US', logo, background_color: '#12107c', text_color: '#FFF' }),
        entry('Hochschulabschluss', { locale: 'de', description: 'Ein  Abschluss', background_image: logo }),
      ],
      credential_definition: {
        type: ['VerifiableCredential'],
        credentialSubject: {
          given_name: {
            mandatory: true,
            display: [entry('Given name', { locale: 'en-US' }), entry('Vorname', { locale: 'de' })],
          },
          degree: { display: [entry('Degree')], name: { value_type: 'string', display: entry('Title') }, level: {} },
        },
      },
    };
    const display = readDisplay({ display: [entry('Example University')] }, configuration);
    expect(display).to.deep.equal({
      issuer: [{ name: 'Example University' }],
      credential: [
        {
          name: 'University Degree',
          locale: 'en-US',
          logo: { uri: 'https://issuer.example/logo.png', altText: 'A shield' },
          backgroundColor: '#12107c',
          textColor: '#FFF',
        },
        {
          name: 'Hochschulabschluss',
          locale: 'de',
          description: 'Ein  Abschluss',
          backgroundImage: { uri: 'https://issuer.example/logo.png', altText: 'A shield' },
        },
      ],
      claims: [
        {
          path: ['credentialSubject', 'given_name'],
          labels: [
            { name: 'Given name', locale: 'en-US' },
            { name: 'Vorname', locale: 'de' },
          ],
        },
        { path: ['credentialSubject', 'degree'], labels: [{ name: 'Degree' }] },
        { path: ['credentialSubject', 'degree', 'name'], labels: [{ name: 'Title' }] },
      ],
    });
  });

  it('1.0: display and claims of `credential_metadata`, with paths of names, positions and null', () => {
    const claims = [
      { path: ['degrees', null, 'type'], display: [entry('Type of degree')] },
      { path: ['degrees', 0], display: [entry('First degree')] },
      { path: ['degrees', 0], display: [entry('Again')] },
      { path: ['age'], mandatory: true },
      ...[[], [-1], [1.5], [{}], ['x'.repeat(129)], Array(17).fill('a'), 'age'].map((path) => ({
        path,
        display: [entry('x')],
      })),
    ];
    const described = { credential_metadata: { display: [entry('Degree')], claims }, display: [entry('Old')] };
    expect(readDisplay({}, described)).to.deep.equal({
      issuer: [],
      credential: [{ name: 'Degree' }],
      claims: [
        { path: ['degrees', null, 'type'], labels: [{ name: 'Type of degree' }] },
        { path: ['degrees', 0], labels: [{ name: 'First degree' }] },
      ],
    });
  });

  it('draft 11: the URL of a logo is `url`', () => {
    const logo = { url: 'https://issuer.example/logo.png' };
    expect(readDisplay({}, { display: [{ logo }] })?.credential).to.deep.equal([{ logo: { uri: logo.url } }]);
  });

  it('leaves out what cannot be shown: colours, languages, images, and texts that turn or break the line', () => {
    const colours = ['red', '#12', '#12345', 'url(x)', '#123456;background:url(x)', '#123456\n', 7];
    for (const background_color of colours)
      expect(readDisplay({}, { display: [{ background_color }] })).to.equal(undefined);
    for (const uri of [
      'javascript:alert(1)',
      'file:///etc/passwd',
      '/logo.png',
      'https://a\n.example',
      7,
      '',
      `https://a/${'x'.repeat(2048)}`,
    ])
      expect(readDisplay({}, { display: [{ logo: { uri } }] })).to.equal(undefined);
    const odd = [
      entry('a\u0000b\r\nc\u202ed\u2066', { locale: 'en_US\n' }),
      entry(' \u0007 '),
      null,
      'x',
      [entry('y')],
    ];
    expect(readDisplay({}, { display: odd })?.credential).to.deep.equal([{ name: 'a b c d' }]);
    expect(readDisplay({}, { display: [{ locale: 'de' }] })).to.equal(undefined);
    // A joiner is part of the spelling in some scripts.
    expect(readDisplay({}, { display: [entry('می\u200cخواهم')] })?.credential).to.deep.equal([
      { name: 'می\u200cخواهم' },
    ]);
  });

  it('keeps the first of two entries of one language, and at most 20 languages', () => {
    const many = Array.from({ length: 30 }, (_, index) =>
      entry(`n${index}`, { locale: `x${String.fromCharCode(97 + (index % 26))}` }),
    );
    const twice = [entry('first', { locale: 'de' }), entry('second', { locale: 'DE' }), ...many];
    const read = readDisplay({ display: twice }, { display: twice, claims: [{ path: ['a'], display: twice }] });
    for (const entries of [read?.issuer, read?.credential, read?.claims[0]?.labels]) {
      expect(entries).to.have.length(20);
      expect(entries?.[0]).to.deep.equal({ name: 'first', locale: 'de' });
      expect(entries?.[1]).to.deep.equal({ name: 'n0', locale: 'xa' });
    }
  });

  it('cuts long texts without splitting a character', () => {
    const read = readDisplay({}, { display: [entry(`${'x'.repeat(199)}😀`, { description: '😀'.repeat(600) })] });
    expect(read?.credential).to.deep.equal([{ name: 'x'.repeat(199), description: '😀'.repeat(500) }]);
  });

  it('keeps at most 200 claims, and 32,768 characters of them', () => {
    const claims = (count: number, name: string) =>
      Array.from({ length: count }, (_, index) => ({ path: [`c${index}`], display: [entry(name)] }));
    expect(readDisplay({}, { claims: claims(250, 'x') })?.claims).to.have.length(200);
    const long = readDisplay({}, { claims: claims(200, 'x'.repeat(200)) })?.claims ?? [];
    expect(long.length).to.be.within(100, 150);
    expect(JSON.stringify(long).length).to.be.within(32_000, 33_000);
  });

  it('looks at a bounded part of a deep or wide tree', () => {
    let deep: JsonObject = { display: [entry('too deep')] };
    for (let level = 0; level < 5000; level += 1) deep = { a: deep };
    expect(readDisplay({}, { claims: deep })).to.equal(undefined);
    const wide = Object.fromEntries(Array.from({ length: 50_000 }, (_, index) => [`c${index}`, {}]));
    const last = { ...wide, last: { display: [entry('too late')] } };
    expect(readDisplay({}, { claims: last })).to.equal(undefined);
  });
});
