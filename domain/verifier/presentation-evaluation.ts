import type {
  Credential,
  HolderRefusal,
  KeySources,
  ParsedCredential,
  ParsedPresentation,
  Presentation,
  SignatureCheck,
} from '../../ports/credential-formats.ts';
import { applicablePolicies } from './applicable-policies.ts';
import type { PolicyContext, PolicyRequest, PolicyResult, Subject } from './policies/policy.ts';
import { runPolicy } from './policies/table.ts';
import type { Submission, SubmittedPresentation, VerificationTask } from './verification-task.ts';

/** The results of a presentation, or of a credential in it, by its type. */
export interface CredentialResult {
  credential: string;
  policies: PolicyResult[];
}

/** The results of one presentation. */
export interface PresentationResult {
  presentation: CredentialResult;
  /** In the order of its credentials. */
  credentials: CredentialResult[];
}

/** Lists results: each presentation, followed by its credentials (interface: Verification result). */
export const inOrder = (results: readonly PresentationResult[]): CredentialResult[] =>
  results.flatMap(({ presentation, credentials }) => [presentation, ...credentials]);

/** What one presentation of a response is evaluated with. */
export interface EvaluationParts {
  task: VerificationTask;
  submission: Submission;
  keys: KeySources;
  context: Omit<PolicyContext, 'presentation'>;
  /** What is wrong with the transactions that the presentation authorizes. */
  problem: string | undefined;
}

/** Policies that hold for every presentation, listed or not. */
const ALWAYS: readonly PolicyRequest[] = [{ policy: 'signature' }, { policy: 'presentation-definition' }];

/** Policies that hold for every credential which is all that names its holder, listed or not. */
const ALWAYS_OF_CREDENTIALS: readonly PolicyRequest[] = [{ policy: 'signature' }];

/** Runs the policies of a presentation and of its credentials; guards that are not listed are reported when they fail. */
export async function evaluatePresentation(
  presented: SubmittedPresentation,
  parts: EvaluationParts,
): Promise<PresentationResult> {
  const { task, submission, keys } = parts;
  const { parsed } = presented;
  const context: PolicyContext = { ...parts.context, presentation: parsed };
  const isNamedByIssuer = parsed.binding.kind === 'none' || parsed.holderFrom === 'credentials';
  const ofCredential = (credential: ParsedCredential): Promise<CredentialResult> => {
    const checkSignature = once(() => credential.verifyIssuer(keys));
    const subject = subjectOf(credential, credential.issuer.id, checkSignature);
    const policies = applicablePolicies(task, submission, submission.credentials.indexOf(credential));
    const guards = isNamedByIssuer ? ALWAYS_OF_CREDENTIALS : [];
    return evaluate(credential.type, { policies, guards, subject, context });
  };
  const checkSignature = once(() => checkHolder(presented, parts));
  const subject = subjectOf(parsed, parsed.holder ?? '', checkSignature);
  const [own, ...credentials] = await Promise.all([
    evaluate(parsed.type, { policies: task.vpPolicies, guards: ALWAYS, subject, context }),
    ...parsed.credentials.map(ofCredential),
  ]);
  const broken = boundResults(parsed, parts).filter((result) => !result.is_success);
  return { presentation: { ...own, policies: [...own.policies, ...broken] }, credentials };
}

interface Evaluated {
  policies: readonly PolicyRequest[];
  guards: readonly PolicyRequest[];
  subject: Subject;
  context: PolicyContext;
}

async function evaluate(
  credential: string,
  { policies, guards, subject, context }: Evaluated,
): Promise<CredentialResult> {
  const run = (policy: PolicyRequest): Promise<PolicyResult> => runPolicy(policy, subject, context);
  const unlisted = guards.filter((guard) => !policies.some(({ policy }) => policy === guard.policy));
  const [listed, guarded] = await Promise.all([Promise.all(policies.map(run)), Promise.all(unlisted.map(run))]);
  return { credential, policies: [...listed, ...guarded.filter((result) => !result.is_success)] };
}

const subjectOf = (
  { claims, document, validity }: Credential | Presentation,
  issuer: string,
  checkSignature: () => Promise<SignatureCheck<HolderRefusal>>,
): Subject => ({ claims, document, issuer, validity, checkSignature });

/** Only a credential that is presented for nothing but queries without holder binding may stand alone (OpenID4VP 1.0 §6.1). */
async function checkHolder(
  { parsed, queryIds }: SubmittedPresentation,
  { task: { nonce, audience }, submission: { query, handover }, keys, context: { now } }: EvaluationParts,
): Promise<SignatureCheck<HolderRefusal>> {
  if (parsed.binding.kind !== 'none')
    return parsed.verifyHolder({ nonce, audience, ...(handover && { handover }), ...keys, now });
  const mayStandAlone = queryIds.length > 0 && queryIds.every((id) => query.unsignedIds.has(id));
  return mayStandAlone ? { valid: true } : { valid: false, refusal: 'unsigned' };
}

/** Checks that the presentation was made for this request and this verifier (OpenID4VP §14.1.2), and for its transactions. */
function boundResults({ binding: bound }: ParsedPresentation, { task, problem }: EvaluationParts): PolicyResult[] {
  const of = (name: string): string => `The ${name} of the presentation is not that of the request`;
  const stated =
    bound.kind === 'stated'
      ? [
          result(NONCE, bound.nonce === task.nonce ? undefined : of('nonce')),
          result(AUDIENCE, bound.audience.includes(task.audience) ? undefined : of('audience')),
        ]
      : [];
  return [...stated, result(TRANSACTIONS, problem)];
}

const NONCE = { policy: 'nonce', description: 'Checks that the presentation answers this request' };
const AUDIENCE = { policy: 'audience', description: 'Checks that the presentation is meant for this verifier' };
const TRANSACTIONS = {
  policy: 'transaction-data',
  description: 'Checks that the holder authorized the transactions of the request, and no others',
};

const result = (named: { policy: string; description: string }, error: string | undefined): PolicyResult =>
  error === undefined ? { ...named, is_success: true, result: true } : { ...named, is_success: false, error };

function once<T>(run: () => Promise<T>): () => Promise<T> {
  let running: Promise<T> | undefined;
  return () => {
    running ??= run();
    return running;
  };
}
