import type { KeyReference, KeyService, KeyServices, KeyType, Signer } from '../../ports/key-service.ts';
import { invalidField } from '../foundation/errors.ts';
import type { FieldPath } from '../foundation/field-paths.ts';
import { isText } from '../foundation/json.ts';
import { backendOf } from './key-reference.ts';

/** A key to be created by a backend. */
export interface KeyRequest {
  keyType: KeyType;
  config?: Record<string, unknown>;
  name?: string;
}

/** Dispatches the operations on keys to their backends. */
export class KeyBackends {
  readonly #services: KeyServices;

  constructor(services: KeyServices) {
    this.#services = services;
  }

  /** @throws DomainError `BadRequest` naming `backend` when this installation has no such backend */
  create(backend: string, request: KeyRequest): Promise<KeyReference> {
    return this.#service(backend, ['backend']).create(request);
  }

  /** Reads a key reference object of the wire. @throws DomainError `BadRequest` naming its member */
  async read(wire: Record<string, unknown>): Promise<KeyReference> {
    const { type, ...rest } = wire;
    if (!isText(type)) throw invalidField(['type'], 'must name a key backend');
    return this.#service(type, ['type']).read(rest);
  }

  /** Returns the key reference object of the wire; `type` has the caller's spelling. */
  write(reference: KeyReference, spelling: string = reference.backend): Record<string, unknown> {
    return { type: spelling, ...this.#of(reference).write(reference) };
  }

  signer(reference: KeyReference): Signer {
    return this.#of(reference).signer(reference);
  }

  remove(reference: KeyReference): Promise<void> {
    return this.#of(reference).remove(reference);
  }

  #of(reference: KeyReference): KeyService {
    return this.#service(reference.backend, ['type']);
  }

  #service(spelling: string, path: FieldPath): KeyService {
    const backend = backendOf(spelling);
    const service = backend && this.#services[backend];
    if (service) return service;
    const known = Object.keys(this.#services).join(', ');
    throw invalidField(path, `the key backend "${spelling.slice(0, 64)}" is not available here; available: ${known}`);
  }
}
