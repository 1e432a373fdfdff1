import { type DomainError, invalidField } from '../../../domain/foundation/errors.ts';
import type { FieldPath } from '../../../domain/foundation/field-paths.ts';
import { KMSC } from '../../../domain/keys/backends/kmsc.ts';
import type { OutboundReply } from '../../../ports/outbound.ts';
import { withoutSecrets } from '../remote/failures.ts';
import { KmsFailure, type KmsFault } from '../remote/kms.ts';
import { readObject } from '../remote/reply-json.ts';

/** What a call is about: it decides whose fault a refusal is. */
export type Subject = 'new-key' | 'key';

/** Oracle's refusals of a call about an existing key, by status. */
const KEY_FAULTS: Readonly<Record<number, KmsFault>> = { 400: 'unusable-key', 404: 'unknown-key', 409: 'unusable-key' };

/** Oracle says the same for what does not exist and for what the user may not see. */
const HIDDEN = 'it does not exist, or this user has no right to it';

/** Where the members of the caller's request are. */
interface RefusalContext {
  subject: Subject;
  config: Record<string, unknown>;
  compartment: FieldPath;
}

/** Translates an answer of Oracle's that is no success. */
export function failureOf(reply: OutboundReply, context: RefusalContext): KmsFailure | DomainError {
  const { status } = reply;
  const reason = reasonOf(reply);
  if (status === 429) return new KmsFailure('throttled', reason);
  if (status < 400 || status >= 500) return new KmsFailure('unavailable', reason);
  if (status === 401 || status === 403) return refused(['config'], reason, context);
  if (context.subject === 'key') {
    const fault = KEY_FAULTS[status] ?? 'request';
    return new KmsFailure(fault, status === 404 ? `${HIDDEN}: ${reason}` : reason);
  }
  return status === 404
    ? refused(context.compartment, `${HIDDEN}: ${reason}`, context)
    : new KmsFailure('request', reason);
}

const refused = (path: FieldPath, reason: string, { config }: RefusalContext): DomainError =>
  invalidField(path, `${KMSC.title} refused: ${withoutSecrets(reason, config)}`);

/** The code and the message of an error of Oracle's; another server's answer is not quoted. */
function reasonOf(reply: OutboundReply): string {
  const { code, message } = readObject(reply);
  return typeof code === 'string' && typeof message === 'string' ? `${code}: ${message}` : `status ${reply.status}`;
}
