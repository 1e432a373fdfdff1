import type { PendingSignIn, SignInResult } from '../../ports/open-id-provider.ts';
import type { Collection, Store } from '../../ports/store.ts';
import type { Clock, Ids } from '../../ports/system.ts';
import { DomainError, ignoring, invalidField, isDomainError } from '../foundation/errors.ts';
import { insertFirst, update } from '../foundation/records.ts';
import { epochSeconds, isoMillis } from '../foundation/time.ts';
import type { CreateSession } from '../verifier/requests/create-session.ts';
import type { WrittenSetup } from '../verifier/requests/setup.ts';
import { rulesOf } from '../verifier/verification/protocols.ts';
import type { ResultPurge } from '../verifier/verification/purge.ts';
import type { ResponseReceiver } from '../verifier/verification/receive.ts';
import type { SessionRepository, StoredSession } from '../verifier/verification/repository.ts';
import type { ProtocolOf } from '../verifier/verification/rules.ts';
import { statusOf } from '../verifier/verification/session.ts';
import type { Verifier } from '../verifier/verifier.ts';
import { type MappingRefusal, mapLogin } from './claim-mapping.ts';
import { chooseProfile } from './profile-choice.ts';
import { type RefusalReason, reasonOf } from './refusals.ts';
import type { LoginProfile, SignInClient, SignInServer } from './sign-in-server.ts';
import type { SignedInPeople } from './signed-in.ts';
import { type KeyedDigest, subjectOf } from './subject.ts';
import type { SignInFlow } from './written-sign-in.ts';

type Session = StoredSession<ProtocolOf<'v1'>>;

/** Why a sign-in ended without a person. */
type EndReason = MappingRefusal | 'cancelled' | 'other-person';

/** A sign-in as it is stored. */
interface StoredSignIn {
  profile: string;
  /** The requests that wallets got for it, the newest last. */
  sessions: { id: string; flow: SignInFlow }[];
  end?: { accountId: string; at: number } | { reason: EndReason };
}

/** A sign-in of a browser. */
export interface OpenSignIn {
  server: SignInServer;
  pending: PendingSignIn;
}

/** What the page shows of a sign-in. */
export interface SignInView {
  client: SignInClient;
  profile: LoginProfile;
  state: 'waiting' | 'opened' | 'checking' | 'refused';
  /** Why the answer of a wallet was refused. */
  reason?: RefusalReason;
  /** The request for a wallet on another device, by which events are followed too. */
  session?: Session;
  secondsLeft: number;
}

/** A sign-in for the page, or its end. */
type LookedAt = { view: SignInView } | { result: SignInResult };

/** Besides the policies of a profile, these run for every credential: one that is not valid now signs no person in. */
const ALWAYS = ['signature', 'expired', 'not-before', 'revoked-status-list'];

/** How the holder proved to be the one: possession of a key (RFC 8176 §2). */
const AMR = ['pop'];

/** The most requests to wallets of one sign-in. */
const MAX_REQUESTS = 16;

const DESCRIPTIONS: Readonly<Record<EndReason, string>> = {
  'claim-missing': 'What was presented lacks a claim that is required',
  'credential-ambiguous': 'Several credentials were presented where one was asked for',
  'value-ambiguous': 'What was presented has several values where one is wanted',
  'value-unusable': 'What was presented has a value that cannot be used',
  cancelled: 'The sign-in was cancelled',
  'other-person': 'Another person signed in than the one that was asked for',
};

const FLOW_TYPES = {
  cross_device: 'cross_device',
  same_device: 'same_device',
  dc_api: 'dc_api_openid4vp',
} as const satisfies Record<SignInFlow, WrittenSetup['flow_type']>;

/** Signs people in by what their wallets present. */
export class SignIns {
  readonly #signIns: Collection<StoredSignIn>;

  constructor(
    private readonly parts: {
      store: Store;
      clock: Clock;
      ids: Ids;
      creation: Pick<CreateSession, 'create'>;
      sessions: Pick<SessionRepository, 'get'>;
      responses: Pick<ResponseReceiver, 'redeem'>;
      results: Pick<ResultPurge, 'delivered'>;
      people: SignedInPeople;
      /** For subjects: the same for ever. */
      secret: KeyedDigest;
    },
  ) {
    this.#signIns = parts.store.collection({ name: 'sign-ins', hidden: 'id', afterRestore: 'void' });
  }

