import type { CredentialFormats } from '../../ports/credential-formats.ts';
import type { Log } from '../../ports/log.ts';
import type { Outbound } from '../../ports/outbound.ts';
import type { Signatures } from '../../ports/signatures.ts';
import type { DidKeys, DidResolver } from '../dids/did-resolver.ts';
import { DomainError } from '../foundation/errors.ts';
import { asList, type JsonObject } from '../foundation/json.ts';
import { verifyJws } from '../jose/jws.ts';
import type { QueriedPresentation, QueryPorts } from '../presentation/compiled-query.ts';
import { hintsOf, parseSubmission } from '../presentation/exchange/submission.ts';
import { compileQuery } from '../presentation/query.ts';
import { applicablePolicies, type MatchedPresentation } from './applicable-policies.ts';
import type { PolicyContext, PolicyOutcome, PolicyRequest, PolicyResult, Subject } from './policies/policy.ts';
import { runPolicy } from './policies/table.ts';
import { type Presentation, type PresentedCredential, parsePresentation } from './presentation.ts';
import { checkSignature } from './signature-check.ts';
import type { CredentialResult, VerificationRequest } from './verification-session.ts';

/** What verification works with. */
export interface VerificationParts {
  dids: DidResolver;
  formats: CredentialFormats;
  signatures: Signatures;
  matching: QueryPorts;
  outbound: Outbound;
  log: Log;
}

/** A wallet's submission, parsed and matched with the request. */
export interface Submission extends MatchedPresentation {
  presentation: Presentation;
  submission: JsonObject;
}

/** The query's cost times the values presented; about 0.1 s of matching. */
const MAX_MATCHING_WORK = 500_000;

/** Reads presentations and runs the policies on them. */
export class Verification {
  readonly #parts: VerificationParts;

  constructor(parts: VerificationParts) {
    this.#parts = parts;
  }

  /** Reads a wallet's submission. @throws DomainError `BadRequest` when it cannot be parsed */
  async read(request: VerificationRequest, form: { vpToken: string; submission: string }): Promise<Submission> {
    const presentation = parsePresentation(form.vpToken, this.#parts.formats);
    const submission = parseSubmission(form.submission);
    const query = await compileQuery(request.query, this.#parts.matching);
    if (query.cost * presentation.size > MAX_MATCHING_WORK)
      throw new DomainError('BadRequest', 'vp_token: the presentation is too large for what was asked');
    const presented = asQueried(presentation);
    const matches = query.match(presented, hintsOf(submission, presented.credentials.length));
    return { presentation, submission, query, presented, matches };
  }

  /** Runs every policy at the same time. The first result is the presentation's, the others follow its credentials. */
  async evaluatePolicies(
    request: VerificationRequest,
    submitted: Submission,
    now: number,
  ): Promise<CredentialResult[]> {
    const { presentation } = submitted;
    const { schemas } = this.#parts.matching;
    const { outbound, log } = this.#parts;
    const context: PolicyContext = { ...submitted, now, schemas, outbound, log };
    const dids = this.#parts.dids.forOneSubmission();
    return Promise.all([
      this.#evaluatePresentation(request, context, dids),
      ...presentation.credentials.map((credential, index) =>
        this.#evaluateCredential(credential, {
          policies: applicablePolicies(request, submitted, index),
          context,
          dids,
        }),
      ),
    ]);
  }

  async #evaluatePresentation(
    request: VerificationRequest,
    context: PolicyContext,
    dids: DidKeys,
  ): Promise<CredentialResult> {
    const { jws, vp, type, holder } = context.presentation;
    const verify: Subject['signature'] = () => {
      const { signatures } = this.#parts;
      const token = { header: jws.header, claims: jws.payload, signer: holder, purpose: 'authentication' } as const;
      return checkSignature({ ...token, verify: (jwk) => verifyJws(jws, jwk, signatures) }, dids);
    };
    const claims = jws.payload;
    const subject: Subject = { claims, document: vp ?? claims, issuer: holder ?? '', signature: once(verify) };
    const asked = request.vpPolicies.map((policy) => runPolicy(policy, subject, context));
    const always = ALWAYS.filter((policy) => !request.vpPolicies.some((listed) => listed.policy === policy.policy));
    const added = await Promise.all(always.map((policy) => runPolicy(policy, subject, context)));
    const guarded = [...added, ...bindingResults(request, claims)].filter((result) => !result.is_success);
    return { credential: type, policies: [...(await Promise.all(asked)), ...guarded] };
  }

  async #evaluateCredential(
    { opened }: PresentedCredential,
    { policies, context, dids }: { policies: PolicyRequest[]; context: PolicyContext; dids: DidKeys },
  ): Promise<CredentialResult> {
    const { claims, document, issuer, header } = opened;
    const check = (): Promise<PolicyOutcome> =>
      checkSignature({ ...opened, header, signer: issuer, purpose: 'assertionMethod' }, dids);
    const subject: Subject = { claims, document, issuer, signature: once(check) };
    return {
      credential: opened.type,
      policies: await Promise.all(policies.map((policy) => runPolicy(policy, subject, context))),
    };
  }
}

const asQueried = ({ jws, holder, credentials }: Presentation): QueriedPresentation => ({
  format: 'jwt_vp_json',
  alg: String(jws.header.alg),
  holder,
  credentials: credentials.map(({ opened: { format, header, claims, issuer, subject } }) => {
    return { format, alg: String(header.alg), claims, issuer: { id: issuer }, subject };
  }),
});

/** Checked of every presentation, listed or not; told of in the result only when they fail. */
const ALWAYS: PolicyRequest[] = [{ policy: 'signature' }, { policy: 'presentation-definition' }];

/** That the presentation was made for this session and this verifier (OpenID4VP §14.1.2), and is one at all. */
function bindingResults({ nonce, responseUri }: VerificationRequest, claims: JsonObject): PolicyResult[] {
  const isForUs = asList(claims.aud).includes(responseUri);
  return [
    binding(
      { policy: 'nonce', description: 'Checks that the presentation answers this request' },
      claims.nonce === nonce,
    ),
    binding({ policy: 'audience', description: 'Checks that the presentation is meant for this verifier' }, isForUs),
  ];
}

const binding = (named: { policy: string; description: string }, holds: boolean): PolicyResult =>
  holds
    ? { ...named, is_success: true, result: true }
    : { ...named, is_success: false, error: `The ${named.policy} of the presentation is not that of the request` };

function once<T>(run: () => Promise<T>): () => Promise<T> {
  let running: Promise<T> | undefined;
  return () => {
    running ??= run();
    return running;
  };
}
