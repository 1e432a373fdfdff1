import { basename } from 'node:path';
import type { Colors } from './colors.ts';

/** What an operator wants to see of a configuration. */
export interface ConfigurationFacts {
  services: readonly string[];
  /** The features that are on. */
  features: readonly string[];
  /** What kind of store, and for SQLite the folder. */
  store: string;
  /** Where requests are counted, when that is in a database. */
  limits?: string;
  configDir: string;
  /** Full paths of the files that were read. */
  files: readonly string[];
  warnings: readonly string[];
}

/** The same of a server that listens. */
export interface StartedFacts extends ConfigurationFacts {
  version: string;
  url: string;
}

/** One thing that is wrong; `field` is '' for a file as a whole. */
export interface Problem {
  file: string;
  field: string;
  message: string;
}

/** What a command has to say, and how it ends. */
export interface Report {
  text: string;
  exitCode: 0 | 1;
}

/** The lines a server starts with: where it listens, where the docs page is, what is enabled. */
export function renderStarted(facts: StartedFacts, paint: Colors): string {
  const { version, url } = facts;
  return lines(paint('title', `Credenza ${version}`), [
    row('Listening on', paint('name', url), paint),
    row('API page', `${paint('name', `${url}/docs`)} (document: ${url}/api.json)`, paint),
    ...factRows(facts, paint),
  ]);
}

/** What `check` says: what a good configuration enables, or everything that is wrong with a bad one. */
export function renderCheck(outcome: ConfigurationFacts | { problems: readonly Problem[] }, paint: Colors): Report {
  if (!('problems' in outcome))
    return { text: lines(paint('good', 'The configuration is good.'), factRows(outcome, paint)), exitCode: 0 };
  const { problems } = outcome;
  const count = problems.length === 1 ? 'one problem' : `${problems.length} problems`;
  const told = problems.map(({ file, field, message }) =>
    [paint('name', file), field === '' ? '' : ` ${paint('title', field)}`, `: ${message}`].join(''),
  );
  return { text: lines(paint('bad', `The configuration has ${count}.`), told), exitCode: 1 };
}

function factRows(
  { services, features, store, limits, configDir, files, warnings }: ConfigurationFacts,
  paint: Colors,
) {
  const read = files.length === 0 ? 'no files: everything as it comes' : files.map((file) => basename(file)).join(', ');
  return [
    row('Services', services.join(', '), paint),
    row('Features', features.join(', ') || 'none', paint),
    row('Store', store, paint),
    ...(limits === undefined ? [] : [row('Rate limits', limits, paint)]),
    row('Configuration', `${configDir} (${read})`, paint),
    ...warnings.map((warning) => row('Warning', paint('doubt', warning), paint)),
  ];
}

const row = (label: string, text: string, paint: Colors): string => `${paint('quiet', label.padEnd(14))} ${text}`;

const lines = (title: string, rows: readonly string[]): string =>
  [title, ...rows.map((text) => `  ${text}`), ''].join('\n');
