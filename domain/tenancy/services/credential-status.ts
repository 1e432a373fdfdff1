import { STATUS_LIST_KINDS, type StatusListMember } from '../../credentials/formats/status-list-kinds.ts';
import type { EntryNames, ListOwner } from '../../credentials/status-entries.ts';
import { at, DomainError, ignoring, invalidField, isDomainError } from '../../foundation/errors.ts';
import type { CredentialIssuer } from '../../issuer/credential-issuer.ts';
import type { StatusListCreation } from '../../issuer/offers/status-list-creation.ts';
import type { EntryChanges, EntryWithState } from '../../status/entry-changes.ts';
import type { ListAdministration } from '../../status/list-administration.ts';
import { statusListUrl, tenantListsUrl } from '../../status/status-list-urls.ts';
import { isTarget, nameOf, parentOf, type Target } from '../access/targets.ts';
import { dependenciesOf } from '../tree/resource-content.ts';
import type { StatusCredentialContent } from '../tree/resource-kinds.ts';
import type { TreeResource } from '../tree/resource-repository.ts';
import { SERVICE_TYPES } from '../tree/service-types.ts';
import { type ChildRequest, createChild, type ServiceParts } from './child-creation.ts';
import { dependencyKey } from './dependency-keys.ts';
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

/** Status lists of tenants: services of the type `credential-status`, which own lists as the issuer of the open endpoints does. */
export class CredentialStatusServices {
  constructor(
    private readonly parts: ServiceParts & {
      services: TenantServices;
      urls: TenantUrls;
      creation: StatusListCreation;
      administration: Pick<ListAdministration, 'list'>;
      changes: EntryChanges;
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
   * the issuer and, after a dot, the id of the session, `status` the value.
   * @throws DomainError `NotFound`, `BadRequest`, `Conflict`, as `EntryChanges.setNamed`
   */
  async setStatus(target: Target, { session, status }: { session: Target; status: number }): Promise<EntryWithState[]> {
    const { services, changes } = this.parts;
    const service = await services.at(target, 'credential-status');
    const owner = ownerOf(service);
    const names = await this.namesOf(service, { session });
    if (names.issuer === undefined)
      throw new DomainError('NotFound', `${parentOf(session)} does not use the status lists of this service`);
    return changes.setNamed(owner, names, status).catch((error: unknown) => {
      // Entries that were not allocated by the issuer have the name that the caller gave them.
      if (isDomainError(error, 'NotFound')) return changes.setNamed(owner, { session: nameOf(session) }, status);
      throw error;
    });
  }

  /** The names of entries with the issuer of a session, where it is one that depends on the service. */
  async namesOf({ target }: Pick<TenantService, 'target'>, names: EntryNames): Promise<EntryNames> {
    const { session = '' } = names;
    if (!isTarget(session)) return names;
    const issuer = await this.parts.tree.service(parentOf(session), ['issuer2', 'issuer']).catch(ignoring('NotFound'));
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
