import type { OutboundReply } from '../../../ports/outbound.ts';
import type { Collection, CollectionSpec, Store } from '../../../ports/store.ts';
import type { Clock, Ids, Timers } from '../../../ports/system.ts';
import { fingerprint } from '../../foundation/bytes.ts';
import { DomainError, ignoring } from '../../foundation/errors.ts';
import { type Lease, underLease } from '../../foundation/lease.ts';
import { LeasedRecords } from '../../foundation/leased-records.ts';
import { insertFirst, makeRoom, removeAll } from '../../foundation/records.ts';
import { type AccessGrant, isTokenRefused, type TokenRenewal } from '../issuance/dpop-calls.ts';
import type { OauthClient, RefreshGrant } from '../issuance/oauth-client.ts';

/** What is in the place of a refresh token that was used, and of the access token that it came with; with secrets. */
interface ReplacedTokens {
  refresh: RefreshGrant;
  /** The latest access token; absent until there is one. */
  access?: AccessGrant;
  lease?: Lease;
}

/** An access token, and by what the next one is asked for. */
interface RenewableGrant extends AccessGrant {
  refresh?: RefreshGrant;
}

const REPLACED: CollectionSpec<ReplacedTokens> = { name: 'wallet-access', listed: true, afterRestore: 'kept' };
/** How long the latest tokens are kept, in milliseconds: as long as the grants that need them. */
const KEPT_MS = 400 * 24 * 60 * 60 * 1000;
/** How many of a wallet are kept, more than it has grants and transactions; the oldest makes room. */
const MOST = 512;

/**
 * The latest access and refresh token in the place of those that an issuance began with. All records of the issuance have the
 * first refresh token, whose digest names the latest one, so that each refresh token is used by one request, and once.
 */
export class RenewedAccess implements TokenRenewal<RenewableGrant> {
  readonly #records: Collection<ReplacedTokens>;
  readonly #leases: LeasedRecords<ReplacedTokens>;
  /** What this process asks for, by the access token that was refused: all whom it refused wait for the same. */
  readonly #running = new Map<string, Promise<AccessGrant>>();

  constructor(
    private readonly parts: {
      store: Store;
      clock: Clock;
      ids: Ids;
      timers: Timers;
      /** A wallet as a client of authorization servers. */
      clientOf(owner: string): Promise<Pick<OauthClient, 'redeem'>>;
    },
  ) {
    this.#records = parts.store.collection(REPLACED);
    this.#leases = new LeasedRecords(this.#records, parts);
  }

  /**
   * Returns the reply to a request with the latest access token, which is renewed once when it is no longer good; the reply
   * that refuses it where the server gives no other.
   * @throws DomainError `Busy`, `UpstreamFailed`, `UpstreamTimeout` as `renew`, and what `send` throws
   */
  async send(
    owner: string,
    { refresh, ...first }: RenewableGrant,
    send: (access: AccessGrant) => Promise<OutboundReply>,
  ): Promise<OutboundReply> {
    const kept = refresh && (await this.#records.get(keyOf(owner, refresh)));
    const access = kept?.value.access ?? first;
    const reply = await send(tokenOf(access));
    if (!refresh || !isTokenRefused(reply)) return reply;
    const next = await this.#inPlaceOf(access.accessToken, owner, refresh).catch(ignoring('BadRequest'));
    return next ? send(tokenOf(next)) : reply;
  }

  #inPlaceOf(refused: string, owner: string, refresh: RefreshGrant): Promise<AccessGrant> {
    const { parent, id } = keyOf(owner, refresh);
    const name = JSON.stringify([parent, id, refused]);
    const running =
      this.#running.get(name) ?? this.renew(owner, refresh, refused).finally(() => this.#running.delete(name));
    this.#running.set(name, running);
    return running;
  }

  /**
   * A new access token. A new refresh token is kept before anything is done with it, since the old one is void then. With
   * `refused`, one that another request got in its place meanwhile is good too.
   * @throws DomainError `Busy` while another request asks, `BadRequest` with the server's reason, `UpstreamFailed`, `UpstreamTimeout`
   */
  async renew(owner: string, first: RefreshGrant, refused?: string): Promise<AccessGrant & { nonce?: string }> {
    const { timers, clientOf } = this.parts;
    const { parent, id } = await this.#opened(owner, first);
    const taken = await this.#leases.hold({ owner: parent, id });
    if (!taken) throw new DomainError('NotFound', 'The wallet was removed');
    const { held, value } = taken;
    const keep = (next: Partial<ReplacedTokens>) => this.#leases.giveBack(held, (before) => ({ ...before, ...next }));
    const { access, refresh } = value;
    if (access && refused !== undefined && access.accessToken !== refused) {
      await keep({});
      return access;
    }
    const { session, token } = refresh;
    const form = { grant_type: 'refresh_token', refresh_token: token };
    const unchanged = () => this.#leases.change(held, (before) => before);
    try {
      const redeem = async () => (await clientOf(owner)).redeem(session, form);
      const answer = await underLease(timers, unchanged, redeem);
      const { grant, nonce, refreshToken = token } = answer;
      await keep({ access: grant, refresh: { session, token: refreshToken } });
      return { ...grant, nonce };
    } catch (error) {
      await keep({}).catch(() => undefined);
      throw error;
    }
  }

  removeAll(parent: string): Promise<void> {
    return removeAll({ collection: this.#records, parent });
  }

  async #opened(owner: string, refresh: RefreshGrant) {
    const key = keyOf(owner, refresh);
    if (await this.#records.get(key)) return key;
    await makeRoom(this.#records, { parent: owner, most: MOST });
    await insertFirst(this.#records, { ...key, value: { refresh }, expiresAt: this.parts.clock.now() + KEPT_MS });
    return key;
  }
}

/** Two servers may give the same token, each its own. */
const keyOf = (parent: string, { token, session: { server } }: RefreshGrant) => ({
  parent,
  id: fingerprint(JSON.stringify([server.tokenEndpoint, token])),
});

const tokenOf = ({ accessToken, dpop }: AccessGrant): AccessGrant => ({ accessToken, dpop });
