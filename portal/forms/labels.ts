import { inLanguage } from '../texts/texts.ts';

type Path = readonly (string | number | null)[];

/** The label of a path: what the issuer published, else its last name in words. */
export function labelOf(
  path: Path,
  displays: readonly { path?: unknown; labels?: { name?: string; locale?: string }[] }[] = [],
): string {
  const published = displays.find((one) => JSON.stringify(one.path) === JSON.stringify(path));
  const name = String(path.findLast((part) => typeof part === 'string') ?? '');
  const words = name.replaceAll(/([a-z])([A-Z])/g, '$1 $2').replaceAll(/[_-]+/g, ' ');
  return inLanguage(published?.labels ?? [])?.name ?? words.charAt(0).toUpperCase() + words.slice(1);
}
