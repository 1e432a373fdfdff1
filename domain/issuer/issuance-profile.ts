import type { StatusListMember } from '../credentials/formats/status-list-kinds.ts';
import { invalidField } from '../foundation/errors.ts';
import type { JsonObject } from '../foundation/json.ts';
import type { SecurityProfile } from '../oauth/authorization-policy.ts';
import type { AttributeSource, WrittenAttributeSource } from './attribute-source.ts';
import type { CredentialConfiguration } from './credential-configuration.ts';
import type { TypedContent } from './credential-type.ts';
import type { AuthenticationMethod } from './issuance-grant.ts';

/** Who signs the credentials of a profile: members of an issuance request. */
export interface ProfileSigner {
  /**
   * A key reference, a secret; or the name of a key that the issuer has the reference of. Absent when the key is the one
   * that the server creates.
   */
  issuerKey?: JsonObject | string;
  issuerDid?: string;
  /** Certificates as PEM, leaf first. */
  x5Chain?: string[];
}

/** What the credentials of a profile consist of; an offer may change it. */
export interface ProfileContent {
  /** The data of a credential, or the element values of an mdoc by namespace. */
  credentialData: JsonObject;
  mapping?: JsonObject;
  selectiveDisclosure?: JsonObject;
  credentialStatus?: JsonObject;
  statusList?: StatusListMember;
  /** The types of transaction data that the holder's key of an mdoc may sign. */
  authorizedTransactionDataTypes?: string[];
  /** The types of elements of an mdoc by namespace, where they are not those that the namespace has. */
  mDocNameSpacesDataMappingConfig?: JsonObject;
  /** How long an mdoc is valid. */
  mdocValidityDays?: number;
  /** Claims of the holder's login, and the members of the data that they become. */
  idTokenClaimsMapping?: Record<string, string>;
}

/** Who receives the events of an issuance, as profiles and offers write it. */
export interface Notifications {
  webhook: { url: string; bearerToken?: string; signingSecret?: string };
}

/** A receiver of the events of a session. */
export interface SessionWebhook {
  url: string;
  /** A secret. */
  bearerToken?: string;
  /** Secrets under which the events are signed: one, or two while it is replaced. */
  signingSecrets?: string[];
}

/** A named way to issue the credentials of one configuration. */
export interface IssuanceProfile {
  id: string;
  name: string;
  configuration: CredentialConfiguration;
  signer: ProfileSigner;
  content: ProfileContent;
  /** Whether the certificates of the demo signer are those of its key. */
  hasDemoSigner?: boolean;
  /** Whether a credential is made when the wallet asks a second time. */
  isDeferred: boolean;
  notifications?: Notifications;
  access: ProfileAccess;
  /** Where the attributes of a person come from when a credential is made. */
  source?: AttributeSource;
  /** Of a profile that follows from a credential type: offers have the values of its claims as their data. */
  typed?: TypedContent;
}

/** Who gets the credential of a profile. */
export interface ProfileAccess {
  /** What is demanded of wallets, where that is more than OPEN demands. */
  securityProfile?: Exclude<SecurityProfile, 'OPEN'>;
  /** How the holder is authenticated at the authorization endpoint; not at all when absent. */
  authenticationMethod?: Extract<AuthenticationMethod, 'NONE' | 'PWD'>;
  /** Whether wallets get it without an offer. */
  walletInitiated?: boolean;
}

/** Profiles by their ids. */
export type IssuanceProfiles = ReadonlyMap<string, IssuanceProfile>;

/** A profile as the operator writes it. */
export interface WrittenProfile extends ProfileSigner, ProfileContent, ProfileAccess {
  name: string;
  credentialConfigurationId: string;
  deferred?: boolean;
  notifications?: Notifications;
  attributeSource?: WrittenAttributeSource;
  typed?: TypedContent;
}

/** The file issuer2-profiles.conf. */
export interface WrittenProfiles {
  defaultIssuerKey?: JsonObject | string;
  defaultIssuerDid?: string;
  defaultIssuerX5chain?: string[];
  profiles?: Record<string, WrittenProfile>;
  /** Those that follow from credential types, beside the others. */
  typeProfiles?: Record<string, WrittenProfile>;
}

/**
 * Checks the signer of a profile of HAIP: an SD-JWT VC names its issuer by certificates (HAIP 1.0 §6.1.1).
 * @throws DomainError `BadRequest`
 */
export function checkSigner(
  { configuration, access }: Pick<IssuanceProfile, 'configuration' | 'access'>,
  { x5Chain }: ProfileSigner,
): void {
  if (access.securityProfile === 'HAIP' && !x5Chain && configuration.facts.selector === 'vct')
    throw invalidField(['x5Chain'], 'is required by HAIP for an SD-JWT VC');
}

/** The webhook in the form of the events of a session. */
export const webhookOf = (notifications: Notifications | undefined): SessionWebhook | undefined =>
  notifications && {
    url: notifications.webhook.url,
    bearerToken: notifications.webhook.bearerToken,
    signingSecrets:
      notifications.webhook.signingSecret === undefined ? undefined : [notifications.webhook.signingSecret],
  };
