import { expect } from 'chai';
import fc from 'fast-check';
import type { ContextName, DataContext } from '../../../domain/credentials/data-functions.ts';
import { applyMapping, checkMapping } from '../../../domain/credentials/mapping.ts';
import { at, DomainError } from '../../../domain/foundation/errors.ts';
import { jsonPointer } from '../../../domain/foundation/field-paths.ts';
import type { JsonObject } from '../../../domain/foundation/json.ts';

const NOW = Date.UTC(2026, 0, 31, 12, 30, 15, 250);
const UUID = '7c9e6679-7425-40de-944b-e07fc1f90ae7';
const VALUES: Partial<Record<ContextName, unknown>> = {
  subjectDid: 'did:key:holder',
  issuerDid: 'did:web:issuer.example',
  issuerId: 'did:web:issuer.example',
  display: [
    {
      name: 'Degree',
      locale: 'en',
      logo: { url: 'https://issuer.example/logo.png', alt_text: 'A logo' },
      background_color: '#123456',
      text_color: '#ffffff',
      background_image: { uri: 'https://issuer.example/back.png' },
    },
  ],
};

const context = (changes: Partial<DataContext> = {}): DataContext => ({
  now: NOW,
  uuid: () => UUID,
  lookup: (name) => VALUES[name],
  fetchText: async (url) => JSON.stringify({ from: url }),
  ...changes,
});

const run = (data: JsonObject, mapping: JsonObject, changes?: Partial<DataContext>) =>
  applyMapping({ data, mapping, context: context(changes) });

const check = (mapping: JsonObject, data: JsonObject = {}): void =>
  at(['body', 'mapping'], () => checkMapping({ mapping, data }));

async function refusal(work: () => unknown): Promise<DomainError> {
  try {
    await work();
  } catch (error) {
    if (error instanceof DomainError) return error;
    throw error;
  }
  throw new Error('nothing was refused');
}

describe('data functions', () => {
  const results: [string, unknown][] = [
    ['<uuid>', `urn:uuid:${UUID}`],
    ['<subjectDid>', 'did:key:holder'],
    ['<issuerDid>', 'did:web:issuer.example'],
    ['<issuerId>', 'did:web:issuer.example'],
    ['<context:subjectDid>', 'did:key:holder'],
    ['<timestamp>', '2026-01-31T12:30:15Z'],
    ['<timestamp-seconds>', Math.floor(NOW / 1000)],
    ['<timestamp-in:365d>', '2027-01-31T12:30:15Z'],
    ['<timestamp-in-seconds:90s>', Math.floor(NOW / 1000) + 90],
    ['<timestamp-before:P1DT2H>', '2026-01-30T10:30:15Z'],
    ['<timestamp-before-seconds:1d12h30m>', Math.floor(NOW / 1000) - 131_400],
    ['<timestamp-ebsi>', '2026-01-31T12:30:15Z'],
    ['<timestamp-ebsi-in:1.5h>', '2026-01-31T14:00:15Z'],
    ['<webhook:https://data.example:8443/a?b=c:d>', '{"from":"https://data.example:8443/a?b=c:d"}'],
    ['<webhook-json:https://data.example/a>', { from: 'https://data.example/a' }],
    [
      '<display>',
      [
        {
          name: 'Degree',
          locale: 'en',
          logo: { url: 'https://issuer.example/logo.png', altText: 'A logo' },
          backgroundColor: '#123456',
          textColor: '#ffffff',
          backgroundImage: { url: 'https://issuer.example/back.png' },
        },
      ],
    ],
  ];
  for (const [template, result] of results) {
    it(`${template} gives its value`, async () => {
      check({ value: template });
      expect(await run({}, { value: template })).to.deep.equal({ document: { value: result }, claims: {} });
    });
  }

  it('a date and the number of seconds of the same template are one instant at all fractions of clock and duration', () => {
    const units = fc.constantFrom('d', 'h', 'm', 's', 'ms');
    const duration = fc
      .tuple(fc.boolean(), fc.nat(9_999), fc.nat(9), units)
      .map(([isBefore, whole, tenth, unit]) => `${isBefore ? '-' : ''}${whole}.${tenth}${unit}`);
    return fc.assert(
      fc.asyncProperty(fc.integer({ min: 0, max: 4e12 }), duration, async (now, span) => {
        for (const name of ['timestamp', `timestamp-in:${span}`, `timestamp-before:${span}`]) {
          const mapping = { date: `<${name}>`, seconds: `<${name.replace(/^[^:]+/, '$&-seconds')}>` };
          const { date, seconds } = (await run({}, mapping, { now })).document;
          expect(date, name).to.match(/T\d{2}:\d{2}:\d{2}Z$/);
          expect(Date.parse(String(date)), name).to.equal(Number(seconds) * 1000);
        }
      }),
    );
  });

  it('<last:NAME> repeats the last primitive result of a function, across objects and claims', async () => {
    const mapping = {
      id: '<uuid>',
      a: { b: '<last:uuid>' },
      'jwt:jti': '<last:uuid>',
      x: '<webhook-json:https://a.example/>',
    };
    const { document, claims } = await run({}, mapping);
    expect([document.id, document.a, claims.jti]).to.deep.equal([
      `urn:uuid:${UUID}`,
      { b: `urn:uuid:${UUID}` },
      `urn:uuid:${UUID}`,
    ]);
  });

  it('<last:NAME> does not remember objects, nor another mapping', async () => {
    const mapping = { x: '<webhook-json:https://a.example/>', y: '<last:webhook-json>' };
    expect((await refusal(() => run({}, mapping))).message)
      .to.include('at y:')
      .and.include('no earlier result');
    await run({}, { id: '<uuid>' });
    expect((await refusal(() => run({}, { y: '<last:uuid>' }))).code).to.equal('BadRequest');
  });

  it('a function without a value for its name is refused', async () => {
    const error = await refusal(() => run({}, { id: '<subjectDid>' }, { lookup: () => undefined }));
    expect(error.message).to.include('at id:').and.include('subjectDid');
  });

  it('a webhook answer that is not JSON is refused by webhook-json only', async () => {
    const fetchText = async () => 'not JSON';
    expect((await run({}, { a: '<webhook:https://a.example/>' }, { fetchText })).document).to.deep.equal({
      a: 'not JSON',
    });
    expect((await refusal(() => run({}, { a: '<webhook-json:https://a.example/>' }, { fetchText }))).code).to.equal(
      'BadRequest',
    );
  });

  it('strings that only look like templates stay as they are', async () => {
    const mapping = { a: '<>', b: '<not one>', c: 'x<uuid>', d: '<uuid', e: 'uuid>', f: '' };
    check(mapping);
    expect((await run({}, mapping)).document).to.deep.equal(mapping);
  });
});

