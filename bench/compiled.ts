import { pathToFileURL } from 'node:url';

/** The folder of the package, where npm runs its scripts. */
const PACKAGE = pathToFileURL(`${process.cwd()}/`);

/** Loads a module of the product as it runs in production, compiled; `path` is that of its source without `.ts`. */
export const compiled = async <T>(path: string): Promise<T> =>
  (await import(new URL(`dist/${path}.js`, PACKAGE).href)) as T;
