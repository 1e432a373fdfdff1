import { PeculiarCertificates } from '../../adapters/crypto/certificate-maker.ts';
import { hpke } from '../../adapters/crypto/hpke.ts';
import { joseEncryption } from '../../adapters/crypto/message-encryption.ts';
import { OwfMdocRequests } from '../../adapters/formats/mdoc/mdoc-requests.ts';
import type { VerifierServices } from '../../adapters/http/handlers/verifier.ts';
import type { Verifier2Services } from '../../adapters/http/handlers/verifier2.ts';
import { EventDelivery, RESUME_MS } from '../../domain/events/delivery.ts';
import { EventWatches } from '../../domain/events/event-watches.ts';
import { SelfIssuedTokens } from '../../domain/oauth/self-issued-tokens.ts';
import { NO_OWN_TRUST } from '../../domain/trust/verifier-trust.ts';
import { configuredVerifier, retentionOf } from '../../domain/verifier/configured-verifier.ts';
import { CreateVerification } from '../../domain/verifier/create-verification.ts';
import { EntityConfigurations } from '../../domain/verifier/entity-configuration.ts';
import type { PresentationVerifier, VerifierSigner } from '../../domain/verifier/presentation-verifier.ts';
import { ReceiveResponse } from '../../domain/verifier/receive-response.ts';
import { RequestComposer } from '../../domain/verifier/request-composer.ts';
import { type ConfiguredRequestKey, RequestSigning } from '../../domain/verifier/request-signing.ts';
import { ResponseEncryption } from '../../domain/verifier/response-encryption.ts';
import { ResultCallback, resultBody, sessionOf } from '../../domain/verifier/result.ts';
import { ResultHandover } from '../../domain/verifier/result-handover.ts';
import { VerificationSessionRepository } from '../../domain/verifier/session-repository.ts';
import { ClientSigning } from '../../domain/verifier/sessions/client-signing.ts';
import { CreateSession } from '../../domain/verifier/sessions/create-session.ts';
import { MdocFlow } from '../../domain/verifier/sessions/mdoc-flow.ts';
import { PresentationSessionRepository } from '../../domain/verifier/sessions/repository.ts';
import { RequestEndpoint } from '../../domain/verifier/sessions/request-endpoint.ts';
import { ResponseEndpoint } from '../../domain/verifier/sessions/response-endpoint.ts';
import { ResponseEvaluation } from '../../domain/verifier/sessions/response-evaluation.ts';
import { SessionEvents } from '../../domain/verifier/sessions/session-events.ts';
import { DEFAULT_POLICIES } from '../../domain/verifier/sessions/session-policies.ts';
import { SessionResults } from '../../domain/verifier/sessions/session-results.ts';
import { SetupReader } from '../../domain/verifier/sessions/setup-reader.ts';
import { SignedRequests } from '../../domain/verifier/signed-requests.ts';
import { Verification } from '../../domain/verifier/verification.ts';
import type { VerifierProfile } from '../../domain/verifier/verifier-profile.ts';
import { WalletStarted } from '../../domain/verifier/wallet-started.ts';
import type { Platform } from '../platform/platform.ts';
import { requestKeyOf, sanDnsOf } from '../platform/request-signing.ts';
import { configuredDocuments } from './issuers.ts';

/** What the verifier serves, and what reads the setups of its sessions. */
export interface VerifierArea extends VerifierServices, Verifier2Services {
  setups: SetupReader;
}

/** The verifier services, which serve any verifier, and the verifier of the open endpoints. */
export function verifierServices(platform: Platform): VerifierArea {
  const sessions = new VerificationSessionRepository(platform);
  const composer = new RequestComposer({
    ...platform,
    roots: platform.trust,
    documents: configuredDocuments(platform),
  });
  const verification = new Verification({ ...platform, matching: platform, maxAgeMs: presentationAgeMs(platform) });
  const watches = new EventWatches({ ...platform, name: 'verification' });
  const profile = openVerifier(platform);
  const handover = new ResultHandover({ ...platform, sessions });
  const bodyOf = (log: string) => resultBody(sessions, log);
  const taken = (log: string) => handover.delivered(profile, sessionOf(log).id);
  const delivery = new EventDelivery({
    ...platform,
    ...platform.settings.outbound.callbacks,
    name: 'verification',
    bodyOf,
    taken,
    stored: watches.note.bind(watches),
  });
  platform.background.every(RESUME_MS, 'verification events', () => delivery.resume());
  const callback = new ResultCallback({ ...platform, delivery });
  const encryption = new ResponseEncryption({ ...platform, encryption: joseEncryption });
  const configured = requestKeyOf(platform.settings);
  const signing = new RequestSigning({ ...platform, maker: new PeculiarCertificates(), configured });
  const creation = new CreateVerification({ ...platform, composer, sessions, encryption });
  return {
    profile,
    creation,
    responses: new ReceiveResponse({ ...platform, sessions, verification, callback, encryption }),
    sessions,
    handover,
    transactionDataProfiles: platform.settings.verifier.transactionDataProfiles,
    requests: new SignedRequests({ ...platform, sessions, signing }),
    signing,
    walletStarted: new WalletStarted({ creation }),
    formats: platform.formats,
    ...sessionServices(platform, { verification, delivery, encryption, configured }),
    watches,
  };
}

