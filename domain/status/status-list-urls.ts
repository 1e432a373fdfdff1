const PATH = '/status-lists/';

/** The URL of a list that is published here (operation `getStatusList`). */
export const statusListUrl = (publicUrl: string, id: string): string => `${publicUrl}${PATH}${id}`;

/** The id of a list that is published here; undefined for every other URL. */
export function idOfStatusList(publicUrl: string, url: string): string | undefined {
  const start = statusListUrl(publicUrl, '');
  const id = url.startsWith(start) ? url.slice(start.length) : '';
  return /^[0-9a-f-]{36}$/.test(id) ? id : undefined;
}
