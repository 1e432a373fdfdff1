import type { Handover } from '../../../ports/credential-formats.ts';
import type { PolicyList, PolicyRequest } from '../policies/policy.ts';
import { findPolicy } from '../policies/table.ts';
import { keyThumbprint } from '../response-encryption.ts';
import type { VerificationTask } from '../verification-task.ts';
import { exchangeOf } from './mdoc-flow.ts';
import type { SessionRequest } from './session.ts';

/** Policies of every credential, listed or not. */
const ALWAYS: readonly PolicyRequest[] = [{ policy: 'signature' }, { policy: 'expired' }, { policy: 'not-before' }];

/** Policies of every presentation. */
const OF_PRESENTATIONS: readonly PolicyRequest[] = [{ policy: 'expired' }, { policy: 'not-before' }];

/** A list with the policies that always run; those that it has already are not added. */
function withAlways(own: readonly PolicyRequest[]): PolicyRequest[] {
  const known = new Set(own.map(({ policy }) => findPolicy(policy)));
  return [...own, ...ALWAYS.filter(({ policy }) => !known.has(findPolicy(policy)))];
}

const listed = (policies: readonly PolicyRequest[], list: PolicyList): PolicyRequest[] =>
  policies.map((request) => ({ ...request, list }));

/**
 * What the response of a session is verified against; `origin` is that of the page, over the Digital Credentials API. A
 * presentation is meant for the client, or there for the page (OpenID4VP 1.0 §14.1.2, annex A.4).
 */
export function taskOf(request: SessionRequest, origin: string | undefined): VerificationTask {
  const { query, nonce, clientId = '', transactionData, policies } = request;
  const vcPolicies = withAlways(listed(policies.vc, 'all'));
  return {
    query: { language: 'dcql', query },
    nonce,
    audience: origin === undefined ? clientId : `origin:${origin}`,
    vpPolicies: OF_PRESENTATIONS,
    needsHolder: true,
    vcPolicies,
    ownPolicies: Object.entries(policies.specific).map(([queryId, own]) => ({
      queryId,
      policies: [...vcPolicies, ...listed(own, 'specific')],
    })),
    ...(transactionData && { transactionData }),
  };
}

/** The exchange that session transcripts of a response are made for (OpenID4VP 1.0 §B.2.6, ISO/IEC TS 18013-7 annex C). */
export function handoverOf(request: SessionRequest, origin: string | undefined): Handover {
  const { nonce, clientId = '', responseUri = '', responseKey, mdocs, expectedOrigins } = request;
  if (mdocs) return exchangeOf(mdocs.encryptionInfo, expectedOrigins);
  const encryptionKey = responseKey ? { encryptionKey: keyThumbprint(responseKey) } : {};
  return origin === undefined
    ? { kind: 'redirect', clientId, responseUri, nonce, ...encryptionKey }
    : { kind: 'dc-api', origin, nonce, ...encryptionKey };
}
