import type { JsonObject } from '../foundation/json.ts';
import type { TransactionDataProfile } from '../presentation/transaction-data.ts';
import type { PresentationVerifier, Retention, VerifierEntity } from './presentation-verifier.ts';

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
export type VerifierPlace = Pick<
  PresentationVerifier,
  'id' | 'target' | 'baseUrl' | 'signer' | 'listedPolicies' | 'trust'
> & {
  /** What it is as an entity, if its configuration has a place for it in a federation. */
  entity: Pick<VerifierEntity, 'id' | 'key'>;
};

/** The start of links for wallets that a wallet on the device opens (OpenID4VP 1.0 §13.1.2). */
const WALLET_URL = 'openid4vp://authorize';
const DAY_SECONDS = 86_400;

/** Makes a verifier of its configuration. */
export const configuredVerifier = (
  configuration: VerifierConfiguration,
  place: VerifierPlace,
): PresentationVerifier => {
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
export const retentionOf = ({
  retentionSeconds = DAY_SECONDS,
  presentedData = 'keep',
}: Pick<VerifierConfiguration, 'retentionSeconds' | 'presentedData'>): Retention => ({
  ms: retentionSeconds * 1000,
  presented: presentedData,
});
