import { isDomainError } from '../../foundation/errors.ts';
import type { JsonObject } from '../../foundation/json.ts';
import type { ActivityRecorder } from '../../holdings/activity.ts';
import { credentialActivity } from '../../holdings/credential-activity.ts';
import type { HolderChoice } from '../../holdings/dids.ts';
import { sanitizeReason } from '../protocol-client.ts';
import { type ConsentedRequests, checkConsent } from './consented-requests.ts';
import type { LoginTokens } from './login-tokens.ts';
import type { PageRequest, PageRequests } from './page-requests.ts';
import type {
  PlannedPresentation,
  PresentationAnswer,
  PresentationPlan,
  PresentationPlanner,
} from './presentation-plan.ts';
import {
  createRequestLink,
  type PresentationRequests,
  type RequestParameters,
  responseHost,
} from './presentation-request.ts';
import type { Redirect, VerifierEndpoint, VerifierReply } from './verifier-endpoint.ts';

/** The refusal of the user. */
interface Decline extends Pick<PresentationAnswer, 'link' | 'note'> {
  /** The code that the verifier learns; that the user declines when absent. */
  error?: string;
  description?: string;
  /** Whether the refusal goes to the verifier of a request that is not signed as it should be. */
  isUnverified?: boolean;
}

/** Whose keys sign a response. */
type ResponseSigner = HolderChoice & Pick<PresentationAnswer, 'loginDid'>;

/** The selection of the user for a page. */
type PageAnswer = Omit<PresentationAnswer, 'link' | 'did'>;

/** Presents credentials to verifiers (OpenID4VP). */
export class PresentationClient {
  constructor(
    private readonly parts: {
      requests: PresentationRequests;
      consented: ConsentedRequests;
      pages: PageRequests;
      planner: PresentationPlanner;
      verifiers: VerifierEndpoint;
      logins: LoginTokens;
      activity: ActivityRecorder;
    },
  ) {}

  /** Returns the request as a link with everything in it. @throws DomainError `BadRequest`, `UpstreamFailed`, `UpstreamTimeout` */
  async resolve(link: string): Promise<string> {
    return createRequestLink(await this.parts.requests.resolve(link));
  }

