import type { JsonObject } from '../../foundation/json.ts';
import type { SessionFlow } from '../protocol.ts';
import type { WrittenPolicies } from './session-policies.ts';

/** What a session asks for, as its creator writes it. */
export interface WrittenCoreFlow {
  /** Of every flow but `dc_api_18013_7`. */
  dcql_query?: JsonObject;
  /** In its place, for wallets of the drafts; of links alone. */
  presentation_definition?: JsonObject;
  /** Names of elements by document type and namespace; of the flow `dc_api_18013_7`. */
  requestedElements?: JsonObject;
  signed_request?: boolean;
  encrypted_response?: boolean;
  notifications?: { webhook: WrittenWebhook };
  /** ISO 8601. */
  expiration_duration?: string;
  /** RFC 3339; comes before the duration. */
  expiration_date?: string;
  policies?: WrittenPolicies;
  client_metadata?: JsonObject;
  clientId?: string;
  sessionId?: string;
  /** A key reference. */
  key?: JsonObject;
  /** Base64 DER or PEM, leaf first. */
  x5c?: string[];
  /** A verifier attestation. */
  verifier_attestation?: string;
  verifier_info?: JsonObject[];
  /** Authorities in PEM. */
  trusted_root_cas?: string[];
}

/** A receiver of the events of a session; basic authentication or a bearer token, not both. */
export interface WrittenWebhook {
  url: string;
  basic_auth_username?: string;
  basic_auth_password?: string;
  bearer_token?: string;
}

/** More of the request; the members below `responseType` are for a login beside the presentations. */
interface WrittenOpenid {
  transactionData?: JsonObject[];
  responseType?: string;
  scope?: string;
  id_token_type?: string;
  id_token_signed_response_alg?: string;
}

/** A session to create (OpenID4VP 1.0). */
export interface WrittenSetup {
  flow_type: SessionFlow;
  core_flow: WrittenCoreFlow;
  url_config?: { url_host?: string; url_prefix?: string };
  openid?: WrittenOpenid;
  redirects?: { success_redirect_uri?: string; error_redirect_uri?: string };
  expectedOrigins?: string[];
  haip?: boolean;
  response_code?: boolean;
}
