import type { Turns } from '../../../ports/system.ts';
import { type Claim, disclosureOf } from '../../credentials/disclosure.ts';
import { type EvaluatedPolicy, evaluatePolicy, type ProvenAsker } from '../../credentials/disclosure-policy.ts';
import { at } from '../../foundation/errors.ts';
import { countValues, isObject, isText, type JsonObject } from '../../foundation/json.ts';
import { parseJson } from '../../foundation/strict-json.ts';
import type { Credentials, StoredCredential } from '../../holdings/credentials.ts';
import { httpUrl } from '../../network/urls.ts';
import type {
  CompiledQuery,
  Match,
  QueryChoice,
  QueryFacts,
  QueryPorts,
} from '../../presentation/matching/compiled-query.ts';
import type { TransactionData } from '../../presentation/transaction-data.ts';
import { sanitizeReason } from '../protocol-client.ts';
import { type ConsentedRequests, consentTo } from './consented-requests.ts';
import type { RequestedLogin } from './login-tokens.ts';
import { type ClientProof, clientProof, type ResolvedRequest, responseHost } from './presentation-request.ts';
import { askerOf, registrationOf } from './proven-verifier.ts';
import { candidates, compileFor } from './submission.ts';
import type { ShownRegistration } from './verifier-registration.ts';

/** Who asks, by the request's own account. */
interface StatedVerifier {
  clientId?: string;
  name?: string;
  /** Never fetched by the wallet. */
  logoUri?: string;
  /** Host and port of the address that receives the answer. */
  responseHost: string;
}

/** A credential that satisfies a query, and what its presentation discloses. */
interface DescribedCredential {
  id: string;
  type: string;
  format: string;
  issuer: string;
  isWhole: boolean;
  disclosed: Claim[];
  withheld: Claim[];
  /** Absent when its issuer published none. */
  disclosurePolicy?: EvaluatedPolicy;
}

/** One query with the credentials of the wallet that satisfy it. */
interface DescribedQuery extends QueryFacts {
  credentials: DescribedCredential[];
  /** How many more satisfy it and are left out of the list. */
  omitted: number;
}

/** What a user has to know to answer a request. */
export interface RequestDescription {
  /** What an answer repeats to agree to exactly this. */
  consent: string;
  verifier: StatedVerifier;
  proof: ClientProof;
  /** Absent when the verifier states none that the wallet could verify. */
  registration?: ShownRegistration;
  purposes: string[];
  isAnswerable: boolean;
  /** Milliseconds since the epoch. */
  expiresAt?: number;
  queries: DescribedQuery[];
  choices: QueryChoice[];
  /** What the user would authorize, as the verifier wrote it. */
  transactions: Pick<TransactionData, 'type' | 'queryIds' | 'content'>[];
  /** The login that is asked for, with a DID of the user's choice. */
  login?: RequestedLogin;
}

/** The most values of credentials in one description; a long text counts by its length. */
const MAX_VALUES = 20_000;

/** Describes presentation requests for the user who decides on them. */
export class RequestDescriptions {
  constructor(
    private readonly parts: {
      credentials: Credentials;
      consented: ConsentedRequests;
      matching: QueryPorts;
      turns: Turns;
    },
  ) {}

  /**
   * Keeps the request for its answer. Errors name the link as `link`.
   * @throws DomainError as `PresentationRequests.resolve`, `BadRequest` for one that cannot be answered
   */
  async describe(walletId: string, link: string): Promise<RequestDescription> {
    return this.of(walletId, await this.parts.consented.show(walletId, link));
  }

  /** Describes a request that was read. @throws DomainError `BadRequest` */
  async of(walletId: string, request: ResolvedRequest): Promise<RequestDescription> {
    const { credentials, matching, turns } = this.parts;
    const { expiresAt, login } = request;
    const verifier = statedVerifier(request);
    const usable = await credentials.usable(walletId);
    const compiled = await compileFor(request.query, { matching, credentials: usable });
    const matches = await at(['link'], () => candidates(compiled, usable, turns));
    const { purposes, queries, choices } = compiled.describe();
    return {
      consent: consentTo(request),
      verifier,
      proof: clientProof(request),
      ...registrationOf(request),
      purposes: [...new Set(purposes.map(sanitizeReason))],
      isAnswerable: compiled.isAnswerable(matches),
      expiresAt,
      queries: describeQueries(queries, { matches, usable, query: compiled, asker: askerOf(request) }),
      transactions: request.transactions.map(({ type, queryIds, content }) => ({
        type: sanitizeReason(type),
        queryIds,
        content,
      })),
      login,
      choices: choices.map((choice) => ({ ...choice, ...sanitized(choice, 'purpose') })),
    };
  }
}

const sanitized = <N extends string>(from: { [K in N]?: string }, name: N): { [K in N]?: string } => {
  const text: string | undefined = from[name];
  return text === undefined ? {} : ({ [name]: sanitizeReason(text) } as { [K in N]?: string });
};

function statedVerifier(request: ResolvedRequest): StatedVerifier {
  const { params } = request;
  const { client_name: name, logo_uri: logoUri } = readMetadata(params.get('client_metadata'));
  const clientId = params.get('client_id');
  return {
    ...(clientId !== undefined && { clientId: sanitizeReason(clientId) }),
    ...(isText(name) && { name: sanitizeReason(name) }),
    ...(httpUrl(logoUri) && { logoUri: String(logoUri) }),
    responseHost: responseHost(request),
  };
}

/** Metadata that cannot be read states nothing: it is not needed to answer. */
function readMetadata(text: string | undefined): JsonObject {
  try {
    const value = text === undefined ? {} : parseJson(text);
    return isObject(value) ? value : {};
  } catch {
    return {};
  }
}

/** A query and the credentials that satisfy it. */
interface Answerable {
  query: Pick<CompiledQuery, 'requested'>;
  matches: readonly Match[];
  usable: readonly StoredCredential[];
  asker: ProvenAsker;
}

/** Lists credentials in the order of the queries until the description is full; the rest is counted. */
function describeQueries(queries: readonly QueryFacts[], answerable: Answerable): DescribedQuery[] {
  const { matches, usable } = answerable;
  let values = 0;
  const hasRoom = ({ parsed }: StoredCredential): boolean => {
    values += countValues(parsed?.claims);
    return values <= MAX_VALUES;
  };
  return queries.map((facts, index): DescribedQuery => {
    const found = (matches[index]?.credentials ?? []).flatMap((place) => usable[place] ?? []);
    const shown = found.filter(hasRoom).flatMap((credential) => describeCredential(credential, facts.id, answerable));
    const texts = { ...sanitized(facts, 'name'), ...sanitized(facts, 'purpose') };
    return { ...facts, ...texts, credentials: shown, omitted: found.length - shown.length };
  });
}

function describeCredential(
  { id, format, parsed, disclosurePolicy: policy }: StoredCredential,
  queryId: string,
  { query, asker }: Answerable,
): DescribedCredential[] {
  if (!parsed) return [];
  const disclosure = disclosureOf(parsed, query.requested(queryId, parsed));
  const evaluated = policy ? { disclosurePolicy: evaluatePolicy(policy, asker) } : {};
  return [{ id, type: parsed.type, format, issuer: parsed.issuer.id, ...disclosure, ...evaluated }];
}
