import { api, ask, type Failure } from '../../shell/api.ts';
import { linesOf } from '../../shell/lines.ts';
import { work } from '../../shell/office.tsx';
import type { Sent } from './bulk.ts';
import type { BulkAnswer, OfferRequest } from './values.ts';

/** Sends a batch to an issuer. What was received of an answer that breaks off counts. */
export const sendTo =
  (target: string) =>
  async (requests: readonly OfferRequest[], signal: AbortSignal): Promise<Sent<Failure>> => {
    const outcome = await work(
      ask(
        api.POST('/v2/{target}/issuer-service-api/credential-offers/bulk', {
          params: { path: { target } },
          body: [...requests],
          bodySerializer: (lines: unknown) => (lines as unknown[]).map((line) => `${JSON.stringify(line)}\n`).join(''),
          headers: { 'content-type': 'application/x-ndjson' },
          parseAs: 'stream',
          signal,
        }),
      ),
    );
    if (!outcome.ok) return { answers: [], failure: outcome.failure };
    const answers: BulkAnswer[] = [];
    try {
      for await (const lines of linesOf(outcome.data as unknown as ReadableStream<Uint8Array>))
        for (const line of lines) answers.push(JSON.parse(line) as BulkAnswer);
    } catch {
      return { answers, failure: { kind: 'offline' } };
    }
    return answers.length < requests.length ? { answers, failure: { kind: 'offline' } } : { answers };
  };
