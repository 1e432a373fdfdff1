import { DomainError } from '../../../domain/foundation/errors.ts';
import type { Store } from '../../../ports/store.ts';
import { type Handlers, reply } from '../messages/operations.ts';
import { DocsPage, type Documents } from './docs-page.ts';

/** What the handlers of the document `system` need. */
interface SystemParts {
  /** Resolves when the store can be used. */
  store: Pick<Store, 'ping'>;
  /** Whether the server has begun to stop. */
  isStopping: () => boolean;
  /** The counters in the text format of Prometheus. */
  expose: () => Promise<string>;
  /** With the OpenAPI document, which is made when it is first asked for. */
  contract: Documents;
  /** The folder of the pages that it links. */
  pages: URL;
}

/** Health, metrics, the contract and its page. */
export function systemHandlers({ store, isStopping, expose, ...documents }: SystemParts): Handlers<'system'> {
  const docs = new DocsPage(documents);
  return {
    getLiveness: reply(200, () => [{ name: 'http', status: 'Healthy' }]),
    getReadiness: async () => {
      if (isStopping())
        return { status: 503, body: [{ name: 'http', status: 'Unhealthy', reason: 'The server is stopping' }] };
      try {
        await store.ping();
        return { status: 200, body: [{ name: 'store', status: 'Healthy' }] };
      } catch (error) {
        const reason = error instanceof DomainError ? error.message : 'The store cannot be used';
        return { status: 503, body: [{ name: 'store', status: 'Unhealthy', reason }] };
      }
    },
    getMetrics: reply(200, () => expose()),
    getContract: async ({ headers, query }) => docs.document(query.audience).answer(headers),
    getDocsPage: async ({ headers }) => docs.page.answer(headers),
    getFavicon: async ({ headers }) => (await docs.asset('favicon.svg')).answer(headers),
    getDocsAsset: async ({ path, headers }) => (await docs.asset(path.asset)).answer(headers),
  };
}
