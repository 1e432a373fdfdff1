import type { Turns } from '../../../ports/system.ts';
import { at } from '../../foundation/errors.ts';
import { isObject, isText } from '../../foundation/json.ts';
import type { Credentials, StoredCredential } from '../../holdings/credentials.ts';
import {
  type DescriptorField,
  literalPattern,
  type PresentationDefinition,
  readDefinition,
} from '../../presentation/exchange/definition.ts';
import type { QueryPorts } from '../../presentation/matching/compiled-query.ts';
import { compileQuery } from '../../presentation/query.ts';
import type { PresentationRequests } from './presentation-request.ts';
import { candidates, compileFor, matching } from './submission.ts';

/** A credential that a definition asks for and the wallet does not have. */
interface MissingCredential {
  /** The name of its descriptor, else its id. */
  credential: string;
  filters: { path: string[]; type?: string; pattern: string }[];
}

/** Matches the usable credentials of a wallet with queries. */
export class CredentialMatching {
  constructor(
    private readonly parts: {
      credentials: Credentials;
      requests: PresentationRequests;
      matching: QueryPorts;
      turns: Turns;
    },
  ) {}

  /** Returns the credentials that satisfy any descriptor. @throws DomainError `BadRequest` naming the part of the definition */
  async forDefinition(walletId: string, definition: unknown): Promise<StoredCredential[]> {
    const query = { language: 'presentation-exchange', definition: readDefinition(definition) } as const;
    const compiled = await compileQuery(query, this.parts.matching);
    return matching(compiled, await this.parts.credentials.usable(walletId), this.parts.turns);
  }

  /** Returns the descriptors that no credential satisfies. @throws DomainError as `forDefinition` */
  async missingFor(walletId: string, value: unknown): Promise<MissingCredential[]> {
    const definition = readDefinition(value);
    const compiled = await compileQuery({ language: 'presentation-exchange', definition }, this.parts.matching);
    const matches = await candidates(compiled, await this.parts.credentials.usable(walletId), this.parts.turns);
    return definition.input_descriptors.filter((_, index) => matches[index]?.met !== true).map(missing);
  }

  /** Returns the credentials that satisfy any query of a request. Errors name its link as `link`. @throws DomainError as `PresentationRequests.resolve` */
  async forRequest(walletId: string, link: string): Promise<StoredCredential[]> {
    const { query } = await this.parts.requests.resolve(link);
    const usable = await this.parts.credentials.usable(walletId);
    const compiled = await compileFor(query, { ...this.parts, credentials: usable });
    return at(['link'], () => matching(compiled, usable, this.parts.turns));
  }
}

const missing = ({
  id,
  name,
  constraints,
}: PresentationDefinition['input_descriptors'][number]): MissingCredential => ({
  credential: isText(name) ? name : id,
  filters: constraints.fields.map(filterOf),
});

/** A field without a pattern has that of its constant; one with neither accepts every value. */
function filterOf({ path, filter }: DescriptorField): MissingCredential['filters'][number] {
  const { type, pattern, const: constant } = isObject(filter) ? filter : {};
  const exact = isText(constant) ? `^${literalPattern(constant)}$` : '.*';
  return { path, ...(isText(type) && { type }), pattern: isText(pattern) ? pattern : exact };
}
