import type { Target } from '../access/targets.ts';

/** A client attestation of a service as those who manage it see it. */
export interface ClientAttestation {
  _id: Target;
  /** The service. */
  parent: Target;
  id: string;
  clientId: string;
  /** Of the key of the client instance. */
  instanceThumbprint: string;
  state: 'valid' | 'revoked';
  expiresDateTime: string;
  revokedDateTime?: string;
  createdDateTime: string;
  updatedDateTime: string;
}
