import { existsSync, readdirSync } from 'node:fs';
import { basename, dirname } from 'node:path';

/** What a text names of the project: words that begin with one of its folders. */
const PATHS =
  /(?<![\w./:{}-])(?:adapters|bench|bin|client|composition|demo|docs|domain|openapi|portal|ports|scripts|test)\/[\w{},./*-]*[\w}/*]/g;

/** The paths of the project that a text names, each alternative of one with braces, and none twice. */
export const pathsIn = (text: string): string[] => [...new Set((text.match(PATHS) ?? []).flatMap(alternatives))];

/** The paths that one path with braces stands for: `adapters/{json,log}/`. */
function alternatives(path: string): string[] {
  const [whole, before = '', list = '', after = ''] = /^([^{]*)\{([^}]*)\}(.*)$/.exec(path) ?? [];
  return whole === undefined ? [path] : list.split(',').map((name) => `${before}${name}${after}`);
}

/** Whether a path leads to a file or a folder; its last part may have `*` for any part of a name. */
export function leadsSomewhere(path: string): boolean {
  if (!path.includes('*')) return existsSync(path);
  const [start = '', ...parts] = basename(path).split('*');
  const folder = dirname(path);
  const names = existsSync(folder) ? readdirSync(folder) : [];
  return names.some((name) => name.startsWith(start) && name.endsWith(parts.at(-1) ?? ''));
}
