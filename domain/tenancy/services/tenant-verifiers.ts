import type { Clock } from '../../../ports/system.ts';
import { at, ignoring, invalidField } from '../../foundation/errors.ts';
import { isObject } from '../../foundation/json.ts';
import { isoMillis } from '../../foundation/time.ts';
import { isEntityId } from '../../trust/federation/entity-statement.ts';
import { NO_OWN_TRUST } from '../../trust/verifier-trust.ts';
import type { VerifierEntity } from '../../verifier/protocol.ts';
import { DEFAULT_POLICIES } from '../../verifier/requests/session-policies.ts';
import type { SetupReader } from '../../verifier/requests/setup-reader.ts';
import type { SessionRepository, StoredSession } from '../../verifier/verification/repository.ts';
import type { ProtocolOf } from '../../verifier/verification/rules.ts';
import { type ListedSession, listedSession } from '../../verifier/verification/v1-view.ts';
import {
  configuredVerifier,
  type Verifier,
  type VerifierConfiguration,
  type VerifierSigner,
} from '../../verifier/verifier.ts';
import { childOf, parentOf, type Target } from '../access/targets.ts';
import type { AuditEntries } from '../audit/audit-entries.ts';
import type { ResourceMetadata, ResourceQuery } from '../tree/resource-repository.ts';
import type { ResourceTree } from '../tree/resource-tree.ts';
import { apiOf, type ServiceType } from '../tree/service-types.ts';
import { visiblePage } from '../tree/visible-page.ts';
import { dependencyKey } from './dependency-keys.ts';
import type { PolicyStores } from './policy-store.ts';
import type { ServiceDraft } from './service-configurations.ts';
import { ServiceInstances } from './service-instances.ts';
import { ownerOf, type TenantService, type TenantServices, type TenantUrls } from './tenant-services.ts';
import type { TrustRegistries } from './trust-registry.ts';

/** The configuration of a service of the type `verifier2`. */
interface TenantVerifierConfiguration extends VerifierConfiguration {
  /** The target of a key of a key management service among the dependencies. */
  signingKey?: Target;
  /** The certificates of that key. */
  x5c?: string[];
  /** The policies of sessions that list none. */
  vcPolicies?: unknown[];
  /** `signingKey` is the target of another key that signs its entity configuration. */
  federation?: NonNullable<VerifierConfiguration['federation']> & { signingKey?: Target };
}

/** A verification session in the list of its service. */
type SessionElement = ListedSession & ResourceMetadata;

/** What is known of a service before it is stored too. */
type KnownService = Pick<TenantService, 'target' | 'uid' | 'config' | 'dependencies'>;

export interface TenantVerifierParts {
  services: TenantServices;
  tree: Pick<ResourceTree, 'resource' | 'secret'>;
  urls: TenantUrls;
  policyStores: Pick<PolicyStores, 'policy'>;
  trustRegistries: Pick<TrustRegistries, 'trustOf'>;
  sessions: SessionRepository;
  setups: Pick<SetupReader, 'check'>;
  /** Records what is done for wallets; absent where nothing is. */
  entries?: Pick<AuditEntries, 'add'>;
  clock: Clock;
}

const TYPE = 'verifier2';

/** The path of its endpoints, which is that of its entity too. */
const pathOf = (target: Target): string => `/v1/${target}/${apiOf(TYPE)}`;

/** The verifiers of tenants: services of the type `verifier2`, whose sessions are those of the open endpoints' services. */
export class TenantVerifiers {
  readonly #made: ServiceInstances<Verifier>;

  constructor(private readonly parts: TenantVerifierParts) {
    this.#made = new ServiceInstances({ ...parts, type: TYPE, make: (service) => this.#make(service) });
  }

  /** The verifier at a target. @throws DomainError `NotFound` */
  at(target: Target): Promise<Verifier> {
    return this.#made.at(target);
  }

  /** Checks that a verifier can work as it is configured. @throws DomainError `BadRequest` naming the member, `Conflict` */
  async check(draft: ServiceDraft): Promise<void> {
    const { signingKey, x5c, federation } = draft.config as TenantVerifierConfiguration;
    const foreign = signingKey === undefined && Object.entries({ x5c, federation }).find(([, member]) => member);
    if (foreign) throw invalidField([foreign[0]], 'goes together with signingKey');
    const verifier = await this.#make({ ...draft, uid: '' });
    const { entity } = verifier;
    if (entity) await at(['federation'], () => checkEntity(entity));
    await this.parts.setups.check(verifier, { isSigning: signingKey !== undefined });
  }