/** What both generations share. */
interface SessionParts {
  verification: Verification;
  delivery: EventDelivery;
  encryption: ResponseEncryption;
  configured: ConfiguredRequestKey | undefined;
}

/** Verification sessions of OpenID4VP 1.0. */
function sessionServices(
  platform: Platform,
  { verification, delivery, encryption, configured }: SessionParts,
): Omit<Verifier2Services, 'watches'> & Pick<VerifierArea, 'setups'> {
  const sessions = new PresentationSessionRepository(platform);
  const events = new SessionEvents({ ...platform, delivery });
  const mdocFlow = new MdocFlow({ ...platform, mdocRequests: new OwfMdocRequests({ hpke }) });
  const reader = new SetupReader({ ...platform, signing: new ClientSigning(platform) });
  const evaluation = new ResponseEvaluation({ verification, tokens: new SelfIssuedTokens(platform) });
  return {
    setups: reader,
    verifier: openPresentationVerifier(platform, configured),
    sessionCreation: new CreateSession({ ...platform, sessions, reader, encryption, mdocFlow, events }),
    presentationSessions: sessions,
    requestEndpoint: new RequestEndpoint({ ...platform, sessions, mdocFlow, events, encryption: joseEncryption }),
    responseEndpoint: new ResponseEndpoint({ ...platform, sessions, evaluation, encryption, mdocFlow, events }),
    sessionResults: new SessionResults({ ...platform, sessions, events }),
    entityConfigurations: new EntityConfigurations(platform),
  };
}

/** The verifier of the open endpoints of OpenID4VP 1.0, as verifier-service.conf describes it. */
function openPresentationVerifier(
  { settings: { publicUrl, verifier }, keys, serverKeys }: Platform,
  configured: ConfiguredRequestKey | undefined,
): PresentationVerifier {
  const { x509SanDnsClientId: host } = verifier;
  const { certificates: x5c = [], reference: key } = configured ?? {};
  const clientId = verifier.clientId ?? (x5c.length > 0 && host !== undefined ? `x509_san_dns:${host}` : undefined);
  const federationKey = verifier.federation?.key;
  const signer = async (): Promise<VerifierSigner> => ({
    reference: key ? await keys.read(key) : await serverKeys.reference('verifier'),
    x5c,
  });
  return configuredVerifier(
    { ...verifier, clientId },
    {
      id: 'open',
      target: '',
      baseUrl: async () => `${publicUrl}/verification-session`,
      signer,
      listedPolicies: async (listed = DEFAULT_POLICIES) => listed,
      trust: async () => NO_OWN_TRUST,
      entity: {
        id: async () => publicUrl,
        key: async () => (federationKey ? keys.read(federationKey) : (await signer()).reference),
      },
    },
  );
}

/** How long ago presentations may have been signed, in milliseconds. */
export const presentationAgeMs = ({ settings: { verifier } }: Platform): number =>
  verifier.presentationMaxAgeSeconds * 1000;

/** The verifier of the open endpoints. */
const openVerifier = ({ settings }: Platform): VerifierProfile => ({
  id: 'open',
  target: '',
  version: 'draft20',
  baseUrl: `${settings.publicUrl}/openid4vc`,
  client: { scheme: 'redirect_uri' },
  identifier: settings.publicUrl,
  sanDns: sanDnsOf(settings),
  needsHolder: settings.verifier.requireHolderBinding,
  retention: retentionOf(settings.verifier),
});
