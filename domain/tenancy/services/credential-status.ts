import { STATUS_LIST_KINDS, type StatusListMember } from '../../credentials/formats/status-list-kinds.ts';
import type { EntryNames, ListOwner } from '../../credentials/status-entries.ts';
import { at, DomainError, ignoring, invalidField, isDomainError } from '../../foundation/errors.ts';
import { isText } from '../../foundation/json.ts';
import type { CredentialIssuer } from '../../issuer/credential-issuer.ts';
import type { StatusListCreation } from '../../issuer/offers/status-list-creation.ts';
import type { SessionHandles } from '../../oauth/session-handles.ts';
import type { EntryChanges, EntryWithState } from '../../status/entry-changes.ts';
import type { ListAdministration } from '../../status/list-administration.ts';
import { statusListUrl, tenantListsUrl } from '../../status/status-list-urls.ts';
import { requireAction } from '../access/access.ts';
import { childOf, isTarget, nameOf, parentOf, type Target } from '../access/targets.ts';
import { dependenciesOf } from '../tree/resource-content.ts';
import type { StatusCredentialContent } from '../tree/resource-kinds.ts';
import type { TreeResource } from '../tree/resource-repository.ts';
import { SERVICE_TYPES } from '../tree/service-types.ts';
import { type ChildRequest, createChild, type ServiceParts } from './child-creation.ts';
import { dependencyKey, requireDependency } from './dependency-keys.ts';
import { ownerOf, type TenantService, type TenantServices, type TenantUrls } from './tenant-services.ts';

const { children } = SERVICE_TYPES['credential-status'];

/** A status credential to create. */
interface NewStatusCredential {
  /** The target of the key that signs the list. */
  kid: Target;
  /** PEM, the certificate of the key first. */
  x5Chain?: string[];
  issuerDid?: string;
  config: StatusListMember;
}

/** A status credential as offers of the reference implementation name it. */
interface NamedStatus {
  statusCredentialConfig?: unknown;
  initialStatus?: unknown;
}

/** Status lists of tenants: services of the type `credential-status`, which own lists as the issuer of the open endpoints does. */
export class CredentialStatusServices {
  constructor(
    private readonly parts: ServiceParts & {
      services: TenantServices;
      urls: TenantUrls;
      creation: StatusListCreation;
      administration: Pick<ListAdministration, 'list'>;
      changes: EntryChanges;
      /** The names of offers, by which sessions are found too. */
      handles: Pick<SessionHandles, 'sessionOf'>;
    },
  ) {}

  /**
   * The owner of the lists of a service. An issuer that has it as `CredentialIssuer.statusLists` gets the entries of its
   * credentials from lists of this service; in the same way `StatusEntries.allocate` takes it with each request. The
   * lists that the service opened for the same issuer, key and certificates are used first.
   * @throws DomainError `NotFound` when there is no such service
   */
  async entriesOf(service: Target): Promise<Required<ListOwner>> {
    const { services, urls } = this.parts;
    const { uid } = await services.found(service, 'credential-status');
    return {
      target: ownerOf({ target: service, uid }),
      baseUrl: tenantListsUrl(await urls.baseUrlOf(service), service),
    };
  }

  /** Opens the list of an issuer. @throws DomainError `BadRequest` naming the member, `Forbidden`, `NotFound`, `Conflict` */
  create(request: ChildRequest, wanted: NewStatusCredential): Promise<TreeResource<StatusCredentialContent>> {
    const create = async (target: Target): Promise<TreeResource<StatusCredentialContent>> => {
      const { tree, administration } = this.parts;
      if (await tree.exists(children.kind, target)) throw new DomainError('Conflict', `${target} exists already`);
      const service = parentOf(target);
      const owner = await this.entriesOf(service);
      const list = await this.#open(owner, service, wanted);
      const { choice, baseUrl = '' } = (await administration.list(owner.target, list)).value;
      const { type, format } = STATUS_LIST_KINDS[choice.kind];
      const { kind: _, bits: statusSize, ...rest } = choice;
      const config = { type, format, ...rest, statusSize };
      return tree.add(children.kind, target, {
        content: { ...wanted, config, listId: list, url: statusListUrl(baseUrl, list) },
      });
    };
    return createChild(this.parts, { ...request, children, create });
  }

