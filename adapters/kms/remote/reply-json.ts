import { isObject, type JsonObject } from '../../../domain/foundation/json.ts';
import { parseJson } from '../../../domain/foundation/strict-json.ts';
import type { OutboundReply } from '../../../ports/outbound.ts';

/** The JSON object in a reply of a service; an empty one for anything else. */
export function readObject({ body }: Pick<OutboundReply, 'body'>): JsonObject {
  try {
    const value = parseJson(Buffer.from(body).toString());
    return isObject(value) ? value : {};
  } catch {
    return {};
  }
}
