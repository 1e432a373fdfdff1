import type {
  Credential,
  HolderRefusal,
  KeySources,
  ParsedCredential,
  ParsedPresentation,
  Presentation,
  PresentationChallenge,
  SignatureCheck,
} from '../../ports/credential-formats.ts';
import type { Log } from '../../ports/log.ts';
import type { Outbound } from '../../ports/outbound.ts';
import type { PublishedKeys } from '../../ports/published-keys.ts';
import type { DidResolver } from '../dids/did-resolver.ts';
import { DomainError } from '../foundation/errors.ts';
import { countValues, type JsonObject } from '../foundation/json.ts';
import { type CompiledQuery, MAX_MATCHING_WORK, type Match, type QueryPorts } from '../presentation/compiled-query.ts';
import { compileQuery, QUERY_LANGUAGES } from '../presentation/query.ts';
import { applicablePolicies } from './applicable-policies.ts';
import type { PolicyContext, PolicyRequest, PolicyResult, Subject } from './policies/policy.ts';
import { runPolicy } from './policies/table.ts';
import type { CredentialResult, VerificationRequest } from './verification-session.ts';

/** What verification works with. */
export interface VerificationParts {
  dids: DidResolver;
  issuers: PublishedKeys;
  matching: QueryPorts;
  outbound: Outbound;
  log: Log;
}

/** A parsed response of a wallet, matched with the query. */
export interface Submission {
  presentation: ParsedPresentation;
  submission: JsonObject;
  query: CompiledQuery;
  matches: readonly Match[];
}

/** The most values in a presentation and its credentials. */
const MAX_VALUES = 20_000;

/** Reads presentations and runs the policies on them. */
export class Verification {
  readonly #parts: VerificationParts;

  constructor(parts: VerificationParts) {
    this.#parts = parts;
  }

  /** Reads a wallet's submission. @throws DomainError `BadRequest` when it cannot be parsed */
  async read(request: VerificationRequest, form: { vpToken: string; submission: string }): Promise<Submission> {
    const { matching } = this.#parts;
    const format = matching.formats.presentedIn(form.vpToken);
    const presentation = await format.presentations.parsePresentation(form.vpToken);
    const { credentials } = presentation;
    const size = [presentation, ...credentials].reduce((sum, { claims }) => sum + countValues(claims), 0);
    if (size > MAX_VALUES) throw new DomainError('BadRequest', 'vp_token: the presentation holds too many values');
    const stated = { text: form.submission, count: credentials.length, format: format.presentation };
    const { document, hints } = QUERY_LANGUAGES[request.query.language].parseHints(stated);
    const query = await compileQuery(request.query, matching);
    if (query.cost * size > MAX_MATCHING_WORK)
      throw new DomainError('BadRequest', 'vp_token: the presentation is too large for what was asked');
    return { presentation, submission: document, query, matches: query.match(presentation, hints) };
  }

  /** Runs every policy at the same time. The first result is the presentation's, the others follow its credentials. */
  async evaluatePolicies(
    request: VerificationRequest,
    submitted: Submission,
    now: number,
  ): Promise<CredentialResult[]> {
    const { matching, outbound, log } = this.#parts;
    const { presentation, query, matches } = submitted;
    const context: PolicyContext = { now, presentation, query, matches, schemas: matching.schemas, outbound, log };
    const keys: KeySources = { dids: this.#parts.dids.forOneSubmission(), issuers: this.#parts.issuers };
    return Promise.all([
      evaluatePresentation(request, context, presentationSubject(request, presentation, { ...keys, now })),
      ...presentation.credentials.map((credential, index) =>
        evaluateCredential(credential, { policies: applicablePolicies(request, submitted, index), context, keys }),
      ),
    ]);
  }
}

function presentationSubject(
  { nonce, audience }: VerificationRequest,
  presentation: ParsedPresentation,
  given: Pick<PresentationChallenge, 'now' | keyof KeySources>,
): Subject {
  const checkSignature = once(() => presentation.verifyHolder({ nonce, audience, ...given }));
  return subjectOf(presentation, presentation.holder ?? '', checkSignature);
}

const subjectOf = (
  { claims, document, validity }: Credential | Presentation,
  issuer: string,
  checkSignature: () => Promise<SignatureCheck<HolderRefusal>>,
): Subject => ({ claims, document, issuer, validity, checkSignature });

async function evaluatePresentation(
  request: VerificationRequest,
  context: PolicyContext,
  subject: Subject,
): Promise<CredentialResult> {
  const asked = request.vpPolicies.map((policy) => runPolicy(policy, subject, context));
  const always = ALWAYS.filter((policy) => !request.vpPolicies.some((listed) => listed.policy === policy.policy));
  const added = await Promise.all(always.map((policy) => runPolicy(policy, subject, context)));
  const guarded = [...added, ...bindingResults(request, context.presentation)].filter((result) => !result.is_success);
  return { credential: context.presentation.type, policies: [...(await Promise.all(asked)), ...guarded] };
}

async function evaluateCredential(
  credential: ParsedCredential,
  { policies, context, keys }: { policies: PolicyRequest[]; context: PolicyContext; keys: KeySources },
): Promise<CredentialResult> {
  const subject = subjectOf(
    credential,
    credential.issuer.id,
    once(() => credential.verifyIssuer(keys)),
  );
  const results = policies.map((policy) => runPolicy(policy, subject, context));
  return { credential: credential.type, policies: await Promise.all(results) };
}

/** Policies of every presentation, listed or not; their results appear only when they fail. */
const ALWAYS: PolicyRequest[] = [{ policy: 'signature' }, { policy: 'presentation-definition' }];

/** Checks that the presentation was made for this session and this verifier (OpenID4VP §14.1.2). */
function bindingResults({ nonce, audience }: VerificationRequest, { binding: bound }: Presentation): PolicyResult[] {
  if (bound.kind !== 'stated') return [];
  const isForUs = bound.audience.includes(audience);
  return [
    binding(
      { policy: 'nonce', description: 'Checks that the presentation answers this request' },
      bound.nonce === nonce,
    ),
    binding({ policy: 'audience', description: 'Checks that the presentation is meant for this verifier' }, isForUs),
  ];
}

const binding = (named: { policy: string; description: string }, isMet: boolean): PolicyResult =>
  isMet
    ? { ...named, is_success: true, result: true }
    : { ...named, is_success: false, error: `The ${named.policy} of the presentation is not that of the request` };

function once<T>(run: () => Promise<T>): () => Promise<T> {
  let running: Promise<T> | undefined;
  return () => {
    running ??= run();
    return running;
  };
}
