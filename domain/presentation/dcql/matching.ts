import type { IssuerReference } from '../../../ports/credential-formats.ts';
import type { ClaimPath } from '../../credentials/disclosure.ts';
import { at, invalidField } from '../../foundation/errors.ts';
import type { JsonObject } from '../../foundation/json.ts';
import type {
  AuthorityCheck,
  CompiledQuery,
  Hint,
  Match,
  QueriedCredential,
  QueriedPresentation,
  QueryDescription,
  QueryPorts,
} from '../matching/compiled-query.ts';
import { locate, select } from './claims-path.ts';
import { isEnough, isNeeded } from './credential-sets.ts';
import { acceptedTypes, isOfType } from './meta.ts';
import type { ClaimQuery, CredentialQuery, DcqlQuery } from './query.ts';

/** A credential query with its values as a set. */
interface CompiledCredential {
  query: CredentialQuery;
  format: string;
  claims: CompiledClaim[];
  /** What the paths of claims begin at (OpenID4VP 1.0 §7): the credential, or the namespaces of an mdoc. */
  rootOf(credential: QueriedCredential): JsonObject;
  /** Absent when every issuer is accepted. */
  isTrusted?: (issuer: IssuerReference) => boolean;
}

interface CompiledClaim extends Pick<ClaimQuery, 'id' | 'path'> {
  values?: ReadonlySet<unknown>;
}

/** What a DCQL query is compiled with; without `isBelow` it may name no trusted authorities. */
interface DcqlPorts extends Pick<QueryPorts, 'formats'> {
  isBelow?: AuthorityCheck['isBelow'];
}

/**
 * Compiles a DCQL query: each credential query is one query. Claims are those of the credential itself, without the
 * claims of the token around it (OpenID4VP 1.0 §B.1.1).
 * @throws DomainError `BadRequest` for a format that requests may not name
 */
export function compileDcql(query: DcqlQuery, ports: DcqlPorts): CompiledQuery {
  const compiled = query.credentials.map((credential, index) =>
    at(['credentials', index], () => compileCredential(credential, ports)),
  );
  const sufficiency = { ids: query.credentials.map(({ id }) => id), sets: query.credentialSets };
  const byId = new Map(compiled.map((one) => [one.query.id, one]));
  const isSatisfied = (found: readonly Match[]): boolean =>
    isEnough(sufficiency, new Set(found.flatMap(({ queryId, met }) => (met ? queryId : []))));
  const alternatives = (queryId: string, credential: QueriedCredential): ClaimPath[][] => {
    const one = byId.get(queryId);
    return one ? requestedClaims(one, credential) : [];
  };
  return {
    queryIds: sufficiency.ids,
    singleIds: new Set(query.credentials.flatMap(({ id, multiple }) => (multiple ? [] : id))),
    unsignedIds: new Set(query.credentials.flatMap(({ id, holderBinding }) => (holderBinding ? [] : id))),
    cost: compiled.reduce((total, one) => total + costOf(one), 0),
    match: (presentations, hints) => {
      const credentials = presentations.flatMap((presentation) => presentation.credentials);
      return compiled.map((one) => matchCredential(one, credentials, hints));
    },
    isSatisfied,
    isAnswerable: isSatisfied,
    describe: () => describe(query),
    accepts: (queryId, credential) => {
      const one = byId.get(queryId);
      return one !== undefined && satisfies(one, credential);
    },
    requested: (queryId, credential) => alternatives(queryId, credential)[0],
    alternatives,
    brokenConstraint: () => undefined,
  };
}

function compileCredential(query: CredentialQuery, { formats, isBelow }: DcqlPorts): CompiledCredential {
  const known = formats.known(query.format);
  if (!known) throw invalidField(['format'], 'cannot be requested');
  const claims = query.claims.map(({ values, ...claim }) => ({
    ...claim,
    ...(values && { values: new Set(values) }),
  }));
  const rootOf = (credential: QueriedCredential) => credential[known.selector === 'doc_type' ? 'claims' : 'document'];
  const { trustedAuthorities: authorities } = query;
  if (!authorities) return { query, format: known.name, claims, rootOf };
  if (!isBelow) throw invalidField(['trusted_authorities'], 'is not supported');
  return { query, format: known.name, claims, rootOf, isTrusted: (issuer) => isBelow(issuer, authorities) };
}

