import { expect } from 'chai';
import fc from 'fast-check';
import { removeAbsent } from '../../adapters/http/edge/absent-nulls.ts';

const SCHEMA = {
  type: 'object',
  required: ['needed'],
  properties: {
    needed: { type: 'string' },
    wanted: { type: 'string' },
    nullable: { type: ['string', 'null'] },
    any: { description: 'any JSON' },
    open: { type: 'object', additionalProperties: true },
    inner: { type: 'object', properties: { wanted: { type: 'integer' } } },
    list: {
      type: 'array',
      items: { oneOf: [{ type: 'string' }, { type: 'object', properties: { a: { type: 'string' } } }] },
    },
  },
};

const cleaned = (value: unknown): unknown => {
  removeAbsent(SCHEMA, value);
  return value;
};

describe('null in a body', () => {
  it('means absent for an optional member at any depth, also in lists and alternatives', () => {
    const body = { wanted: null, inner: { wanted: null }, list: ['x', { a: null, b: null }] };
    expect(cleaned(body)).to.deep.equal({ inner: {}, list: ['x', { b: null }] });
  });

  it('is kept where a member is required, nullable or unconstrained, or where a schema leaves the content open', () => {
    const body = { needed: null, nullable: null, any: null, open: { a: null }, unknown: null };
    expect(cleaned(structuredClone(body))).to.deep.equal(body);
  });

  it('property: other values than null are unchanged in any body', () => {
    const values = fc.jsonValue({ maxDepth: 4 }).filter((value) => !JSON.stringify(value).includes('null'));
    fc.assert(
      fc.property(values, (value) => {
        expect(cleaned(structuredClone(value))).to.deep.equal(value);
      }),
    );
  });
});
