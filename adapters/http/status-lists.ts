import type { ListPublication } from '../../domain/status/list-publication.ts';
import type { Handlers } from './operations.ts';

/** The lists, and how long they may be kept. */
export interface StatusListServices {
  publication: ListPublication;
  ttlSeconds: number;
}

/** The operations of the document `status-lists`. */
export const statusListHandlers = ({ publication, ttlSeconds }: StatusListServices): Handlers<'status-lists'> => ({
  getStatusList: async ({ path }) => {
    const { mediaType, body } = await publication.get(path.id);
    const headers = { 'content-type': mediaType, 'cache-control': `public, max-age=${ttlSeconds}` };
    return { status: 200, headers, body };
  },
});
