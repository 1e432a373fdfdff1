import type { RecipientRequest } from '../../../ports/message-encryption.ts';
import type { Ids, Random } from '../../../ports/system.ts';
import type { CredentialFormats } from '../../credentials/formats/formats.ts';
import type { JsonObject } from '../../foundation/json.ts';
import type { SelfIssuedTokens } from '../../oauth/self-issued-tokens.ts';
import type {
  FetchedRequest,
  OpenSession,
  ParsedResponse,
  Protocol,
  ReceivedParameters,
  ReceivedPresentation,
  RequestTools,
  ResponseTools,
  SessionRequest,
  SessionWebhook,
  VerificationTask,
  WalletRefusal,
} from '../protocol.ts';
import type { PresentationResult } from './evaluation.ts';
import type { SessionEvent, SessionOutcome, WalletReply } from './outcome.ts';
import type { ConcludedSession, SessionStatus, VerificationSession } from './session.ts';
import type { Submission } from './submission.ts';

/** The protocols of the sessions of each API, whose operations create them and show their results. */
interface Apis {
  draft20: 'draft20';
  v1: 'v1' | 'iso-dc-api' | 'exchange';
}

/** An API; ids of sessions are unique in one. */
export type Api = keyof Apis;

/** The protocols of an API. */
export type ProtocolOf<A extends Api> = Apis[A];

/** A response that was read. */
export interface ReadResponse<P extends Protocol = Protocol>
  extends OpenSession<P>,
    Pick<ReceivedPresentation, 'idToken' | 'origin'> {
  submission: Submission;
}

/** What responses are evaluated with. */
export interface EvaluationTools {
  /** Runs the policies of the session. */
  policies(): Promise<PresentationResult[]>;
  tokens: Pick<SelfIssuedTokens, 'verify'>;
  /** Milliseconds since the evaluation began. */
  elapsed(): number;
  formats: CredentialFormats;
}

/** A session that has ended. */
export interface EndedSession<P extends Protocol = Protocol> {
  id: string;
  value: ConcludedSession<P>;
}

/** Everything in which protocols differ. */
export interface ProtocolRules<P extends Protocol> {
  api: Api;
  /** The names of the states of its sessions, in their records and in metrics. */
  states: Readonly<Record<SessionStatus, string>>;
  /** What wallets are asked for, as the creator of the session sees it. */
  asked(request: SessionRequest<P>): Readonly<JsonObject>;
  /** Checks that the request can be fetched. @throws DomainError `NotFound`, `Conflict` after the response, `Busy` while one is verified */
  checkFetchable(session: VerificationSession<P>, now: number): void;
  /** Whom the request is encrypted to. @throws DomainError `BadRequest` naming the member that it does not fit */
  readWalletMetadata(metadata: string, request: SessionRequest<P>): RecipientRequest | undefined;
  /** The request as a wallet or a page gets it. @throws DomainError `NotFound` when it is not fetched; as the signer */
  fetchedRequest(session: OpenSession<P>, tools: RequestTools): Promise<FetchedRequest>;
  /** @throws DomainError `BadRequest` naming the parameter */
  parseResponse(received: ReceivedParameters, session: OpenSession<P>, tools: ResponseTools): Promise<ParsedResponse>;
  /** What a response is verified against; `origin` is that of the page, over the Digital Credentials API. */
  taskOf(request: SessionRequest<P>, origin: string | undefined): VerificationTask;
  evaluate(response: ReadResponse<P>, tools: EvaluationTools): Promise<SessionOutcome<P>>;
  /** The outcome of an error of the wallet. */
  refusedBy(refusal: WalletRefusal, session: OpenSession<P>): SessionOutcome<P>;
  isAccepted(outcome: SessionOutcome<P>): boolean;
  /** The code that the user's browser brings back after success, if any. */
  newCode(request: SessionRequest<P>, tools: { ids: Ids; random: Random }): string | undefined;
  /** Whether the outcome is shown only for the code that the browser brings. */
  isWithheld(session: ConcludedSession<P>): boolean;
  replyTo(session: EndedSession<P>, code: string | undefined): WalletReply;
  /** What is reported to the receiver of the session: each step as it is, or the result alone, as its API shows it. */
  reports: 'steps' | 'result';
  receiver(session: OpenSession<P>): SessionWebhook | undefined;
  /** The steps of a response: as far as it got. */
  stepsOf(outcome: SessionOutcome<P>): SessionEvent[];
  /** A request without the values that it asked for, which reveal what was presented. */
  withoutValues(request: SessionRequest<P>): SessionRequest<P>;
  /** An outcome without what was presented. */
  withoutPresented(outcome: SessionOutcome<P>): SessionOutcome<P>;
}
