import type { Operation } from '../../adapters/http/document.ts';

/** The documented example of an operation's JSON body that says most; undefined where there is none. */
export function exampleOf({ requestBody }: Pick<Operation, 'requestBody'>): unknown {
  const media = requestBody?.content['application/json'] as
    | { example?: unknown; examples?: Record<string, { value: unknown }> }
    | undefined;
  const examples = [media?.example, ...Object.values(media?.examples ?? {}).map(({ value }) => value)];
  const richness = (one: unknown): number => JSON.stringify(one).length;
  return examples.filter((one) => one !== undefined).sort((a, b) => richness(b) - richness(a))[0];
}
