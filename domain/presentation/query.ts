import type { CredentialFormats } from '../credentials/formats/formats.ts';
import { DomainError } from '../foundation/errors.ts';
import type { JsonObject } from '../foundation/json.ts';
import { compileDcql } from './dcql/matching.ts';
import { isOfType } from './dcql/meta.ts';
import type { CredentialQuery, DcqlQuery } from './dcql/query.ts';
import { parseVpToken } from './dcql/response.ts';
import type { PresentationDefinition } from './exchange/definition.ts';
import { compileDefinition } from './exchange/presentation-exchange.ts';
import { hintsOf, type ListedPresentation, parseSubmission } from './exchange/submission.ts';
import { readVpToken } from './exchange/vp-token.ts';
import type { CompiledQuery, Hint, QueriedCredential, QueryPorts } from './matching/compiled-query.ts';
import { refusedVpToken } from './matching/response-parameters.ts';

/** What each query language says besides its name. */
interface QueryContents {
  'presentation-exchange': { definition: PresentationDefinition };
  dcql: { query: DcqlQuery };
}

type Language = keyof QueryContents;

/** What a wallet is asked for, in one of the query languages; plain JSON, as sessions store it. */
export type PresentationQuery<L extends Language = Language> = { [K in L]: { language: K } & QueryContents[K] }[L];

/** The parameters of a response that hold its presentations. */
export interface ResponseTexts {
  /** As it arrived in a form; a value that is not a text as JSON. */
  vpToken: string;
  /** The `presentation_submission`, which the answer to a definition must have. */
  submission?: string;
}

/** One presentation of a response, unread. */
export interface StatedPresentation {
  text: string;
  /** The format of its query; the form of the text decides when absent. */
  format?: string;
}

/** The presentations of a response, unread, and what the wallet states about them. */
interface StatedResponse {
  presentations: StatedPresentation[];
  /** The parameter that names the queries: the submission, or the `vp_token` of DCQL. */
  document: JsonObject;
  /** The `vp_token` as JSON: what was read, without the form in which it arrived. */
  token: unknown;
  /** Reads which credential answers which query, once the presentations are read. @throws DomainError `BadRequest` */
  hints(read: readonly Omit<ListedPresentation, 'isListed'>[]): Hint[];
}

/** The most presentations of a response. */
const MAX_PRESENTATIONS = 64;

/** Credentials as matching gets them. */
type Credentials = readonly (QueriedCredential | undefined)[];

interface QueryLanguage<Query> {
  /** @throws DomainError `BadRequest` naming the path or filter that is not valid or too costly to evaluate */
  compile(query: Query, ports: QueryPorts, credentials: Credentials): Promise<CompiledQuery>;
  /** @throws DomainError `BadRequest` naming the parameter that is missing or malformed */
  readResponse(query: Query, response: ResponseTexts): StatedResponse;
}

/** The query languages; add a row, and a member to `QueryContents`, to add one. */
const QUERY_LANGUAGES: { readonly [L in Language]: QueryLanguage<PresentationQuery<L>> } = {
  'presentation-exchange': {
    compile: ({ definition }, ports) => compileDefinition(definition, ports),
    readResponse: (_query, { vpToken, submission }) => {
      if (submission === undefined) throw new DomainError('BadRequest', 'presentation_submission: is required');
      const document = parseSubmission(submission);
      const { texts, isList: isListed } = readVpToken(vpToken, MAX_PRESENTATIONS);
      return {
        presentations: texts.map((text) => ({ text })),
        document,
        token: isListed ? texts : texts[0],
        hints: (read) =>
          hintsOf(
            document,
            read.map((presentation) => ({ ...presentation, isListed })),
          ),
      };
    },
  },
  dcql: {
    compile: async ({ query }, { formats, trust }, credentials) => {
      const limited = query.credentials.filter(({ trustedAuthorities }) => trustedAuthorities);
      if (limited.length === 0 || !trust) return compileDcql(query, { formats });
      const asked = credentials.filter((credential) => credential !== undefined);
      const judged = asked.filter((credential) => limited.some((one) => isOfKind(credential, one, formats)));
      const named = limited.flatMap(({ trustedAuthorities = [] }) => trustedAuthorities);
      const { isBelow, missing } = await trust.check(named, judged);
      return { ...compileDcql(query, { formats, isBelow }), missing };
    },
    readResponse: ({ query }, { vpToken }) => {
      const formats = new Map(query.credentials.map(({ id, format }) => [id, format]));
      const { document, presented } = parseVpToken(vpToken, MAX_PRESENTATIONS);
      const presentations = presented.map(({ queryId, presentation: text }) => {
        const format = formats.get(queryId);
        if (format === undefined) throw refusedVpToken('has a member that is the id of no credential query');
        return { text, format };
      });
      const hints = (read: readonly { count: number }[]): Hint[] => {
        if (read.some(({ count }) => count !== 1)) throw refusedVpToken('each presentation must hold one credential');
        return presented.map(({ queryId }, index) => ({ queryId, index }));
      };
      return { presentations, document, token: document, hints };
    },
  },
};

/** Whether a credential is of the format and a type that a query asks for. */
const isOfKind = (credential: QueriedCredential, { format, meta }: CredentialQuery, formats: CredentialFormats) =>
  formats.known(format)?.name === credential.format && isOfType(credential, meta);

/**
 * Compiles a query of any language, to match these credentials: what is needed to judge their issuers is loaded.
 * @throws DomainError as `QueryLanguage.compile`
 */
export const compileQuery = <L extends Language>(
  query: PresentationQuery<L>,
  ports: QueryPorts,
  credentials: Credentials = [],
): Promise<CompiledQuery> => QUERY_LANGUAGES[query.language].compile(query, ports, credentials);

/** Reads the presentations of a response to a query of any language. @throws DomainError as `QueryLanguage.readResponse` */
export const readResponse = <L extends Language>(
  query: PresentationQuery<L>,
  response: ResponseTexts,
): StatedResponse => QUERY_LANGUAGES[query.language].readResponse(query, response);
