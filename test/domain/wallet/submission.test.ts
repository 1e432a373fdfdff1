import { expect } from 'chai';
import fc from 'fast-check';
import { Rfc9535Paths } from '../../../adapters/json/json-paths.ts';
import { CallerSchemas } from '../../../adapters/json/json-schemas.ts';
import type { StoredCredential } from '../../../domain/holdings/credentials.ts';
import { compileDefinition } from '../../../domain/presentation/exchange/presentation-exchange.ts';
import type { CompiledQuery } from '../../../domain/presentation/matching/compiled-query.ts';
import { assign } from '../../../domain/wallet/presentation/submission.ts';
import { parsedCredential, testFormats } from '../../support/credentials/formats.ts';

const KINDS = ['a', 'b', 'c', 'd'];

const credential = (kind: string, index: number): StoredCredential => ({
  id: `${kind}${index}`,
  addedAt: 0,
  format: 'jwt_vc_json',
  document: '',
  holder: '',
  pending: false,
  categories: [],
  parsed: parsedCredential({ claims: { kind }, type: kind }),
});

/** Descriptors that each accept any of a set of kinds. */
const queryOf = (wanted: string[][]): Promise<CompiledQuery> => {
  const input_descriptors = wanted.map((kinds, index) => ({
    id: `${index}`,
    constraints: { fields: [{ path: ['$.kind'], filter: { enum: kinds } }] },
  }));
  const ports = { paths: new Rfc9535Paths(), schemas: new CallerSchemas(), formats: testFormats };
  return compileDefinition({ id: 'd', input_descriptors }, ports);
};

describe('assign', () => {
  it('each descriptor gets a credential that answers it and each credential is used, or it says which is left over', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.subarray(KINDS, { minLength: 1 }), { minLength: 1, maxLength: 4 }),
        fc.array(fc.constantFrom(...KINDS), { minLength: 1, maxLength: 6 }),
        async (wanted, kinds) => {
          const answers = (kind: string, index: number): boolean => wanted[index]?.includes(kind) ?? false;
          const isPossible =
            wanted.every((_, index) => kinds.some((kind) => answers(kind, index))) &&
            kinds.every((kind) => wanted.some((_, index) => answers(kind, index)));
          const query = await queryOf(wanted);
          const run = () => assign(query, kinds.map(credential));
          if (!isPossible) {
            expect(run).to.throw(/selectedCredentials/);
            return;
          }
          const assignments = run();
          for (const { queryId, index = -1 } of assignments)
            expect(answers(kinds[index] ?? '', Number(queryId))).to.equal(true);
          expect(new Set(assignments.map(({ queryId }) => queryId)).size).to.equal(wanted.length);
          expect(new Set(assignments.map(({ index }) => index)).size).to.equal(kinds.length);
        },
      ),
    );
  });

  it('refuses a selection that is too costly to match, as describing its request does', async () => {
    const query = await queryOf(Array.from({ length: 40 }, () => ['a']));
    const claims = { kind: 'a', list: Array.from({ length: 20_000 }, () => 1) };
    const large = { ...credential('a', 0), parsed: parsedCredential({ claims, type: 'a' }) };
    expect(() => assign(query, [large])).to.throw(/selectedCredentials.*too costly/);
  });
});
