import { expect } from 'chai';
import fc from 'fast-check';
import type { CompiledQuery, QueriedCredential } from '../../../domain/presentation/matching/compiled-query.ts';
import type { PolicyResult } from '../../../domain/verifier/policies/policy.ts';
import { policyList } from '../../../domain/verifier/policies/table.ts';
import type { V1Request } from '../../../domain/verifier/protocol.ts';
import { applicablePolicies } from '../../../domain/verifier/verification/applicable-policies.ts';
import type { PresentationResult } from '../../../domain/verifier/verification/evaluation.ts';
import { taskOf } from '../../../domain/verifier/verification/v1-evaluation.ts';
import type { EvaluatedResponse } from '../../../domain/verifier/verification/v1-outcome.ts';
import { outcomeOf } from '../../../domain/verifier/verification/v1-outcome.ts';
import { testFormats } from '../../support/credentials/formats.ts';

const FORMATS = ['jwt_vc_json', 'vc+sd-jwt', 'dc+sd-jwt', 'mso_mdoc', 'format-without-checks'];
const NAMES = [...Object.keys(policyList()), 'audience', 'nonce', 'transaction-data', 'policy-without-check'];

const lineOf = (policy: string, success: boolean): PolicyResult =>
  success
    ? { policy, description: '', is_success: true, code: 'passed', reason: 'It is so.', result: {} }
    : { policy, description: '', is_success: false, code: 'condition-not-met', reason: 'It is not so.', error: {} };

/** A response with one presentation for the query `q`, of one credential. */
function evaluated(format: string, results: PresentationResult[]): EvaluatedResponse {
  const credential = { format, type: 'T', issuer: { id: 'did:example:issuer' }, status: [], document: {} };
  const query = { credentials: [{ id: 'q' }], credentialSets: [] };
  return {
    query,
    submission: {
      presentations: [{ parsed: { format, credentials: [credential] }, queryIds: ['q'] }],
      credentials: [credential],
      document: {},
      query: { isSatisfied: () => true },
      matches: [{ queryId: 'q', met: true, credentials: [0] }],
    },
    results,
    formats: testFormats,
  } as unknown as EvaluatedResponse;
}

const lines = fc.array(fc.tuple(fc.constantFrom(...NAMES), fc.boolean()), { maxLength: 6 });
const resultOf = (vp: [string, boolean][], vc: [string, boolean][]): PresentationResult => ({
  presentation: { credential: 'VerifiablePresentation', policies: vp.map(([name, ok]) => lineOf(name, ok)) },
  credentials: [{ credential: 'T', policies: vc.map(([name, ok]) => lineOf(name, ok)) }],
});

describe('the outcome of a verification session', () => {
  it('is a success exactly when every line of every presentation is, with any policy, place and format', () => {
    fc.assert(
      fc.property(fc.constantFrom(...FORMATS), lines, lines, (format, vp, vc) => {
        const { results, failure } = outcomeOf(evaluated(format, [resultOf(vp, vc)]));
        const allPassed = [...vp, ...vc].every(([, success]) => success);
        expect(results?.overallSuccess).to.equal(allPassed);
        expect(failure === undefined).to.equal(allPassed);
      }),
      { numRuns: 500 },
    );
  });

  it('names a failed line that no list shows', () => {
    const { failure } = outcomeOf(evaluated('format-without-checks', [resultOf([['signature', false]], [])]));
    expect(failure).to.deep.include({ type: 'presentation_validation', failed_policies: ['q/signature'] });
  });

  it('is a failure for a presentation that has no lines at all', () => {
    const { failure } = outcomeOf(evaluated('dc+sd-jwt', []));
    expect(failure).to.deep.include({ type: 'presentation_validation', failed_policies: ['q/presentation'] });
  });
});

describe('the policies of a credential', () => {
  const vc = [{ policy: 'regex', args: { path: '$.a', regex: 'a' } }];
  const specific = { q: [{ policy: 'expired' }, ...vc] };
  const task = taskOf({ policies: { vc, specific } } as unknown as V1Request, undefined);
  const query = { queryIds: ['q', 'other'], accepts: () => false } as unknown as CompiledQuery;
  const listsOf = (presentedFor: string): Record<string, string | undefined> => {
    const matches = ['q', 'other'].map((queryId) => ({
      queryId,
      met: true,
      credentials: queryId === presentedFor ? [0] : [],
    }));
    const credentials = [{}] as unknown as QueriedCredential[];
    const found = applicablePolicies(task, { query, credentials, matches }, 0);
    expect(new Set(found.map(({ policy }) => policy)).size).to.equal(found.length);
    return Object.fromEntries(found.map(({ policy, list }) => [policy, list]));
  };

  it('name the list that they come from: that for every credential before that for a query, before none', () => {
    const always = { signature: undefined, 'not-before': undefined };
    expect(listsOf('q')).to.deep.equal({ ...always, regex: 'all', expired: 'specific' });
    expect(listsOf('other')).to.deep.equal({ ...always, regex: 'all', expired: undefined });
  });
});
