import type { Outbound } from '../../../ports/outbound.ts';
import type { Stored } from '../../../ports/store.ts';
import type { ListOwner } from '../../credentials/status-entries.ts';
import { fingerprint } from '../../foundation/bytes.ts';
import { at, ignoring, invalidField, isDomainError, replacing } from '../../foundation/errors.ts';
import type { AttributeTables } from '../../issuer/attributes/attribute-tables.ts';
import type { CredentialIssuer, MadeCredential } from '../../issuer/credential-issuer.ts';
import type { IssuedRecords } from '../../issuer/issued/issued-records.ts';
import type { IssuerKeys } from '../../issuer/onboarding/issuer-keys.ts';
import { referencedKey } from '../../issuer/profiles/client-authentication.ts';
import {
  type ConfiguredIssuerParts,
  configuredIssuer,
  type WrittenIssuer,
} from '../../issuer/profiles/configured-issuer.ts';
import type { IssuanceSession } from '../../issuer/sessions/issuance-session.ts';
import type { SessionRemoval } from '../../issuer/sessions/session-removal.ts';
import type { IssuanceSessionRepository } from '../../issuer/sessions/session-repository.ts';
import { storedView } from '../../issuer/sessions/session-view.ts';
import { checkDestination } from '../../network/urls.ts';
import type { TrustedAttesters } from '../../oauth/attesters.ts';
import { readChain } from '../../x509/certificate-chain.ts';
import type { Target } from '../access/targets.ts';
import type { AuditEntries } from '../audit/audit-entries.ts';
import type { ListQuery } from '../tree/list-requests.ts';
import { visiblePage } from '../tree/visible-page.ts';
import type { CredentialStatusServices } from './credential-status.ts';
import { dependencyKey } from './dependency-keys.ts';
import type { ServiceDraft } from './service-configurations.ts';
import { ServiceInstances } from './service-instances.ts';
import {
  keptMsOf,
  type NamedDid,
  type NamedKey,
  namedDids,
  namedKeys,
  namedSources,
  writtenIssuer,
} from './tenant-issuer-configuration.ts';
import { dependencyDid, type TenantIssuerKeyParts, tenantIssuerKeys } from './tenant-issuer-keys.ts';
import { ownerOf, type TenantService, type TenantServices, type TenantUrls } from './tenant-services.ts';

export interface TenantIssuerParts extends Omit<ConfiguredIssuerParts, 'hasLoginServer'>, TenantIssuerKeyParts {
  services: TenantServices;
  urls: TenantUrls;
  outbound: Outbound;
  credentialStatus: Pick<CredentialStatusServices, 'entriesOf'>;
  issuerKeys: Pick<IssuerKeys, 'removeAll'>;
  sessions: IssuanceSessionRepository;
  removal: SessionRemoval;
  tables: Pick<AttributeTables, 'removeAll'>;
  issuedRecords: Pick<IssuedRecords, 'removeAll'>;
  /** Records what is done for wallets; absent where nothing is. */
  entries?: Pick<AuditEntries, 'add'>;
  /** The attestations that the client attesters at these targets made. */
  attesters: { recorded(targets: readonly Target[]): Promise<NonNullable<TrustedAttesters['recorded']>> };
}

type Dependent = Pick<ServiceDraft, 'target' | 'dependencies'>;

const TYPE = 'issuer2';

/** The credential issuer identifier of a service: what its endpoints are below. */
const identifierOf = (baseUrl: string, target: Target): string =>
  `${baseUrl}/v2/${target}/issuer-service-api/openid4vci`;

/**
 * The issuers of tenants: services of the type `issuer2`. Each is made from its configuration as the one of the open
 * endpoints is made from files, and given to the same services. Holders cannot log in at the operator's login server.
 */
export class TenantIssuers {
  readonly #made: ServiceInstances<CredentialIssuer>;

  constructor(private readonly parts: TenantIssuerParts) {
    const make = (service: TenantService, baseUrl: string) => this.#issuer(service, baseUrl);
    this.#made = new ServiceInstances({ services: parts.services, type: TYPE, make });
  }

  /** The issuer of the service at a target. @throws DomainError `NotFound`, `BadRequest` when its configuration cannot work */
  async at(target: Target): Promise<CredentialIssuer> {
    return this.#made.at(target, () => this.parts.urls.baseUrlOf(target));
  }

  /** A page of the sessions of the service at `query.parent`. @throws DomainError as `at` */
  async page({ hidden, parent: target, type: _, ...page }: ListQuery) {
    const { sessions } = this.parts;
    const issuer = await this.at(target);
    const rows = {
      read: ({ order, offset, limit }: typeof page) => sessions.list(issuer, { order, offset, limit }),
      placeOf: (row: Stored<IssuanceSession>) => row,
    };
    const collection = { get: ({ id }: { id: string }) => sessions.get(issuer, id) };
    const found = await visiblePage({ collection, rows }, { ...page, parent: target }, hidden);
    return found.map((session) => storedView(issuer, session));
  }

