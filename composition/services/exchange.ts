import type { Settings } from '../../adapters/config/settings.ts';
import { joseEncryption } from '../../adapters/crypto/message-encryption.ts';
import type { StepServices } from '../../adapters/http/handlers/wallet2/step.ts';
import type { Keys } from '../../domain/holdings/keys.ts';
import { signatureKeys } from '../../domain/jose/key-set.ts';
import { TrustChains } from '../../domain/trust/federation/trust-chains.ts';
import { RegistrationCertificates } from '../../domain/trust/registration-certificates.ts';
import { rootAnchors, type TrustAnchor } from '../../domain/trust/trust-anchors.ts';
import type { DeferredCredentials } from '../../domain/wallet/delivery/deferred-credentials.ts';
import { IssuerNonces } from '../../domain/wallet/issuance/issuer-nonces.ts';
import { OfferAuthorizations } from '../../domain/wallet/issuance/offer-authorizations.ts';
import { PossessionProofs } from '../../domain/wallet/issuance/possession-proofs.ts';
import { ConsentedRequests } from '../../domain/wallet/presentation/consented-requests.ts';
import { LoginTokens } from '../../domain/wallet/presentation/login-tokens.ts';
import { PageRequests } from '../../domain/wallet/presentation/page-requests.ts';
import { PresentationClient } from '../../domain/wallet/presentation/presentation-client.ts';
import { PresentationPlanner } from '../../domain/wallet/presentation/presentation-plan.ts';
import { PresentationRequests } from '../../domain/wallet/presentation/presentation-request.ts';
import { usablePrefixes } from '../../domain/wallet/presentation/request-signature.ts';
import { VerifierEndpoint } from '../../domain/wallet/presentation/verifier-endpoint.ts';
import { VerifierRegistrations } from '../../domain/wallet/presentation/verifier-registration.ts';
import { BatchSteps } from '../../domain/wallet/steps/batch-steps.ts';
import { CredentialSteps } from '../../domain/wallet/steps/credential-steps.ts';
import { PresentingSteps } from '../../domain/wallet/steps/presenting-steps.ts';
import { StepTokens } from '../../domain/wallet/steps/step-tokens.ts';
import { TokenSteps } from '../../domain/wallet/steps/token-steps.ts';
import type { PublishedKey } from '../../ports/published-keys.ts';
import type { Platform } from '../platform/platform.ts';
import { federationAnchors } from '../platform/trust.ts';
import { deferredCredentials, type Recipient, receivingServices, type SharedReceiving } from './wallet-receiving.ts';

/** Who receives and presents: the wallets of accounts, or one wallet of a tenant. */
interface Holder extends Recipient {
  keys: Pick<Keys, 'read'>;
  /** The authorities of verifiers; those of trusted-verifiers.conf when absent. */
  anchors?: readonly TrustAnchor[];
}

/** What holders have in common. */
interface Shared extends SharedReceiving {
  /** Collects what is delivered later to all of them; made for this one when absent. */
  deferred?: DeferredCredentials;
}

/** How holders receive and present. */
export function exchangeServices(platform: Platform, holder: Holder, shared: Shared) {
  const { issuing, ...receiving } = receivingServices(platform, holder, shared);
  const { client, offers, oauth } = receiving;
  const { transactions, access } = shared;
  const presenting = presentingServices(platform, holder);
  const collected = { transactions, offers, access, requests: issuing.requests };
  const deferred = shared.deferred ?? deferredCredentials(platform, collected);
  const authorizing = { ...platform, dids: holder.dids, client, offers, returnUris: returnUris(platform.settings) };
  const authorizations = new OfferAuthorizations(authorizing);
  const stepping = { ...authorizing, directory: shared.directory, tokens: new StepTokens(platform) };
  const proofs = new PossessionProofs(issuing);
  const nonces = new IssuerNonces(platform.outbound);
  const tokenSteps = new TokenSteps({ ...stepping, authorizations, oauth });
  const steps: StepServices = {
    keys: holder.keys,
    offers,
    authorizations,
    tokenSteps,
    batchSteps: new BatchSteps({ ...stepping, tokenSteps, deferred }),
    credentialSteps: new CredentialSteps({ ...issuing, ...stepping, deferred, proofs, nonces }),
    presenting: presenting.steps,
  };
  return { ...receiving, ...presenting, deferred, steps };
}

function presentingServices(platform: Platform, { dids, credentials, policies, anchors }: Holder) {
  const { outbound, activity, clock } = platform;
  const requests = presentationRequests(platform, anchors);
  const consented = new ConsentedRequests({ ...platform, requests });
  const pages = new PageRequests(requests);
  const presenting = { ...platform, dids, credentials, requests, consented, matching: platform };
  const planner = new PresentationPlanner({ ...presenting, policies });
  const verifiers = new VerifierEndpoint({ outbound, encryption: joseEncryption });
  const logins = new LoginTokens({ dids, clock });
  const presentations = new PresentationClient({ requests, consented, pages, planner, verifiers, logins, activity });
  const steps = new PresentingSteps({ ...presenting, planner, presentations });
  return { requests, consented, pages, planner, verifiers, presentations, steps };
}

/** Where logins at issuers may return to. */
const returnUris = ({ publicUrl, wallet }: Settings) => ({
  own: `${publicUrl}/wallet-api/authorization-response`,
  allowed: wallet.redirectUris,
});

/** Reads requests of verifiers, by what trusted-verifiers.conf and wallet-service.conf say. */
function presentationRequests(
  { settings, ...platform }: Platform,
  anchors?: readonly TrustAnchor[],
): PresentationRequests {
  const { trustedVerifiers, wallet } = settings;
  const registrars = rootAnchors(wallet.registrars, platform.certificates);
  const registrations = new RegistrationCertificates({ ...platform, registrars });
  const trust = {
    ...platform,
    resolver: platform.dids,
    verifierAnchors: anchors ?? rootAnchors(trustedVerifiers.certificates, platform.certificates),
    registrations: new VerifierRegistrations({ ...platform, registrations }),
    trustChains: new TrustChains({ ...platform, federations: federationAnchors(trustedVerifiers), most: 1 }),
    attesters: trustedVerifiers.attestationIssuers.map(({ issuer, jwks }) => ({ issuer, keys: keysOf(jwks) })),
    clients: trustedVerifiers.clients.map(({ jwks, ...client }) => ({ ...client, keys: keysOf(jwks) })),
  };
  return new PresentationRequests(
    { ...platform, encryption: joseEncryption, prefixes: usablePrefixes(trust) },
    { ...trust, transactionProfiles: wallet.transactionDataProfiles },
  );
}

const keysOf = (jwks: unknown): PublishedKey[] => signatureKeys(jwks) ?? [];
