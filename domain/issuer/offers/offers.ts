import type { PublicJwk } from '../../../ports/key-service.ts';
import type { Clock, Ids, Random } from '../../../ports/system.ts';
import { at, DomainError, invalidField } from '../../foundation/errors.ts';
import { thumbprint } from '../../jose/jwk.ts';
import type { SessionHandles } from '../../oauth/session-handles.ts';
import type { CredentialIssuer } from '../credential-issuer.ts';
import type { AuthorizationCodeGrant, IssuanceGrant } from '../issuance-grant.ts';
import type { SessionWebhook } from '../issuance-profile.ts';
import type { OfferedSession } from '../protocol.ts';
import type { IssuanceContents } from '../sessions/issuance-contents.ts';
import type { IssuanceEventName } from '../sessions/issuance-event-names.ts';
import type { IssuanceEvents } from '../sessions/issuance-events.ts';
import { type ActiveSession, created } from '../sessions/issuance-session.ts';
import { planItems } from '../sessions/item-plan.ts';
import type { ManagedSession } from '../sessions/managed-session.ts';
import type { IssuanceSessionRepository } from '../sessions/session-repository.ts';
import { createTxCode, type TxCodeRequest } from '../sessions/transaction-codes.ts';
import { VERSIONS } from '../versions.ts';
import type { ContentReader, RequestedCredentials } from './content-reader.ts';
import { readCallback } from './issuance-request.ts';

const DEFAULT_TTL_SECONDS = 300;

/** What is to be offered. Errors name the members of this value. */
export interface OfferRequest extends RequestedCredentials {
  /** May contain `$id`. */
  statusCallbackUri?: string;
  ttlSeconds?: number;
  /** The transaction code that a wallet must send with a pre-authorized code; `txCodeValue` is its value, generated when absent. */
  txCode?: TxCodeRequest;
  txCodeValue?: string;
  /** How the holder is authenticated when the wallet goes to the authorization endpoint; absent for a pre-authorized code. */
  authorization?: Omit<AuthorizationCodeGrant, 'kind' | 'issuerState'> & {
    /** Whether the offer does not say which session it is of. */
    omitsState?: boolean;
  };
  /** Whether credentials are made when the wallet asks a second time. */
  isDeferred?: boolean;
  /** Whether an offer of draft 11 describes its credentials, in place of their ids. */
  describesCredentials?: boolean;
  /** The id of the new session; a random one when absent. */
  id?: string;
  /** The only key that gets a credential of the offer. */
  holderKey?: PublicJwk;
  /** The `$id` in the URL of its webhook becomes the id of the session. */
  managed?: ManagedSession;
  /** What begins its history. */
  firstEvent?: IssuanceEventName;
}

/** An offer that was just created. */
export interface CreatedOffer {
  session: ActiveSession;
  /** The name by which wallets get the offer. */
  reference: string;
  /** The id of its session. */
  id: string;
  /** Milliseconds since the epoch. */
  expiresAt: number;
  /** The value that the issuer has to bring to the holder. */
  txCodeValue?: string;
}

/** How a version writes offers. */
type OfferShape<Offer> = (issuer: CredentialIssuer, session: OfferedSession) => Offer;

/** Credential offers: created for issuers, shown to wallets. */
export class CredentialOffers {
  constructor(
    private readonly parts: {
      reader: ContentReader;
      contents: IssuanceContents;
      handles: SessionHandles;
      sessions: IssuanceSessionRepository;
      events: IssuanceEvents;
      clock: Clock;
      ids: Ids;
      random: Random;
    },
  ) {}