  /** Checks that a configuration can work, with the keys that it names. @throws DomainError `BadRequest` naming the member that cannot */
  async check({ target, config, dependencies }: ServiceDraft): Promise<void> {
    const service = { target, dependencies };
    const identifier = identifierOf('https://issuer.invalid', target);
    const written = writtenIssuer(config, { formats: this.parts.formats, identifier });
    const place = { id: target, target, service: target, identifier, recorded: await this.#recorded(service, written) };
    configuredIssuer(written, place, { ...this.parts, hasLoginServer: false });
    const attester = referencedKey(written);
    if (attester) await this.#checkKey(service, attester);
    for (const { path, url } of namedSources(config))
      at(path, () => checkDestination(this.parts.outbound, { url, expects: 'attributes' }));
    for (const key of namedKeys(config)) await this.#checkKey(service, key);
    for (const did of namedDids(config)) await at(did.path, () => this.#checkDid(service, did));
  }

  /**
   * Removes what belongs to the service at a target: its sessions, the records of what it issued, its tables of
   * attributes, the keys that were created for it and those it publishes.
   */
  async removeOwnData(target: Target): Promise<void> {
    const found = await this.parts.services.found(target, TYPE).catch(ignoring('NotFound'));
    if (!found) return;
    const { removal, issuedRecords, tables, issuerKeys, serviceKeys } = this.parts;
    const owner = ownerOf({ target, uid: found.uid });
    await removal.removeAll({ target: owner, version: 'v1' });
    await issuedRecords.removeAll(owner);
    await tables.removeAll(owner);
    await issuerKeys.removeAll(owner);
    await serviceKeys.remove(found.uid);
  }

  async #issuer(service: TenantService, baseUrl: string): Promise<CredentialIssuer> {
    const { target, config, dependencies } = service;
    const owner = ownerOf(service);
    const identifier = identifierOf(baseUrl, target);
    const written = writtenIssuer(config, { formats: this.parts.formats, identifier });
    const place = {
      id: owner,
      target: owner,
      service: target,
      identifier,
      keys: tenantIssuerKeys(this.parts, service),
      recorded: await this.#recorded(service, written),
    };
    const issuer = configuredIssuer(written, place, { ...this.parts, hasLoginServer: false });
    const { entries } = this.parts;
    const witness = entries && ((made: MadeCredential) => entries.add(target, 'credentialIssued', factsOf(made)));
    return { ...issuer, witness, keepsIssuedMs: keptMsOf(config), statusLists: await this.#statusLists(dependencies) };
  }

  /** The keys of the client attesters that are depended on, and of the key that the configuration names as that of one; none without either. */
  async #recorded(service: Dependent, written: WrittenIssuer): Promise<TrustedAttesters['recorded']> {
    const { services, attesters, tree } = this.parts;
    const linked = await services.dependenciesOf(service, 'client-attester');
    const named = referencedKey(written);
    if (linked.length === 0 && !named) return undefined;
    const made = await attesters.recorded(linked);
    return async (claims) => {
      const key = named && (await dependencyKey(tree, service, named.target).catch(unlessConfigured));
      return [...(await made(claims)), ...(key ? [{ jwk: key.publicJwk }] : [])];
    };
  }

  /** The owner of the status lists of the first `credential-status` service that is depended on; the issuer itself without one. */
  async #statusLists(dependencies: readonly Target[]): Promise<ListOwner | undefined> {
    const { services, credentialStatus } = this.parts;
    const service = await services.firstDependency({ dependencies }, 'credential-status');
    return service === undefined ? undefined : credentialStatus.entriesOf(service);
  }

  async #checkKey(service: Dependent, { target, path, x5Chain }: NamedKey) {
    const { tree, certificates } = this.parts;
    const { publicJwk: jwk } = await at(path, () => dependencyKey(tree, service, target));
    if (x5Chain) at(x5Chain.path, () => readChain(x5Chain.pems, { certificates, jwk, keyName: 'the key' }));
  }

  async #checkDid(service: Dependent, { target, needsKey }: NamedDid) {
    const { tree } = this.parts;
    const { key } = await dependencyDid(tree, service, target).catch(asInvalidDid);
    if (!needsKey) return;
    if (key === undefined) throw invalidField([], 'was not created for a key of a kms: name the key that signs');
    await dependencyKey(tree, service, key);
  }
}

/** What is recorded of a credential: not what it says, but its digest. */
const factsOf = ({ sessionId, configurationId, format, index, credential, key }: MadeCredential) => ({
  sessionId,
  credentialConfigurationId: configurationId,
  credentialIndex: String(index),
  format,
  credentialPayloadHash: fingerprint(credential),
  holderBindingPublicKeyJwk: JSON.stringify(key),
});

/** A key that was removed verifies nothing. */
function unlessConfigured(error: unknown): undefined {
  if (!isDomainError(error, 'BadRequest') && !isDomainError(error, 'Conflict')) throw error;
}

const asInvalidDid = replacing('NotFound', () => invalidField([], 'is no DID of that service'));
