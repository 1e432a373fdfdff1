import type { PublicJwk } from '../../ports/key-service.ts';
import type { Log } from '../../ports/log.ts';
import type { Collection, Store } from '../../ports/store.ts';
import { thumbprint } from '../jose/jwk.ts';
import { KEY_TYPES, keyTypeOf } from '../keys/key-types.ts';
import type { ServerKeys } from '../keys/server-keys.ts';
import { isSameIssuer, type OwnIssuer } from './own-issuers.ts';

/** Issuers that are remembered of all that were onboarded: the first ones, for good. */
const MAX_ONBOARDED = 1000;

/** A public key as it is published (RFC 7517 §4). */
export type PublishedJwk = PublicJwk & { kid: string; use: 'sig'; alg: string };

/** What the set of keys is made from. */
export interface IssuerKeyParts {
  store: Store;
  serverKeys: ServerKeys;
  /** Issuers that the operator names (credential-issuer-metadata.conf). */
  configured: OwnIssuer[];
  log: Log;
}

/**
 * The public keys of our issuers: those onboarded here and those the operator names. Onboarding may be open to anyone,
 * so a full set takes no more; nothing that stands in it ever gives way.
 */
export class IssuerKeys {
  readonly #onboarded: Collection<OwnIssuer>;
  readonly #parts: IssuerKeyParts;

  constructor(parts: IssuerKeyParts) {
    this.#onboarded = parts.store.collection({ name: 'onboarded-issuers', listed: true, sealed: false });
    this.#parts = parts;
  }

  /** Publishes the key of a new issuer from now on, unless the set is full. */
  async add(issuer: OwnIssuer): Promise<void> {
    const last = await this.#onboarded.ids({ parent: '', order: 'created+', offset: MAX_ONBOARDED - 1, limit: 1 });
    const id = thumbprint(issuer.jwk);
    if (last.length === 0) await this.#onboarded.insert({ id, value: issuer });
    else this.#parts.log.warn('The key set is full: the key of a new issuer is not published', { kid: id });
  }

  /** Whether this key was onboarded with this DID, or the operator names both. */
  async knows(issuer: OwnIssuer): Promise<boolean> {
    if (this.#parts.configured.some((other) => isSameIssuer(issuer, other))) return true;
    const record = await this.#onboarded.get({ id: thumbprint(issuer.jwk) });
    return record !== undefined && isSameIssuer(issuer, record.value);
  }

  /** The server's own key, those that the operator names, then at most 1,000 onboarded ones, oldest first. */
  async published(): Promise<PublishedJwk[]> {
    const { serverKeys, configured } = this.#parts;
    const own = await serverKeys.signer('issuer');
    const onboarded = await this.#onboarded.list({ parent: '', order: 'created+', offset: 0, limit: MAX_ONBOARDED });
    const issuers = [...configured, ...onboarded.map(({ value }) => value)];
    const keys = [own.publicJwk, ...issuers.map(({ jwk }) => jwk)].map(publish);
    return [...new Map(keys.map((key) => [key.kid, key])).values()];
  }
}

const publish = (jwk: PublicJwk): PublishedJwk => ({
  ...jwk,
  kid: thumbprint(jwk),
  use: 'sig',
  alg: KEY_TYPES[keyTypeOf(jwk)].alg,
});
