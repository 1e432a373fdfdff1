import type { Operation } from '../../../adapters/http/messages/document.ts';

/** One media type of a request or an answer, as the document has it. */
interface Media {
  schema: object;
  example?: unknown;
  examples?: Record<string, { value: unknown }>;
  /** Whether the example omits parts of a long answer. */
  'x-excerpt'?: boolean;
}

/** A body of the document: of a request, or of an answer with a status of success. */
export interface DocumentedBody {
  operationId: string;
  part: 'request' | string;
  type: string;
  schema: object;
  isExcerpt: boolean;
  examples: { name: string; value: unknown }[];
}

/** Every request body and every answer with a status of success. */
export function* documentedBodies({ operationId, requestBody, responses }: Operation): Generator<DocumentedBody> {
  const successes = Object.entries(responses).filter(([status]) => /^2/.test(status));
  const parts = [['request', requestBody] as const, ...successes];
  for (const [part, body] of parts)
    for (const [type, media] of Object.entries((body?.content ?? {}) as Record<string, Media>)) {
      const { schema, example, examples = {}, 'x-excerpt': isExcerpt = false } = media;
      const named = Object.entries(examples).map(([name, { value }]) => ({ name, value }));
      const all = example === undefined ? named : [{ name: 'example', value: example }, ...named];
      yield { operationId, part, type, schema, isExcerpt, examples: all };
    }
}

/** The documented examples of an operation's JSON body. */
export function examplesOf(requestBody: Operation['requestBody']): unknown[] {
  const media = requestBody?.content['application/json'] as Partial<Media> | undefined;
  const examples = [media?.example, ...Object.values(media?.examples ?? {}).map(({ value }) => value)];
  return examples.filter((one) => one !== undefined);
}

/** The longest documented example of an operation's JSON body; undefined when there is none. */
export function exampleOf({ requestBody }: Pick<Operation, 'requestBody'>): unknown {
  const richness = (one: unknown): number => JSON.stringify(one).length;
  return examplesOf(requestBody).sort((a, b) => richness(b) - richness(a))[0];
}
