import { basename } from 'node:path';
import type { Colors } from './colors.ts';

/** A configuration as an operator sees it. */
export interface ConfigurationFacts {
  services: readonly string[];
  /** The features that are on. */
  features: readonly string[];
  /** The kind of store; for SQLite also the folder. */
  store: string;
  /** The database of the rate limits, when there is one. */
  limits?: string;
  /** Each key management service with its state, when they were tried. */
  keys?: readonly { title: string; state: string; isUsable: boolean }[];
  /** The address of the operations of management, where they have one of their own. */
  admin?: string;
  /** The operations of management that others reach without a login, as `METHOD path`. */
  openManagement?: readonly string[];
  configDir: string;
  /** Full paths of the files that were read. */
  files: readonly string[];
  warnings: readonly string[];
}

/** A running server. */
interface StartedFacts extends ConfigurationFacts {
  version: string;
  url: string;
  /** Whether a person reads this, who may want to see more. */
  isTerminal: boolean;
}

/** One problem of a configuration; `field` is '' for the whole file. */
interface Problem {
  file: string;
  field: string;
  message: string;
}

/** The output of a command and its exit code. */
interface Report {
  text: string;
  exitCode: 0 | 1;
}

/** Renders the first output of a server: its address, its API page and what is enabled. */
export function renderStarted(facts: StartedFacts, colors: Colors): string {
  const { version, url } = facts;
  return lines(colors('title', `Credenza ${version}`), [
    row('Listening on', colors('name', url), colors),
    ...(facts.services.includes('portal') ? [row('Portal', colors('name', `${url}/`), colors)] : []),
    row('API page', `${colors('name', `${url}/docs`)} (document: ${url}/api.json)`, colors),
    ...factRows(facts, colors),
    ...(facts.isTerminal
      ? [row('See it work', 'npm run demo, or npx credenza demo where the package is installed', colors)]
      : []),
  ]);
}

/** Renders the output of `check`: what a valid configuration enables, or every problem of an invalid one. */
export function renderCheck(outcome: ConfigurationFacts | { problems: readonly Problem[] }, colors: Colors): Report {
  if (!('problems' in outcome))
    return {
      text: lines(colors('good', 'The configuration is valid.'), [
        ...factRows(outcome, colors),
        ...(outcome.openManagement ?? []).map((call) => row('', call, colors)),
      ]),
      exitCode: 0,
    };
  const { problems } = outcome;
  const count = problems.length === 1 ? 'one problem' : `${problems.length} problems`;
  const rows = problems.map(({ file, field, message }) =>
    [colors('name', file), field === '' ? '' : ` ${colors('title', field)}`, `: ${message}`].join(''),
  );
  return { text: lines(colors('bad', `The configuration has ${count}.`), rows), exitCode: 1 };
}

/** What becomes of one thing in a configuration of the reference implementation. */
interface ReferenceLine {
  file: string;
  /** '' for the whole file. */
  name: string;
  verdict: 'understood' | 'ignored' | 'missing';
  text: string;
}

const VERDICTS = { understood: 'good', ignored: 'quiet', missing: 'doubt' } as const;

/** Renders the output of `check --from`: what becomes of each line, and of how many; exit code 1 unless every file was read. */
export function renderReference(
  { folder, lines: found, isWhole }: { folder: string; lines: readonly ReferenceLine[]; isWhole: boolean },
  colors: Colors,
): Report {
  const rows = found.map(({ file, name, verdict, text }) => {
    const place = [colors('name', file), colors('title', name)].filter((part) => part !== '').join(' ');
    return `${colors(VERDICTS[verdict], verdict.padEnd(10))}  ${place === '' ? text : `${place}: ${text}`}`;
  });
  const counts = Object.keys(VERDICTS).map((verdict) => {
    const count = found.filter((line) => line.verdict === verdict).length;
    return `${count} ${verdict}`;
  });
  return {
    text: lines(colors('title', `What becomes of ${folder} here (docs/moving.md):`), [...rows, counts.join(', ')]),
    exitCode: isWhole ? 0 : 1,
  };
}

function factRows(facts: ConfigurationFacts, colors: Colors) {
  const {
    services,
    admin,
    features,
    store,
    limits,
    keys = [],
    configDir,
    files,
    warnings,
    openManagement = [],
  } = facts;
  const read = files.length === 0 ? 'no files: defaults apply' : files.map((file) => basename(file)).join(', ');
  return [
    ...(admin === undefined ? [] : [row('Management', colors('name', admin), colors)]),
    row('Services', services.join(', '), colors),
    row('Features', features.join(', ') || 'none', colors),
    row('Store', store, colors),
    ...(limits === undefined ? [] : [row('Rate limits', limits, colors)]),
    ...keys.map(({ title, state, isUsable }) => row(title, colors(isUsable ? 'name' : 'doubt', state), colors)),
    row('Configuration', `${configDir} (${read})`, colors),
    ...warnings.map((warning) => row('Warning', colors('doubt', warning), colors)),
    ...(openManagement.length === 0 ? [] : [row('Open management', colors('doubt', openLine(openManagement)), colors)]),
  ];
}

const openLine = ({ length }: readonly string[]): string =>
  `${length} operations need no login from wherever this server is reached ` +
  '(docs/security.md#management-operations); ADMIN_TOKEN, or management = token in services.conf, shuts them';

const row = (label: string, text: string, colors: Colors): string => `${colors('quiet', label.padEnd(16))} ${text}`;

const lines = (title: string, rows: readonly string[]): string =>
  [title, ...rows.map((text) => `  ${text}`), ''].join('\n');
