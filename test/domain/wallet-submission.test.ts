import { expect } from 'chai';
import fc from 'fast-check';
import type { CompiledDefinition } from '../../domain/presentation/exchange/matching.ts';
import { assign } from '../../domain/wallet/submission.ts';
import type { HeldCredential } from '../../domain/wallet/wallet-credentials.ts';
import { parsedCredential } from '../support/formats.ts';

const KINDS = ['a', 'b', 'c', 'd'];

const held = (kind: string, index: number): HeldCredential => ({
  id: `${kind}${index}`,
  addedAt: 0,
  format: 'jwt_vc_json',
  document: '',
  holder: '',
  pending: false,
  opened: parsedCredential({ claims: { kind }, type: kind }),
});

/** Descriptors that each take any of a set of kinds. */
const definitionOf = (wanted: string[][]): CompiledDefinition => {
  const input_descriptors = wanted.map((kinds, index) => ({ id: `${index}`, kinds, constraints: { fields: [] } }));
  const descriptors = input_descriptors.map((descriptor) => ({
    id: descriptor.id,
    descriptor,
    formats: [],
    fields: [
      {
        cost: 1,
        paths: [(document: unknown) => [(document as { kind: string }).kind]],
        optional: false,
        accepts: (value: unknown) => descriptor.kinds.includes(String(value)),
      },
    ],
  }));
  return { definition: { id: 'd', input_descriptors }, descriptors, cost: 1 };
};

describe('assign', () => {
  it('each descriptor gets a credential that answers it and each credential is used, or it says which is left over', () => {
    fc.assert(
      fc.property(
        fc.array(fc.subarray(KINDS, { minLength: 1 }), { minLength: 1, maxLength: 4 }),
        fc.array(fc.constantFrom(...KINDS), { minLength: 1, maxLength: 6 }),
        (wanted, kinds) => {
          const answers = (kind: string, index: number): boolean => wanted[index]?.includes(kind) ?? false;
          const isPossible =
            wanted.every((_, index) => kinds.some((kind) => answers(kind, index))) &&
            kinds.every((kind) => wanted.some((_, index) => answers(kind, index)));
          const run = () => assign(definitionOf(wanted), kinds.map(held));
          if (!isPossible) {
            expect(run).to.throw(/selectedCredentials/);
            return;
          }
          const assignments = run();
          for (const { descriptorId, index } of assignments)
            expect(answers(kinds[index] ?? '', Number(descriptorId))).to.equal(true);
          expect(new Set(assignments.map(({ descriptorId }) => descriptorId)).size).to.equal(wanted.length);
          expect(new Set(assignments.map(({ index }) => index)).size).to.equal(kinds.length);
        },
      ),
    );
  });
});
