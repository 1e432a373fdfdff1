import type { HolderRefusal, KeySources, ParsedCredential, SignatureCheck } from '../../../ports/credential-formats.ts';
import { readTransactionData } from '../../presentation/transaction-data.ts';
import {
  type CredentialSubject,
  failed,
  type PolicyContext,
  type PolicyPorts,
  type PolicyResult,
  type PresentationSubject,
  passed,
  type SignerCheck,
  type Subject,
} from '../policies/policy.ts';
import { resultOf, runPolicies } from '../policies/run.ts';
import { findPolicy } from '../policies/table.ts';
import type { PolicyRequest, VerificationTask } from '../protocol.ts';
import { applicablePolicies } from './applicable-policies.ts';
import type { Submission, SubmittedPresentation } from './submission.ts';
import { transactionProblems } from './transaction-checks.ts';

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

/** What a response is evaluated with. */
export interface EvaluationParts {
  task: VerificationTask;
  submission: Submission;
  keys: KeySources;
  /** Checks the signature of an issuer and, unless a policy decides on it, whether its certificates are trusted. */
  verifyIssuer(credential: ParsedCredential, given: { trustIsDecided: boolean }): Promise<SignerCheck>;
  /** Milliseconds since the epoch. */
  now: number;
  /** How long ago a holder may have signed a presentation, in milliseconds. */
  maxAgeMs: number;
  ports: PolicyPorts;
}

/** A subject with its policies, and the guards of it that failed. */
interface Evaluated {
  type: string;
  subject: Subject;
  policies: readonly PolicyRequest[];
  broken: Promise<PolicyResult[]>;
}

/** Policies that hold for every presentation, listed or not. */
const ALWAYS: readonly PolicyRequest[] = [{ policy: 'signature' }, { policy: 'presentation-definition' }];

/** The same where the presenter must be the holder. */
const ALWAYS_OF_HOLDERS: readonly PolicyRequest[] = [...ALWAYS, { policy: 'holder-binding' }];

/** Policies that hold for every credential which is all that names its holder, listed or not. */
const ALWAYS_OF_CREDENTIALS: readonly PolicyRequest[] = [{ policy: 'signature' }];

/**
 * Runs the policies of every subject of a response at the same time. Guards that are not listed are in the results when
 * they fail; then no policy of a later stage is run for any subject, since the response is refused.
 */
export function evaluateResponse(parts: EvaluationParts): Promise<PresentationResult[]> {
  const { task, submission, now, ports } = parts;
  const { presentations, credentials, query, matches } = submission;
  const response = { query, matches, presentations: presentations.map(({ parsed }) => parsed), credentials };
  const context: PolicyContext = { ...ports, now, response, ownLists: task.trust?.lists };
  const requested = task.transactionData?.length ? readTransactionData(task.transactionData) : [];
  const problems = transactionProblems(requested, presentations);
  const evaluations = presentations.map((presented, place) =>
    prepare(presented, { ...parts, context, problem: problems[place] }),
  );
  const blocker = Promise.all(evaluations.flat().map(({ broken }) => broken)).then((lists) => lists.flat()[0]?.policy);
  return Promise.all(
    evaluations.map(async ([own, ...others]) => {
      const [presentation, ...ofCredentials] = await Promise.all([
        conclude(own, context, blocker),
        ...others.map((one) => conclude(one, context, blocker)),
      ]);
      return { presentation, credentials: ofCredentials };
    }),
  );
}

async function conclude(
  { type, subject, policies: requests, broken }: Evaluated,
  context: PolicyContext,
  blocker: Promise<string | undefined>,
): Promise<CredentialResult> {
  const policies = await runPolicies({ requests, subject, context, blocker });
  const added = (await broken).filter((guard) => !policies.some(({ policy }) => policy === guard.policy));
  return { credential: type, policies: [...policies, ...added] };
}

interface PresentationParts extends EvaluationParts {
  context: PolicyContext;
  /** What is wrong with the transactions that the presentation authorizes. */
  problem: string | undefined;
}

