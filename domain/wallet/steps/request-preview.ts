import type { ClaimPath } from '../../credentials/disclosure.ts';
import { disclosureOf, isWithin } from '../../credentials/disclosure.ts';
import { type EvaluatedPolicy, evaluatePolicy, type ProvenAsker } from '../../credentials/disclosure-policy.ts';
import { base64url } from '../../foundation/bytes.ts';
import { countValues, isObject, isText, type JsonObject } from '../../foundation/json.ts';
import { parseJson } from '../../foundation/strict-json.ts';
import { lineOf } from '../../foundation/texts.ts';
import type { StoredCredential } from '../../holdings/credentials.ts';
import { ENCRYPTION } from '../../jose/encryption-algorithms.ts';
import { httpUrl } from '../../network/urls.ts';
import type { CompiledQuery, Match } from '../../presentation/matching/compiled-query.ts';
import type { TransactionData } from '../../presentation/transaction-data.ts';
import {
  type ClientProof,
  clientProof,
  type RequestParameters,
  type ResolvedRequest,
  responseAddress,
} from '../presentation/presentation-request.ts';
import { askerOf, registrationOf } from '../presentation/proven-verifier.ts';
import { metadataOf, recipientOf, recipientThumbprint } from '../presentation/response-recipient.ts';
import { claimChoice } from '../presentation/selection.ts';
import type { ShownRegistration } from '../presentation/verifier-registration.ts';

/** A claim that a presentation discloses, or may. */
interface PreviewedClaim {
  path: ClaimPath;
  name?: string;
  value: unknown;
  selectivelyDisclosable: boolean;
  required: boolean;
  selectable: boolean;
}

/** A credential that satisfies a query. */
interface CredentialOption {
  queryId: string;
  credentialId: string;
  multiple: boolean;
  format: string;
  issuer?: string;
  subject?: string;
  label?: string;
  credentialData: JsonObject;
  disclosures: PreviewedClaim[];
  /** Absent when its issuer published none. */
  disclosurePolicy?: EvaluatedPolicy;
}

/** What a verifier says of itself. */
interface StatedVerifier {
  name?: string;
  logoUri?: string;
  clientUri?: string;
  policyUri?: string;
  termsOfServiceUri?: string;
}

/** A request with what the wallet has for it. */
export interface RequestPreview {
  request: JsonObject;
  clientId?: string;
  proof: ClientProof;
  registration?: ShownRegistration;
  verifier: StatedVerifier;
  responseUri: string;
  state?: string;
  nonce?: string;
  encryption?: { alg: string; enc: string; kid?: string; thumbprint: string };
  transactions: readonly TransactionData[];
  options: CredentialOption[];
  requirements: string[][][];
}

/** What is matched for a request. */
interface Matched {
  query: CompiledQuery;
  matches: readonly Match[];
  credentials: readonly StoredCredential[];
}

/** The most values of credentials in one preview; a long text counts by its length. */
const MAX_VALUES = 20_000;
const MAX_NAME = 200;

/** Previews a request. @throws DomainError `BadRequest` for one that cannot be answered */
export function previewOf(request: ResolvedRequest, matched: Matched): RequestPreview {
  const { params } = request;
  const recipient = recipientOf(params);
  const { kid } = recipient?.jwk ?? {};
  return {
    request: shownRequest(params),
    ...member('clientId', params.get('client_id')),
    proof: clientProof(request),
    ...registrationOf(request),
    verifier: statedVerifier(metadataOf(params)),
    responseUri: responseAddress(request),
    ...member('state', params.get('state')),
    ...member('nonce', params.get('nonce')),
    ...(recipient && {
      encryption: {
        alg: ENCRYPTION.ALG,
        enc: recipient.enc,
        ...(isText(kid) && { kid }),
        thumbprint: base64url(recipientThumbprint(recipient)),
      },
    }),
    transactions: request.transactions,
    options: optionsOf(matched, askerOf(request)),
    requirements: requirementsOf(matched.query),
  };
}

