import type { PublicJwk } from '../../../ports/key-service.ts';
import type { Log } from '../../../ports/log.ts';
import type { Collection, Store } from '../../../ports/store.ts';
import { isSameKey, thumbprint } from '../../jose/jwk.ts';
import { KEY_TYPES, keyTypeOf } from '../../keys/key-types.ts';
import type { ServerKeys } from '../../keys/server-keys.ts';
import type { CredentialIssuer } from '../credential-issuer.ts';
import { type IssuerIdentity, isSameIdentity } from './issuer-identities.ts';

/** The largest number of onboarded identities of one issuer: the first ones, for good. */
const MAX_ONBOARDED = 1000;

/** A public key as it is published (RFC 7517 §4). */
export type PublishedJwk = PublicJwk & { kid: string; use: 'sig'; alg: string };

/** What the set of keys is made from. */
export interface IssuerKeyParts {
  store: Store;
  serverKeys: ServerKeys;
  log: Log;
}

/**
 * The public keys of issuers: those onboarded here and those the operator configured. Onboarding may be open to any
 * caller, so a full set accepts no more and never drops one.
 */
export class IssuerKeys {
  readonly #onboarded: Collection<IssuerIdentity>;
  readonly #parts: IssuerKeyParts;

  constructor(parts: IssuerKeyParts) {
    this.#onboarded = parts.store.collection({ name: 'onboarded-issuers', listed: true, sealed: false });
    this.#parts = parts;
  }

  /** Publishes the key of a new identity, unless the set is full. */
  async add({ target: parent }: CredentialIssuer, identity: IssuerIdentity): Promise<void> {
    const last = await this.#onboarded.ids({ parent, order: 'created+', offset: MAX_ONBOARDED - 1, limit: 1 });
    const id = thumbprint(identity.jwk);
    if (last.length === 0) await this.#onboarded.insert({ parent, id, value: identity });
    else this.#parts.log.warn('The key set is full: the key of a new issuer is not published', { kid: id });
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

  /** The server's own key, the configured ones, then at most 1,000 onboarded ones, oldest first. */
  async published({ target: parent, identities }: CredentialIssuer): Promise<PublishedJwk[]> {
    const own = await this.#parts.serverKeys.signer('issuer');
    const onboarded = await this.#onboarded.list({ parent, order: 'created+', offset: 0, limit: MAX_ONBOARDED });
    const all = [...identities, ...onboarded.map(({ value }) => value)];
    const keys = [own.publicJwk, ...all.map(({ jwk }) => jwk)].map(publish);
    return [...new Map(keys.map((key) => [key.kid, key])).values()];
  }
}

const publish = (jwk: PublicJwk): PublishedJwk => ({
  ...jwk,
  kid: thumbprint(jwk),
  use: 'sig',
  alg: KEY_TYPES[keyTypeOf(jwk)].alg,
});
