import { Ajv } from 'ajv';
import { expect } from 'chai';
import fc from 'fast-check';
import { Rfc9535Paths } from '../../../adapters/json/json-paths.ts';
import { CallerSchemas } from '../../../adapters/json/json-schemas.ts';
import { at } from '../../../domain/foundation/errors.ts';
import type { JsonObject } from '../../../domain/foundation/json.ts';
import { descriptorOfType, readDefinition } from '../../../domain/presentation/exchange/definition.ts';
import { compileDefinition } from '../../../domain/presentation/exchange/presentation-exchange.ts';
import { parsedCredential, testFormats } from '../../support/credentials/formats.ts';

const ports = { paths: new Rfc9535Paths(), schemas: new CallerSchemas(), formats: testFormats };

const refusal = (value: unknown): string => {
  try {
    at(['body'], () => readDefinition(value));
  } catch (error) {
    return error instanceof Error ? error.message : '';
  }
  return 'accepted';
};

describe('presentation definitions', () => {
  it('a generated descriptor takes exactly the type it was created for, for any characters of the type', async () => {
    const types = fc.oneof(
      fc.string({ minLength: 1, maxLength: 40 }),
      fc.stringMatching(/^[a-z.*+?()[\]{}|^$\\/]{1,20}$/),
    );
    await fc.assert(
      fc.asyncProperty(types, types, async (type, other) => {
        const definition = { id: 'd', input_descriptors: [descriptorOfType('x', type)] };
        const query = await compileDefinition(definition, ports);
        const accepts = (claims: JsonObject) => query.accepts('x', parsedCredential({ claims }));
        const inVersion1 = (name: string) => ({ vc: { type: ['VerifiableCredential', name] } });
        const inVersion2 = (name: string) => ({ type: ['VerifiableCredential', name] });
        expect(accepts(inVersion1(type))).to.equal(true);
        expect(accepts(inVersion2(type))).to.equal(true);
        for (const name of [other, `${type}x`, `x${type}`, type.slice(1)])
          if (name !== type) expect(accepts(inVersion1(name))).to.equal(false);
      }),
      { numRuns: 100 },
    );
  });

  it('a generated descriptor matches in a strict reading and in that of older wallets, for any characters of the type', () => {
    const types = fc.oneof(
      fc.string({ minLength: 1, maxLength: 40 }),
      fc.stringMatching(/^[a-z.*+?()[\]{}|^$\\/-]{1,20}$/),
    );
    fc.assert(
      fc.property(types, types, (type, other) => {
        const filter = descriptorOfType('x', type).constraints.fields[0]?.filter;
        expect(Object.keys(Object(filter))).to.deep.equal(['type', 'contains', 'pattern']);
        const { contains, pattern } = Object(filter);
        expect(contains).to.deep.equal({ type: 'string', const: type });
        const strict = new Ajv({ strict: false }).compile(Object(filter));
        expect(strict(['VerifiableCredential', type])).to.equal(true);
        expect(strict(['VerifiableCredential', other])).to.equal(type === other || type === 'VerifiableCredential');
        expect(strict(type)).to.equal(false);
        for (const flags of ['', 'u']) expect(new RegExp(pattern, flags).test(`x${type}x`)).to.equal(true);
        expect(new RegExp(`^(?:${pattern})$`).test(other)).to.equal(type === other);
      }),
    );
    expect(descriptorOfType('x', 'UniversityDegree').constraints.fields).to.deep.equal([
      {
        path: ['$.vc.type', '$.type'],
        filter: { type: 'array', contains: { type: 'string', const: 'UniversityDegree' }, pattern: 'UniversityDegree' },
      },
    ]);
  });

  it('reading keeps members it does not know', () => {
    const definition = {
      id: 'd',
      name: 'n',
      input_descriptors: [{ id: 'x', group: 'A', constraints: { fields: [], extra: 1 } }],
    };
    expect(readDefinition(definition)).to.deep.equal(definition);
    expect(
      readDefinition({ id: 'd', input_descriptors: [{ id: 'x' }] }).input_descriptors[0]?.constraints.fields,
    ).to.deep.equal([]);
  });

  it('reading names what is malformed', () => {
    const one = (descriptor: unknown) => ({ id: 'd', input_descriptors: [descriptor] });
    const field = (content: unknown) => one({ id: 'x', constraints: { fields: [content] } });
    expect(refusal([])).to.match(/^body: /);
    expect(refusal({})).to.match(/^body\.id: /);
    expect(refusal({ id: 'd', input_descriptors: [] })).to.match(/^body\.input_descriptors: /);
    expect(refusal(one(null))).to.match(/^body\.input_descriptors\[0]: /);
    expect(refusal(one({ id: 7 }))).to.match(/\[0]\.id: /);
    expect(refusal(one({ id: 'x', constraints: [] }))).to.match(/\[0]\.constraints: /);
    expect(refusal(one({ id: 'x', format: 'jwt' }))).to.match(/\[0]\.format: /);
    expect(refusal(field({ path: '$' }))).to.match(/fields\[0]\.path: /);
    expect(refusal(field({ path: ['$'], optional: 'yes' }))).to.match(/fields\[0]\.optional: /);
    expect(refusal({ id: 'd', input_descriptors: [{ id: 'x' }, { id: 'x' }] })).to.match(/two input descriptors/);
    const many = Array.from({ length: 257 }, () => ({ path: ['$.a'] }));
    expect(refusal(one({ id: 'x', constraints: { fields: many } }))).to.match(/at most 256 fields/);
  });

  it('reading any JSON either gives a definition or an error that names a path', () => {
    fc.assert(
      fc.property(fc.jsonValue(), (value) => {
        const definition = { id: 'd', input_descriptors: [value] };
        expect(refusal(definition)).to.match(/^(accepted|body.*)$/s);
      }),
    );
  });
});