  /** A page of the sessions of the verifier at `parent`, without the hidden ones. @throws DomainError `NotFound` */
  async page({ hidden, parent, ...page }: ResourceQuery): Promise<SessionElement[]> {
    const { sessions, clock } = this.parts;
    const verifier = await this.at(parent);
    const get = ({ id }: { id: string }) => sessions.get(verifier, 'v1', id).catch(ignoring('NotFound'));
    const rows = {
      read: (query: ResourcePage) => sessions.list(verifier, query),
      placeOf: (row: StoredSession<ProtocolOf<'v1'>>) => row,
    };
    const query = { ...page, parent: verifier.target };
    const found = await visiblePage({ collection: { get }, rows }, query, hidden);
    return found.map((session) => elementOf(parent, session, clock.now()));
  }

  /** Removes the sessions of the verifier at a target, if there is one, regardless of its configuration. */
  async removeSessions(target: Target): Promise<void> {
    const found = await this.parts.services.found(target, TYPE).catch(ignoring('NotFound'));
    if (found) await this.parts.sessions.removeAll({ target: ownerOf({ target, uid: found.uid }) });
  }

  async #make(service: KnownService): Promise<Verifier> {
    const { target, uid, config } = service;
    const { signingKey, x5c, vcPolicies = DEFAULT_POLICIES, ...configuration } = config as TenantVerifierConfiguration;
    const { federation } = configuration;
    const { urls, trustRegistries, entries } = this.parts;
    const trusting = await this.#dependenciesOf(service, ['x509-store', 'trust-registry']);
    const id = ownerOf({ target, uid });
    return configuredVerifier(configuration, {
      id,
      target: id,
      witness:
        entries &&
        (({ sessionId, isAccepted }) =>
          entries.add(target, 'presentationVerified', { sessionId, result: isAccepted ? 'accepted' : 'refused' })),
      baseUrl: async () => `${await urls.baseUrlOf(target)}${pathOf(target)}/verification-session`,
      signer: () => this.#signer(service, { signingKey, x5c }),
      listedPolicies: (listed = vcPolicies) => this.#policies(service, listed),
      entity: {
        id: async () => `${await urls.baseUrlOf(target)}${pathOf(target)}`,
        key: async () => (await this.#signer(service, { signingKey: federation?.signingKey ?? signingKey })).reference,
      },
      trust: async () => (trusting.length === 0 ? NO_OWN_TRUST : trustRegistries.trustOf({ dependencies: trusting })),
    });
  }

  /** The dependencies of these types, which stay what they are while a service depends on them. */
  async #dependenciesOf({ dependencies }: KnownService, types: readonly ServiceType[]): Promise<Target[]> {
    const { tree } = this.parts;
    const found = await Promise.all(dependencies.map((one) => tree.resource(one, types).catch(ignoring('NotFound'))));
    return found.flatMap((resource) => resource?._id ?? []);
  }

  /** A tenant signs with a key of its own: with one of the server it could take the name of another tenant. */
  async #signer(
    service: KnownService,
    { signingKey, x5c = [] }: Pick<TenantVerifierConfiguration, 'signingKey' | 'x5c'>,
  ): Promise<VerifierSigner> {
    if (signingKey === undefined) throw invalidField(['key'], 'is required: the verifier has no signingKey');
    const reference = await at(['key'], () => dependencyKey(this.parts.tree, service, signingKey));
    return { reference, x5c, isRemovable: true };
  }

  #policies(service: KnownService, listed: readonly unknown[]): Promise<unknown[]> {
    return Promise.all(
      listed.map(async (item, index) => {
        const name = isObject(item) ? item.policy : item;
        // A target has several segments; the name of a policy has no dot.
        if (typeof name !== 'string' || !name.includes('.')) return item;
        const isKnown = service.dependencies.includes(parentOf(name));
        const stored = () => this.parts.policyStores.policy(name).catch(ignoring('NotFound'));
        return (isKnown && (await at([index], stored))) || item;
      }),
    );
  }
}

/** Checks that an entity can sign its configuration. @throws DomainError `BadRequest` naming the member */
async function checkEntity({ authorityHints, key }: VerifierEntity): Promise<void> {
  const wrong = authorityHints.findIndex((hint) => !isEntityId(hint));
  if (wrong >= 0) throw invalidField(['authorityHints', wrong], 'must be an https URL without query and fragment');
  await at({ key: ['signingKey'] }, key);
}

type ResourcePage = Omit<ResourceQuery, 'hidden'>;

const elementOf = (parent: Target, session: StoredSession<ProtocolOf<'v1'>>, now: number): SessionElement => ({
  ...listedSession(session, now),
  _id: childOf(parent, session.id),
  parent,
  createdDateTime: isoMillis(session.createdAt),
  updatedDateTime: isoMillis(session.updatedAt),
});
