import { DomainError, type ErrorCode } from '../../../domain/foundation/errors.ts';
import { statusOf } from '../messages/problems.ts';

/** Statuses of a bad code, token, proof or presentation (decisions §9). */
const STATUSES: ReadonlySet<unknown> = new Set([400, 401, 403, 404, 409]);

/** Errors with such a status that another party than the caller causes. */
const OF_OTHERS: ReadonlySet<ErrorCode> = new Set([
  'AddressRefused',
  'CallbackFailed',
  'StatusVerification',
  'StatusRange',
  'StatusListLength',
]);

/** Right credentials that need one more step. */
const NEXT_STEPS: ReadonlySet<ErrorCode> = new Set(['CodeRequired', 'EnrolmentRequired']);

/** Answers that ask the client to come again: later, or with what the answer brings (RFC 8628 §3.5, OpenID4VCI §9.2, RFC 9449 §8). */
const PENDING: ReadonlySet<string> = new Set([
  'authorization_pending',
  'slow_down',
  'issuance_pending',
  'use_dpop_nonce',
  'use_attestation_challenge',
]);

/** Whether what came of a request, an answer or a thrown error, counts towards the block of its caller. */
export function isFailure(outcome: unknown): boolean {
  if (outcome instanceof DomainError)
    return (
      STATUSES.has(statusOf(outcome)) &&
      !OF_OTHERS.has(outcome.code) &&
      !NEXT_STEPS.has(outcome.code) &&
      !PENDING.has(outcome.oauthError ?? '')
    );
  return typeof outcome === 'object' && outcome !== null && 'status' in outcome && STATUSES.has(Number(outcome.status));
}
