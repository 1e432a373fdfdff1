import { PeculiarCertificates } from '../../adapters/crypto/certificate-maker.ts';
import { joseEncryption } from '../../adapters/crypto/message-encryption.ts';
import { strictCsv } from '../../adapters/csv/csv-tables.ts';
import { OwfCwtProofs } from '../../adapters/formats/mdoc/cwt-proofs.ts';
import type { IssuerServices } from '../../adapters/http/handlers/issuer.ts';
import type { Issuer2Services } from '../../adapters/http/handlers/issuer2.ts';
import type { Openid4vciServices } from '../../adapters/http/handlers/openid4vci.ts';
import type { StatusAdministrationServices } from '../../adapters/http/handlers/status-administration.ts';
import { EventDelivery, RESUME_MS } from '../../domain/events/delivery.ts';
import type { EventLogs } from '../../domain/events/event-logs.ts';
import { EventWatches } from '../../domain/events/event-watches.ts';
import { AttributeTables } from '../../domain/issuer/attributes/attribute-tables.ts';
import { Attributes } from '../../domain/issuer/attributes/attributes.ts';
import { CredentialEncryption } from '../../domain/issuer/endpoints/credential-encryption.ts';
import { CredentialEndpoint } from '../../domain/issuer/endpoints/credential-endpoint.ts';
import { CredentialMaker } from '../../domain/issuer/endpoints/credential-maker.ts';
import { DeferredEndpoint } from '../../domain/issuer/endpoints/deferred-endpoint.ts';
import { DeferredIssuances } from '../../domain/issuer/endpoints/deferred-issuances.ts';
import { HolderProofs } from '../../domain/issuer/endpoints/holder-proofs.ts';
import { MetadataSigning } from '../../domain/issuer/endpoints/metadata-signing.ts';
import { NotificationEndpoint } from '../../domain/issuer/endpoints/notification-endpoint.ts';
import { NotificationIds } from '../../domain/issuer/endpoints/notification-ids.ts';
import { TokenEndpoint } from '../../domain/issuer/endpoints/token-endpoint.ts';
import { Recipients } from '../../domain/issuer/issued/recipients.ts';
import { ContentReader } from '../../domain/issuer/offers/content-reader.ts';
import { CredentialBuilder } from '../../domain/issuer/offers/credential-builder.ts';
import { CredentialOffers } from '../../domain/issuer/offers/offers.ts';
import { RawSigning } from '../../domain/issuer/offers/raw-signing.ts';
import { StatusListCreation } from '../../domain/issuer/offers/status-list-creation.ts';
import { CertificateOnboarding } from '../../domain/issuer/onboarding/certificate-onboarding.ts';
import { IssuerDids } from '../../domain/issuer/onboarding/issuer-dids.ts';
import { IssuerKeys } from '../../domain/issuer/onboarding/issuer-keys.ts';
import { Onboarding } from '../../domain/issuer/onboarding/onboarding.ts';
import { IssuanceContents } from '../../domain/issuer/sessions/issuance-contents.ts';
import { IssuanceEvents } from '../../domain/issuer/sessions/issuance-events.ts';
import { IssuanceHistories } from '../../domain/issuer/sessions/issuance-history.ts';
import { ItemLeases } from '../../domain/issuer/sessions/item-leases.ts';
import { EndpointNonces, GrantNonces, type NonceSources } from '../../domain/issuer/sessions/proof-nonces.ts';
import { RedeliverableCredentials } from '../../domain/issuer/sessions/redeliverable-credentials.ts';
import { SessionRemoval } from '../../domain/issuer/sessions/session-removal.ts';
import { IssuanceSessionRepository, issuanceRecords } from '../../domain/issuer/sessions/session-repository.ts';
import { ServerSecret } from '../../domain/keys/server-secret.ts';
import { SessionHandles } from '../../domain/oauth/session-handles.ts';
import { SingleUseNonces } from '../../domain/oauth/single-use-nonces.ts';
import type { Platform } from '../platform/platform.ts';
import { authorizationServices, grantServices } from './authorization-server.ts';
import { issuanceManagement } from './issuance-management.ts';
import { type OpenIssuers, openIssuers } from './issuers.ts';

/** What serves issuers. */
export type IssuerArea = IssuerServices &
  Openid4vciServices &
  Issuer2Services &
  Pick<StatusAdministrationServices, 'creation'> & {
    issuers: OpenIssuers;
    removal: SessionRemoval;
    /** The names of sessions in offers. */
    handles: SessionHandles;
  };

