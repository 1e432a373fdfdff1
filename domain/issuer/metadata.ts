import type { JsonObject } from '../foundation/json.ts';
import type { CredentialConfigurations } from './configurations.ts';
import { PRE_AUTHORIZED } from './token-endpoint.ts';

/** What the published metadata is made from. */
export interface MetadataParts {
  /** Without a trailing slash. */
  publicUrl: string;
  display: JsonObject[];
  configurations: CredentialConfigurations;
}

/** The credential issuer identifier of the OpenID4VCI draft 13 endpoints. */
export const issuerIdentifier = (publicUrl: string): string => `${publicUrl}/draft13`;

/** RFC 8414, with OpenID4VCI draft 13 §11.3. */
export interface AuthorizationServerDocument {
  issuer: string;
  token_endpoint: string;
  jwks_uri: string;
  grant_types_supported: string[];
  response_types_supported: string[];
  [member: string]: unknown;
}

/** OpenID Connect Discovery 1.0 §3, for clients that look there for the authorization server. */
export interface OpenidProviderDocument extends AuthorizationServerDocument {
  authorization_endpoint: string;
  subject_types_supported: string[];
  id_token_signing_alg_values_supported: string[];
}

/** OpenID4VCI draft 13 §11.2.3; the authorization server's members are repeated for wallets that look here only. */
export interface IssuerDocument extends AuthorizationServerDocument {
  credential_issuer: string;
  credential_endpoint: string;
  credential_configurations_supported: Record<string, JsonObject>;
}

/** The metadata documents of the issuer; nothing in them changes while the process lives. */
export class IssuerMetadata {
  readonly issuer: IssuerDocument;
  readonly authorizationServer: AuthorizationServerDocument;
  readonly openidProvider: OpenidProviderDocument;
  /** SD-JWT VC §5: where the keys of this issuer are. */
  readonly jwtVcIssuer: { issuer: string; jwks_uri: string };

  constructor({ publicUrl, display, configurations }: MetadataParts) {
    const issuer = issuerIdentifier(publicUrl);
    const jwks_uri = `${issuer}/jwks`;
    const supported = [...configurations].map(([id, { metadata }]) => [id, metadata]);
    this.jwtVcIssuer = { issuer, jwks_uri };
    this.authorizationServer = {
      issuer,
      token_endpoint: `${issuer}/token`,
      jwks_uri,
      grant_types_supported: [PRE_AUTHORIZED],
      response_types_supported: [],
      authorization_details_types_supported: ['openid_credential'],
      token_endpoint_auth_methods_supported: ['none'],
      'pre-authorized_grant_anonymous_access_supported': true,
    };
    this.openidProvider = {
      ...this.authorizationServer,
      authorization_endpoint: `${issuer}/authorize`,
      subject_types_supported: ['public'],
      // No response type leads to an ID token; the list must still be there, with RS256 in it.
      id_token_signing_alg_values_supported: ['RS256'],
    };
    this.issuer = {
      ...this.authorizationServer,
      credential_issuer: issuer,
      authorization_servers: [issuer],
      credential_endpoint: `${issuer}/credential`,
      ...(display.length > 0 ? { display } : {}),
      credential_configurations_supported: Object.fromEntries(supported),
    };
  }
}
