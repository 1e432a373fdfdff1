const PATH = '/status-lists/';
const OF_TENANT = /^(https?:\/\/[^/?#]+\/v1\/[A-Za-z0-9_.-]{1,1024})\/status-lists\/[^/]*$/;

/** The URL of a list that is published below a base URL (operation `getStatusList`). */
export const statusListUrl = (baseUrl: string, id: string): string => `${baseUrl}${PATH}${id}`;

/** The base URL of the lists of a service at a target, below the public URL of that target (operation `tenantGetStatusList`). */
export const tenantListsUrl = (publicUrl: string, target: string): string => `${publicUrl}/v1/${target}`;

/** Where a list is read: below the URL of this server or, with one of the other members, below that of a tenant. */
export interface PublishedListLocation {
  id: string;
  baseUrl?: string;
  /** The service that it is read from. */
  target?: string;
}

/** The place of a list that is published below our own URL, or may be that of a tenant; undefined for every other URL. */
export function placeOfStatusList(publicUrl: string, url: string): PublishedListLocation | undefined {
  const own = idBelow(publicUrl, url);
  if (own !== undefined) return { id: own };
  const [, baseUrl] = OF_TENANT.exec(url) ?? [];
  const id = baseUrl === undefined ? undefined : idBelow(baseUrl, url);
  return id === undefined ? undefined : { id, baseUrl };
}

function idBelow(baseUrl: string, url: string): string | undefined {
  const start = statusListUrl(baseUrl, '');
  const id = url.startsWith(start) ? url.slice(start.length) : '';
  return /^[0-9a-f-]{36}$/.test(id) ? id : undefined;
}
