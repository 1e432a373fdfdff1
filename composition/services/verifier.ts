import { PeculiarCertificates } from '../../adapters/crypto/certificate-maker.ts';
import { hpke } from '../../adapters/crypto/hpke.ts';
import { joseEncryption } from '../../adapters/crypto/message-encryption.ts';
import { OwfMdocRequests } from '../../adapters/formats/mdoc/mdoc-requests.ts';
import type { VerifierServices } from '../../adapters/http/handlers/verifier.ts';
import type { Verifier2Services } from '../../adapters/http/handlers/verifier2.ts';
import { EventDelivery, RESUME_MS } from '../../domain/events/delivery.ts';
import { EventWatches } from '../../domain/events/event-watches.ts';
import { ServerSecret } from '../../domain/keys/server-secret.ts';
import { SelfIssuedTokens } from '../../domain/oauth/self-issued-tokens.ts';
import { SessionHandles } from '../../domain/oauth/session-handles.ts';
import { SERVER_TRUST } from '../../domain/trust/verifier-trust.ts';
import { VicalCheck } from '../../domain/trust/vical-check.ts';
import { ResponseEncryption } from '../../domain/verifier/openid4vp/response-encryption.ts';
import { CreateSession } from '../../domain/verifier/requests/create-session.ts';
import { EntityConfigurations } from '../../domain/verifier/requests/entity-configuration.ts';
import { OwnCertificates } from '../../domain/verifier/requests/own-certificates.ts';
import { RequestComposer } from '../../domain/verifier/requests/request-composer.ts';
import { RequestEndpoint } from '../../domain/verifier/requests/request-endpoint.ts';
import { RequestIds } from '../../domain/verifier/requests/request-ids.ts';
import { RequestSigning } from '../../domain/verifier/requests/request-signing.ts';
import { DEFAULT_POLICIES } from '../../domain/verifier/requests/session-policies.ts';
import { SetupReader } from '../../domain/verifier/requests/setup-reader.ts';
import { resultBody, SessionEvents, sessionOf } from '../../domain/verifier/verification/events.ts';
import { ResultPurge } from '../../domain/verifier/verification/purge.ts';
import { ResponseReceiver } from '../../domain/verifier/verification/receive.ts';
import { SessionRepository, verificationRecords } from '../../domain/verifier/verification/repository.ts';
import { Verification } from '../../domain/verifier/verification/verification.ts';
import { configuredVerifier, type DraftVerifier, type VerifierSigner } from '../../domain/verifier/verifier.ts';
import type { Platform } from '../platform/platform.ts';
import { requestKeyOf, sanDnsOf } from '../platform/request-signing.ts';
import { configuredDocuments } from './issuers.ts';

/** What the verifier serves, and what reads the setups of its sessions. */
export interface VerifierArea extends VerifierServices, Verifier2Services {
  verifier: DraftVerifier;
  setups: SetupReader;
  vicalCheck: VicalCheck;
}

/** The verifier services, which serve any verifier, and the verifier of the open endpoints. */
export function verifierServices(platform: Platform): VerifierArea {
  const verifier = openVerifier(platform);
  const records = verificationRecords(platform.store);
  const { logs } = records;
  const watches = new EventWatches({ ...platform, logs, name: 'verification' });
  const delivery = new EventDelivery({
    ...platform,
    ...platform.settings.outbound.callbacks,
    name: 'verification',
    logs,
    bodyOf: (log) => resultBody(sessions, log),
    taken: async (log) => results.delivered(verifier, await sessionOf(sessions, log)),
    stored: watches.note.bind(watches),
  });
  platform.background.every(RESUME_MS, 'verification events', () => delivery.resume());
  const events = new SessionEvents({ ...platform, delivery });
  const sessions = new SessionRepository({ ...platform, records, events });
  const results = new ResultPurge({ ...platform, sessions });
  const encryption = new ResponseEncryption({ ...platform, encryption: joseEncryption });
  const mdocRequests = new OwfMdocRequests({ hpke });
  const verification = new Verification({ ...platform, matching: platform, maxAgeMs: presentationAgeMs(platform) });
  const tokens = new SelfIssuedTokens(platform);
  const receiving = { sessions, verification, tokens, encryption, mdocRequests, events };
  return {
    ...requestServices(platform, { sessions, encryption, mdocRequests }),
    verifier,
    sessions,
    responses: new ResponseReceiver({ ...platform, ...receiving }),
    results,
    formats: platform.formats,
    entityConfigurations: new EntityConfigurations(platform),
    clock: platform.clock,
    watches,
    vicalCheck: new VicalCheck(platform),
  };
}

/** What requests are made with. */
interface RequestParts {
  sessions: SessionRepository;
  encryption: ResponseEncryption;
  mdocRequests: OwfMdocRequests;
}

/** Creates sessions, and gives wallets their requests. */
function requestServices(platform: Platform, { encryption, ...parts }: RequestParts) {
  const documents = configuredDocuments(platform);
  const composer = new RequestComposer({ ...platform, roots: platform.trust, documents });
  const ownCertificates = new OwnCertificates({ ...platform, maker: new PeculiarCertificates() });
  const signing = new RequestSigning({ ...platform, ownCertificates });
  const setups = new SetupReader({ ...platform, signing });
  const handles = new SessionHandles({ ...platform, secret: new ServerSecret(platform, 'session handles') });
  const requestIds = new RequestIds({ ...parts, handles });
  return {
    signing,
    setups,
    requestIds,
    creation: new CreateSession({ ...platform, ...parts, requestIds, encryption, composer, reader: setups }),
    requestEndpoint: new RequestEndpoint({ ...platform, ...parts, signing, encryption: joseEncryption }),
  };
}

/** The verifier of the open endpoints, as verifier-service.conf describes it. */
function openVerifier({ settings, keys, serverKeys }: Platform): DraftVerifier {
  const { publicUrl, verifier } = settings;
  const { x509SanDnsClientId: host } = verifier;
  const { certificates: x5c = [], reference: key } = requestKeyOf(settings) ?? {};
  const clientId = verifier.clientId ?? (x5c.length > 0 && host !== undefined ? `x509_san_dns:${host}` : undefined);
  const federationKey = verifier.federation?.key;
  const signer = async (): Promise<VerifierSigner> => {
    if (key) return { reference: await keys.read(key), x5c };
    const reference = await serverKeys.reference('verifier');
    return { reference, x5c, verifying: await serverKeys.verifyingKeys('verifier', undefined) };
  };
  const open = configuredVerifier(
    { ...verifier, clientId },
    {
      id: 'open',
      target: '',
      baseUrl: async () => `${publicUrl}/verification-session`,
      signer,
      listedPolicies: async (listed = DEFAULT_POLICIES) => listed,
      trust: async () => SERVER_TRUST,
      entity: {
        id: async () => publicUrl,
        key: async () => (federationKey ? keys.read(federationKey) : (await signer()).reference),
      },
    },
  );
  const client = { scheme: 'redirect_uri' } as const;
  const needsHolder = verifier.requireHolderBinding;
  const baseUrl = `${publicUrl}/openid4vc`;
  return { ...open, draft20: { baseUrl, client, identifier: publicUrl, sanDns: sanDnsOf(settings), needsHolder } };
}

/** How long ago presentations may have been signed, in milliseconds. */
export const presentationAgeMs = ({ settings: { verifier } }: Platform): number =>
  verifier.presentationMaxAgeSeconds * 1000;
