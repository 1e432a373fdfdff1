import { isObject } from '../../../domain/foundation/json.ts';
import type { OutboundReply } from '../../../ports/outbound.ts';
import { KmsFailure, type KmsFault } from '../remote/kms.ts';
import { readObject } from '../remote/reply-json.ts';

/** What the statuses of the vault mean; every other status but 200 is an outage. */
const FAULTS: Readonly<Record<number, KmsFault>> = {
  400: 'request',
  401: 'credentials',
  403: 'credentials',
  404: 'unknown-key',
  409: 'request',
  429: 'throttled',
};

/** A refusal of the vault. */
export interface VaultRefusal {
  status: number;
  /** The innermost code of the error, such as KeyDisabled; '' when there is none. */
  code: string;
  message: string;
}

/** Reads the error object of the vault: `{error: {code, message, innererror: {code}}}`. */
export function readRefusal(reply: OutboundReply): VaultRefusal {
  const { status } = reply;
  const { error } = readObject(reply);
  const { code, message, innererror } = isObject(error) ? error : {};
  const inner = isObject(innererror) ? innererror.code : undefined;
  return { status, code: textOf(inner ?? code), message: textOf(message) || `status ${status} without a reason` };
}

/** The failure of a call that the vault refused. Codes such as KeyDisabled and KeyExpired are about the key's state. */
export function failureOf({ status, code, message }: VaultRefusal): KmsFailure {
  const isState = status === 403 && code.startsWith('Key');
  return new KmsFailure(isState ? 'unusable-key' : (FAULTS[status] ?? 'unavailable'), message);
}

/** Whether a refusal says that the key is deleted already, or its deletion is under way. */
export const isDeleted = ({ status, code }: VaultRefusal): boolean =>
  status === 404 || code === 'ObjectIsBeingDeleted' || code === 'ObjectIsDeletedButRecoverable';

const textOf = (value: unknown): string => (typeof value === 'string' ? value : '');