  /**
   * Presents the selected credentials. Returns where the verifier sends the user, if anywhere.
   * @throws DomainError `BadRequest` naming `link`, `selectedCredentials` or `loginDid`, or with the verifier's reason;
   * `Conflict` when the verifier changed the request that the user was shown
   */
  async present(walletId: string, answer: PresentationAnswer): Promise<VerifierReply> {
    const { planner } = this.parts;
    const plan = await planner.plan(walletId, answer).catch((error) => this.#refuse(walletId, answer, error));
    return this.send(walletId, { ...plan, ...answer, parameters: await this.sign(walletId, plan, answer) });
  }

  /** Sends the parameters of a response. @throws DomainError `BadRequest` with the verifier's reason, `UpstreamFailed`, `UpstreamTimeout` */
  async send(walletId: string, response: SignedResponse): Promise<VerifierReply> {
    const { consented, verifiers, activity } = this.parts;
    const next = await verifiers.answer(response.request, response.parameters, response);
    await consented.answered(walletId, response.link);
    await recordPresented({ ...response, activity, walletId, next });
    return next;
  }

  /**
   * Answers a request with `access_denied` and nothing else (OpenID4VP 1.0 §8.5). Returns where the verifier sends the
   * user, if anywhere. @throws DomainError `BadRequest` naming `link`, or when the verifier does not accept the answer
   */
  async decline(walletId: string, { link, note, error, description, isUnverified }: Decline): Promise<VerifierReply> {
    const { consented, verifiers, activity } = this.parts;
    const request = await consented.parameters(walletId, link, { isUnverified });
    const next = await verifiers.decline(request, error, description);
    await consented.answered(walletId, link);
    const facts = exchangeFacts({ request, note, next });
    await activity.record(walletId, { event: 'Credential', action: 'Decline', ...facts });
    return next;
  }

  /**
   * Answers the request of a page with the selected credentials; the caller passes the response to the browser.
   * @throws DomainError `BadRequest` naming `origin`, `data`, `selectedCredentials` or `loginDid`; `Conflict` as `present`
   */
  async answerPage(walletId: string, page: PageRequest, answer: PageAnswer): Promise<JsonObject> {
    const { pages, planner, verifiers, activity } = this.parts;
    const request = await pages.read(page);
    if (answer.consent !== undefined) checkConsent(request, answer.consent);
    const plan = await planner.planFor(walletId, request, answer.selectedCredentials);
    const response = await verifiers.sealed(request, await this.sign(walletId, plan, answer), plan);
    await recordPresented({ activity, walletId, ...plan, ...answer, next: {} });
    return response;
  }

  /** The parameters of a planned response. @throws DomainError `BadRequest` naming `loginDid`, `key`, `keyId` or `did` */
  async sign(
    walletId: string,
    plan: PresentationPlan,
    { did, keyId, key, loginDid }: ResponseSigner,
  ): Promise<JsonObject> {
    const login = await this.parts.logins.parameters(walletId, plan.request, loginDid);
    const signed: string[] = [];
    for (const presentation of plan.presentations)
      signed.push(await this.#sign(walletId, plan, { ...presentation, did, keyId, key }));
    return { ...plan.parameters(signed), ...login };
  }

  /** A verifier learns the code of an error that has one (OpenID4VP 1.0 §8.5); the error itself is for the caller. */
  async #refuse(walletId: string, { link }: PresentationAnswer, error: unknown): Promise<never> {
    const { consented, verifiers } = this.parts;
    if (isDomainError(error) && error.oauthError !== undefined)
      await verifiers.decline(await consented.parameters(walletId, link), error.oauthError).catch(unlessForeign);
    throw error;
  }

  async #sign(
    walletId: string,
    plan: PresentationPlan,
    presentation: PlannedPresentation & HolderChoice,
  ): Promise<string> {
    const [only] = presentation.credentials;
    const { presentations } = presentation.format;
    if (!presentation.isSigned && only && presentations.standAlone) return presentations.standAlone(only);
    const { format, content, holder } = await this.parts.planner.prepare(walletId, plan, presentation);
    return format.presentations.present(content, holder.signer);
  }
}

/** That a verifier does not take an error changes nothing. */
function unlessForeign(error: unknown): void {
  if (!isDomainError(error)) throw error;
}

/** An answer that a verifier received. */
interface Answered {
  request: RequestParameters;
  note?: string;
  /** The DID that the user logged in as. */
  loginDid?: string;
  next: Redirect;
}

/** A response that is ready to be sent. */
interface SignedResponse extends Omit<Answered, 'next'>, Partial<Pick<PresentationPlan, 'mdocNonce'>> {
  link: string;
  parameters: JsonObject;
  selected: Parameters<typeof credentialActivity>[1][];
}

/** Records one activity for each presented credential. */
export async function recordPresented({
  activity,
  walletId,
  selected,
  ...answered
}: Answered & {
  activity: ActivityRecorder;
  walletId: string;
  selected: Parameters<typeof credentialActivity>[1][];
}): Promise<void> {
  const { data, ...facts } = exchangeFacts(answered);
  for (const credential of selected) {
    const presented = credentialActivity('Present', credential);
    await activity.record(walletId, { ...presented, ...facts, data: { ...presented.data, ...data } });
  }
}

/** What the event log says of an answer to a verifier: names and hosts, no claims. */
function exchangeFacts({ request, note, loginDid, next: { redirectUri } }: Answered) {
  const clientId = request.params.get('client_id');
  const data: JsonObject = {
    responseHost: responseHost(request),
    loginDid,
    ...(redirectUri !== undefined && { redirectHost: new URL(redirectUri).host }),
  };
  const originator = clientId === undefined ? {} : { originator: sanitizeReason(clientId) };
  return { data, ...originator, note };
}
