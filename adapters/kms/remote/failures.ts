import { DomainError, invalidField } from '../../../domain/foundation/errors.ts';
import type { FieldPath } from '../../../domain/foundation/field-paths.ts';
import { isObject } from '../../../domain/foundation/json.ts';
import { KmsFailure, type KmsFault } from './kms.ts';
import { guardErrorIn } from './transport.ts';

const MAX_REASON = 300;

/** The member that a refusal is about. */
const REFUSED_MEMBER: Partial<Record<KmsFault, FieldPath>> = {
  credentials: ['config', 'auth'],
  'unknown-key': ['id'],
  'unusable-key': ['id'],
  request: ['config'],
};

/** Whose failure it is. */
interface FailureContext {
  /** The product, for messages. */
  title: string;
  /** The secrets in it are left out of the service's text. */
  config: Record<string, unknown>;
}

/**
 * Translates a failure for callers (decisions §4): a refusal of the request is `BadRequest` with the service's reason,
 * without secrets; an outage is `UpstreamFailed` or `UpstreamTimeout`.
 */
export function toDomainError(error: unknown, { title, config }: FailureContext): DomainError {
  const guarded = guardErrorIn(error);
  if (guarded) return guarded;
  const fault = error instanceof KmsFailure ? error.fault : 'unavailable';
  const reason = withoutSecrets(reasonIn(error), config);
  const path = REFUSED_MEMBER[fault];
  if (path) return invalidField(path, `${title} refused: ${reason}`);
  const what = fault === 'throttled' ? 'accepts no more requests now' : 'failed';
  // The log shows the message of a cause: the service's own text has no place in it.
  const cause = new KmsFailure(fault, reason);
  return new DomainError('UpstreamFailed', `${title} ${what}`, { cause, detail: `${title}: ${reason}` });
}

function reasonIn(error: unknown): string {
  if (error instanceof KmsFailure) return error.reason;
  return error instanceof Error ? error.message : 'unknown';
}

/** Whether the operation may be repeated: it did not take place, or repeating it changes nothing. */
export function isTransient(error: unknown): boolean {
  if (error instanceof KmsFailure) return error.fault === 'throttled' || error.fault === 'unavailable';
  return guardErrorIn(error)?.code === 'UpstreamFailed';
}

/** The members of configurations that are no secrets: a reason that names them is clearer. */
const PUBLIC_MEMBERS = new Set([
  'region',
  'keyVaultUrl',
  'managementEndpoint',
  'cryptoEndpoint',
  'server',
  'namespace',
  'approlePath',
  'token',
]);

/** A service's own text in one line, without control characters and without any other text of the configuration. */
export function withoutSecrets(reason: string, config: Record<string, unknown>): string {
  let text = inOneLine(reason);
  for (const secret of textsIn(config)) text = text.replaceAll(secret, '…');
  return text.trim().slice(0, MAX_REASON);
}

const inOneLine = (text: string): string => text.replaceAll(/[\p{C}\s]+/gu, ' ');

/** All texts of a configuration that are long enough to be a secret, longest first. */
function textsIn(value: unknown): string[] {
  if (typeof value === 'string') return value.length >= 6 && value.trim() !== '' ? [inOneLine(value)] : [];
  if (!isObject(value)) return [];
  return Object.entries(value)
    .flatMap(([name, member]) => (PUBLIC_MEMBERS.has(name) ? [] : textsIn(member)))
    .sort((a, b) => b.length - a.length);
}