  /**
   * How a sign-in is. It ends with the first answer of a wallet that is accepted; what was presented is deleted then.
   * Without a request for a wallet on another device one is made, where the profile allows it.
   * @throws DomainError `Conflict` after too many requests; as `CreateSession.create` where the profile does not fit
   */
  async look(signIn: OpenSignIn): Promise<LookedAt> {
    const known = await this.#known(signIn);
    const { server, profile } = known;
    const sessions = await this.#sessions(server, known.stored);
    const accepted = sessions.find(({ session: { value } }) => isAnswer(value));
    if (accepted) return { result: await this.#end(known, accepted.session) };
    if (known.stored.end) return { result: this.#resultOf(profile, known.stored.end) };
    const shown = sessions.at(-1)?.session;
    if (shown && statusOf(shown.value) === 'refused') return { view: this.#view(known, shown) };
    const crossDevice = sessions.findLast(({ flow }) => flow === 'cross_device')?.session;
    if (crossDevice || !profile.flows.includes('cross_device')) return { view: this.#view(known, crossDevice) };
    return { view: this.#view(known, await this.request(signIn, 'cross_device')) };
  }

  /**
   * Makes a request for a wallet.
   * @throws DomainError `NotFound` for a flow that the profile has not, `Conflict` after the end or too many requests
   */
  async request(signIn: OpenSignIn, flow: SignInFlow): Promise<Session> {
    const { profile, server, id, stored: before } = await this.#known(signIn);
    if (!profile.flows.includes(flow)) throw new DomainError('NotFound', 'This sign-in has no such way to a wallet');
    checkOpen(before);
    const session = await this.parts.creation.create(
      await verifierOf(server),
      setupOf(profile, { flow, server, pending: signIn.pending }),
    );
    await update({
      collection: this.#signIns,
      key: { id },
      change: (stored) => {
        checkOpen(stored);
        return { ...stored, sessions: [...stored.sessions, { id: session.id, flow }] };
      },
    });
    return session;
  }

  /** Asks again, on the way on which an answer was refused last. @throws as `request` */
  async retry(signIn: OpenSignIn): Promise<void> {
    const { stored, profile } = await this.#known(signIn);
    const [usual = 'cross_device'] = profile.flows;
    const flow = stored.sessions.at(-1)?.flow ?? usual;
    await this.request(
      signIn,
      flow === 'same_device' && profile.flows.includes('cross_device') ? 'cross_device' : flow,
    );
  }

  /** The request whose events the page follows. @throws DomainError `NotFound` when there is none */
  async followed(signIn: OpenSignIn): Promise<Session> {
    const { server, stored } = await this.#known(signIn);
    const session = (await this.#sessions(server, stored)).findLast(({ flow }) => flow === 'cross_device')?.session;
    if (!session) throw noSignIn();
    return session;
  }

  /** Takes the code that a wallet sent the browser back with. @throws DomainError `BadRequest` naming `response_code` */
  async comeBack(signIn: OpenSignIn, code: string): Promise<void> {
    const { server, stored } = await this.#known(signIn);
    const sessions = await this.#sessions(server, stored);
    for (const { flow, session } of sessions.toReversed()) {
      if (flow !== 'same_device' || session.value.state !== 'concluded') continue;
      const redeemed = this.parts.responses.redeem(session, code).then(() => true);
      // A browser may come back twice: the code counts once, and the sign-in has its answer.
      if (await redeemed.catch((error) => isDomainError(error, 'Conflict') || ignoring('BadRequest')(error))) return;
    }
    throw invalidField(['response_code'], 'is not the code of this sign-in');
  }

  /** Ends a sign-in at the wish of the person. */
  async cancel(signIn: OpenSignIn): Promise<SignInResult> {
    const known = await this.#known(signIn);
    return this.#finish(known, { reason: 'cancelled' });
  }

  async #known({ server, pending }: OpenSignIn): Promise<KnownSignIn> {
    const client = server.clients.get(pending.clientId);
    if (!client) throw noSignIn();
    const id = `${server.id} ${pending.id}`;
    const stored = (await this.#signIns.get({ id }))?.value ?? (await this.#begin(id, client, pending));
    const profile = client.profiles.find((one) => one.id === stored.profile);
    if (!profile) throw noSignIn();
    return { id, server, pending, client, profile, stored };
  }

  async #begin(id: string, client: SignInClient, pending: PendingSignIn): Promise<StoredSignIn> {
    const value = { profile: chooseProfile(client, pending.request).id, sessions: [] };
    if (await insertFirst(this.#signIns, { id, value, expiresAt: pending.expiresAt })) return value;
    return (await this.#signIns.get({ id }))?.value ?? value;
  }

  /** The requests of a sign-in that are stored. */
  async #sessions(server: SignInServer, { sessions }: StoredSignIn): Promise<{ flow: SignInFlow; session: Session }[]> {
    const verifier = await verifierOf(server);
    const read = sessions.map(async ({ id, flow }) => {
      const session = await this.parts.sessions.get(verifier, 'v1', id).catch(ignoring('NotFound'));
      return session ? [{ flow, session }] : [];
    });
    return (await Promise.all(read)).flat();
  }

  /** Signs in with an answer that was accepted. The person is kept before what was presented goes, which may be later. */
  async #end(known: KnownSignIn, session: Session): Promise<SignInResult> {
    const result = await this.#finish(known, known.stored.end ?? (await this.#personOf(known, session)));
    await this.parts.results.delivered(await verifierOf(known.server), session);
    return result;
  }

  async #personOf({ server, client, profile, pending }: KnownSignIn, { value }: Session): Promise<End> {
    const { people, clock, ids, secret } = this.parts;
    const presented = value.state === 'concluded' ? value.outcome.credentials : undefined;
    const mapped = mapLogin(profile, presented ?? {});
    if ('refusal' in mapped) return { reason: mapped.refusal };
    const { claims, issuers, subject: values } = mapped.login;
    const named = { provider: server.id, sector: client.sector, secret };
    const subject = await subjectOf(profile.subject, values, named);
    if (subject === undefined) return { reason: 'value-unusable' };
    if (pending.subject !== undefined && pending.subject !== subject) return { reason: 'other-person' };
    const accountId = ids.uuid();
    const at = epochSeconds(clock.now());
    const { acr, trustFramework } = profile;
    await people.keep(server, accountId, { subject, claims, issuers, acr, amr: AMR, at, trustFramework });
    return { accountId, at };
  }

  /** Writes how a sign-in ended; of several ends at once the first counts for all. */
  async #finish({ id, profile }: KnownSignIn, end: End): Promise<SignInResult> {
    const change = (stored: StoredSignIn): StoredSignIn => (stored.end ? stored : { ...stored, end });
    const written = await update({ collection: this.#signIns, key: { id }, change });
    if (!written) throw noSignIn();
    return this.#resultOf(profile, written.value.end ?? end);
  }

  #resultOf({ acr }: LoginProfile, end: End): SignInResult {
    if ('accountId' in end) return { ...end, acr, amr: [...AMR] };
    const error = end.reason === 'other-person' ? 'login_required' : 'access_denied';
    return { error, description: DESCRIPTIONS[end.reason] };
  }

  #view({ client, profile, pending }: KnownSignIn, session: Session | undefined): SignInView {
    const secondsLeft = Math.max(0, epochSeconds(pending.expiresAt - this.parts.clock.now()));
    if (!session) return { client, profile, state: 'waiting', secondsLeft };
    const { state, reason } = shownState(session);
    return { client, profile, state, reason, session, secondsLeft };
  }
}

/** Checks that one more request may be made. @throws DomainError `Conflict` */
function checkOpen({ end, sessions }: StoredSignIn): void {
  if (end || sessions.length >= MAX_REQUESTS)
    throw new DomainError('Conflict', 'The sign-in is over, or has asked too many times');
}

type End = NonNullable<StoredSignIn['end']>;

/** A sign-in that is stored, with whom it is for. */
interface KnownSignIn extends OpenSignIn {
  id: string;
  client: SignInClient;
  profile: LoginProfile;
  stored: StoredSignIn;
}

/** The error for a sign-in that is not there, or not of this browser. */
export const noSignIn = (): DomainError => new DomainError('NotFound', 'There is no such sign-in, or it is over');

/** What is presented to sign in is deleted once it was read, also where the verifier keeps more. */
const verifierOf = async ({ verifier, lifetimes }: SignInServer): Promise<Verifier> => ({
  ...(await verifier()),
  retention: { ms: lifetimes.signIn * 1000, presented: 'deleteOnHandover' },
});

/** Whether a session has an answer that was accepted, and that no code withholds. */
const isAnswer = (session: Session['value']): boolean =>
  session.state === 'concluded' && session.isAccepted && !rulesOf(session.request).isWithheld(session);

function shownState({ value }: Session): Pick<SignInView, 'state' | 'reason'> {
  const status = statusOf(value);
  if (status === 'refused' && value.state === 'concluded')
    return { state: 'refused', reason: reasonOf(value.outcome.failure) };
  if (status === 'waiting') return { state: 'waiting' };
  return { state: status === 'fetched' ? 'opened' : 'checking' };
}

/** What a wallet is asked for. */
function setupOf(
  { dcqlQuery, presentationDefinition, encryptedResponse, policies, haip }: LoginProfile,
  { flow, server, pending }: OpenSignIn & { flow: SignInFlow },
): WrittenSetup {
  const back = `${server.issuer}/sign-ins/${pending.id}/return`;
  return {
    flow_type: FLOW_TYPES[flow],
    core_flow: {
      dcql_query: dcqlQuery,
      presentation_definition: presentationDefinition,
      encrypted_response: encryptedResponse,
      expiration_date: isoMillis(pending.expiresAt),
      policies: { vc_policies: [...ALWAYS, ...policies] },
    },
    haip,
    ...(flow === 'same_device' && { redirects: { success_redirect_uri: back, error_redirect_uri: back } }),
    ...(flow === 'dc_api' && { expectedOrigins: [new URL(server.issuer).origin] }),
  };
}
