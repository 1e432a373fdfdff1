import { Rfc9535Paths } from '../../../adapters/json/json-paths.ts';
import { CallerSchemas } from '../../../adapters/json/json-schemas.ts';
import { WholePatterns } from '../../../adapters/json/whole-patterns.ts';
import { isDomainError } from '../../../domain/foundation/errors.ts';
import type { JsonObject } from '../../../domain/foundation/json.ts';
import type { CompiledQuery } from '../../../domain/presentation/matching/compiled-query.ts';
import type {
  CredentialSubject,
  PolicyContext,
  PolicyPorts,
  PolicyResult,
  PresentationSubject,
  Subject,
} from '../../../domain/verifier/policies/policy.ts';
import { readPolicies } from '../../../domain/verifier/policies/read.ts';
import { runPolicies } from '../../../domain/verifier/policies/run.ts';
import type { ParsedCredential, Presentation } from '../../../ports/credential-formats.ts';
import type { Outbound } from '../../../ports/outbound.ts';
import { silentLog } from '../servers/silent-log.ts';
import { testTrustLists } from '../trust/trust-lists.ts';
import { testFormats } from './formats.ts';

/** An outbound port that refuses every call. */
export const noOutbound: Outbound = {
  check: () => {},
  send: () => Promise.reject(new Error('nothing is called in this test')),
};

const EMPTY = { claims: {}, document: {}, validity: { starts: [], ends: [] } };

/** A parsed credential with a valid signature. */
export const parsedCredential = (members: Partial<ParsedCredential> = {}): ParsedCredential => ({
  ...EMPTY,
  format: 'jwt_vc_json',
  type: 'Degree',
  alg: 'ES256',
  issuer: { kind: 'did', id: 'did:example:issuer' },
  status: [],
  verifyIssuer: async () => ({ valid: true }),
  ...members,
});

/** A presentation of credentials. */
export const presentationOf = (credentials: ParsedCredential[], members: Partial<Presentation> = {}): Presentation => ({
  ...EMPTY,
  format: 'jwt_vp_json',
  type: 'VerifiablePresentation',
  alg: 'ES256',
  holder: 'did:example:holder',
  binding: { kind: 'none' },
  holderFrom: 'presentation',
  credentials,
  ...members,
});

/** A credential to run policies on; its claims are its document, unless it has one. */
export function vcSubject(members: Partial<ParsedCredential> = {}, presentation?: Presentation): CredentialSubject {
  const document: JsonObject = members.document ?? members.claims ?? {};
  const credential = parsedCredential({ document, ...members });
  const { claims, validity, verifyIssuer } = credential;
  const shown = presentation ?? presentationOf([credential]);
  const checkSignature = () => verifyIssuer(NO_KEYS);
  return { scope: 'vc', claims, document, validity, credential, presentation: shown, checkSignature };
}

/** A presentation to run policies on. */
export function vpSubject(credentials: ParsedCredential[], members: Partial<Presentation> = {}): PresentationSubject {
  const presentation = presentationOf(credentials, members);
  const { claims, document, validity } = presentation;
  const subjects = credentials.map((credential) => vcSubject(credential, presentation));
  const checkSignature = async () => ({ valid: true }) as const;
  return { scope: 'vp', claims, document, validity, presentation, credentials: subjects, checkSignature };
}

function none(): Promise<never> {
  return Promise.reject(new Error('nothing is looked up in this test'));
}
const NO_KEYS = { dids: { key: none }, issuers: { keys: none } };

/** What policies work with when nothing is looked up. */
export const policyPorts: PolicyPorts = {
  schemas: new CallerSchemas(),
  paths: new Rfc9535Paths(),
  patterns: new WholePatterns(),
  statuses: { entries: none, lookUp: none },
  ruleEngine: { evaluate: none },
  outbound: noOutbound,
  formats: testFormats,
  log: silentLog,
  trustLists: testTrustLists(),
};

/** What policies are run with, over the credentials of one response that no query asked for. */
export function policyContext(
  members: Partial<PolicyContext> = {},
  credentials: readonly ParsedCredential[] = [],
): PolicyContext {
  const response = { query: openQuery, matches: [], presentations: [presentationOf([...credentials])], credentials };
  return { now: 0, response, ...policyPorts, ...members };
}

/** A query that anything satisfies. */
const openQuery: CompiledQuery = {
  queryIds: [],
  singleIds: new Set(),
  unsignedIds: new Set(),
  cost: 0,
  match: () => [],
  isSatisfied: () => true,
  isAnswerable: () => true,
  describe: () => ({ purposes: [], queries: [], choices: [] }),
  accepts: () => true,
  requested: () => undefined,
  alternatives: () => [undefined],
  brokenConstraint: () => undefined,
};

/** A policy as a caller lists it, and what it is run on. */
export interface PolicyTrial {
  args?: unknown;
  /** More members of the policy, as the newer generation writes them. */
  inline?: JsonObject;
  subject?: Subject;
  /** Everything that is presented; the credential or credentials of the subject when absent. */
  credentials?: readonly ParsedCredential[];
  context?: Partial<PolicyContext>;
}

/** Reads and runs one policy; an argument that cannot be read rejects. */
export async function tryPolicy(
  name: string,
  {
    args,
    inline,
    subject = vcSubject(),
    credentials = subject.presentation.credentials,
    context = {},
  }: PolicyTrial = {},
): Promise<PolicyResult> {
  const given = policyContext(
    context,
    credentials.map((one) => parsedCredential(one)),
  );
  const policy = { policy: name, ...(args !== undefined && { args }), ...inline };
  const requests = await readPolicies({ list: [policy], scope: subject.scope, ports: given });
  const [line] = await runPolicies({ requests, subject, context: given });
  if (!line) throw new Error('There is no result');
  return line;
}

/** The path and message of the field that reading a policy refuses; undefined when it is read. */
export async function refusedField(name: string, trial: PolicyTrial = {}): Promise<string | undefined> {
  try {
    await tryPolicy(name, trial);
    return undefined;
  } catch (error) {
    if (!isDomainError(error)) throw error;
    return error.message;
  }
}
