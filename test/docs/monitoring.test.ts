import { readFileSync } from 'node:fs';
import { expect } from 'chai';
import { parse } from 'yaml';
import { INSTRUMENTS, type Instrument } from '../../adapters/metrics/instruments.ts';
import { PrometheusMetrics } from '../../adapters/metrics/prometheus.ts';
import { codeOf, rowsOf, sectionOf } from './tables.ts';

const page = readFileSync('docs/monitoring.md', 'utf8');
const rules = parse(readFileSync('deploy/monitoring/alerts.yaml', 'utf8'));
const dashboard = JSON.parse(readFileSync('deploy/monitoring/grafana-dashboard.json', 'utf8'));

/** Counted by the process that watches over workers. */
const OF_SUPERVISOR = { credenza_worker_restarts_total: [] };
const OF_SCRAPES = ['job', 'instance'];

const instruments = Object.entries(INSTRUMENTS as Record<string, Instrument>);
const LABELS: Record<string, readonly string[]> = {
  ...OF_SUPERVISOR,
  ...Object.fromEntries(instruments.map(([name, { labels }]) => [`credenza_${name}`, labels])),
  credenza_build_info: ['version', 'node'],
};

/** The series of a server and their labels. */
async function seriesOf(metrics: PrometheusMetrics): Promise<Map<string, readonly string[]>> {
  const series = new Map<string, readonly string[]>(Object.entries(OF_SUPERVISOR));
  for (const [, name = '', type] of (await metrics.expose()).matchAll(/^# TYPE (\S+) (\S+)$/gm)) {
    const parts = type === 'histogram' ? ['_bucket', '_count', '_sum'] : [''];
    for (const part of parts)
      series.set(`${name}${part}`, [...(LABELS[name] ?? []), ...(part === '_bucket' ? ['le'] : [])]);
  }
  return series.set('up', []);
}

interface Query {
  expr: string;
  at: string;
}

const QUERIES: Query[] = [
  ...rules.groups.flatMap(({ rules: of }: { rules: { alert: string; expr: string }[] }) =>
    of.map(({ alert, expr }) => ({ at: alert, expr })),
  ),
  ...dashboard.panels.flatMap(({ title, targets }: { title: string; targets: { expr: string }[] }) =>
    targets.map(({ expr }) => ({ at: title, expr })),
  ),
];

/** What a query names that no server has: a series, or a label of none of its series. */
function unknownIn(expr: string, series: ReadonlyMap<string, readonly string[]>): string[] {
  const names = [...expr.matchAll(/\b(?:credenza|process|nodejs)_\w+|\bup\b/g)].map(([name]) => name);
  const labels = new Set([...OF_SCRAPES, ...names.flatMap((name) => series.get(name) ?? [])]);
  const used = [
    ...[...expr.matchAll(/\{([^}]*)\}/g)].flatMap(([, of = '']) =>
      [...of.matchAll(/(\w+)\s*[=!]/g)].map(([, name = '']) => name),
    ),
    ...[...expr.matchAll(/by \(([^)]*)\)/g)].flatMap(([, of = '']) => of.split(', ')),
  ];
  return [...names.filter((name) => !series.has(name)), ...used.filter((label) => !labels.has(label))];
}

describe('What watches over servers', () => {
  let series: Map<string, readonly string[]>;
  before(async () => {
    const metrics = new PrometheusMetrics();
    metrics.watchProcess('1.2.3');
    series = await seriesOf(metrics);
  });

  it('names only metrics and labels that a server has, in each rule and panel', () => {
    expect(QUERIES.length).to.be.greaterThan(25);
    expect(QUERIES.flatMap(({ at, expr }) => unknownIn(expr, series).map((name) => `${at}: ${name}`))).to.deep.equal(
      [],
    );
    const planted = 'sum by (stage) (rate(credenza_store_seconds_total{outcome="failed"}[5m]))';
    expect(unknownIn(planted, series)).to.deep.equal(['credenza_store_seconds_total', 'outcome', 'stage']);
  });

  it('shows each metric of this project in a panel', () => {
    const shown = JSON.stringify(dashboard.panels);
    expect(Object.keys(LABELS).filter((name) => !shown.includes(name))).to.deep.equal([]);
  });

  it('is described: each metric with its labels and meaning', () => {
    const rows = rowsOf(sectionOf(page, 'Metrics')).map(([name = '', labels = '', help]) => ({
      name: codeOf(name),
      labels: [...labels.matchAll(/`(\w+)`/g)].map(([, label]) => label),
      help,
    }));
    expect(rows.map(({ name, labels }) => [name, labels])).to.have.deep.members(Object.entries(LABELS));
    for (const [name, { help }] of instruments)
      expect(rows).to.deep.include({ name: `credenza_${name}`, labels: [...(LABELS[`credenza_${name}`] ?? [])], help });
  });
});
