import type { ParsedCredential } from '../../ports/credential-formats.ts';
import type { Credentials } from './credentials.ts';
import type { DidSummary, HolderChoice, SigningDid } from './dids.ts';
import type { Direction } from './policies/holder-policies.ts';

/** The DIDs that one who receives and presents signs as: a wallet of an account, or a service of a tenant. */
export interface HolderDids {
  /** As `Dids.signingDid`. */
  signingDid(owner: string, choice?: HolderChoice, preferred?: string[]): Promise<SigningDid>;
  /** Every stored DID with the thumbprint of its key. */
  list(owner: string): Promise<readonly Pick<DidSummary, 'did' | 'keyId'>[]>;
  has(owner: string, did: string): Promise<boolean>;
}

/** The credentials that are received and presented. */
export type HolderCredentials = Pick<Credentials, 'usable' | 'takeCopy' | 'requireRoom' | 'addAll'>;

/** Decides on exchanges that no person agrees to. */
export interface ExchangePolicies {
  /** @throws DomainError `Forbidden` naming the policy that refuses the exchange of these credentials */
  require(direction: Direction, credentials: readonly ParsedCredential[]): Promise<void>;
}

/** The policies of those who agree to each exchange. */
export const NO_POLICIES: ExchangePolicies = { require: async () => {} };
