import type { ListPublication } from '../../../domain/status/list-publication.ts';
import type { PublishedListLocation } from '../../../domain/status/status-list-urls.ts';
import type { Handlers } from '../messages/operations.ts';

/** The lists, and how long they may be kept. */
export interface StatusListServices {
  publication: ListPublication;
  ttlSeconds: number;
}

/** The operations of the document `status-lists`. */
export const statusListHandlers = (services: StatusListServices): Handlers<'status-lists'> => ({
  getStatusList: ({ path }) => publishedList(services, path),
});

/** The answer with a list. */
export async function publishedList({ publication, ttlSeconds }: StatusListServices, place: PublishedListLocation) {
  const { mediaType, body } = await publication.get(place);
  const headers = { 'content-type': mediaType, 'cache-control': `public, max-age=${ttlSeconds}` };
  return { status: 200 as const, headers, body };
}
