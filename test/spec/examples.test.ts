import { Ajv2020 } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import { expect } from 'chai';
import { contract } from '../support/documents/contract.ts';
import { type DocumentedBody, documentedBodies } from '../support/documents/examples.ts';
import { seenShapes } from '../support/documents/exchanges.ts';
import { isPart, shapeOf } from '../support/documents/shapes.ts';

const ajv = new Ajv2020({ strict: false, allErrors: true });
addFormats.default(ajv);

/** Runs after the tests of the operations and compares with their exchanges. */
describe('the examples of the document', () => {
  let bodies: DocumentedBody[];
  before(async () => {
    // Operations below targets have the examples of those that they have their handlers from.
    const operations = (await contract).operations.filter(({ mounted }) => mounted === undefined);
    bodies = operations.flatMap((operation) => [...documentedBodies(operation)]);
  });

  it('exist for every request body and every answer of success', () => {
    expect(bodies.length).to.be.greaterThan(70);
    const bare = bodies.filter(({ examples }) => examples.length === 0);
    expect(bare.map(({ operationId, part, type }) => `${operationId} ${part} ${type}`)).to.deep.equal([]);
  });

  it('are valid', () => {
    const wrong = bodies.flatMap(({ operationId, part, schema, examples }) => {
      const validate = ajv.compile(schema);
      return examples
        .filter(({ value }) => !validate(value))
        .map(({ name }) => `${operationId} ${part} ${name}: ${ajv.errorsText(validate.errors)}`);
    });
    expect(wrong).to.deep.equal([]);
  });

  it('have the members and kinds of values of a body of this run', () => {
    const shapesOf = seenShapes();
    const strange = bodies.flatMap(({ operationId, part, type, examples, isExcerpt }) => {
      const seen = shapesOf(operationId, part, type);
      const texts = new Set(seen.map((shape) => JSON.stringify(shape)));
      const isSeen = (value: unknown): boolean => {
        const shape = shapeOf(value);
        return isExcerpt ? seen.some((whole) => isPart(shape, whole)) : texts.has(JSON.stringify(shape));
      };
      return examples.filter(({ value }) => !isSeen(value)).map(({ name }) => `${operationId} ${part} ${type} ${name}`);
    });
    expect(strange).to.deep.equal([]);
  });
});
