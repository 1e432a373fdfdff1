import type { Outbound, OutboundRequest } from '../../../ports/outbound.ts';

/** Calls through `fetch`, which msw intercepts: it does not see those of undici's own dispatchers. */
export const byFetch: Outbound = {
  check: () => undefined,
  async send({ method, url, headers, body }: OutboundRequest) {
    const reply = await fetch(url, { method, headers, body: body as Uint8Array<ArrayBuffer> });
    return {
      status: reply.status,
      headers: Object.fromEntries(reply.headers),
      body: new Uint8Array(await reply.arrayBuffer()),
    };
  },
};
