import type { Backend, KeyReference, KeyService, KeyServices, KeyType, Signer } from '../../ports/key-service.ts';
import { at, invalidField } from '../foundation/errors.ts';
import type { FieldPath } from '../foundation/field-paths.ts';
import { isText, type JsonObject } from '../foundation/json.ts';
import { BACKENDS, backendOf, checkKeyType, readReference, writeReference } from './key-reference.ts';
import { KEY_TYPE_NAMES, KEY_TYPES } from './key-types.ts';

/** A key to be created by a backend. */
export interface KeyRequest {
  keyType: KeyType;
  config?: JsonObject;
  name?: string;
}

/** Dispatches the operations on keys to their backends, which see only what the tables of backends and key types admit. */
export class KeyBackends {
  readonly #services: KeyServices;

  constructor(services: KeyServices) {
    this.#services = services;
  }

  /** @throws DomainError `BadRequest` naming `backend`, `keyType`, or the member below `config`, before anything is created */
  async create(spelling: string, request: KeyRequest): Promise<KeyReference> {
    const { backend, service } = this.#service(spelling, ['backend']);
    const { keyType, config = {}, name } = request;
    requireKeyType(backend, keyType);
    const read = at(['config'], () => BACKENDS[backend].readConfig(config));
    return service.create({ keyType, config: read, name });
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
    return { ...writeReference(reference, spelling), type: spelling };
  }

  signer(reference: KeyReference): Signer {
    return this.#of(reference).signer(reference);
  }

  remove(reference: KeyReference): Promise<void> {
    return this.#of(reference).remove(reference);
  }

  /** Ends what the backends hold open. */
  async close(): Promise<void> {
    await Promise.all(Object.values(this.#services).map((service) => service.close()));
  }

  #of(reference: KeyReference): KeyService {
    return this.#service(reference.backend, ['type']).service;
  }

  #service(spelling: string, path: FieldPath): { backend: Backend; service: KeyService } {
    const backend = backendOf(spelling);
    const service = backend && this.#services[backend];
    if (service) return { backend, service };
    const known = Object.keys(this.#services).join(', ');
    throw invalidField(path, `the key backend "${spelling.slice(0, 64)}" is not available here; available: ${known}`);
  }
}

function requireKeyType(backend: Backend, keyType: KeyType): void {
  if (KEY_TYPES[keyType].backends.includes(backend)) return;
  const possible = KEY_TYPE_NAMES.filter((name) => KEY_TYPES[name].backends.includes(backend));
  throw invalidField(['keyType'], `${BACKENDS[backend].title} has no ${keyType} keys, only ${possible.join(', ')}`);
}
