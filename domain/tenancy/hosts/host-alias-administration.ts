import { invalidField } from '../../foundation/errors.ts';
import { type PageLimits, readPage } from '../../limits/pagination.ts';
import { domainName } from '../../network/domain-names.ts';
import type { Access } from '../access/access.ts';
import { nothingAt, type Target } from '../access/targets.ts';
import type { ListRequest } from '../tree/list-requests.ts';
import type { ResourceTree } from '../tree/resource-tree.ts';
import type { HostAlias, HostAliases } from './host-aliases.ts';

/** What `HostAliasAdministration` works with. */
export interface HostAliasAdministrationParts {
  access: Access;
  tree: ResourceTree;
  aliases: HostAliases;
  limits: PageLimits;
}

/** Gives organizations, tenants and services domains of their own. */
export class HostAliasAdministration {
  readonly #parts: HostAliasAdministrationParts;

  constructor(parts: HostAliasAdministrationParts) {
    this.#parts = parts;
  }

  /** @throws DomainError `BadRequest`, `Forbidden`, `NotFound`, `Conflict` when the domain is in use */
  async create(caller: string, target: Target, { domain: text }: { domain: string }): Promise<HostAlias> {
    const { access, tree, aliases } = this.#parts;
    await access.require(caller, ['host-alias-create'], target);
    await tree.resource(target);
    const domain = domainName(text);
    if (domain === undefined)
      throw invalidField(['domain'], 'must be a domain name of at least two labels, in ASCII, without a port');
    const alias = await aliases.add(target, domain);
    await tree.confirm(target, async () => {
      await aliases.remove(target, domain);
    });
    return alias;
  }

  /** @throws DomainError `BadRequest`, `Forbidden`, `NotFound` */
  async page({ caller, target, query }: ListRequest): Promise<HostAlias[]> {
    const { access, tree, aliases, limits } = this.#parts;
    await access.require(caller, ['host-alias-list'], target);
    await tree.resource(target);
    const page = await query((texts) => readPage(texts, { ...limits, sortable: false }));
    return aliases.page({ ...page, parent: target });
  }

  /** @throws DomainError `Forbidden`, `NotFound` */
  async remove(caller: string, target: Target, domain: string): Promise<void> {
    const { access, aliases } = this.#parts;
    await access.require(caller, ['host-alias-delete'], target);
    if (!(await aliases.remove(target, domainName(domain) ?? ''))) throw nothingAt(target);
  }
}