/** The presentation and its credentials as subjects, with their guards already running. */
function prepare(presented: SubmittedPresentation, parts: PresentationParts): [Evaluated, ...Evaluated[]] {
  const { task, submission, context } = parts;
  const { parsed: presentation } = presented;
  const isNamedByIssuer = presentation.binding.kind === 'none' || presentation.holderFrom === 'credentials';
  const guards = (requests: readonly PolicyRequest[], subject: Subject) => runPolicies({ requests, subject, context });
  const ofCredential = (credential: ParsedCredential): Evaluated & { subject: CredentialSubject } => {
    const { claims, document, validity } = credential;
    const policies = applicablePolicies(task, submission, submission.credentials.indexOf(credential));
    const trustIsDecided = policies.some(({ policy }) => findPolicy(policy)?.decidesTrust);
    const checkSignature = once(() => parts.verifyIssuer(credential, { trustIsDecided }));
    const subject = { scope: 'vc', claims, document, validity, presentation, credential, checkSignature } as const;
    const always = guards(isNamedByIssuer ? ALWAYS_OF_CREDENTIALS : [], subject);
    return { type: credential.type, subject, policies, broken: always.then(onlyBroken) };
  };
  const others = presentation.credentials.map(ofCredential);
  const subject: PresentationSubject = {
    scope: 'vp',
    claims: presentation.claims,
    document: presentation.document,
    validity: presentation.validity,
    presentation,
    credentials: others.map((one) => one.subject),
    checkSignature: once(() => checkHolder(presented, parts)),
  };
  const needsHolder = task.needsHolder && !isHolderWaived(presented, submission);
  const always = guards(needsHolder ? ALWAYS_OF_HOLDERS : ALWAYS, subject).then((results) => [
    ...results,
    ...boundResults(presented, parts),
  ]);
  const own = { type: presentation.type, subject, policies: task.vpPolicies, broken: always.then(onlyBroken) };
  return [own, ...others];
}

const onlyBroken = (results: PolicyResult[]): PolicyResult[] => results.filter(({ is_success }) => !is_success);

/** Whether a presentation is for nothing but queries without holder binding (OpenID4VP 1.0 §6.1). */
const isHolderWaived = ({ queryIds }: SubmittedPresentation, { query }: Submission): boolean =>
  queryIds.length > 0 && queryIds.every((id) => query.unsignedIds.has(id));

/** Only where holder binding is waived may a credential stand alone. */
async function checkHolder(
  presented: SubmittedPresentation,
  { task: { nonce, audience }, submission, keys, now, maxAgeMs }: EvaluationParts,
): Promise<SignatureCheck<HolderRefusal>> {
  const { parsed } = presented;
  const { handover } = submission;
  if (parsed.binding.kind !== 'none')
    return parsed.verifyHolder({ nonce, audience, ...(handover && { handover }), ...keys, now, maxAgeMs });
  return isHolderWaived(presented, submission) ? { valid: true } : { valid: false, refusal: 'unsigned' };
}

const BINDINGS = {
  nonce: { policy: 'nonce', description: 'Checks that the presentation answers this request' },
  audience: { policy: 'audience', description: 'Checks that the presentation is meant for this verifier' },
  transactions: {
    policy: 'transaction-data',
    description: 'Checks that the holder authorized the transactions of the request, and no others',
  },
};

/** Checks that the presentation was made for this request and this verifier (OpenID4VP §14.1.2), and for its transactions. */
function boundResults(
  { parsed: { binding: bound } }: SubmittedPresentation,
  { task, problem: reason }: PresentationParts,
): PolicyResult[] {
  const authorized = reason === undefined ? passed(true) : failed('transactions-mismatch', { reason });
  const transactions = resultOf(BINDINGS.transactions, authorized);
  if (bound.kind !== 'stated') return [transactions];
  const isForUs = bound.audience.includes(task.audience);
  return [
    resultOf(BINDINGS.nonce, bound.nonce === task.nonce ? passed(true) : failed('wrong-nonce')),
    resultOf(BINDINGS.audience, isForUs ? passed(true) : failed('wrong-audience')),
    transactions,
  ];
}

function once<T>(run: () => Promise<T>): () => Promise<T> {
  let running: Promise<T> | undefined;
  return () => {
    running ??= run();
    return running;
  };
}
