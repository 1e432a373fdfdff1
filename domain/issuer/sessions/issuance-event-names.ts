import { OPENID4VCI } from '../../credentials/openid4vci.ts';

/** The grants of a token request, by their names in events. */
const GRANTS = {
  authorization_code: 'authorization_code',
  [OPENID4VCI.PRE_AUTHORIZED]: 'pre_authorized_code',
  refresh_token: 'refresh_token',
} as const;

type Outcome = 'succeeded' | 'failed';
type GrantName = (typeof GRANTS)[keyof typeof GRANTS];

/** The events of sessions of OpenID4VCI 1.0. Sessions of the drafts have the contract's seven events (interface: Issuance callbacks). */
export type IssuanceEventName =
  | 'credential_offer_created'
  | 'credential_offer_retrieved'
  | `pushed_authorization_request_${Outcome}`
  | `authorization_request_${Outcome}`
  | 'token_request_failed'
  | `token_request_${GrantName}_${Outcome}`
  | `nonce_request_${Outcome}`
  | 'credential_request_failed'
  | `credential_request_${string}_succeeded`
  | 'issuance_status_changed';

/** The event of a token request; one whose grant is unknown can only fail. */
export function tokenRequestEvent(grantType: string, outcome: Outcome): IssuanceEventName {
  return isKey(GRANTS, grantType) ? `token_request_${GRANTS[grantType]}_${outcome}` : 'token_request_failed';
}

const isKey = <T extends object>(table: T, name: string | undefined): name is keyof T & string =>
  name !== undefined && Object.hasOwn(table, name);
