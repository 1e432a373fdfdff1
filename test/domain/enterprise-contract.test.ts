import { readFileSync } from 'node:fs';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { expect } from 'chai';
import fc from 'fast-check';
import { ACTIONS } from '../../domain/tenancy/permissions.ts';
import { SERVICE_TYPES } from '../../domain/tenancy/service-types.ts';
import { isTarget } from '../../domain/tenancy/targets.ts';
import { joined } from '../support/contract.ts';

const schemas = (joined.components as unknown as { schemas: Record<string, { enum?: string[] }> }).schemas;

describe('the tables of the tenant services and what is published of them', () => {
  it('a target is the same for the document and for the code', () => {
    const validate = new Ajv2020({ strict: false }).compile(schemas.Target ?? false);
    const segment = fc.oneof(
      { weight: 6, arbitrary: fc.stringMatching(/^[A-Za-z0-9_-]{1,3}$/) },
      { weight: 1, arbitrary: fc.constantFrom('a'.repeat(128), 'a'.repeat(129), '', '*', 'é', 'a b', 'a\n', '%2e') },
    );
    const text = fc.oneof(
      fc.array(segment, { maxLength: 18 }).map((segments) => segments.join('.')),
      fc.array(fc.constantFrom('a'.repeat(60), 'a'.repeat(70)), { maxLength: 17 }).map((all) => all.join('.')),
      fc.string({ unit: 'binary' }),
    );
    fc.assert(
      fc.property(text, (target) => {
        expect(isTarget(target), JSON.stringify(target)).to.equal(validate(target));
      }),
      { numRuns: 2000 },
    );
  });

  it('every documented type of service has a row, and every row is documented', () => {
    expect(schemas.ServiceType?.enum).to.have.members(Object.keys(SERVICE_TYPES));
  });

  it('every action is documented, and every documented action exists', () => {
    const section = readFileSync('docs/enterprise.md', 'utf8').split('## Permissions\n')[1]?.split('\n## ')[0] ?? '';
    const rows = section.split('\n').filter((line) => line.startsWith('| `'));
    const names = rows.flatMap((row) => [...(row.split('|')[1] ?? '').matchAll(/`([^`]+)`/g)].map(([, name]) => name));
    expect(names).to.have.members(['all', ...Object.keys(ACTIONS)]);
  });
});