  async #open(
    owner: Required<ListOwner>,
    target: Target,
    { kid, x5Chain, issuerDid, config }: NewStatusCredential,
  ): Promise<string> {
    const { services, tree, creation } = this.parts;
    const service = await services.at(target, 'credential-status');
    if (issuerDid === undefined && x5Chain === undefined)
      throw invalidField(['issuerDid'], 'is required, or x5Chain: one of them names the issuer');
    const key = () => at(['kid'], () => dependencyKey(tree, service, kid));
    const wanted = { member: config, key, keyName: 'kid', issuerDid, x5Chain };
    const opened = await at(PLACES, () => creation.open(issuerOf(owner), wanted));
    return opened.list;
  }

  /**
   * Sets the status of the credentials of a session of an issuer that depends on the service; `session` is the target of
   * the issuer and, after a dot, the id of the session or of its offer, `status` the value.
   * @throws DomainError `Forbidden`, `NotFound`, `BadRequest`, `Conflict`, as `EntryChanges.setNamed`
   */
  async setStatus(
    { rights, target }: ChildRequest,
    { session: named, status }: { session: Target; status: number },
  ): Promise<EntryWithState[]> {
    const { changes } = this.parts;
    const service = await this.#serviceAround(target);
    // What a session has of the lists of the service is more than what it has of one of them.
    requireAction(rights, 'status-entry-change', service.target);
    const owner = ownerOf(service);
    const session = await this.#sessionOf(named);
    const names = await this.namesOf(service, { session });
    if (names.issuer === undefined)
      throw new DomainError('NotFound', `${parentOf(session)} does not use the status lists of this service`);
    return changes.setNamed(owner, names, status).catch((error: unknown) => {
      // Entries that were not allocated by the issuer have the name that the caller gave them.
      if (isDomainError(error, 'NotFound')) return changes.setNamed(owner, { session: nameOf(session) }, status);
      throw error;
    });
  }

  /** The service at a target, or that of the status credential there. @throws DomainError `NotFound` */
  async #serviceAround(target: Target): Promise<TenantService> {
    const { services, tree } = this.parts;
    const isList = await tree.exists(children.kind, target);
    return services.at(isList ? parentOf(target) : target, 'credential-status');
  }

  /** A session by the target of its issuer and its id: the offer of a session leads to it. */
  async #sessionOf(session: Target): Promise<Target> {
    const issuer = await this.parts.services.found(parentOf(session), 'issuer2').catch(ignoring('NotFound'));
    if (!issuer) return session;
    const owner = ownerOf({ target: parentOf(session), uid: issuer.uid });
    const id = await this.parts.handles.sessionOf('offer', owner, nameOf(session));
    return id === undefined ? session : childOf(parentOf(session), id);
  }

  /**
   * The kind of list of a status credential, for the credentials of an issuer that depends on its service; they begin as
   * valid. @throws DomainError `BadRequest` naming the member
   */
  async listNamed(
    issuer: Target,
    { statusCredentialConfig: list, initialStatus }: NamedStatus,
  ): Promise<StatusListMember> {
    if (initialStatus !== undefined && Number(initialStatus) !== 0)
      throw invalidField(['initialStatus'], 'must be 0x0: credentials begin as valid');
    const { services, tree } = this.parts;
    const service = await services.at(issuer, 'issuer2');
    return at(['statusCredentialConfig'], async () => {
      if (!isText(list) || !isTarget(list)) throw invalidField([], 'must be the target of a status credential');
      await requireDependency(tree, service, { target: parentOf(list), type: 'credential-status' });
      const found = await tree.child(children.kind, list).catch(ignoring('NotFound'));
      if (!found) throw invalidField([], 'is no status credential of that service');
      return found.config;
    });
  }

  /** The names of entries with the issuer of a session, where it is one that depends on the service. */
  async namesOf({ target }: Pick<TenantService, 'target'>, names: EntryNames): Promise<EntryNames> {
    const { session = '' } = names;
    if (!isTarget(session)) return names;
    const issuer = await this.parts.tree.service(parentOf(session), ['issuer2']).catch(ignoring('NotFound'));
    if (!issuer || !dependenciesOf(issuer.resource).includes(target)) return names;
    return { ...names, issuer: ownerOf({ target: parentOf(session), uid: issuer.uid }) };
  }
}

/** Where the request has what the list is opened with. */
const PLACES = Object.fromEntries(['type', 'format', 'purpose', 'statusSize'].map((name) => [name, ['config', name]]));

/** The owner of lists in the place of an issuer that has nothing else. */
const issuerOf = ({ target, baseUrl }: Required<ListOwner>): CredentialIssuer => ({
  id: target,
  target,
  version: 'v1',
  identifier: baseUrl,
  configurations: new Map(),
  display: [],
  identities: [],
  statusLists: { target, baseUrl },
});
