import { CallerSchemas } from '../../adapters/json/json-schemas.ts';
import type { JsonObject } from '../../domain/foundation/json.ts';
import type { CompiledQuery } from '../../domain/presentation/compiled-query.ts';
import type { CredentialSubject, PolicyContext, PresentationSubject } from '../../domain/verifier/policies/policy.ts';
import type { ParsedCredential, Presentation } from '../../ports/credential-formats.ts';
import type { Outbound } from '../../ports/outbound.ts';
import { silentLog } from './silent-log.ts';
import { testTrustLists } from './trust-lists.ts';

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

const none = (): Promise<never> => Promise.reject(new Error('there are no keys in this test'));
const NO_KEYS = { dids: { key: none }, issuers: { keys: none } };

/** What policies are run with, over the credentials of one response that no query asked for. */
export function policyContext(
  members: Partial<PolicyContext> = {},
  credentials: readonly ParsedCredential[] = [],
): PolicyContext {
  const response = { query: openQuery, matches: [], presentations: [presentationOf([...credentials])], credentials };
  return {
    now: 0,
    response,
    schemas: new CallerSchemas(),
    outbound: noOutbound,
    log: silentLog,
    trustLists: testTrustLists(),
    ...members,
  };
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
  brokenConstraint: () => undefined,
};
