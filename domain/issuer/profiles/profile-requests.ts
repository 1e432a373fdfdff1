import type { PublicJwk } from '../../../ports/key-service.ts';
import type { CredentialFormats } from '../../credentials/formats.ts';
import { didJwk } from '../../dids/did-methods.ts';
import { at } from '../../foundation/errors.ts';
import { isObject, type JsonObject } from '../../foundation/json.ts';
import type { KeyBackends } from '../../keys/key-backends.ts';
import type { ServerKeys } from '../../keys/server-keys.ts';
import type { IssuanceRequest } from '../offers/issuance-request.ts';
import {
  checkSigner,
  contentMembers,
  type IssuanceProfile,
  type Notifications,
  type ProfileContent,
  type ProfileSigner,
} from './issuance-profile.ts';

/** What one offer changes in its profile. */
export interface ProfileOverrides extends ProfileSigner, Partial<ProfileContent> {
  notifications?: Notifications;
}

/** What issuance requests of profiles need. */
export interface ProfileRequestParts {
  formats: CredentialFormats;
  keys: KeyBackends;
  serverKeys: ServerKeys;
  /** Publishes the key of a profile before it signs. */
  publish(jwk: PublicJwk): Promise<void>;
}

/** Creates the issuance requests that profiles stand for. */
export class ProfileRequests {
  readonly #parts: ProfileRequestParts;

  constructor(parts: ProfileRequestParts) {
    this.#parts = parts;
  }

  /**
   * The request of a profile with the changes of an offer: `credentialData` is merged member by member, all others are
   * replaced. @throws DomainError as `KeyBackends.read`
   */
  async create(profile: IssuanceProfile, { notifications: _, ...changes }: ProfileOverrides): Promise<IssuanceRequest> {
    const { issuerKey, issuerDid, x5Chain, credentialData, ...replaced } = changes;
    const own = { issuerDid: issuerDid ?? profile.signer.issuerDid, x5Chain: x5Chain ?? profile.signer.x5Chain };
    const signer = issuerKey ? { issuerKey, issuerDid, x5Chain } : { issuerKey: profile.signer.issuerKey, ...own };
    checkSigner(profile, signer, this.#parts.formats);
    const data = merged(profile.content.credentialData, credentialData ?? {});
    const content = { ...withoutOther(profile.content, replaced), ...replaced, credentialData: data };
    return { ...(await this.#signer(profile, signer)), ...contentMembers(profile, content, this.#parts.formats) };
  }

  /** A W3C credential always has a DID for its issuer, an SD-JWT VC when there is no certificate, an mdoc never. */
  async #signer(profile: IssuanceProfile, signer: ProfileSigner): Promise<ProfileSigner & { issuerKey: JsonObject }> {
    const { formats, keys, serverKeys, publish } = this.#parts;
    const { issuerDid, x5Chain } = signer;
    const issuerKey = signer.issuerKey ?? keys.write(await serverKeys.reference('profiles'));
    const { publicJwk } = await at(['issuerKey'], () => keys.read(issuerKey));
    if (signer.issuerKey === profile.signer.issuerKey) await publish(publicJwk);
    const { selector } = formats.get(profile.configuration.format);
    const isNamed = issuerDid !== undefined || selector === 'doc_type' || (selector === 'vct' && x5Chain);
    if (isNamed) return { issuerKey, issuerDid, x5Chain };
    return { issuerKey, issuerDid: didJwk(publicJwk), x5Chain };
  }
}

/** A credential has a status of its own or an entry of a list: an offer that has one replaces the other. */
function withoutOther(
  { credentialStatus, statusList, ...content }: ProfileContent,
  changes: Partial<ProfileContent>,
): ProfileContent {
  if (changes.credentialStatus !== undefined) return { ...content, credentialStatus };
  if (changes.statusList !== undefined) return { ...content, statusList };
  return { ...content, credentialStatus, statusList };
}

/** Objects are merged, everything else is replaced. Built from entries, so that no name can reach a prototype. */
function merged(value: JsonObject, changes: JsonObject): JsonObject {
  const entries = Object.entries(changes).map(([name, change]): [string, unknown] => {
    const known = Object.hasOwn(value, name) ? value[name] : undefined;
    return [name, isObject(known) && isObject(change) ? merged(known, change) : change];
  });
  return Object.fromEntries([...Object.entries(value), ...entries]);
}