/** The issuer services, which serve any issuer, and the issuer of the open endpoints. */
export function issuerServices(platform: Platform): IssuerArea {
  const issuers = openIssuers(platform);
  const records = issuanceRecords(platform.store);
  const { watches, delivery } = eventServices(platform, records.logs);
  const events = new IssuanceEvents({ ...platform, delivery });
  const histories = new IssuanceHistories({ ...platform, delivery });
  const sessions = new IssuanceSessionRepository({ ...platform, records, histories });
  const keys = new IssuerKeys(platform);
  const issuerDids = new IssuerDids(keys, platform.dids);
  const reader = new ContentReader({ ...platform, issuerDids, issuerKeys: keys });
  const proofNonces = new SingleUseNonces(platform);
  const nonces = nonceSources(platform, sessions, proofNonces);
  const handleSecret = new ServerSecret(platform, 'session handles');
  const grants = grantServices(platform, handleSecret);
  const { tokens } = grants;
  const handles = new SessionHandles({ ...platform, secret: handleSecret });
  const contents = new IssuanceContents(platform);
  const leases = new ItemLeases({ ...platform, sessions, nonces });
  const proofs = new HolderProofs({ ...platform, cwts: new OwfCwtProofs() });
  const builder = new CredentialBuilder({ ...platform, statusEntries: platform.issuedLists.entries });
  const copies = new RedeliverableCredentials(platform);
  const notificationIds = new NotificationIds(platform);
  const { records: issuedRecords } = platform.issuedLists;
  const sources = attributeServices(platform);
  const making = { leases, contents, ...sources, builder, copies, events, notificationIds, issuedRecords };
  const maker = new CredentialMaker({ ...platform, ...making });
  const deferrals = new DeferredIssuances(platform);
  const offers = new CredentialOffers({ ...platform, reader, contents, handles, sessions, events });
  const recipients = new Recipients({ sessions, issuedRecords });
  const management = issuanceManagement(platform, { offers, sessions, keys, recipients, tables: sources.tables });
  const { profileOffers: profiles } = management;
  return {
    issuers,
    handles,
    ...creation(platform, { keys, issuerDids }),
    offers,
    tokenEndpoint: new TokenEndpoint({ ...platform, ...grants, sessions, handles, nonces, events }),
    signing: new RawSigning({ ...platform, issuerDids, builder }),
    credentialEndpoint: new CredentialEndpoint({ ...platform, tokens, leases, proofs, maker, deferrals }),
    deferredEndpoint: new DeferredEndpoint({ ...platform, tokens, leases, deferrals, maker }),
    notificationEndpoint: new NotificationEndpoint({ tokens, sessions, copies, events, notificationIds, deferrals }),
    ...management,
    ...authorizationServices(platform, { ...grants, sessions, nonces, events, offers, profiles }),
    proofNonces,
    keys,
    ...metadata(platform, keys),
    watches,
    removal: new SessionRemoval({ sessions, contents }),
  };
}

/** Where the attributes of credentials are from. */
function attributeServices(platform: Platform): { tables: AttributeTables; attributes: Attributes } {
  const tables = new AttributeTables({ ...platform, csv: strictCsv });
  return { tables, attributes: new Attributes({ ...platform, tables }) };
}

/** Delivers the events of issuances. */
function eventServices(platform: Platform, logs: EventLogs): { watches: EventWatches; delivery: EventDelivery } {
  const name = 'issuance';
  const watches = new EventWatches({ ...platform, logs, name });
  const { callbacks } = platform.settings.outbound;
  const delivery = new EventDelivery({ ...platform, ...callbacks, logs, name, stored: watches.note.bind(watches) });
  platform.background.every(RESUME_MS, 'issuance events', () => delivery.resume());
  return { watches, delivery };
}

/** How issuers and their status lists are created. */
const creation = (
  platform: Platform,
  { keys, issuerDids }: { keys: IssuerKeys; issuerDids: IssuerDids },
): Pick<IssuerServices, 'onboarding' | 'certificateOnboarding'> & Pick<StatusAdministrationServices, 'creation'> => ({
  onboarding: new Onboarding({ ...platform, issuers: keys }),
  certificateOnboarding: new CertificateOnboarding({ ...platform, maker: new PeculiarCertificates() }),
  creation: new StatusListCreation({
    ...platform,
    issuerDids,
    issuerKeys: keys,
    statusEntries: platform.issuedLists.entries,
  }),
});

const nonceSources = (
  platform: Platform,
  sessions: IssuanceSessionRepository,
  nonces: SingleUseNonces,
): NonceSources => ({ grant: new GrantNonces({ ...platform, sessions }), endpoint: new EndpointNonces({ nonces }) });

/** What the issuer of OpenID4VCI 1.0 publishes, and how its wallets encrypt. */
function metadata(
  platform: Platform,
  issuerKeys: IssuerKeys,
): Pick<Openid4vciServices, 'encryption' | 'metadataSigning'> {
  const encryption = new CredentialEncryption({ ...platform, encryption: joseEncryption });
  return { encryption, metadataSigning: new MetadataSigning({ ...platform, issuerKeys }) };
}
