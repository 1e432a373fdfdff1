import type { KeyReference, PublicJwk } from '../../ports/key-service.ts';
import type { JsonObject } from '../foundation/json.ts';
import type { TransactionDataProfile } from '../presentation/transaction-data.ts';
import type { VerifierTrust } from '../trust/verifier-trust.ts';
import type { DraftEndpoints, VerifierEntity } from './protocol.ts';

/** The key of a verifier and its certificates, in PEM or base64, leaf first. */
export interface VerifierSigner {
  reference: KeyReference;
  x5c: readonly string[];
  /** Every key by which wallets verify requests of now, where that is not this one alone. */
  verifying?: readonly PublicJwk[];
  /** Whether the key can be removed while sessions wait. */
  isRemovable?: boolean;
}

/** What is stored of presentations, and how long (verifier-service.conf). */
interface Retention {
  /** How long outcomes are stored, in milliseconds. */
  ms: number;
  /** Whether what was presented is deleted when the verifier has received it; handles of the credentials are kept. */
  presented: 'keep' | 'deleteOnHandover';
}

/** A verifier: a value that is passed to the services with each call. */
export interface Verifier {
  /** Unique in a store. Sessions belong to one id and are unknown to all others. */
  id: string;
  /** What its sessions are listed by, without a slash; '' for the verifier of the open endpoints. */
  target: string;
  /** The URL above the endpoints for wallets, without a trailing slash. */
  baseUrl(): Promise<string>;
  /** The start of links for wallets where a session names none. */
  walletUrl: string;
  /** Who signs the requests of sessions that bring no key. @throws DomainError `BadRequest` naming `key` when it has no key */
  signer(): Promise<VerifierSigner>;
  /** Its endpoints of the drafts; absent when it has none. */
  draft20?: DraftEndpoints;
  /** The name of the verifier in signed requests of sessions that bring none. */
  clientId?: string;
  /** Absent when it is in no federation. */
  entity?: VerifierEntity;
  /** What wallets show of the verifier, where a session says nothing else. */
  clientMetadata?: JsonObject;
  /** What others state about the verifier, such as its registration certificate. */
  verifierInfo?: JsonObject[];
  transactionDataProfiles: readonly TransactionDataProfile[];
  /**
   * The policies for every credential of a session that lists these, or none; policies of the verifier's own are replaced
   * by what they stand for. @throws DomainError `BadRequest` naming the element
   */
  listedPolicies(listed: readonly unknown[] | undefined): Promise<readonly unknown[]>;
  /** Whom it believes, besides those whom the server believes. */
  trust(): Promise<VerifierTrust>;
  retention: Retention;
  /** Sees each verification before the wallet has its answer. @throws DomainError: then it is not concluded */
  witness?(verified: { sessionId: string; isAccepted: boolean }): Promise<void>;
}

/** A verifier that has endpoints of the drafts. */
export type DraftVerifier = Verifier & Required<Pick<Verifier, 'draft20'>>;

/** What verifier-service.conf, and the configuration of a tenant's verifier, say of a verifier of OpenID4VP 1.0. */
export interface VerifierConfiguration {
  clientId?: string;
  /** The start of links for wallets. */
  urlHost?: string;
  clientMetadata?: JsonObject;
  verifierInfo?: JsonObject[];
  transactionDataProfiles?: TransactionDataProfile[];
  retentionSeconds?: number;
  presentedData?: Retention['presented'];
  /** Its place in a federation; how its own key is named depends on the file. */
  federation?: { authorityHints: string[]; trustChain?: string[] };
}

/** What a verifier is besides its configuration. */
type VerifierPlace = Pick<Verifier, 'id' | 'target' | 'baseUrl' | 'signer' | 'listedPolicies' | 'trust' | 'witness'> & {
  /** What it is as an entity, if its configuration has a place for it in a federation. */
  entity: Pick<VerifierEntity, 'id' | 'key'>;
};

/** The start of links for wallets that a wallet on the device opens (OpenID4VP 1.0 §13.1.2). */
const WALLET_URL = 'openid4vp://authorize';
const DAY_SECONDS = 86_400;

/** Makes a verifier of its configuration. */
export const configuredVerifier = (configuration: VerifierConfiguration, place: VerifierPlace): Verifier => {
  const { urlHost = WALLET_URL, clientId, clientMetadata, verifierInfo, transactionDataProfiles = [] } = configuration;
  const { federation } = configuration;
  return {
    ...place,
    entity: federation && {
      ...place.entity,
      authorityHints: federation.authorityHints,
      trustChain: federation.trustChain,
    },
    walletUrl: urlHost,
    clientId,
    clientMetadata,
    verifierInfo,
    transactionDataProfiles,
    retention: retentionOf(configuration),
  };
};

/** What a configuration says of retention. */
const retentionOf = ({
  retentionSeconds = DAY_SECONDS,
  presentedData = 'keep',
}: Pick<VerifierConfiguration, 'retentionSeconds' | 'presentedData'>): Retention => ({
  ms: retentionSeconds * 1000,
  presented: presentedData,
});
