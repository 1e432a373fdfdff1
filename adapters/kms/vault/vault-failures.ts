import { isText } from '../../../domain/foundation/json.ts';
import type { OutboundReply } from '../../../ports/outbound.ts';
import { KmsFailure, type KmsFault } from '../remote/kms.ts';
import { readObject } from '../remote/reply-json.ts';

/** What a call is about: it decides whose fault a refusal is. */
export type Subject = 'login' | 'new-key' | 'key';

/** What the statuses of Vault mean; every other one is an outage: 412 a standby that is behind, 503 a sealed Vault. */
const FAULTS: Readonly<Record<Subject, Readonly<Record<number, KmsFault>>>> = {
  login: { 400: 'credentials', 403: 'credentials', 404: 'credentials', 429: 'throttled' },
  'new-key': { 400: 'request', 403: 'credentials', 404: 'request', 429: 'throttled' },
  key: { 400: 'unusable-key', 403: 'credentials', 404: 'unknown-key', 429: 'throttled' },
};

/** How Vault says that a key is absent where its status says something else: 400. */
const ABSENT = /\b(key not found|could be found|not found)\b/;

/** How Vault says that no secrets engine is at this place: with the status of an absent key. */
const NO_ENGINE = /\bno handler for route\b/;

const STANDBY = 'a standby answered with a redirect: name the active node, or what leads to it';

/** The failure that a reply with another status than 200 and 204 is. */
export function failureOf(reply: OutboundReply, subject: Subject): KmsFailure {
  const { status } = reply;
  if (status >= 300 && status < 400) return new KmsFailure('unavailable', STANDBY);
  const reason = reasonOf(reply);
  if (NO_ENGINE.test(reason)) return new KmsFailure(subject === 'login' ? 'credentials' : 'request', reason);
  const isAbsent = subject === 'key' && status === 400 && ABSENT.test(reason);
  return new KmsFailure(isAbsent ? 'unknown-key' : (FAULTS[subject][status] ?? 'unavailable'), reason);
}

/** The texts of Vault's error object, `{errors: [text, …]}`. */
function reasonOf(reply: OutboundReply): string {
  const { errors } = readObject(reply);
  const texts = Array.isArray(errors) ? errors.filter(isText) : [];
  return texts.join('; ') || `status ${reply.status} without a reason`;
}
