import type { KeyType, Signer } from '../../../ports/key-service.ts';
import type { Origin } from '../../../ports/turn.ts';
import { DomainError } from '../../foundation/errors.ts';
import type { JsonObject } from '../../foundation/json.ts';
import { signContent } from '../../holdings/signed-content.ts';
import { type KeyStorage, StoredKeys } from '../../holdings/stored-keys.ts';
import { thumbprint } from '../../jose/jwk.ts';
import type { KeyBackends } from '../../keys/key-backends.ts';
import { childOf, nameOf, parentOf, type Target } from '../access/targets.ts';
import type { KeyContent } from '../tree/resource-kinds.ts';
import type { TreeResource } from '../tree/resource-repository.ts';
import { withoutSecrets } from '../tree/secrets.ts';
import { SERVICE_TYPES } from '../tree/service-types.ts';
import { type ChildRequest, createChild, type ServiceParts } from './child-creation.ts';

/** A key to create; by default an Ed25519 key of this server. */
interface NewTenantKey extends Origin {
  backend?: string;
  keyType?: KeyType;
  config?: JsonObject;
}

type KmsParts = ServiceParts & { keys: KeyBackends };

const { children } = SERVICE_TYPES.kms;

/** Key management services: services of the type `kms`, which own the keys below their targets. */
export class KeyManagementServices {
  readonly #keys: StoredKeys<TreeResource<KeyContent>>;

  constructor(private readonly parts: KmsParts) {
    this.#keys = new StoredKeys(parts.keys, storageOf(parts));
  }

  /** Creates a key at its backend, after all checks. @throws DomainError `BadRequest`, `Forbidden`, `NotFound`, `Conflict` */
  createKey(
    request: ChildRequest,
    { backend = 'jwk', keyType = 'Ed25519', ...wanted }: NewTenantKey,
  ): Promise<TreeResource<KeyContent>> {
    const create = async (target: Target): Promise<TreeResource<KeyContent>> => {
      if (await this.parts.tree.exists(children.kind, target))
        throw new DomainError('Conflict', `${target} exists already`);
      const key = { owner: parentOf(target), id: nameOf(target) };
      return this.#keys.create({ ...wanted, ...key, backend, keyType });
    };
    return createChild(this.parts, { ...request, children, create });
  }

  /**
   * Stores a private JWK, sealed; only its public part is shown.
   * @throws DomainError `BadRequest` naming `jwk`, `Forbidden`, `NotFound`, `Conflict`
   */
  importKey(request: ChildRequest, jwk: JsonObject): Promise<TreeResource<KeyContent>> {
    const create = async (target: Target): Promise<TreeResource<KeyContent>> => {
      const reference = await this.parts.keys.read({ type: 'jwk', jwk });
      return this.#keys.add({ owner: parentOf(target), id: nameOf(target), reference, backend: 'jwk' });
    };
    return createChild(this.parts, { ...request, children, create });
  }

  /**
   * Signs any JSON as a compact JWS, or the input of a flattened one, as the wallet does; `kid` is the thumbprint of the key.
   * @throws DomainError `BadRequest` naming the member of the header, `NotFound`
   */
  async sign(target: Target, content: unknown): Promise<string> {
    await this.parts.tree.child(children.kind, target);
    const signer = await this.signer(parentOf(target), nameOf(target));
    const kid = thumbprint(signer.publicJwk);
    return signContent(content, { signer, kid, isNamed: async (name) => name === kid || name === target });
  }

  /** Returns the function that signs with a key of a service. @throws DomainError `NotFound` */
  signer(service: Target, name: string): Promise<Signer> {
    return this.#keys.signer({ owner: service, id: name });
  }
}

/** Stores the reference of a key as its secret; shown is its public part, with the backend as the caller spelled it. */
const storageOf = ({ tree, keys }: KmsParts): KeyStorage<TreeResource<KeyContent>> => ({
  insert: ({ owner, id, reference, backend }) => {
    const key = withoutSecrets(keys.write(reference, backend));
    return tree.add(children.kind, childOf(owner, id), { content: { type: 'key', key }, secret: reference });
  },
  get: ({ owner, id }) => tree.secret(children.kind, childOf(owner, id)),
});
