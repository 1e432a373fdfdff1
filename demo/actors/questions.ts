import { member, textOf } from '../http-client.ts';
import { type Caller, perform } from '../services.ts';
import { trustList } from './trust-list.ts';
import { createSession, infoOf, sessionOf, startVerification, stateOf } from './verifier.ts';

/** What a verifier asks of one credential, for a request of either generation. */
export interface Question {
  format: string;
  /** The id of the query. */
  id: string;
  /** The document type of an mdoc, which is the id of its input descriptor (ISO 18013-7 Annex B). */
  docType?: string;
  /** `meta` of the DCQL query (OpenID4VP 1.0 §6.1). */
  meta: object;
  /** The claim: its path in the query, the same as JSONPath for a definition. */
  path: string[];
  jsonPath: string;
  /** The certificate of the authority that an mdoc must be issued below, as PEM. */
  authority?: string;
}

/** What came of a question. */
interface Answered {
  isVerified: boolean;
  /** What the verifier saw. */
  seen: unknown;
}

/** A question that was put: the link for the wallet, and what came of it after the wallet's answer. */
interface PutQuestion {
  link: string;
  answered(): Promise<Answered>;
}

const VC_POLICIES = ['signature', 'revoked-status-list'];

/** Asks by a presentation definition (`/openid4vc/verify`), for an encrypted response. */
export async function askByDefinition(caller: Caller, question: Question): Promise<PutQuestion> {
  const { format, jsonPath, authority } = question;
  const id = question.docType ?? question.id;
  const field = { path: [jsonPath], ...(format === 'mso_mdoc' && { intent_to_retain: false }) };
  const constraints = { limit_disclosure: 'required', fields: [field] };
  const json = {
    vp_policies: ['signature', 'presentation-definition'],
    vc_policies: VC_POLICIES,
    ...(authority && { trusted_root_cas: [authority] }),
    request_credentials: [{ format, input_descriptor: { id, format: { [format]: {} }, constraints } }],
  };
  const link = await startVerification(caller, json, { responseMode: 'direct_post.jwt' });
  const state = stateOf(link);
  const answered = async (): Promise<Answered> => ({
    isVerified: member(await sessionOf(caller, state), 'verificationResult') === true,
    seen: await perform(caller, 'getPresentedCredentials', { path: { state } }),
  });
  return { link, answered };
}

/** Asks by a DCQL query (`/verification-session`, OpenID4VP 1.0). A session names its authorities in a policy. */
export async function askByQuery(caller: Caller, question: Question): Promise<PutQuestion> {
  const { format, id, meta, path, authority } = question;
  const query = { id, format, meta, claims: [{ path }] };
  const policies = authority && [
    { policy: 'etsi-trust-list', trustLists: [trustList(authority)], validateSignatures: false },
  ];
  const json = {
    flow_type: 'cross_device',
    core_flow: {
      dcql_query: { credentials: [query] },
      policies: { vc_policies: VC_POLICIES, ...(policies && { specific_vc_policies: { [id]: policies } }) },
    },
  };
  const created = await createSession(caller, json);
  const answered = async (): Promise<Answered> => {
    const body = await infoOf(caller, textOf(created, 'sessionId'));
    const isVerified = textOf(body, 'status') === 'SUCCESSFUL';
    return { isVerified, seen: member(body, ...(isVerified ? ['presented_credentials', id] : ['failure'])) };
  };
  return { link: textOf(created, 'bootstrapAuthorizationRequestUrl'), answered };
}

/** The value of the first member with a name, at any depth. */
export function valueNamed(name: string, within: unknown): unknown {
  if (typeof within !== 'object' || within === null) return undefined;
  if (Object.hasOwn(within, name)) return Reflect.get(within, name);
  for (const inner of Object.values(within)) {
    const found = valueNamed(name, inner);
    if (found !== undefined) return found;
  }
  return undefined;
}
