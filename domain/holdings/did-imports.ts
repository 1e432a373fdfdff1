import type { KeyReference } from '../../ports/key-service.ts';
import { methodIdOf } from '../dids/did-document.ts';
import { DID_METHOD_NAMES } from '../dids/did-methods.ts';
import type { DidResolver } from '../dids/did-resolver.ts';
import { at, invalidField, isDomainError, replacing } from '../foundation/errors.ts';
import { isObject, type JsonObject } from '../foundation/json.ts';
import { parseJson } from '../foundation/strict-json.ts';
import { thumbprint } from '../jose/jwk.ts';
import type { Dids } from './dids.ts';
import type { Keys } from './keys.ts';

/** A DID with its private key. */
interface DidToImport {
  did: string;
  /** A private JWK, or a text that is a private JWK or a PEM. */
  key: unknown;
  alias?: string;
}

/** Imports DIDs that were created elsewhere, with their keys. */
export class DidImports {
  constructor(
    private readonly parts: {
      keys: Keys;
      dids: Dids;
      resolver: Pick<DidResolver, 'document'>;
      settings: { didRegistrar: { methods: readonly string[] } };
    },
  ) {}

  /**
   * Stores a DID and its key, unless the key is not one of the DID.
   * @throws DomainError `BadRequest` naming `did` or `key`, `UnsupportedMediaType`, `Conflict`, or of the resolver
   */
  async import(owner: string, { did, key, alias }: DidToImport): Promise<string> {
    const { keys, dids } = this.parts;
    this.#requireMethod(did);
    const reference = await at({ jwk: ['key'] }, () => keys.read(key));
    await dids.requireNew(owner, did);
    const document = await this.#document(did);
    if (methodIdOf(document, did, reference.publicJwk) === undefined)
      throw invalidField(['key'], 'is not a key of the DID');
    const isNew = await this.#adopt(owner, reference);
    const keyId = thumbprint(reference.publicJwk);
    try {
      await dids.add(owner, { did, document, keyId, alias });
    } catch (error) {
      if (isNew) await keys.forget({ owner, id: keyId }).catch(() => undefined);
      throw error;
    }
    return did;
  }

  /**
   * Stores a DID of a key that the wallet has, with the document that it resolves to.
   * @throws DomainError `BadRequest` naming `did` or `document`, `Conflict`, or of the resolver
   */
  async importHeld(owner: string, { did, document: text }: { did: string; document: string }): Promise<JsonObject> {
    const { keys, dids } = this.parts;
    this.#requireMethod(did);
    const stated = at(['document'], () => parseJson(text));
    if (!isObject(stated) || stated.id !== did) throw invalidField(['document', 'id'], 'must be the DID');
    await dids.requireNew(owner, did);
    const document = await this.#document(did);
    for (const { id: keyId } of await keys.list(owner)) {
      const { publicJwk } = await keys.get({ owner, id: keyId });
      if (methodIdOf(stated, did, publicJwk) === undefined || methodIdOf(document, did, publicJwk) === undefined)
        continue;
      await dids.add(owner, { did, document, keyId });
      return document;
    }
    throw invalidField(['document'], 'names no key of this wallet that the DID has');
  }

  #requireMethod(did: string): void {
    const methods = [...DID_METHOD_NAMES, ...this.parts.settings.didRegistrar.methods];
    if (!methods.some((method) => did.startsWith(`did:${method}:`)))
      throw invalidField(['did'], `must be a DID of the method ${methods.join(', ')}`);
  }

  #document(did: string): Promise<JsonObject> {
    const asField = replacing('BadRequest', ({ message }) => invalidField(['did'], message));
    return this.parts.resolver.document(did).catch(asField);
  }

  /** Whether the wallet did not have the key yet. */
  async #adopt(owner: string, reference: KeyReference): Promise<boolean> {
    try {
      await this.parts.keys.adopt(owner, { reference });
      return true;
    } catch (error) {
      if (isDomainError(error, 'Conflict')) return false;
      throw error;
    }
  }
}
