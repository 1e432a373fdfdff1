import type { CredentialFormats } from '../../credentials/formats.ts';
import type { StatusListMember } from '../../credentials/status-list-kinds.ts';
import type { JsonObject } from '../../foundation/json.ts';
import type { CredentialConfiguration } from '../configurations/credential-configuration.ts';
import type { CredentialIssuer } from '../credential-issuer.ts';
import type { IssuanceRequest } from '../offers/issuance-request.ts';
import type { SessionWebhook } from '../sessions/issuance-history.ts';

/** Who signs the credentials of a profile: members of an issuance request. */
export interface ProfileSigner {
  /** A key reference; a secret. Absent when the key is the one that the server creates. */
  issuerKey?: JsonObject;
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
}

/** Who receives the events of an issuance, as profiles and offers write it. */
export interface Notifications {
  webhook: { url: string; bearerToken?: string; signingSecret?: string };
}

/** A named way to issue the credentials of one configuration. */
export interface IssuanceProfile {
  id: string;
  name: string;
  configuration: CredentialConfiguration;
  signer: ProfileSigner;
  content: ProfileContent;
  /** Whether a credential is made when the wallet asks a second time. */
  isDeferred: boolean;
  notifications?: Notifications;
}

/** Profiles by their ids. */
export type IssuanceProfiles = ReadonlyMap<string, IssuanceProfile>;

/** A profile as the operator writes it. */
export interface WrittenProfile extends ProfileSigner, ProfileContent {
  name: string;
  credentialConfigurationId: string;
  deferred?: boolean;
  notifications?: Notifications;
}

/** The file issuer2-profiles.conf. */
export interface WrittenProfiles {
  defaultIssuerKey?: JsonObject;
  defaultIssuerDid?: string;
  defaultIssuerX5chain?: string[];
  profiles?: Record<string, WrittenProfile>;
}

/** What profiles are read for. */
export interface ProfileOptions {
  issuer: CredentialIssuer;
  formats: CredentialFormats;
}

/** The members of the issuance request of a profile that its format reads. */
export function contentMembers(
  { configuration }: Pick<IssuanceProfile, 'configuration'>,
  { credentialData, credentialStatus, ...content }: ProfileContent,
  formats: CredentialFormats,
): Omit<IssuanceRequest, 'issuerKey'> {
  const isMdoc = formats.get(configuration.format).selector === 'doc_type';
  const data = isMdoc
    ? { mdocData: credentialData as Record<string, JsonObject>, mdocStatus: credentialStatus }
    : { credentialData, credentialStatus };
  return { ...content, ...data, credentialConfigurationId: configuration.id };
}

/** How the members of an mdoc are named in a profile. */
export const PROFILE_PLACES = { mdocData: ['credentialData'], mdocStatus: ['credentialStatus'] };

/** The webhook in the form of the events of a session. */
export const webhookOf = (notifications: Notifications | undefined): SessionWebhook | undefined =>
  notifications && {
    url: notifications.webhook.url,
    bearerToken: notifications.webhook.bearerToken,
    signingSecrets:
      notifications.webhook.signingSecret === undefined ? undefined : [notifications.webhook.signingSecret],
  };
