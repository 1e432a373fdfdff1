import type { PresentationFacts } from '../credentials/formats.ts';
import type { JsonObject } from '../foundation/json.ts';
import type { CompiledQuery, Hint, QueryPorts } from './compiled-query.ts';
import { compileDcql } from './dcql/matching.ts';
import type { DcqlQuery } from './dcql/query.ts';
import { hintsOfVpToken } from './dcql/response.ts';
import type { PresentationDefinition } from './exchange/definition.ts';
import { compileDefinition } from './exchange/presentation-exchange.ts';
import { hintsOf, parseSubmission } from './exchange/submission.ts';

/** What each query language says besides its name. */
interface QueryContents {
  'presentation-exchange': { definition: PresentationDefinition };
  dcql: { query: DcqlQuery };
}

type Language = keyof QueryContents;

/** What a wallet is asked for, in one of the query languages; plain JSON, as sessions store it. */
export type PresentationQuery<L extends Language = Language> = { [K in L]: { language: K } & QueryContents[K] }[L];

/** The hints of a wallet with its presentation of `count` credentials. */
export interface StatedHints {
  /** The parameter of the response: `presentation_submission`, or the `vp_token` of DCQL. */
  text: string;
  count: number;
  format: Pick<PresentationFacts, 'credentialsAt'>;
}

interface QueryLanguage<Query> {
  /** @throws DomainError `BadRequest` naming the path or filter that is not valid or too costly to evaluate */
  compile(query: Query, ports: QueryPorts): Promise<CompiledQuery>;
  /** Parses what a wallet states it presents for which query. @throws DomainError `BadRequest` */
  parseHints(stated: StatedHints): { document: JsonObject; hints: Hint[] };
}

/** The query languages; add a row, and a member to `QueryContents`, to add one. */
export const QUERY_LANGUAGES: { readonly [L in Language]: QueryLanguage<PresentationQuery<L>> } = {
  'presentation-exchange': {
    compile: ({ definition }, ports) => compileDefinition(definition, ports),
    parseHints: ({ text, count, format }) => {
      const document = parseSubmission(text);
      return { document, hints: hintsOf(document, count, format) };
    },
  },
  dcql: {
    compile: async ({ query }, { formats, trust }) => {
      const named = query.credentials.flatMap(({ trustedAuthorities = [] }) => trustedAuthorities);
      const isBelow = named.length === 0 ? undefined : await trust?.check(named);
      return compileDcql(query, { formats, isBelow });
    },
    parseHints: ({ text, count }) => hintsOfVpToken(text, count),
  },
};

/** Compiles a query of any language. @throws DomainError as `QueryLanguage.compile` */
export const compileQuery = <L extends Language>(
  query: PresentationQuery<L>,
  ports: QueryPorts,
): Promise<CompiledQuery> => QUERY_LANGUAGES[query.language].compile(query, ports);
