import { createRequire } from 'node:module';
import { fileURLToPath, pathToFileURL } from 'node:url';

const ROOT = new URL('../../../', import.meta.url);
const IS_COMPILED = import.meta.url.endsWith('.js');

/** Where a source file of the package is as this test runs: compiled when the test is. */
export const runnable = (path: string): string =>
  fileURLToPath(new URL(IS_COMPILED ? path.replace(/\.ts$/, '.js') : path, ROOT));

/** How Node runs a script of the tests, `test/support/….ts`, in a process of its own: compiled when this test is. */
export function testScript(path: string): { file: string; execArgv: string[] } {
  return { file: runnable(path), execArgv: IS_COMPILED ? [] : ['--import', 'tsx'] };
}

/** What a thread runs for a source file of the package; the loader of TypeScript is not there by itself. */
export function threadScript(path: string): URL {
  const file = pathToFileURL(runnable(path));
  if (IS_COMPILED) return file;
  const tsx = pathToFileURL(createRequire(import.meta.url).resolve('tsx/package.json'));
  const loader = new URL('dist/esm/api/index.mjs', tsx);
  const code = `import { register } from '${loader}'; register(); await import('${file}');`;
  return new URL(`data:text/javascript,${encodeURIComponent(code)}`);
}
