import { expect } from 'chai';
import fc from 'fast-check';
import { DomainError } from '../../../domain/foundation/errors.ts';
import { failed, type Policy, passed, policy, STAGES, type Stage } from '../../../domain/verifier/policies/policy.ts';
import { runPolicies } from '../../../domain/verifier/policies/run.ts';
import { policyContext, vcSubject } from '../../support/credentials/policies.ts';

type Kind = 'passes' | 'fails' | 'refuses' | 'throws';

/** A policy of a test: its stage, how it ends, and the earlier one of the same table that it depends on. */
interface Sketch {
  stage: Stage;
  kind: Kind;
  dependsOn?: number;
}

const sketch = fc.record<Sketch>(
  {
    stage: fc.constantFrom(...STAGES),
    kind: fc.constantFrom('passes', 'passes', 'passes', 'fails', 'refuses', 'throws'),
    dependsOn: fc.nat({ max: 5 }),
  },
  { requiredKeys: ['stage', 'kind'] },
);

/** Records which policies were evaluated, and how many at once. */
class Recorder {
  readonly evaluated: string[] = [];
  readonly rows = new Map<string, Policy>();

  constructor(sketches: readonly Sketch[]) {
    for (const [index, { stage, kind, dependsOn }] of sketches.entries()) {
      const names = dependsOn !== undefined && dependsOn < index ? [`p${dependsOn}`] : [];
      const row = policy({ description: '', stage, dependsOn: names, vc: () => this.#end(`p${index}`, kind) });
      this.rows.set(`p${index}`, row);
    }
  }

  async #end(name: string, kind: Kind) {
    this.evaluated.push(name);
    await Promise.resolve();
    if (kind === 'refuses') throw new DomainError('UpstreamFailed', 'no answer');
    if (kind === 'throws') throw new TypeError('a mistake');
    return kind === 'passes' ? passed(name) : failed('refused');
  }

  run(names: readonly string[], blocker?: Promise<string | undefined>) {
    const requests = names.map((name) => ({ policy: name }));
    const find = (name: string) => this.rows.get(name);
    return runPolicies({ requests, subject: vcSubject(), context: policyContext(), find, blocker });
  }
}

const tables = fc.array(sketch, { minLength: 1, maxLength: 6 });
const namesOf = (table: readonly unknown[]) => table.map((_sketch, index) => `p${index}`);

describe('the running of policies', () => {
  it('every listed policy has one outcome, in the order of the list, regardless of what fails or throws', async () => {
    await fc.assert(
      fc.asyncProperty(tables, async (table) => {
        const results = await new Recorder(table).run(namesOf(table));
        expect(results.map(({ policy: name }) => name)).to.deep.equal(namesOf(table));
        for (const [index, { is_success, code, reason, ...line }] of results.entries()) {
          expect('result' in line, 'result').to.equal(is_success);
          expect('error' in line, 'error').to.equal(!is_success);
          expect(reason).to.not.equal('');
          const { kind } = table[index] ?? {};
          const endings = { passes: 'passed', fails: 'refused', refuses: 'unreachable', throws: 'internal-error' };
          expect(code).to.be.oneOf([kind && endings[kind], 'not-run']);
        }
      }),
      { numRuns: 60 },
    );
  });

  it('the order of the list means nothing to the outcome of each', async () => {
    const shuffled = tables.chain((table) =>
      fc.record({ table: fc.constant(table), order: fc.shuffledSubarray(namesOf(table), { minLength: table.length }) }),
    );
    await fc.assert(
      fc.asyncProperty(shuffled, async ({ table, order }) => {
        const codes = async (names: readonly string[]) =>
          Object.fromEntries((await new Recorder(table).run(names)).map(({ policy: name, code }) => [name, code]));
        expect(await codes(order)).to.deep.equal(await codes(namesOf(table)));
      }),
      { numRuns: 60 },
    );
  });

  it('a policy is evaluated once, and only if every earlier stage and what it depends on succeeded', async () => {
    await fc.assert(
      fc.asyncProperty(tables, async (table) => {
        const recorder = new Recorder(table);
        const results = await recorder.run(namesOf(table));
        for (const [index, { stage, dependsOn }] of table.entries()) {
          const place = STAGES.indexOf(stage);
          const earlier = results.filter((_line, at) => STAGES.indexOf(table[at]?.stage ?? stage) < place);
          const isFree = earlier.every((line) => line.is_success);
          const needed = dependsOn !== undefined && dependsOn < index ? results[dependsOn] : undefined;
          const isRun = results[index]?.code !== 'not-run';
          if (!isFree) expect(isRun).to.equal(false);
          if (isRun) expect(recorder.evaluated).to.include(`p${index}`);
          if (isRun && needed && needed.code !== 'not-run') expect(needed.is_success).to.equal(true);
        }
      }),
      { numRuns: 60 },
    );
  });

  it('a policy depends on another one though that is not listed, and says so', async () => {
    const table: Sketch[] = [
      { stage: 'presented', kind: 'fails' },
      { stage: 'service', kind: 'passes', dependsOn: 0 },
    ];
    const recorder = new Recorder(table);
    const [line] = await recorder.run(['p1']);
    expect(line).to.deep.include({ is_success: false, code: 'not-run' });
    expect(line?.reason).to.include('p0');
    expect(recorder.evaluated).to.deep.equal(['p0']);
  });

  it('a failure elsewhere stops the later stages only', async () => {
    const recorder = new Recorder([
      { stage: 'presented', kind: 'passes' },
      { stage: 'status', kind: 'passes' },
    ]);
    const results = await recorder.run(['p0', 'p1'], Promise.resolve('nonce'));
    expect(results.map(({ code }) => code)).to.deep.equal(['passed', 'not-run']);
    expect(results[1]?.reason).to.include('nonce');
  });
});
