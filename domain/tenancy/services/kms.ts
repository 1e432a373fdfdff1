import type { KeyReference, KeyType } from '../../../ports/key-service.ts';
import type { JsonObject } from '../../foundation/json.ts';
import { createKey } from '../../holdings/keys.ts';
import type { KeyBackends } from '../../keys/key-backends.ts';
import type { KeyContent } from '../resource-kinds.ts';
import type { TreeResource } from '../resource-repository.ts';
import { withoutSecrets } from '../secrets.ts';
import { SERVICE_TYPES } from '../service-types.ts';
import { type ChildRequest, newChild, type ServiceParts } from './new-child.ts';

/** A key to create; by default an Ed25519 key of this server. */
export interface NewTenantKey {
  backend?: string;
  keyType?: KeyType;
  config?: JsonObject;
}

/** Key management services: services of the type `kms`. */
export class KeyManagementServices {
  readonly #parts: ServiceParts & { keys: KeyBackends };

  constructor(parts: ServiceParts & { keys: KeyBackends }) {
    this.#parts = parts;
  }

  /** Creates a key at its backend, after all checks. @throws DomainError `BadRequest`, `Forbidden`, `NotFound`, `Conflict` */
  async createKey(request: ChildRequest, wanted: NewTenantKey): Promise<TreeResource<KeyContent>> {
    const { keys, ids } = this.#parts;
    const { backend = 'jwk', keyType = 'Ed25519', config } = wanted;
    const { children } = SERVICE_TYPES.kms;
    const child = await newChild(this.#parts, { ...request, children, defaultName: () => ids.uuid() });
    await child.requireNew();
    const contentOf = (reference: KeyReference): KeyContent => ({
      type: 'key',
      key: { ...withoutSecrets(keys.write(reference, backend)), type: backend },
    });
    const key = { backend, keyType, config };
    return createKey(keys, key, {
      store: (reference) => child.add({ content: contentOf(reference), secret: reference }),
      exists: () => child.exists(),
    });
  }
}
