import { existsSync } from 'node:fs';

/** The folder of the package, whether this runs compiled or from source. */
export const PACKAGE_ROOT: URL = (function find(folder: URL): URL {
  return existsSync(new URL('package.json', folder)) ? folder : find(new URL('..', folder));
})(new URL('.', import.meta.url));

/** The joined OpenAPI document, as the build writes it. */
export const DOCUMENT: URL = new URL('dist/openapi/openapi.json', PACKAGE_ROOT);
