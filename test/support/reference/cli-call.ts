import type { JsonObject } from '../../../domain/foundation/json.ts';

/**
 * What the command line of the reference implementation's enterprise release calls, recorded from its public code (its
 * quickstart of 2026): the path and the members that it writes, and what it reads of each answer. Values are our own.
 */
export interface RecordedCall {
  name: string;
  method: 'GET' | 'POST' | 'PUT' | 'DELETE';
  path: string;
  json?: unknown;
  text?: string;
  /** Notes what it reads for later calls; undefined when it does not find it. */
  reads?(body: JsonObject, noted: Noted): unknown;
}

/** What the command line keeps between its calls. */
export interface Noted {
  adminId: string;
  iacaPem: string;
  signerPem: string;
  offer: string;
  issuanceSession: string;
  sessionId: string;
  requestUrl: string;
}

export const ORG = 'example';
export const TENANT = `${ORG}.tenant01`;
export const at = (name: string): string => `${TENANT}.${name}`;
export const key = (name: string): string => at(`kms.${name}`);
export const MDL = 'org.iso.18013.5.1.mDL';
export const NAMESPACE = 'org.iso.18013.5.1';
export const LIST = at('credential-status.token-status-list-cwt');