describe('mapping', () => {
  it('applies a mapping to a credential as the documentation shows', async () => {
    const data = {
      '@context': ['https://www.w3.org/2018/credentials/v1'],
      type: ['VerifiableCredential', 'UniversityDegree'],
      issuer: { name: 'University' },
      credentialSubject: { degree: { name: 'BSc' } },
      evidence: ['first'],
      note: 'replaced by a list',
    };
    const mapping = {
      id: '<uuid>',
      issuer: { id: '<issuerDid>' },
      credentialSubject: { id: '<subjectDid>', degree: { level: 6 } },
      issuanceDate: '<timestamp>',
      expirationDate: '<timestamp-in:365d>',
      evidence: ['<uuid>', 2],
      note: ['a'],
      fresh: ['b'],
      refreshable: false,
      nothing: null,
      deep: { er: { est: '<timestamp-seconds>' } },
      'jwt:iat': '<timestamp-seconds>',
      'jwt:exp': '<timestamp-in-seconds:365d>',
    };
    check(mapping, data);
    expect(await run(data, mapping)).to.deep.equal({
      document: {
        '@context': ['https://www.w3.org/2018/credentials/v1'],
        type: ['VerifiableCredential', 'UniversityDegree'],
        issuer: { name: 'University', id: 'did:web:issuer.example' },
        credentialSubject: { degree: { name: 'BSc', level: 6 }, id: 'did:key:holder' },
        evidence: ['first', '<uuid>', 2],
        note: ['a'],
        id: `urn:uuid:${UUID}`,
        issuanceDate: '2026-01-31T12:30:15Z',
        expirationDate: '2027-01-31T12:30:15Z',
        fresh: ['b'],
        refreshable: false,
        nothing: null,
        deep: { er: { est: Math.floor(NOW / 1000) } },
      },
      claims: { iat: Math.floor(NOW / 1000), exp: Math.floor(NOW / 1000) + 31_536_000 },
    });
  });

  it('below the top level a jwt: member is an ordinary member', async () => {
    expect((await run({}, { a: { 'jwt:iat': 1 } })).document).to.deep.equal({ a: { 'jwt:iat': 1 } });
  });

  it('changes none of its inputs', async () => {
    const json = fc.dictionary(fc.constantFrom('a', 'b', 'c'), fc.jsonValue({ maxDepth: 3 }), { maxKeys: 3 });
    await fc.assert(
      fc.asyncProperty(json, json, async (data, mapping) => {
        const before = JSON.stringify([data, mapping]);
        await run(data as JsonObject, mapping as JsonObject).catch(() => undefined);
        expect(JSON.stringify([data, mapping])).to.equal(before);
      }),
    );
  });

  it('without templates a second application of primitives and objects changes nothing', async () => {
    const leaf = fc.oneof(fc.integer(), fc.boolean(), fc.constant(null));
    const { tree } = fc.letrec<{ tree: JsonObject }>((tie) => ({
      tree: fc.dictionary(
        fc.constantFrom('a', 'b', 'c', 'constructor', 'toString'),
        fc.oneof({ maxDepth: 3 }, leaf, tie('tree')),
      ),
    }));
    await fc.assert(
      fc.asyncProperty(tree, async (mapping) => {
        const once = (await run({}, mapping)).document;
        expect((await run(once, mapping)).document).to.deep.equal(once);
      }),
    );
  });

  it('member names of prototypes are plain data', async () => {
    const mapping = JSON.parse(
      '{"__proto__":{"polluted":true},"constructor":{"prototype":{"polluted":true}},"toString":"<uuid>"}',
    );
    const { document } = await run({}, mapping);
    expect(Object.hasOwn(document, '__proto__')).to.equal(true);
    expect(Object.hasOwn(document, 'constructor')).to.equal(true);
    expect(({} as JsonObject).polluted).to.equal(undefined);
  });

  it('an object over something else is refused when it is claimed, too', async () => {
    expect((await refusal(() => run({ a: 'text' }, { a: { b: 1 } }))).message).to.include('a: ');
  });
});

