import { readFileSync } from 'node:fs';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { expect } from 'chai';
import fc from 'fast-check';
import { ACTIONS } from '../../../domain/tenancy/access/permissions.ts';
import { isTarget } from '../../../domain/tenancy/access/targets.ts';
import { SERVICE_TYPES } from '../../../domain/tenancy/tree/service-types.ts';
import { joined } from '../../support/documents/contract.ts';

const schemas = (joined.components as unknown as { schemas: Record<string, { enum?: string[] }> }).schemas;

describe('the tables of the tenant services and what is published of them', () => {
  it('a target is the same for the document and for the code', () => {
    const validate = new Ajv2020({ strict: false }).compile(schemas.Target ?? false);
    const right = fc.constantFrom('a', 'B-_9', 'a'.repeat(60), 'a'.repeat(128));
    const wrong = fc.constantFrom('a'.repeat(129), '', '*', 'é', 'a b', 'a\n', '%2e');
    const short = fc.array(fc.oneof({ weight: 6, arbitrary: right }, { weight: 1, arbitrary: wrong }), {
      maxLength: 5,
    });
    const long = fc.integer({ min: 14, max: 18 }).chain((length) => fc.constant(Array<string>(length).fill('a')));
    const hundreds = `${'a'.repeat(100)}.`.repeat(9);
    const wide = fc
      .integer({ min: 1022, max: 1027 })
      .map((length) => [hundreds + 'a'.repeat(length - hundreds.length)]);
    const text = fc.oneof(
      fc.oneof(short, long, wide).map((segments) => segments.join('.')),
      fc.string({ unit: 'binary' }),
    );
    fc.assert(
      fc.property(text, (target) => {
        expect(isTarget(target), JSON.stringify(target)).to.equal(validate(target));
      }),
      { numRuns: 500 },
    );
  });

  it('every documented type of service has a row, and every row is documented', () => {
    const others = ['issuer', 'verifier', 'wallet'];
    expect(schemas.ServiceType?.enum).to.have.members([...Object.keys(SERVICE_TYPES), ...others]);
  });

  it('every type of service that a row names has a row, and is used where it is needed', () => {
    for (const row of Object.values<{ uses: readonly string[]; needs?: readonly string[] }>(SERVICE_TYPES)) {
      expect(Object.keys(SERVICE_TYPES)).to.include.members([...row.uses]);
      expect(row.uses).to.include.members([...(row.needs ?? [])]);
    }
  });

  it('no type of service uses itself, through others either, so that no service depends on itself', () => {
    const usesOf = (type: string): readonly string[] => SERVICE_TYPES[type as keyof typeof SERVICE_TYPES].uses;
    for (const type of Object.keys(SERVICE_TYPES)) {
      const reached = new Set(usesOf(type));
      for (const one of reached) for (const next of usesOf(one)) reached.add(next);
      expect([...reached], type).to.not.include(type);
    }
  });

  it('every action is documented, and every documented action exists', () => {
    const section = readFileSync('docs/enterprise.md', 'utf8').split('## Permissions\n')[1]?.split('\n## ')[0] ?? '';
    const rows = section.split('\n').filter((line) => line.startsWith('| `'));
    const names = rows.flatMap((row) => [...(row.split('|')[1] ?? '').matchAll(/`([^`]+)`/g)].map(([, name]) => name));
    expect(names).to.have.members(['all', ...Object.keys(ACTIONS)]);
  });
});
