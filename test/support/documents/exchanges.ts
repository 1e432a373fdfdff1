import type { Operation } from '../../../adapters/http/messages/document.ts';
import { type Shape, shapeOf } from './shapes.ts';

/** A sent or received body: parsed when its media type is JSON, else text. */
export interface Message {
  type: string;
  body: unknown;
}

const known = new Map<string, Set<string>>();

/** Records the shape of a successful exchange of this run. */
export function noteExchange(
  { operationId }: Operation,
  request: Message | undefined,
  answer: Message & { status: number },
): void {
  if (request) note(`${operationId} request ${request.type}`, request.body);
  note(`${operationId} ${answer.status} ${answer.type}`, answer.body);
}

function note(key: string, body: unknown): void {
  const shapes = known.get(key) ?? new Set();
  known.set(key, shapes.add(JSON.stringify(shapeOf(body))));
}

/** The shapes of the bodies seen in this run: of `request`, or of the answers with a status. */
export const seenShapes = (operationId: string, part: 'request' | string, type: string): Shape[] =>
  [...(known.get(`${operationId} ${part} ${type}`) ?? [])].map((text) => JSON.parse(text));
