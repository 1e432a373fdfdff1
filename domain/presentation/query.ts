import type { CompiledQuery, QueryPorts } from './compiled-query.ts';
import type { PresentationDefinition } from './exchange/definition.ts';
import { compileDefinition } from './exchange/presentation-exchange.ts';

/** What a wallet is asked for, in one of the query languages; plain JSON, as sessions store it. */
export type PresentationQuery = { language: 'presentation-exchange'; definition: PresentationDefinition };

type Language = PresentationQuery['language'];

interface QueryLanguage<Query> {
  /** @throws DomainError `BadRequest` naming the path or filter that is not valid or too costly to evaluate */
  compile(query: Query, ports: QueryPorts): Promise<CompiledQuery>;
}

/** The query languages; add a row, and a member to `PresentationQuery`, to add one. */
export const QUERY_LANGUAGES: { readonly [L in Language]: QueryLanguage<Extract<PresentationQuery, { language: L }>> } =
  {
    'presentation-exchange': { compile: ({ definition }, ports) => compileDefinition(definition, ports) },
  };

/** Compiles a query of any language. @throws DomainError as `QueryLanguage.compile` */
export const compileQuery = (query: PresentationQuery, ports: QueryPorts): Promise<CompiledQuery> =>
  QUERY_LANGUAGES[query.language].compile(query, ports);
