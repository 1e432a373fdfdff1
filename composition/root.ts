import { existsSync } from 'node:fs';

/** The folder of the package, whether this runs compiled or from source. */
export const PACKAGE_ROOT: URL = (function find(folder: URL): URL {
  return existsSync(new URL('package.json', folder)) ? folder : find(new URL('..', folder));
})(new URL('.', import.meta.url));

const built = new URL('../openapi/', import.meta.url);

/** The folder of the OpenAPI documents: what the build made of them, else as they were written. */
export const DOCUMENTS: URL = existsSync(new URL('common.json', built)) ? built : new URL('openapi/', PACKAGE_ROOT);
