import type { PublicJwk } from '../../../ports/key-service.ts';
import type { Log } from '../../../ports/log.ts';
import type { Collection, Store } from '../../../ports/store.ts';
import { isDomainError } from '../../foundation/errors.ts';
import { removeAll } from '../../foundation/records.ts';
import { isSameKey, thumbprint } from '../../jose/jwk.ts';
import { KEY_TYPES, keyTypeOf } from '../../jose/key-types.ts';
import type { ServerKeys } from '../../keys/server-keys.ts';
import type { CredentialIssuer, IssuerIdentity } from '../credential-issuer.ts';
import { isSameIdentity } from './issuer-identities.ts';

/** The largest number of onboarded identities of one issuer, and of keys of its profiles: the first ones, for good. */
const MAX_KEYS = 1000;

/** A public key as it is published (RFC 7517 §4). */
type PublishedJwk = PublicJwk & { kid: string; use: 'sig'; alg: string };

/**
 * The public keys of issuers: those onboarded here, those the operator configured, and those of profiles. Onboarding may
 * be open to any caller, so a full set accepts no more. None is dropped: credentials that it signed may be valid.
 */
export class IssuerKeys {
  readonly #onboarded: Collection<IssuerIdentity>;
  readonly #ofProfiles: Collection<PublicJwk>;

  constructor(
    private readonly parts: {
      store: Store;
      serverKeys: ServerKeys;
      log: Log;
    },
  ) {
    this.#onboarded = parts.store.collection({
      name: 'onboarded-issuers',
      listed: true,
      sealed: false,
      afterRestore: 'kept',
    });
    this.#ofProfiles = parts.store.collection({
      name: 'profile-keys',
      listed: true,
      sealed: false,
      afterRestore: 'kept',
    });
  }

  /** Publishes the key of a new identity, unless the set is full. */
  async add({ target: parent }: CredentialIssuer, identity: IssuerIdentity): Promise<void> {
    const id = thumbprint(identity.jwk);
    if (await this.#hasRoom(this.#onboarded, parent, id)) await this.#onboarded.insert({ parent, id, value: identity });
  }

  /** Publishes a key before it signs, for good: that of a profile, or of what an issuer says of itself. */
  async addOfProfile({ target: parent }: Pick<CredentialIssuer, 'target'>, value: PublicJwk): Promise<void> {
    const id = thumbprint(value);
    if (await this.#ofProfiles.get({ parent, id })) return;
    if (!(await this.#hasRoom(this.#ofProfiles, parent, id))) return;
    await this.#ofProfiles.insert({ parent, id, value }).catch((error) => {
      if (!isDomainError(error, 'Conflict')) throw error;
    });
  }

  /** Whether this key was onboarded with this DID, or the operator configured both. */
  async knows({ target: parent, identities }: CredentialIssuer, identity: IssuerIdentity): Promise<boolean> {
    if (identities.some((other) => isSameIdentity(identity, other))) return true;
    const record = await this.#onboarded.get({ parent, id: thumbprint(identity.jwk) });
    return record !== undefined && isSameIdentity(identity, record.value);
  }

  /** Whether `published` has this key as one of an issuer. */
  async publishes({ target: parent, identities }: CredentialIssuer, jwk: PublicJwk): Promise<boolean> {
    if (identities.some((own) => isSameKey(own.jwk, jwk))) return true;
    return (await this.#onboarded.get({ parent, id: thumbprint(jwk) })) !== undefined;
  }

  /**
   * The server's own key, of an issuer without keys of its own; the configured ones; then at most 1,000 of profiles and
   * 1,000 onboarded ones, oldest first.
   */
  async published({ target: parent, identities, keys: ownKeys }: CredentialIssuer): Promise<PublishedJwk[]> {
    const own = ownKeys ? [] : [(await this.parts.serverKeys.signer('issuer')).publicJwk];
    const page = { parent, order: 'created+', offset: 0, limit: MAX_KEYS } as const;
    const ofProfiles = await this.#ofProfiles.list(page);
    const onboarded = await this.#onboarded.list(page);
    const all = [...identities, ...onboarded.map(({ value }) => value)].map(({ jwk }) => jwk);
    const keys = [...own, ...ofProfiles.map(({ value }) => value), ...all].map(publish);
    return [...new Map(keys.map((key) => [key.kid, key])).values()];
  }

  /** Removes what was published under a target that does not exist any more. */
  async removeAll(parent: string): Promise<void> {
    for (const collection of [this.#onboarded, this.#ofProfiles])
      await removeAll<IssuerIdentity | PublicJwk>({ collection, parent });
  }

  async #hasRoom(keys: Pick<Collection<unknown>, 'ids'>, parent: string, kid: string): Promise<boolean> {
    const last = await keys.ids({ parent, order: 'created+', offset: MAX_KEYS - 1, limit: 1 });
    if (last.length === 0) return true;
    this.parts.log.warn('The key set is full: the key of a new issuer is not published', { kid });
    return false;
  }
}

/** A public key with what verifiers need to know of it. */
export const publish = (jwk: PublicJwk): PublishedJwk => ({
  ...jwk,
  kid: thumbprint(jwk),
  use: 'sig',
  alg: KEY_TYPES[keyTypeOf(jwk)].alg,
});
