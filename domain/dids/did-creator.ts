import type { KeyType, PublicJwk } from '../../ports/key-service.ts';
import type { Ids } from '../../ports/system.ts';
import type { DidCreation, DidPlan } from './did-creation.ts';
import { createDid, didDocument, knowsDidMethod } from './did-methods.ts';
import type { DidRegistrar } from './did-registrar.ts';

/** A key to find out whether a DID could be created, before there is one (RFC 8037 appendix A.2). */
const SAMPLE_KEY: PublicJwk = { kty: 'OKP', crv: 'Ed25519', x: '11qYAYKxCrfVS_7TyWQHOg7hcvPapiMlrwIaaPcHURo' };

/** Creates DIDs of all methods: those that are derived from a key, and those that a registrar registers. */
export class DidCreator {
  constructor(
    private readonly parts: {
      ids: Ids;
      registrar: DidRegistrar;
    },
  ) {}

  /**
   * Checks everything that can be checked before a key exists.
   * @throws DomainError `BadRequest` naming `method`, `keyType`, or the member of `config`
   */
  prepare(plan: DidPlan): DidCreation {
    const { method, config = {} } = plan;
    if (!knowsDidMethod(method)) return this.parts.registrar.prepare({ ...plan, config });
    const { path } = config;
    const filled = typeof path === 'string' ? { ...config, path: this.#fillIn(path) } : config;
    createDid({ method, jwk: SAMPLE_KEY, config: filled });
    return async ({ publicJwk }) => {
      const did = createDid({ method, jwk: publicJwk, config: filled });
      return { did, document: didDocument(did, publicJwk) };
    };
  }

  /** The type of a key that is created for a DID: the preferred one, unless the network accepts others only. */
  keyTypeFor(method: string, preferred: KeyType): KeyType {
    return knowsDidMethod(method) ? preferred : this.parts.registrar.keyTypeFor(preferred);
  }

  #fillIn = (path: string): string => path.replaceAll('[random-uuid]', () => this.parts.ids.uuid());
}
