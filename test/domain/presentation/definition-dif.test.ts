import { readFileSync } from 'node:fs';
import { Ajv, type ValidateFunction } from 'ajv';
import { expect } from 'chai';
import fc from 'fast-check';
import { Rfc9535Paths } from '../../../adapters/json/json-paths.ts';
import { CallerSchemas } from '../../../adapters/json/json-schemas.ts';
import { FORMATS } from '../../../domain/credentials/formats/table.ts';
import { isObject, type JsonObject } from '../../../domain/foundation/json.ts';
import { descriptorOfType } from '../../../domain/presentation/exchange/definition.ts';
import { compileDefinition } from '../../../domain/presentation/exchange/presentation-exchange.ts';
import { createSubmission } from '../../../domain/presentation/exchange/submission.ts';
import { parsedCredential, testFormats } from '../../support/credentials/formats.ts';

/** A schema of DIF as it is published; the registry of formats that it refers to also lists others than W3C formats. */
function difSchema(name: string): ValidateFunction {
  const ajv = new Ajv({ strict: false, allErrors: true });
  const registry = 'https://identity.foundation/claim-format-registry/schemas';
  const designations = { type: 'object', minProperties: 1, additionalProperties: { type: 'object' } };
  ajv.addSchema(designations, `${registry}/presentation-definition-claim-format-designations.json`);
  const named = { definitions: { format: { type: 'string' } } };
  ajv.addSchema(named, `${registry}/presentation-submission-claim-format-designations.json`);
  return ajv.compile(JSON.parse(readFileSync(`test/support/dif/${name}.json`, 'utf8')));
}

const types = fc.oneof(fc.string({ minLength: 1, maxLength: 40 }), fc.webUrl());

describe('definitions and submissions by the schemas of DIF', () => {
  it('a generated definition of any type and format is valid', () => {
    const validate = difSchema('presentation-definition');
    const formats = [FORMATS.jwt_vc_json, FORMATS['vc+sd-jwt'], FORMATS['dc+sd-jwt']];
    fc.assert(
      fc.property(fc.array(fc.tuple(types, fc.constantFrom(...formats)), { minLength: 1, maxLength: 4 }), (asked) => {
        const described = asked.map(([type, format], index) => descriptorOfType(`${index}`, type, format));
        const licence = descriptorOfType('org.iso.18013.5.1.mDL', 'org.iso.18013.5.1.mDL', FORMATS.mso_mdoc);
        const definition = { id: 'd', input_descriptors: [...described, licence] };
        expect(validate(definition), JSON.stringify(validate.errors)).to.equal(true);
      }),
      { numRuns: 50 },
    );
    expect(validate({ id: 'd', input_descriptors: [{ id: 'x' }] })).to.equal(false);
  });

  it('a submission of our wallet is valid', () => {
    const validate = difSchema('presentation-submission');
    const all = [FORMATS.jwt_vc_json, FORMATS['vc+sd-jwt'], FORMATS.mso_mdoc];
    for (const formats of [...all.map((format) => [format]), all]) {
      const answers = formats.map((_, presentation) => ({ queryId: `${presentation}`, presentation, index: 0 }));
      const submission = createSubmission({ id: 's', definitionId: 'd', answers, formats });
      expect(validate({ presentation_submission: submission }), JSON.stringify(validate.errors)).to.equal(true);
    }
  });
});

const ports = { paths: new Rfc9535Paths(), schemas: new CallerSchemas(), formats: testFormats };

/** A field with one path of names and a filter on texts. */
interface SimpleField {
  path: string[];
  wanted?: string;
  optional: boolean;
}

const names = fc.constantFrom('a', 'b', 'c');
const values = fc.constantFrom('x', 'y', 'z');
const field: fc.Arbitrary<SimpleField> = fc.record({
  path: fc.array(names, { minLength: 1, maxLength: 3 }),
  wanted: fc.option(values, { nil: undefined }),
  optional: fc.boolean(),
});
const claims = fc
  .letrec<{ tree: JsonObject | string }>((tie) => ({
    tree: fc.oneof({ maxDepth: 3 }, values, fc.dictionary(names, tie('tree'), { maxKeys: 3 })),
  }))
  .tree.filter(isObject);

/** An independent reading of Presentation Exchange 2.0 for such fields. */
function isMetBy(document: JsonObject, { path, wanted, optional }: SimpleField): boolean {
  let found: unknown = document;
  for (const name of path) found = isObject(found) && Object.hasOwn(found, name) ? found[name] : undefined;
  if (found === undefined) return optional;
  return wanted === undefined || found === wanted;
}

describe('matching of definitions', () => {
  it('agrees with an independent matcher, for any fields and claims', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.array(field, { maxLength: 3 }), { minLength: 1, maxLength: 3 }),
        claims,
        async (asked, document) => {
          const input_descriptors = asked.map((fields, index) => ({
            id: `${index}`,
            constraints: {
              fields: fields.map(({ path, wanted, optional }) => ({
                path: [`$.${path.join('.')}`],
                optional,
                ...(wanted !== undefined && { filter: { type: 'string', const: wanted } }),
              })),
            },
          }));
          const query = await compileDefinition({ id: 'd', input_descriptors }, ports);
          const presented = { credentials: [parsedCredential({ claims: document })] };
          const matches = query.match([presented], []);
          const expected = asked.map((fields) => fields.every((one) => isMetBy(document, one)));
          expect(matches.map(({ met }) => met)).to.deep.equal(expected);
          expect(query.isSatisfied(matches)).to.equal(expected.every((met) => met));
        },
      ),
      { numRuns: 150 },
    );
  });
});
