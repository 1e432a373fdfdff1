import type { Operation } from '../../../adapters/http/messages/document.ts';
import { allNotes, notes } from '../runs/notes.ts';
import { type Shape, shapeOf } from './shapes.ts';

/** A sent or received body: parsed when its media type is JSON, else text. */
export interface Message {
  type: string;
  body: unknown;
}

/** As JSON lists of the place of a body and its shape. */
const KIND = 'bodies';
const bodies = notes(KIND);

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
  bodies.add(JSON.stringify([key, shapeOf(body)]));
}

/** The shapes of the bodies seen in this run: of `request`, or of the answers with a status. */
export function seenShapes(): (operationId: string, part: 'request' | string, type: string) => Shape[] {
  const seen = [...allNotes(KIND)].map((text): [string, Shape] => JSON.parse(text));
  return (operationId, part, type) =>
    seen.filter(([key]) => key === `${operationId} ${part} ${type}`).map(([, shape]) => shape);
}