/** A path visits each level of a document once; one with null visits whole levels. */
const costOf = ({ claims, query }: CompiledCredential): number =>
  1 + claims.reduce((sum, { path }) => sum + (path.includes(null) ? 4 : 1), 0) + query.claimSets.flat().length;

/** Where a response states hints, a query without one is not answered: the response names the query of each presentation. */
function matchCredential(
  one: CompiledCredential,
  credentials: QueriedPresentation['credentials'],
  hints: readonly Hint[],
): Match {
  const { id: queryId, multiple } = one.query;
  const answers = (index: number | undefined): index is number =>
    index !== undefined && satisfies(one, credentials[index]);
  if (hints.length === 0) {
    const found = [...credentials.keys()].filter(answers);
    return { queryId, credentials: found, met: found.length > 0 };
  }
  const hinted = hints.filter((hint) => hint.queryId === queryId).map(({ index }) => index);
  const named = [...new Set(hinted.filter((index) => index !== undefined))];
  const isRightNumber = hinted.length > 0 && (multiple || hinted.length === 1);
  return { queryId, credentials: named, met: isRightNumber && hinted.every(answers) };
}

const satisfies = (one: CompiledCredential, credential: QueriedCredential | undefined): boolean =>
  credential !== undefined &&
  credential.format === one.format &&
  isOfType(credential, one.query.meta) &&
  one.isTrusted?.(credential.issuer) !== false &&
  hasClaims(one, one.rootOf(credential));

/** With claim sets one of them must be complete, else every claim must be there (OpenID4VP 1.0 §6.4.1). */
function hasClaims({ claims, query: { claimSets } }: CompiledCredential, document: unknown): boolean {
  if (claimSets.length === 0) return claims.every((claim) => isClaimMet(claim, document));
  const met = new Set(claims.filter((claim) => isClaimMet(claim, document)).map(({ id }) => id));
  return claimSets.some((set) => set.every((id) => met.has(id)));
}

/**
 * The places of the claims of each claim set that is complete, or of all claims; those that their values select
 * where there are any (OpenID4VP 1.0 §6.4.1). None where no claims are asked for: what is always shown is enough.
 */
function requestedClaims(
  { claims, query: { claimSets }, rootOf }: CompiledCredential,
  credential: QueriedCredential,
): ClaimPath[][] {
  const root = rootOf(credential);
  const isMet = (id: string): boolean => claims.some((claim) => claim.id === id && isClaimMet(claim, root));
  const complete = claimSets.filter((set) => set.every(isMet));
  const asked = complete.map((set) => claims.filter(({ id = '' }) => set.includes(id)));
  const outer = Object.keys(credential.claims).filter((name) => credential.claims[name] === root);
  const placesOf = ({ path, values }: CompiledClaim): ClaimPath[] =>
    locate(root, path)
      .filter(({ value }) => values?.has(value) !== false)
      .map(({ path: place }) => [...outer, ...place]);
  return (complete.length === 0 ? [claims] : asked).map((set) => set.flatMap(placesOf));
}

function isClaimMet({ path, values }: CompiledClaim, document: unknown): boolean {
  const selected = select(document, path);
  return values === undefined ? selected.length > 0 : selected.some((value) => values.has(value));
}

function describe({ credentials, credentialSets: sets }: DcqlQuery): QueryDescription {
  const ids = credentials.map(({ id }) => id);
  return {
    purposes: [],
    queries: credentials.map(({ id, format, multiple: isMultiple, meta, claims }) => ({
      id,
      isRequired: isNeeded({ ids, sets }, id),
      isMultiple,
      formats: [format],
      types: acceptedTypes(meta),
      claims: claims.map(({ path }) => [...path]),
    })),
    choices: sets.map(({ required: isRequired, ...set }) => ({ ...set, isRequired })),
  };
}