describe('mapping checks', () => {
  const refused: [string, JsonObject, string, JsonObject?][] = [
    ['an unknown function', { a: { b: '<nonsense>' } }, '/body/mapping/a/b'],
    ['a name of a prototype', { a: '<constructor>' }, '/body/mapping/a'],
    ['a missing argument', { a: '<timestamp-in>' }, '/body/mapping/a'],
    ['an empty argument', { a: '<timestamp-in:>' }, '/body/mapping/a'],
    ['a bad duration', { a: '<timestamp-in:soon>' }, '/body/mapping/a'],
    ['an argument too many', { a: '<uuid:1>' }, '/body/mapping/a'],
    ['an unknown context name', { a: '<context:password>' }, '/body/mapping/a'],
    ['a webhook that is no URL', { a: '<webhook:nowhere>' }, '/body/mapping/a'],
    ['a webhook of another scheme', { a: '<webhook:file:///etc/passwd>' }, '/body/mapping/a'],
    ['a webhook with credentials', { a: '<webhook-json:https://user:secret@a.example/>' }, '/body/mapping/a'],
    ['the last result of an unknown function', { a: '<last:nonsense>' }, '/body/mapping/a'],
    ['a claim that is no template', { 'jwt:iat': 5 }, '/body/mapping/jwt:iat'],
    ['a claim that is an object', { 'jwt:iat': { a: '<uuid>' } }, '/body/mapping/jwt:iat'],
    ['a claim without a name', { 'jwt:': '<uuid>' }, '/body/mapping/jwt:'],
    ['an object over a text', { a: { b: 1 } }, '/body/mapping/a', { a: 'text' }],
    ['an object over an array', { a: { b: { c: 1 } } }, '/body/mapping/a/b', { a: { b: [] } }],
    ['a name that needs escaping', { 'a/b~c': '<nonsense>' }, '/body/mapping/a~1b~0c'],
  ];
  for (const [title, mapping, path, data] of refused) {
    it(`refuses ${title}, naming it`, async () => {
      expect(jsonPointer((await refusal(() => check(mapping, data))).details?.[0]?.path ?? [])).to.equal(path);
    });
  }

  it('gives an empty list for a display that a credential does not have', async () => {
    const mapping = { a: '<display>', b: '<context:display>' };
    expect(() => check(mapping)).not.to.throw();
    expect(await run({}, mapping, { lookup: () => undefined })).to.have.deep.property('document', { a: [], b: [] });
  });

  it('refuses nesting over 32, more than 2,000 members and more than 10 webhooks', async () => {
    let deep: JsonObject = {};
    for (let level = 0; level < 40; level += 1) deep = { a: deep };
    const many = Object.fromEntries(Array.from({ length: 2001 }, (_, index) => [`m${index}`, 1]));
    const hooks = Object.fromEntries(
      Array.from({ length: 11 }, (_, index) => [`m${index}`, '<webhook:https://a.example/>']),
    );
    for (const mapping of [deep, many, hooks])
      expect((await refusal(() => check(mapping))).code).to.equal('BadRequest');
  });

  it('what passes the check can be applied, given a holder and a webhook that answers', async () => {
    const template = fc.constantFrom(
      '<uuid>',
      '<timestamp-in:1d>',
      '<subjectDid>',
      '<nonsense>',
      '<timestamp-in:x>',
      'text',
      7,
    );
    const { tree } = fc.letrec<{ tree: JsonObject }>((tie) => ({
      tree: fc.dictionary(
        fc.constantFrom('a', 'b', 'jwt:c', '__proto__'),
        fc.oneof({ maxDepth: 3 }, template, tie('tree')),
      ),
    }));
    await fc.assert(
      fc.asyncProperty(tree, tree, async (data, mapping) => {
        try {
          check(mapping, data);
        } catch {
          return;
        }
        await run(data, mapping);
      }),
      { numRuns: 500 },
    );
  });
});
