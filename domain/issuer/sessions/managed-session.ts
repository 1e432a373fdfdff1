import type { SecurityProfile } from '../../oauth/authorization-policy.ts';
import type { SessionWebhook } from '../issuance-profile.ts';
import type { LoginClaim } from './login-claims.ts';

/** What an offer is in the files of who makes it. Neither wallets nor events get it. */
export interface OfferFile {
  /** The maker's own name of the case. */
  reference?: string;
  /** For whom it is; it can be removed alone. */
  recipient?: string;
}

/** What the management of OpenID4VCI 1.0 keeps of a session beside the protocol. */
export interface ManagedSession {
  profileId: string;
  /** The version of the credential type that the profile follows from. */
  typeVersion?: number;
  authMethod: 'PRE_AUTHORIZED' | 'AUTHORIZED';
  /** What is demanded of its clients, where that is more than its issuer demands. */
  securityProfile?: SecurityProfile;
  webhook?: SessionWebhook;
  /** The claims of a login that become members of the credential. */
  loginClaims?: LoginClaim[];
  /** Whether its profile has a source of attributes, which is asked when a credential is made. */
  hasSource?: boolean;
  /** The digest of the request: only the same one gets the offer again. */
  request: string;
  file?: OfferFile;
  /** The name of the offer; set when the session is created. */
  reference?: string;
}