  /**
   * Stores a new session unless anything of the request is wrong.
   * @throws DomainError `BadRequest`, `AddressRefused`, `Conflict` when there is a session with the id
   */
  async create(issuer: CredentialIssuer, request: OfferRequest): Promise<CreatedOffer> {
    const { reader, contents: store, handles, sessions, clock } = this.parts;
    const {
      content,
      ttlSeconds = DEFAULT_TTL_SECONDS,
      isDeferred,
      describesCredentials,
      managed,
      firstEvent,
    } = request;
    const id = await this.#newId(issuer, request.id);
    // A caller's own id may be taken by contents whose session was never written.
    const contentsId = request.id === undefined ? undefined : this.parts.ids.uuid();
    const reference =
      VERSIONS[issuer.version].offerNames === 'secret' ? await handles.create('offer', issuer.id, id) : id;
    const callbackUrl = this.#callback('statusCallbackUri', { template: request.statusCallbackUri, id });
    const webhook = this.#webhook(managed?.webhook, id);
    const { grant, txCodeValue } = this.#grant(request, {
      sessionId: id,
      reference,
      code: await handles.create('code', issuer.id, id),
    });
    const { plan, contents } = planItems(await at(['content'], () => reader.read(issuer, request)));
    const expiresAt = clock.now() + ttlSeconds * 1000;
    // The session comes last, so a failure before leaves nothing that can be seen.
    const held = await store.insert(contentsId ?? id, { contents, expiresAt });
    const session = created({
      id,
      issuerId: issuer.id,
      expiresAt,
      isBatch: Array.isArray(content),
      isDeferred,
      describesCredentials,
      callbackUrl,
      holderKey: request.holderKey && thumbprint(request.holderKey),
      content: held,
      contentsId: held ? undefined : contentsId,
      managed: managed && { ...managed, webhook, reference },
      grant,
      plan,
    });
    await sessions.insert(issuer, session, firstEvent);
    return { session, reference, id, expiresAt, txCodeValue };
  }

  /** The offer of an active session, as `create` returned it, without its transaction code. */
  async createdBefore(issuer: CredentialIssuer, id: string): Promise<CreatedOffer | undefined> {
    const session = (await this.parts.sessions.active(issuer, id))?.value;
    const reference = session?.managed?.reference;
    return session && reference !== undefined ? { session, reference, id, expiresAt: session.expiresAt } : undefined;
  }

  /** Returns the offer of an active session, as often as it is asked for. @throws DomainError `NotFound`, `CallbackFailed` */
  async get<Offer extends object>(
    issuer: CredentialIssuer,
    reference: string,
    shape: OfferShape<Offer>,
  ): Promise<Offer> {
    const id = await this.sessionOf(issuer, reference);
    const session = id === undefined ? undefined : await this.parts.sessions.active(issuer, id);
    // A session can have the id of an earlier one, whose offer is not this one's.
    if (!session || (session.value.managed?.reference ?? reference) !== reference)
      throw new DomainError('NotFound', 'There is no such offer (any more)');
    const offer = shape(issuer, session.value);
    await this.parts.sessions.report(session, 'credential_offer_retrieved');
    await this.parts.events.send(session.value, { type: 'resolved_credential_offer', data: { ...(offer as object) } });
    return offer;
  }

  /** The id of the session that an offer, or the issuer state in it, belongs to. */
  async sessionOf(issuer: CredentialIssuer, reference: string): Promise<string | undefined> {
    const isSecret = VERSIONS[issuer.version].offerNames === 'secret';
    return isSecret ? this.parts.handles.sessionOf('offer', issuer.id, reference) : reference;
  }

  #grant(request: OfferRequest, { sessionId, reference, code }: Names): { grant: IssuanceGrant; txCodeValue?: string } {
    const { random } = this.parts;
    const { authorization, txCode, txCodeValue: value } = request;
    if (authorization) return { grant: authorizationGrant(request, reference) };
    if (value !== undefined && !txCode) throw invalidField(['txCodeValue'], 'needs a txCode');
    if (!txCode) return { grant: { kind: 'pre-authorized', code } };
    const made = createTxCode(sessionId, { txCode, value }, random);
    return { grant: { kind: 'pre-authorized', code, txCode: made.txCode }, txCodeValue: made.value };
  }

  /** A caller's own id is of a session that it creates now. */
  async #newId(issuer: CredentialIssuer, id: string | undefined): Promise<string> {
    if (id === undefined) return this.parts.ids.uuid();
    if (!(await this.parts.sessions.get(issuer, id))) return id;
    throw new DomainError('Conflict', 'There is a session with this id');
  }

  #webhook(webhook: SessionWebhook | undefined, id: string): SessionWebhook | undefined {
    const url = this.#callback('webhook', { template: webhook?.url, id });
    return webhook && url !== undefined ? { ...webhook, url } : undefined;
  }

  #callback(member: string, { template, id }: { template: string | undefined; id: string }): string | undefined {
    if (template === undefined) return undefined;
    return at([member], () => {
      const url = readCallback(template, id);
      this.parts.events.check(url);
      return url;
    });
  }
}

/** The names of a session: its id, the one in its offer, and its code if it has one. */
interface Names {
  sessionId: string;
  reference: string;
  code: string;
}

function authorizationGrant({ authorization, txCode, txCodeValue }: OfferRequest, state: string): IssuanceGrant {
  const { omitsState, ...grant } = { method: 'NONE' as const, ...authorization };
  for (const [name, given] of Object.entries({ txCode, txCodeValue }))
    if (given !== undefined) throw invalidField([name], 'belongs to a pre-authorized code');
  return { ...grant, kind: 'authorization-code', ...(!omitsState && { issuerState: state }) };
}