/** The parameters of a request, those that are JSON as such. */
export const shownRequest = (params: RequestParameters['params']): JsonObject =>
  Object.fromEntries([...params].map(([name, text]) => [name, /^[[{]/.test(text) ? jsonOr(text) : text]));

function jsonOr(text: string): unknown {
  try {
    return parseJson(text);
  } catch {
    return text;
  }
}

function statedVerifier(metadata: JsonObject): StatedVerifier {
  const { client_name: name, logo_uri: logo, client_uri: client, policy_uri: policy, tos_uri: terms } = metadata;
  return {
    ...(isText(name) && { name: lineOf(name, MAX_NAME) }),
    ...webAddress('logoUri', logo),
    ...webAddress('clientUri', client),
    ...webAddress('policyUri', policy),
    ...webAddress('termsOfServiceUri', terms),
  };
}

const webAddress = (name: keyof StatedVerifier, value: unknown): StatedVerifier =>
  httpUrl(value) ? { [name]: String(value) } : {};

const member = <N extends string>(name: N, text: string | undefined): { [K in N]?: string } =>
  (text ? { [name]: text } : {}) as { [K in N]?: string };

/** The credentials of each query, until the preview is full. */
function optionsOf({ query, matches, credentials }: Matched, asker: ProvenAsker): CredentialOption[] {
  let values = 0;
  return matches.flatMap(({ queryId, credentials: found }) =>
    found.flatMap((place) => {
      const credential = credentials[place];
      values += countValues(credential?.parsed?.claims);
      return credential && values <= MAX_VALUES ? optionOf(credential, queryId, { query, asker }) : [];
    }),
  );
}

function optionOf(
  credential: StoredCredential,
  queryId: string,
  { query, asker }: { query: CompiledQuery; asker: ProvenAsker },
): CredentialOption[] {
  const { id, format, parsed, label, disclosurePolicy: policy } = credential;
  if (!parsed) return [];
  return [
    {
      queryId,
      credentialId: id,
      multiple: !query.singleIds.has(queryId),
      format,
      issuer: parsed.issuer.id,
      ...(parsed.subject !== undefined && { subject: parsed.subject }),
      ...(label !== undefined && { label }),
      credentialData: parsed.document,
      disclosures: disclosuresOf(credential, { parsed, alternatives: query.alternatives(queryId, parsed) }),
      ...(policy && { disclosurePolicy: evaluatePolicy(policy, asker) }),
    },
  ];
}

/** What is always shown, and of what can be withheld the claims that a query asks for. */
function disclosuresOf(
  { display }: StoredCredential,
  {
    parsed,
    alternatives,
  }: { parsed: NonNullable<StoredCredential['parsed']>; alternatives: (ClaimPath[] | undefined)[] },
): PreviewedClaim[] {
  const nameOf = (path: ClaimPath): { name?: string } => {
    const described = display?.claims.find(
      (claim) =>
        claim.path.length === path.length && claim.path.every((part, place) => part === null || part === path[place]),
    );
    const label = described?.labels.find(({ locale }) => locale === undefined) ?? described?.labels[0];
    return label ? { name: label.name } : {};
  };
  const choice = claimChoice(alternatives);
  const canBeWithheld = (path: ClaimPath): boolean =>
    parsed.withholdable?.some((outer) => isWithin(path, outer) || isWithin(outer, path)) ?? false;
  const always = disclosureOf(parsed, choice ? [] : undefined).disclosed;
  const asked = [
    ...(choice?.required ?? []).map((path) => ({ path, required: true })),
    ...(choice?.selectable ?? []).map((path) => ({ path, required: false })),
  ].filter(({ path }) => canBeWithheld(path));
  return [
    ...always.map(({ path, value }) => ({
      path,
      ...nameOf(path),
      value,
      selectivelyDisclosable: canBeWithheld(path),
      required: true,
      selectable: false,
    })),
    ...asked.map(({ path, required }) => ({
      path,
      ...nameOf(path),
      value: valueAt(parsed.claims, path),
      selectivelyDisclosable: true,
      required,
      selectable: !required,
    })),
  ];
}

function valueAt(claims: unknown, path: ClaimPath): unknown {
  return (
    path.reduce<unknown>(
      (value, part) => (isObject(value) || Array.isArray(value) ? Reflect.get(value, part) : null),
      claims,
    ) ?? null
  );
}

/** What must be answered: each query, or of each required choice one option. */
function requirementsOf(query: CompiledQuery): string[][][] {
  const { choices } = query.describe();
  if (choices.length === 0) return query.queryIds.map((id) => [[id]]);
  return choices.filter(({ isRequired }) => isRequired).map(({ options }) => options);
}
