import { execFileSync } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parse, parseAllDocuments } from 'yaml';

const CHART = 'deploy/helm/credenza';

type Json = Record<string, unknown>;

const textOf = (file: string): string => readFileSync(join(CHART, file), 'utf8');

/** The default values of the chart. */
export const defaults = (): Json => parse(textOf('values.yaml')) as Json;

/** The schema of its values. */
export const valuesSchema = (): Json => JSON.parse(textOf('values.schema.json')) as Json;

/** Values over the defaults, as Helm merges them. */
export const merged = (base: unknown, over: unknown): unknown => {
  if (!isMap(base) || !isMap(over)) return over ?? base;
  const names = new Set([...Object.keys(base), ...Object.keys(over)]);
  return Object.fromEntries([...names].map((name) => [name, merged(base[name], over[name])]));
};

const isMap = (value: unknown): value is Json => typeof value === 'object' && value !== null && !Array.isArray(value);

/**
 * The manifests that the chart makes of values. The templates use only what text/template of Go has: kubectl renders them
 * without a cluster, from an object that has what Helm gives to templates.
 */
export function manifestsOf(values: Json): Json[] {
  const { name, appVersion } = parse(textOf('Chart.yaml')) as Json;
  const given = {
    apiVersion: 'v1',
    kind: 'Given',
    metadata: { name: 'given' },
    Values: merged(defaults(), values),
    Chart: { Name: name, AppVersion: appVersion },
    Release: { Name: 'issuer', Service: 'Helm', Namespace: 'default' },
  };
  const folder = mkdtempSync(join(tmpdir(), 'chart-'));
  try {
    writeFileSync(join(folder, 'given.json'), JSON.stringify(given));
    const templates = readdirSync(join(CHART, 'templates')).filter((file) => file.endsWith('.yaml'));
    const template = [textOf('templates/_names.tpl'), ...templates.map((file) => textOf(`templates/${file}`))].join(
      '\n---\n',
    );
    writeFileSync(join(folder, 'template'), template);
    const output = `go-template-file=${join(folder, 'template')}`;
    const args = ['label', '--local', '-f', join(folder, 'given.json'), 'of=chart', '-o', output];
    const text = execFileSync('kubectl', args, { encoding: 'utf8', env: { PATH: process.env.PATH, HOME: folder } });
    return parseAllDocuments(text)
      .map((document) => {
        if (document.errors.length > 0) throw new Error(`${document.errors[0]}\n${text}`);
        return document.toJS() as Json | null;
      })
      .filter((manifest) => manifest !== null);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
