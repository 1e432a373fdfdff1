/** What the operations answer, on every side alike. */
export const createdAnswer = (order: unknown) => ({
  accepted: true,
  lines: (order as { lines?: unknown[] } | undefined)?.lines?.length ?? 0,
});

/** A page as small as an answer of the hello server. */
export const listAnswer = (query: Record<string, unknown>) => ({ items: [], limit: query.limit ?? 20 });
