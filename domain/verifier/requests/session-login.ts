import { invalidField } from '../../foundation/errors.ts';
import type { JsonObject } from '../../foundation/json.ts';
import { ALGORITHMS } from '../../jose/key-types.ts';
import { SUBJECT_SYNTAX_TYPES } from '../../oauth/self-issued-tokens.ts';
import { hasSameValues, LOGIN_REQUEST, spaced } from '../../presentation/login-requests.ts';
import type { SessionLogin } from '../protocol.ts';
import type { WrittenSetup } from './setup.ts';

const { RESPONSE_TYPE, SCOPE, TOKEN_TYPES } = LOGIN_REQUEST;
const MEMBERS = ['scope', 'id_token_type', 'id_token_signed_response_alg'] as const;

/** The members of the client metadata that say which ID tokens are accepted. */
export const LOGIN_METADATA = ['subject_syntax_types_supported', 'id_token_signed_response_alg'] as const;

/**
 * Reads whether a session asks for a self-issued ID token beside the presentations (OpenID4VP 1.0 §8, SIOPv2 draft 13 §9).
 * @throws DomainError `BadRequest` naming the member of `openid`
 */
export function readLogin({ flow_type: flow, haip, openid = {} }: WrittenSetup): SessionLogin | undefined {
  const { responseType, scope, id_token_type: tokenType, id_token_signed_response_alg: signingAlg } = openid;
  if (responseType === undefined || !hasSameValues(responseType, RESPONSE_TYPE)) {
    const foreign = MEMBERS.find((name) => openid[name] !== undefined);
    if (foreign !== undefined) throw invalidField([foreign], `is for the responseType ${RESPONSE_TYPE} only`);
    return undefined;
  }
  if (flow !== 'cross_device') throw invalidField(['responseType'], `must be vp_token for the flow ${flow}`);
  if (haip) throw invalidField(['responseType'], 'must be vp_token by HAIP');
  if (scope === undefined || !spaced(scope).includes(SCOPE)) throw invalidField(['scope'], `must contain ${SCOPE}`);
  if (tokenType === undefined || !TOKEN_TYPES.some((type) => type === tokenType))
    throw invalidField(['id_token_type'], `must be ${TOKEN_TYPES.join(' or ')}`);
  if (signingAlg !== undefined && !ALGORITHMS.includes(signingAlg))
    throw invalidField(['id_token_signed_response_alg'], `must be one of ${ALGORITHMS.join(', ')}`);
  return { scope, tokenType, ...(signingAlg !== undefined && { signingAlg }) };
}

/** What wallets learn of the ID tokens that are accepted. */
export const loginMetadata = ({ signingAlg }: SessionLogin): JsonObject => ({
  subject_syntax_types_supported: SUBJECT_SYNTAX_TYPES,
  ...(signingAlg !== undefined && { id_token_signed_response_alg: signingAlg }),
});
