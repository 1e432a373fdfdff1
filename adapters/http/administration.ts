import { at } from '../../domain/foundation/errors.ts';
import { isoMillis } from '../../domain/foundation/time.ts';
import type { HostAliasAdministration } from '../../domain/tenancy/host-alias-administration.ts';
import type { HostAlias } from '../../domain/tenancy/host-aliases.ts';
import type { components } from '../../openapi/types.ts';
import type { Caller, Handlers, LateQuery } from './operations.ts';

type Schemas = components['schemas'];

/** What the handlers of the document `administration` need. */
export interface AdministrationServices {
  hostAliasAdministration: HostAliasAdministration;
}

type Part = Partial<Handlers<'administration'>>;

/** The administration of tenants. */
export const administrationHandlers = (services: AdministrationServices): Handlers<'administration'> => ({
  ...hostAliasHandlers(services),
});

interface PageInput {
  path: { target: string };
  query: LateQuery<unknown>;
  caller: Caller;
}

const pageRequest = ({ path, query, caller }: PageInput) => ({ caller: caller.accountId, ...path, query });

const hostAliasHandlers = ({ hostAliasAdministration: aliases }: AdministrationServices) =>
  ({
    createHostAlias: async ({ path, body, caller }) => ({
      status: 201,
      body: writeAlias(await at(['body'], () => aliases.create(caller.accountId, path.target, body))),
    }),
    listHostAliases: async (input) => ({
      status: 200,
      body: (await aliases.page(pageRequest(input))).map(writeAlias),
    }),
    deleteHostAlias: async ({ path, caller }) => {
      await aliases.remove(caller.accountId, path.target, path.domain);
      return { status: 204 };
    },
  }) satisfies Part;

const writeAlias = ({ createdAt, ...alias }: HostAlias): Schemas['HostAlias'] => ({
  ...alias,
  createdDateTime: isoMillis(createdAt),
});
