import { invalidField } from '../../foundation/errors.ts';
import { type PageLimits, readPage } from '../../limits/pagination.ts';
import { domainName } from '../../network/domain-names.ts';
import { nothingAt, type Target } from '../access/targets.ts';
import type { PageRequest } from '../tree/list-requests.ts';
import type { ResourceTree } from '../tree/resource-tree.ts';
import type { HostAlias, HostAliases } from './host-aliases.ts';

/** Gives organizations, tenants and services domains of their own. */
export class HostAliasAdministration {
  constructor(
    private readonly parts: {
      tree: ResourceTree;
      aliases: HostAliases;
      limits: PageLimits;
    },
  ) {}

  /** @throws DomainError `BadRequest`, `NotFound`, `Conflict` when the domain is in use */
  async create(target: Target, { domain: text }: { domain: string }): Promise<HostAlias> {
    const { tree, aliases } = this.parts;
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

  /** @throws DomainError `BadRequest`, `NotFound` */
  async page({ target, query }: PageRequest): Promise<HostAlias[]> {
    const { tree, aliases, limits } = this.parts;
    await tree.resource(target);
    const page = await query((texts) => readPage(texts, { ...limits, sortable: false }));
    return aliases.page({ ...page, parent: target });
  }

  /** @throws DomainError `NotFound` */
  async remove(target: Target, domain: string): Promise<void> {
    const { aliases } = this.parts;
    if (!(await aliases.remove(target, domainName(domain) ?? ''))) throw nothingAt(target);
  }
}
