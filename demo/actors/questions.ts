import { ask, member, textOf } from '../http-client.ts';
import { trustList } from './trust-list.ts';
import { DemoVerification } from './verifier.ts';

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
export interface Answered {
  isVerified: boolean;
  /** What the verifier saw. */
  seen: unknown;
}

/** A question that was put: the link for the wallet, and what came of it after the wallet's answer. */
export interface PutQuestion {
  link: string;
  answered(): Promise<Answered>;
}

const VC_POLICIES = ['signature', 'revoked-status-list'];

/** Asks by a presentation definition (`/openid4vc/verify`), for an encrypted response. */
export async function askByDefinition(verifierUrl: string, question: Question): Promise<PutQuestion> {
  const { format, jsonPath, authority } = question;
  const id = question.docType ?? question.id;
  const field = { path: [jsonPath], ...(format === 'mso_mdoc' && { intent_to_retain: false }) };
  const constraints = { limit_disclosure: 'required', fields: [field] };
  const verification = await DemoVerification.start(verifierUrl, {
    responseMode: 'direct_post.jwt',
    json: {
      vp_policies: ['signature', 'presentation-definition'],
      vc_policies: VC_POLICIES,
      ...(authority && { trusted_root_cas: [authority] }),
      request_credentials: [{ format, input_descriptor: { id, format: { [format]: {} }, constraints } }],
    },
  });
  const answered = async (): Promise<Answered> => ({
    isVerified: member(await verification.session(), 'verificationResult') === true,
    seen: await verification.presented(),
  });
  return { link: verification.url.href, answered };
}

/** Asks by a DCQL query (`/verification-session`, OpenID4VP 1.0). A session names its authorities in a policy. */
export async function askByQuery(verifierUrl: string, question: Question): Promise<PutQuestion> {
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
  const { body: created } = await ask(`${verifierUrl}/verification-session/create`, { json });
  const info = `${verifierUrl}/verification-session/${textOf(created, 'sessionId')}/info`;
  const answered = async (): Promise<Answered> => {
    const { body } = await ask(info);
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
