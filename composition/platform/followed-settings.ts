import { isDeepStrictEqual } from 'node:util';
import type { Settings } from '../../adapters/config/settings.ts';

/** What a server takes over without a restart: a file whole, or these members of it. */
const FOLLOWED: Partial<Record<keyof Settings, 'all' | readonly string[]>> = {
  trustedIssuers: 'all',
  issuer2Profiles: 'all',
  issuerMetadata: ['clientAttesters', 'clientAuthenticationConfig', 'clientAttestationConfig', 'keyAttesters'],
};

/** What of a configuration that was read again counts, and the members that differ, by their names in the settings. */
interface ReadAgain {
  /** The files that are followed, as they count from now on. */
  followed: Partial<Settings>;
  /** The members that are taken over. */
  changed: string[];
  /** Those that count from the next start on. */
  waiting: string[];
}

type Members = Record<string, unknown>;

/** What is found out when it is read. */
const FINDINGS = ['files', 'warnings'];

/** Compares the configuration that a server was started with, or took over since, with the present one. */
export function readAgain(known: Settings, next: Settings): ReadAgain {
  const taken: Members = {};
  const [changed, waiting]: [string[], string[]] = [[], []];
  const names = Object.keys(known).filter((name) => !FINDINGS.includes(name));
  for (const name of names as (keyof Settings)[]) {
    const [before, after] = [membersOf(known[name]), membersOf(next[name])];
    const of = FOLLOWED[name] ?? [];
    const takes = (member: string): boolean => of === 'all' || of.includes(member);
    const merged = { ...before };
    for (const member of new Set([...Object.keys(before), ...Object.keys(after)])) {
      if (isDeepStrictEqual(before[member], after[member])) continue;
      (takes(member) ? changed : waiting).push(member === WHOLE ? name : `${name}.${member}`);
      if (takes(member)) merged[member] = after[member];
    }
    if (FOLLOWED[name]) taken[name] = merged;
  }
  return { followed: taken as Partial<Settings>, changed, waiting };
}

/** The one member of a setting that has none. */
const WHOLE = '';

const membersOf = (value: unknown): Members =>
  typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Members) : { [WHOLE]: value };
