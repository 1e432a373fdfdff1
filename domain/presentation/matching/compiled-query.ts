import type { Credential, IssuerReference, ParsedCredential } from '../../../ports/credential-formats.ts';
import type { JsonPaths } from '../../../ports/json-path.ts';
import type { JsonSchemas } from '../../../ports/json-schema.ts';
import type { ClaimPath } from '../../credentials/disclosure.ts';
import type { CredentialFormats } from '../../credentials/formats/formats.ts';
import type { FieldPath } from '../../foundation/field-paths.ts';

/** Authorities of one kind; an issuer below any of them is accepted (OpenID4VP 1.0 §6.1.1). */
export interface TrustedAuthority {
  /** `aki`, `etsi_tl`, `openid_federation`, or a kind that is not known here. */
  type: string;
  /** Key identifiers in base64url, URLs of trust lists, entity identifiers of federations. */
  values: string[];
}

/** A credential, as queries see it; without `alg`, every algorithm is accepted. */
export type QueriedCredential = Pick<Credential, 'format' | 'type' | 'claims' | 'document' | 'issuer' | 'subject'> &
  Partial<Pick<ParsedCredential, 'alg' | 'withholdable' | 'verifyIssuer'>>;

/** A presentation as queries see it. The credentials of all presentations of a response have one index, in their order. */
export interface QueriedPresentation {
  readonly format?: string;
  readonly alg?: string;
  readonly holder?: string;
  /** Undefined for a credential that cannot be read: it satisfies no query. */
  readonly credentials: readonly (QueriedCredential | undefined)[];
}

/** The wallet's statement that it presents the credential at `index` for a query; undefined for one not presented. */
export interface Hint {
  queryId: string;
  index: number | undefined;
}

/** The query's cost times the number of values in the credentials, at most; about 0.1 s of matching. */
export const MAX_MATCHING_WORK = 500_000;

/** The largest cost of the query of a request; leaves room for presentations of some hundred values. */
export const MAX_QUERY_COST = 2000;

/** The credentials that are presented for one query, and whether they satisfy it. */
export interface Match {
  queryId: string;
  /** Indices of presented credentials. */
  credentials: number[];
  met: boolean;
}

/** A required relation between holder, subjects and issuers, or a limit to what is disclosed, that a presentation breaks. */
export interface BrokenConstraint {
  constraint: string;
  constraintFailureDescription: string;
}

/** What a user is shown of one query. */
export interface QueryFacts {
  id: string;
  /** As the verifier wrote it. */
  name?: string;
  purpose?: string;
  /** Whether a response without a credential for it is refused. */
  isRequired: boolean;
  /** Whether several credentials may be presented for it. */
  isMultiple: boolean;
  /** The accepted formats by their names in the query; none when every format is. */
  formats: string[];
  /** The accepted types; none when every type is, or filters say it. */
  types: string[];
  /** The paths of the claims that are asked for; none where filters say it. */
  claims: (string | number | null)[][];
}

/** A choice between combinations of queries, each by their ids. */
export interface QueryChoice {
  purpose?: string;
  isRequired: boolean;
  options: string[][];
}

/** What a user is shown of a presentation query. */
export interface QueryDescription {
  /** What the presentation is for, as the verifier wrote it. */
  purposes: readonly string[];
  /** In the order of `queryIds`. */
  queries: readonly QueryFacts[];
  choices: readonly QueryChoice[];
}

/** A presentation query with its paths and filters compiled; one query asks for one credential, or for several alike. */
export interface CompiledQuery {
  readonly queryIds: readonly string[];
  /** The queries for which at most one credential may be presented. */
  readonly singleIds: ReadonlySet<string>;
  /** The queries for which a credential may be presented without a signature of its holder. */
  readonly unsignedIds: ReadonlySet<string>;
  /** Bounds the work of matching, see `MAX_MATCHING_WORK`. */
  readonly cost: number;
  /** Why issuers could not be found below the trusted authorities, as sentences. */
  readonly missing?: readonly string[];
  /**
   * Matches the presentations of a response, in the order of `queryIds`. Where hints name credentials for a query, these are presented
   * for it and each of them must satisfy it; without a hint, every credential that satisfies it is.
   */
  match(presentations: readonly QueriedPresentation[], hints: readonly Hint[]): Match[];
  /** Whether the queries that are met are sufficient. */
  isSatisfied(matches: readonly Match[]): boolean;
  /** Whether a selection of what satisfies the queries is sufficient. */
  isAnswerable(matches: readonly Match[]): boolean;
  /** @throws DomainError `BadRequest` when the conditions between the queries are too many */
  describe(): QueryDescription;
  /** Whether a credential satisfies a query, presented for it or not. */
  accepts(queryId: string, credential: QueriedCredential | undefined): boolean;
  /**
   * The places in the claims of a credential that a query asks to see, as long as it satisfies the query; undefined when
   * it asks for the credential as a whole.
   */
  requested(queryId: string, credential: QueriedCredential): ClaimPath[] | undefined;
  /** The same for each way to answer the query, in the verifier's order of preference; `requested` is the first. */
  alternatives(queryId: string, credential: QueriedCredential): (ClaimPath[] | undefined)[];
  /** The first required relation between the presented credentials, or limit of their disclosure, that is broken. */
  brokenConstraint(
    presentations: readonly QueriedPresentation[],
    matches: readonly Match[],
  ): BrokenConstraint | undefined;
}

/** What is known of the issuers of credentials. */
export interface AuthorityCheck extends Required<Pick<CompiledQuery, 'missing'>> {
  /** Whether an issuer is below one of the authorities; one of an unknown kind, or whose list cannot be read, has none. */
  isBelow(issuer: IssuerReference, authorities: readonly TrustedAuthority[]): boolean;
}

/** Knows which issuers trusted authorities stand for. */
export interface AuthoritySource {
  /** Loads what is needed to judge whether the issuers of these credentials are below these authorities. */
  check(authorities: readonly TrustedAuthority[], credentials: readonly QueriedCredential[]): Promise<AuthorityCheck>;
}

/** What queries are compiled with; `locate` returns the path by which errors name the query of an index. */
export interface QueryPorts {
  paths: JsonPaths;
  schemas: Pick<JsonSchemas, 'compile'>;
  formats: CredentialFormats;
  /** Without it no query may name trusted authorities. */
  trust?: AuthoritySource;
  locate?: (index: number) => FieldPath;
}
