import type { ParsedCredential, ValidityBounds } from '../../../ports/credential-formats.ts';
import type { PublishedKeys } from '../../../ports/published-keys.ts';
import type { Clock } from '../../../ports/system.ts';
import type { CredentialFormats } from '../../credentials/formats/formats.ts';
import { earliestEnd, latestStart } from '../../credentials/validity.ts';
import { didJwk } from '../../dids/did-methods.ts';
import type { DidResolver } from '../../dids/did-resolver.ts';
import { DomainError, ignoring, invalidField } from '../../foundation/errors.ts';
import type { ActivityRecorder } from '../../holdings/activity.ts';
import { credentialActivity } from '../../holdings/credential-activity.ts';
import type { Credentials, StoredCredential } from '../../holdings/credentials.ts';
import type { Dids } from '../../holdings/dids.ts';
import type { Keys } from '../../holdings/keys.ts';
import type { WalletStores } from '../../holdings/places/wallet-stores.ts';
import { thumbprint } from '../../jose/jwk.ts';
import { isPassed, isReached } from '../../jose/jwt-claims.ts';
import { boundKey, type HolderDid, isIssuedTo } from './received-credential.ts';

/** A credential to import. */
interface ImportedCredential {
  /** As it was issued. */
  jwt: string;
  /** The DID of the wallet that it was issued to; found when absent. */
  associatedDid?: string;
  /** A name for it. */
  label?: string;
}

/** Takes credentials into wallets that were not received by an offer. */
export class CredentialImport {
  constructor(
    private readonly parts: {
      dids: Dids;
      keys: Keys;
      stores: WalletStores;
      credentials: Credentials;
      formats: CredentialFormats;
      resolver: DidResolver;
      issuers: PublishedKeys;
      clock: Clock;
      activity: ActivityRecorder;
    },
  ) {}

  /**
   * @throws DomainError `NotFound` for a DID that the wallet does not have, `Conflict` for a credential that it has,
   * `BadRequest` for one that is not this holder's, not valid now or not signed by its issuer, `UpstreamFailed`,
   * `UpstreamTimeout`
   */
  async import(owner: string, { jwt, associatedDid, label }: ImportedCredential): Promise<StoredCredential> {
    const { credentials, formats, clock, activity } = this.parts;
    const named = associatedDid === undefined ? undefined : await this.#named(owner, associatedDid);
    const parsed = await formats.parse(jwt);
    if (named && !isIssuedTo(parsed, named)) throw invalidField(['jwt'], 'is not issued to the associated DID');
    const holder = named ?? (await this.#holderOf(owner, parsed));
    if (!holder) throw invalidField(['jwt'], 'is issued to no key and no DID of this wallet');
    requireValid(parsed.validity, clock.now());
    await this.#verifyIssuer(parsed);
    const record = {
      format: parsed.format,
      document: jwt,
      holder: holder.did,
      pending: false,
      ...(label && { label }),
    };
    const stored = await credentials.addNew(owner, record);
    await activity.record(owner, { ...credentialActivity('Receive', stored), originator: 'wallet' });
    return stored;
  }

  async #named(owner: string, did: string): Promise<HolderDid> {
    const holder = (await this.parts.dids.list(owner)).find((one) => one.did === did);
    if (!holder) throw new DomainError('NotFound', `This wallet has no DID ${did.slice(0, 80)}`);
    return holder;
  }

  /** The DID of the wallet that a credential is issued to; of a key without one its did:jwk. */
  async #holderOf(owner: string, parsed: ParsedCredential): Promise<HolderDid | undefined> {
    const { dids, keys, stores } = this.parts;
    const { staticDid, staticKey } = await stores.of(owner);
    const own = staticDid && staticKey ? [{ did: staticDid.did, keyId: thumbprint(staticKey.publicJwk) }] : [];
    const known = [...(await dids.list(owner)), ...own].find((one) => isIssuedTo(parsed, one));
    if (known) return known;
    const jwk = boundKey(parsed);
    const key = jwk && (await keys.get({ owner, id: thumbprint(jwk) }).catch(ignoring('NotFound')));
    return key && { did: didJwk(key.publicJwk) };
  }

  async #verifyIssuer(credential: ParsedCredential): Promise<void> {
    const { resolver: dids, issuers } = this.parts;
    const check = await credential.verifyIssuer({ dids, issuers });
    if (check.valid) return;
    const isUnknown = credential.issuer.kind === 'url' && check.refusal === 'no-signer';
    throw invalidField(['jwt'], isUnknown ? 'names an issuer that is not a DID' : 'is not signed by its issuer');
  }
}

function requireValid(validity: ValidityBounds, now: number): void {
  const [start, end] = [latestStart(validity), earliestEnd(validity)];
  for (const bound of [start, end])
    if (bound && bound.ms === undefined) throw invalidField(['jwt'], `${bound.key} is not a date`);
  if (start?.ms !== undefined && !isReached(start.ms, { now, skewMs: start.toleranceMs }))
    throw invalidField(['jwt'], `is not valid yet, by its ${start.key}`);
  if (end?.ms !== undefined && isPassed(end.ms, { now }))
    throw invalidField(['jwt'], `is no longer valid, by its ${end.key}`);
}
