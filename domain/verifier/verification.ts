import type {
  KeySources,
  ParsedCredential,
  ParsedPresentation,
  Presentation,
  PresentationChallenge,
} from '../../ports/credential-formats.ts';
import type { PublishedKeys } from '../../ports/published-keys.ts';
import type { DidResolver } from '../dids/did-resolver.ts';
import { DomainError } from '../foundation/errors.ts';
import { countValues, type JsonObject } from '../foundation/json.ts';
import { type CompiledQuery, MAX_MATCHING_WORK, type Match, type QueryPorts } from '../presentation/compiled-query.ts';
import { compileQuery, QUERY_LANGUAGES } from '../presentation/query.ts';
import { applicablePolicies } from './applicable-policies.ts';
import {
  type CredentialSubject,
  failed,
  type PolicyContext,
  type PolicyPorts,
  type PolicyRequest,
  type PolicyResult,
  type PresentationSubject,
  passed,
} from './policies/policy.ts';
import { resultOf, runPolicies } from './policies/run.ts';
import type { CredentialResult, VerificationRequest } from './verification-session.ts';

/** What verification works with. */
export interface VerificationParts extends PolicyPorts {
  dids: DidResolver;
  issuers: PublishedKeys;
  matching: QueryPorts;
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

  /** Runs the policies of every subject at the same time. The first result is the presentation's, the others follow its credentials. */
  async evaluatePolicies(
    request: VerificationRequest,
    submitted: Submission,
    now: number,
  ): Promise<CredentialResult[]> {
    const { presentation, query, matches } = submitted;
    const { credentials } = presentation;
    const response = { query, matches, presented: presentation, credentials };
    const context: PolicyContext = { ...this.#parts, now, response };
    const keys: KeySources = { dids: this.#parts.dids.forOneSubmission(), issuers: this.#parts.issuers };
    const subjects = credentials.map((credential) => credentialSubject(credential, presentation, keys));
    const subject = presentationSubject(presentation, subjects, { ...request, ...keys, now });
    const guards = guard(request, subject, context);
    const blocker = guards.then((broken) => broken[0]?.policy);
    const run = async (requests: PolicyRequest[], of: PresentationSubject | CredentialSubject) => ({
      credential: of.scope === 'vp' ? presentation.type : of.credential.type,
      policies: await runPolicies({ requests, subject: of, context, blocker }),
    });
    const [ofPresentation, ...ofCredentials] = await Promise.all([
      run(request.vpPolicies, subject),
      ...subjects.map((of, index) => run(applicablePolicies(request, submitted, index), of)),
    ]);
    const { credential, policies } = ofPresentation;
    const added = (await guards).filter((broken) => !policies.some(({ policy }) => policy === broken.policy));
    return [{ credential, policies: [...policies, ...added] }, ...ofCredentials];
  }
}

function presentationSubject(
  presentation: ParsedPresentation,
  credentials: CredentialSubject[],
  challenge: PresentationChallenge,
): PresentationSubject {
  const { claims, document, validity } = presentation;
  const checkSignature = once(() => presentation.verifyHolder(challenge));
  return { scope: 'vp', claims, document, validity, presentation, credentials, checkSignature };
}

function credentialSubject(
  credential: ParsedCredential,
  presentation: Presentation,
  keys: KeySources,
): CredentialSubject {
  const { claims, document, validity } = credential;
  const checkSignature = once(() => credential.verifyIssuer(keys));
  return { scope: 'vc', claims, document, validity, presentation, credential, checkSignature };
}

/** Policies of every presentation, listed or not; their results appear only when they fail. */
const ALWAYS: PolicyRequest[] = [{ policy: 'signature' }, { policy: 'presentation-definition' }];

/** The checks of every presentation that failed. */
async function guard(
  request: VerificationRequest,
  subject: PresentationSubject,
  context: PolicyContext,
): Promise<PolicyResult[]> {
  const always = await runPolicies({ requests: ALWAYS, subject, context });
  return [...always, ...bindingResults(request, subject.presentation)].filter((result) => !result.is_success);
}

/** Checks that the presentation was made for this session and this verifier (OpenID4VP §14.1.2). */
function bindingResults({ nonce, audience }: VerificationRequest, { binding: bound }: Presentation): PolicyResult[] {
  if (bound.kind !== 'stated') return [];
  const isOurs = bound.nonce === nonce;
  const isForUs = bound.audience.includes(audience);
  return [
    resultOf(
      { policy: 'nonce', description: 'Checks that the presentation answers this request' },
      isOurs ? passed(true) : failed('wrong-nonce'),
    ),
    resultOf(
      { policy: 'audience', description: 'Checks that the presentation is meant for this verifier' },
      isForUs ? passed(true) : failed('wrong-audience'),
    ),
  ];
}

function once<T>(run: () => Promise<T>): () => Promise<T> {
  let running: Promise<T> | undefined;
  return () => {
    running ??= run();
    return running;
  };
}
