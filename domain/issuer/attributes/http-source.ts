import type { Outbound, OutboundReply } from '../../../ports/outbound.ts';
import type { Clock, Ids } from '../../../ports/system.ts';
import { signatureHeaders } from '../../events/event-headers.ts';
import { fromUtf8 } from '../../foundation/bytes.ts';
import { DomainError } from '../../foundation/errors.ts';
import { isObject, type JsonObject } from '../../foundation/json.ts';
import { parseJson } from '../../foundation/strict-json.ts';
import type { HttpSource } from '../attribute-source.ts';

/** For whom and for which credential a source is asked. */
export interface AttributeQuery {
  /** What names the person: the reference of the offer, or the claim of a login. */
  key: string;
  sessionId: string;
  profileId: string;
  credentialConfigurationId: string;
}

/** What a source says; `later` after how many seconds it may be asked again. */
export type SourceAnswer =
  | { kind: 'attributes'; attributes: JsonObject }
  | { kind: 'unknown' }
  | { kind: 'later'; seconds: number };

export interface HttpSourceParts {
  outbound: Outbound;
  clock: Clock;
  ids: Ids;
}

/** Seconds until a source that says later, and not in how many, is asked again; and the most that are believed. */
const LATER_SECONDS = 60;
const MOST_SECONDS = 86_400;

/**
 * Asks the server of a source: POST with what is asked as JSON. 200 has the attributes as one object, 202 says later and
 * 404 that there is no such person. @throws DomainError for a failure of the source
 */
export async function askServer(
  source: HttpSource,
  query: AttributeQuery,
  { outbound, clock, ids }: HttpSourceParts,
): Promise<SourceAnswer> {
  const { url, timeoutMs, maxBytes, identity, bearerToken, signingSecret } = source;
  const id = ids.uuid();
  const body = JSON.stringify(query);
  const secrets = signingSecret === undefined ? [] : [signingSecret];
  const headers = {
    'content-type': 'application/json',
    accept: 'application/json',
    'x-event-id': id,
    ...(bearerToken !== undefined && { authorization: `Bearer ${bearerToken}` }),
    ...signatureHeaders({ id, body }, secrets, clock.now()),
  };
  const call = { method: 'POST', expects: 'attributes', url, headers, body, timeoutMs, maxBytes, identity } as const;
  const reply = await outbound.send(call);
  if (reply.status === 202) return { kind: 'later', seconds: secondsOf(reply) };
  if (reply.status === 404) return { kind: 'unknown' };
  if (reply.status !== 200) throw new DomainError('UpstreamFailed', `The source answered with ${reply.status}`);
  const attributes = parseJson(fromUtf8(reply.body));
  if (isObject(attributes)) return { kind: 'attributes', attributes };
  throw new DomainError('UpstreamFailed', 'The answer of the source is no JSON object');
}

/** RFC 9110 §10.2.3, in seconds. */
function secondsOf({ headers: { 'retry-after': text = '' } }: OutboundReply): number {
  return /^\d{1,9}$/.test(text) ? Math.min(MOST_SECONDS, Math.max(1, Number(text))) : LATER_SECONDS;
}
