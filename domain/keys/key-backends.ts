import type { Backend, KeyReference, KeyService, KeyServices, Signer } from '../../ports/key-service.ts';
import { at, invalidField } from '../foundation/errors.ts';
import type { FieldPath } from '../foundation/field-paths.ts';
import { isText, type JsonObject } from '../foundation/json.ts';
import { backendOf, checkKeyType, readReference, writeReference } from './key-reference.ts';
import { type KeyRequest, readKeyRequest } from './key-request.ts';

/** Dispatches the operations on keys to their backends, which see only what the tables of backends and key types admit. */
export class KeyBackends {
  constructor(private readonly services: KeyServices) {}

  /** @throws DomainError `BadRequest` naming `backend`, `keyType`, or the member below `config`, before anything is created */
  async create(spelling: string, request: KeyRequest): Promise<KeyReference> {
    const { service } = this.#service(spelling, ['backend']);
    const { backend: _, ...wanted } = readKeyRequest(spelling, request);
    return service.create(wanted);
  }

  /** Reads a key reference object of the wire; asks the backend for what it leaves out. @throws DomainError `BadRequest` naming its member */
  async read({ type, ...wire }: JsonObject): Promise<KeyReference> {
    if (!isText(type)) throw invalidField(['type'], 'must name a key backend');
    const { backend, service } = this.#service(type, ['type']);
    const { key, place, keyType: stated } = readReference(backend, wire);
    const publicJwk = await at(place, () => service.publicKey(key));
    const { id, config } = key;
    return { backend, id, keyType: checkKeyType(publicJwk, stated), publicJwk, config };
  }

  /** Returns the key reference object of the wire; `type` has the caller's spelling. */
  write(reference: KeyReference, spelling: string = reference.backend): JsonObject & { type: string } {
    return writeReference(reference, spelling);
  }

  signer(reference: KeyReference): Signer {
    return this.#of(reference).signer(reference);
  }

  remove(reference: KeyReference): Promise<void> {
    return this.#of(reference).remove(reference);
  }

  /** Ends what the backends hold open. */
  async close(): Promise<void> {
    await Promise.all(Object.values(this.services).map((service) => service.close()));
  }

  #of(reference: KeyReference): KeyService {
    return this.#service(reference.backend, ['type']).service;
  }

  #service(spelling: string, path: FieldPath): { backend: Backend; service: KeyService } {
    const backend = backendOf(spelling);
    const service = backend && this.services[backend];
    if (service) return { backend, service };
    const known = Object.keys(this.services).join(', ');
    throw invalidField(path, `the key backend "${spelling.slice(0, 64)}" is not available here; available: ${known}`);
  }
}
