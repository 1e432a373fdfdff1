import type { KeyReference } from '../../../ports/key-service.ts';
import type { CredentialFormats } from '../../credentials/formats/formats.ts';
import { fingerprint } from '../../foundation/bytes.ts';
import { at, DomainError, ignoring, invalidField } from '../../foundation/errors.ts';
import { isObject, type JsonObject } from '../../foundation/json.ts';
import { withKid } from '../../jose/jwk.ts';
import { KEY_TYPES } from '../../jose/key-types.ts';
import type { KeyBackends } from '../../keys/key-backends.ts';
import { signerForOthers } from '../../keys/others-signer.ts';
import type { ServiceKeys } from '../../keys/service-keys.ts';
import { configuredSignIn } from '../../sign-in/configured-sign-in.ts';
import type { ProviderKey, SignInServer } from '../../sign-in/sign-in-server.ts';
import type { WrittenSignIn } from '../../sign-in/written-sign-in.ts';
import type { Target } from '../access/targets.ts';
import type { ResourceTree } from '../tree/resource-tree.ts';
import { apiOf } from '../tree/service-types.ts';
import { dependencyKey } from './dependency-keys.ts';
import type { ServiceDraft } from './service-configurations.ts';
import { ServiceInstances } from './service-instances.ts';
import { ownerOf, type TenantService, type TenantServices, type TenantUrls } from './tenant-services.ts';
import type { TenantVerifiers } from './tenant-verifiers.ts';

/** The configuration of a service of the type `oidc-bridge`, as its schema has validated it. */
interface BridgeConfiguration {
  /** The targets of keys of a `kms` among the dependencies: the first for each algorithm signs, the others are published. */
  signingKeyIds?: Target[];
}

const TYPE = 'oidc-bridge';

/** The algorithms of ID tokens. */
const ALGORITHMS = ['ES256', 'RS256'];

/** OpenID Providers of tenants: services of the type `oidc-bridge`, whose presentations are those of a linked `verifier2`. */
export class SignInBridges {
  readonly #made: ServiceInstances<SignInServer>;

  constructor(
    private readonly parts: {
      services: TenantServices;
      tree: Pick<ResourceTree, 'resource' | 'secret'>;
      urls: TenantUrls;
      verifiers: Pick<TenantVerifiers, 'at'>;
      serviceKeys: ServiceKeys;
      keys: KeyBackends;
      formats: CredentialFormats;
      /** Adds the defaults of `sign-in.conf`. */
      completed(config: JsonObject): WrittenSignIn;
    },
  ) {
    this.#made = new ServiceInstances({
      ...parts,
      type: TYPE,
      make: (service, baseUrl) => this.#make(service, baseUrl),
    });
  }

  /** The provider at a target. @throws DomainError `NotFound`, `Conflict` for a service of a version that made no use of it */
  at(target: Target): Promise<SignInServer> {
    return this.#made.at(target, () => this.parts.urls.baseUrlOf(target));
  }

  /** Checks that a provider can work as it is configured. @throws DomainError `BadRequest` naming the member, `Conflict` */
  async check(draft: ServiceDraft): Promise<void> {
    const server = await this.#make({ ...draft, uid: '' }, await this.parts.urls.baseUrlOf(draft.target));
    const { signingKeyIds = [] } = draft.config as BridgeConfiguration;
    const algorithms = await Promise.all(
      signingKeyIds.map((id, index) => at(['signingKeyIds', index], () => this.#algorithmOf(draft, id))),
    );
    const known = algorithms.length > 0 ? algorithms : ['ES256'];
    for (const { id, idTokenAlgorithm } of server.clients.values())
      if (!known.includes(idTokenAlgorithm))
        throw invalidField(
          ['clients', id, 'idTokenAlgorithm'],
          `needs a key of that algorithm among signingKeyIds: there is one for ${known.join(' and ')}`,
        );
  }

  /** Removes the key of the provider at a target, if there is one. */
  async removeOwnData(target: Target): Promise<void> {
    const found = await this.parts.services.found(target, TYPE).catch(ignoring('NotFound'));
    if (found) await this.parts.serviceKeys.remove(found.uid);
  }

  async #make(service: KnownBridge, baseUrl: string): Promise<SignInServer> {
    const { target, config } = service;
    const issuer = `${baseUrl}/v1/${target}/${apiOf(TYPE)}`;
    const written = this.parts.completed(checkedConfiguration(config));
    return {
      id: ownerOf(service),
      version: fingerprint(JSON.stringify([issuer, config])),
      issuer,
      ...configuredSignIn(written, { ...this.parts, issuer }),
      lifetimes: written.lifetimes,
      secure: issuer.startsWith('https:'),
      keys: () => this.#keys(service),
      verifier: async () => {
        const verifier = await this.parts.services.dependency(service, 'verifier2');
        return this.parts.verifiers.at(verifier);
      },
    };
  }

  async #keys(service: KnownBridge): Promise<ProviderKey[]> {
    const { signingKeyIds = [] } = service.config as BridgeConfiguration;
    if (signingKeyIds.length === 0) {
      const own = await this.parts.serviceKeys.reference(service.uid, 'service-sign-in');
      return [this.#keyOf(own, true)];
    }
    const references = await Promise.all(signingKeyIds.map((id) => dependencyKey(this.parts.tree, service, id)));
    return references.map((one, index) =>
      this.#keyOf(one, references.findIndex((other) => other.keyType === one.keyType) === index),
    );
  }

  #keyOf(reference: KeyReference, signs: boolean): ProviderKey {
    const publicJwk = { ...withKid(reference.publicJwk), alg: KEY_TYPES[reference.keyType].alg };
    if (!signs) return { publicJwk };
    const failure = { message: 'The sign-in cannot be completed now: try again', oauthError: 'server_error' } as const;
    return { publicJwk, signer: signerForOthers(this.parts.keys.signer(reference), failure) };
  }

  async #algorithmOf(service: ServiceDraft, id: Target): Promise<string> {
    const { alg } = KEY_TYPES[(await dependencyKey(this.parts.tree, service, id)).keyType];
    if (ALGORITHMS.includes(alg)) return alg;
    throw invalidField([], `must be a key for ${ALGORITHMS.join(' or ')}`);
  }
}

/** What is known of a service before it is stored too. */
type KnownBridge = Pick<TenantService, 'target' | 'uid' | 'config' | 'dependencies'>;

/** A service that was created before its type worked may have anything in its configuration. @throws DomainError `Conflict` */
function checkedConfiguration(config: JsonObject): JsonObject {
  const isKnown = ['clients', 'profiles', 'lifetimes'].every(
    (name) => config[name] === undefined || isObject(config[name]),
  );
  const profiles = Object.values((isKnown && config.profiles) || {});
  if (isKnown && profiles.every((one) => isObject(one) && isObject(one.subject))) return config;
  throw new DomainError('Conflict', 'The service was created by a version without sign-ins: configure it anew');
}
