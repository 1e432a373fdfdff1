import type { KeySources, ParsedPresentation } from '../../../ports/credential-formats.ts';
import type { PublishedKeys } from '../../../ports/published-keys.ts';
import type { CredentialStatuses } from '../../credentials/credential-status.ts';
import type { DidResolver } from '../../dids/did-resolver.ts';
import { countValues } from '../../foundation/json.ts';
import { MAX_MATCHING_WORK, type QueryPorts } from '../../presentation/matching/compiled-query.ts';
import { refusedVpToken } from '../../presentation/matching/response-parameters.ts';
import { compileQuery, readResponse, type StatedPresentation } from '../../presentation/query.ts';
import type { IssuerTrust } from '../../trust/issuer-trust.ts';
import type { TrustAnchors } from '../../trust/trust-anchors.ts';
import { isUnlisted, NO_OWN_TRUST } from '../../trust/verifier-trust.ts';
import type { PolicyPorts } from '../policies/policy.ts';
import type { ReceivedPresentation, VerificationTask } from '../protocol.ts';
import { type EvaluationParts, evaluateResponse, type PresentationResult } from './evaluation.ts';
import type { Submission } from './submission.ts';

/** The most values in all presentations and their credentials, and the most credentials. */
const MAX_VALUES = 20_000;
const MAX_CREDENTIALS = 64;

const UNLISTED = 'the issuer is not among those that the verifier believes';

/** Reads the presentations of a response, of any formats, and runs the policies on them. */
export class Verification {
  constructor(
    private readonly parts: PolicyPorts & {
      dids: DidResolver;
      issuers: PublishedKeys;
      matching: QueryPorts;
      trust: Pick<IssuerTrust, 'anchors' | 'countryViolation' | 'decide'>;
      /** How long ago a holder may have signed a presentation, in milliseconds. */
      maxAgeMs: number;
    },
  ) {}

  /**
   * Reads a wallet's response: the presentations of its `vp_token`, each with its credentials.
   * @throws DomainError `BadRequest` when it cannot be parsed or is too large
   */
  async read(
    { query: asked }: Pick<VerificationTask, 'query'>,
    { handover, ...response }: Pick<ReceivedPresentation, 'vpToken' | 'submission' | 'handover'>,
  ): Promise<Submission> {
    const { matching } = this.parts;
    const { presentations: texts, document, token, hints: hintsOf } = readResponse(asked, response);
    const read = await Promise.all(texts.map((presentation) => this.#parse(presentation)));
    const parsed = read.map(({ presentation }) => presentation);
    const credentials = parsed.flatMap((presentation) => presentation.credentials);
    if (credentials.length > MAX_CREDENTIALS)
      throw refusedVpToken(`there may be at most ${MAX_CREDENTIALS} credentials`);
    const size = [...parsed, ...credentials].reduce((sum, { claims }) => sum + countValues(claims), 0);
    if (size > MAX_VALUES) throw refusedVpToken('the presentation holds too many values');
    const hints = hintsOf(read);
    const query = await compileQuery(asked, matching, credentials);
    if (query.cost * size > MAX_MATCHING_WORK) throw refusedVpToken('the presentation is too large for what was asked');
    const owners = parsed.flatMap((presentation) => presentation.credentials.map(() => presentation));
    const queryIdsOf = (presentation: ParsedPresentation): string[] =>
      hints.flatMap(({ queryId, index = -1 }) => (owners[index] === presentation ? queryId : []));
    const presentations = parsed.map((presentation) => ({ parsed: presentation, queryIds: queryIdsOf(presentation) }));
    const matches = query.match(parsed, hints);
    return { presentations, credentials, document, token, ...(handover && { handover }), query, matches };
  }

  async #parse({ text, format: named }: StatedPresentation) {
    const { formats } = this.parts.matching;
    const format = named === undefined ? formats.presentedIn(text) : formats.presentable(named);
    const presentation = await format.presentations.parsePresentation(text);
    return { presentation, count: presentation.credentials.length, credentialsAt: format.presentation.credentialsAt };
  }

  /**
   * Runs every policy and returns the results of each presentation. Regardless of what the task lists, a presentation must be signed
   * by its holder for the nonce, the audience and the transactions of the task, and all of them together must satisfy its
   * query; what of this is not listed is in the results only when it fails. `now` is in milliseconds since the epoch.
   */
  evaluatePolicies(task: VerificationTask, submission: Submission, now: number): Promise<PresentationResult[]> {
    const { dids, issuers, maxAgeMs, ...ports } = this.parts;
    const keys: KeySources = { dids: dids.forOneSubmission(), issuers };
    const anchors = this.#anchorsOf(task);
    const verifyIssuer = this.#issuerCheck(task, keys, anchors);
    const statuses = believing(ports.statuses, anchors);
    return evaluateResponse({ task, submission, keys, verifyIssuer, now, maxAgeMs, ports: { ...ports, statuses } });
  }

  /**
   * Certificates vouch for an issuer only if they end at an anchor of the task or the configuration, or if a policy says
   * so, and for mdocs of their country alone.
   */
  #issuerCheck(
    { trust: own = NO_OWN_TRUST }: VerificationTask,
    keys: KeySources,
    anchors: AnchorSource,
  ): EvaluationParts['verifyIssuer'] {
    const { trust } = this.parts;
    return async (credential, { trustIsDecided }) => {
      const check = await credential.verifyIssuer(keys);
      if (!check.valid) return check;
      const reason = trust.countryViolation(credential);
      if (reason !== undefined) return { valid: false, refusal: 'untrusted', reason };
      if (trustIsDecided) return check;
      if (isUnlisted(credential, own)) return { valid: false, refusal: 'untrusted', reason: UNLISTED };
      const decision = trust.decide(credential, await anchors());
      return decision.trusted ? check : { valid: false, refusal: 'untrusted', reason: decision.reason };
    };
  }

  /** The anchors of the configuration, of the request and of the verifier, which are read when they are first needed. */
  #anchorsOf({ trustedRoots, trust: own = NO_OWN_TRUST }: VerificationTask): AnchorSource {
    let found: Promise<TrustAnchors> | undefined;
    return () => {
      found ??= this.parts.trust.anchors(trustedRoots, own.lists).then(({ anchors, missing }) => ({
        anchors: [...anchors, ...own.anchors],
        missing,
      }));
      return found;
    };
  }
}

type AnchorSource = () => Promise<TrustAnchors>;

/** Looks up statuses for a verifier with these anchors. */
function believing(statuses: CredentialStatuses, anchors: AnchorSource): CredentialStatuses {
  const certificates = async () => (await anchors()).anchors.map(({ certificate }) => certificate);
  return {
    entries: ({ issuer, status }) => statuses.entries({ issuer, status, anchors: certificates }),
    lookUp: ({ issuer, status }) => statuses.lookUp({ issuer, status, anchors: certificates }),
  };
}
