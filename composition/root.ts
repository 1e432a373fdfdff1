import { existsSync, readFileSync } from 'node:fs';

/** The folder of the package, whether this runs compiled or from source. */
export const PACKAGE_ROOT: URL = (function find(folder: URL): URL {
  return existsSync(new URL('package.json', folder)) ? folder : find(new URL('..', folder));
})(new URL('.', import.meta.url));

/** The joined OpenAPI document, as the build writes it. */
export const DOCUMENT: URL = new URL('dist/openapi/openapi.json', PACKAGE_ROOT);

/** The version of the package. */
export const { version: VERSION } = JSON.parse(readFileSync(new URL('package.json', PACKAGE_ROOT), 'utf8')) as {
  version: string;
};
