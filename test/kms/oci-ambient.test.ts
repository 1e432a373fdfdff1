import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect } from 'chai';
import type { FakeCall } from '../../demo/fake-clouds/fake-server.ts';
import type { OciProbeReport } from '../support/kms/ambient-oci-probe.ts';
import { useFakeOci } from '../support/kms/oci.ts';
import { testScript } from '../support/processes/script.ts';

const run = promisify(execFile);

/** What the vendor's library reads of its own accord where nothing else is configured. */
const hostile = (home: string, trap: string): Record<string, string> => ({
  HOME: home,
  OCI_CONFIG_FILE: join(home, '.oci', 'config'),
  OCI_DEVELOPER_TOOL_CONFIGURATION_FILE_PATH: join(home, '.oci', 'developer-tool-configuration.json'),
  OCI_ALLOW_ONLY_DEVELOPER_TOOL_CONFIGURATION_REGIONS: 'true',
  OCI_REGION: 'us-phoenix-1',
  OCI_REGION_METADATA:
    '{"realmKey":"OC9","realmDomainComponent":"evil.example","regionKey":"EVL","regionIdentifier":"evil-1"}',
  OCI_DEFAULT_REALM: 'evil.example',
  OCI_REALM_SPECIFIC_SERVICE_ENDPOINT_TEMPLATE_ENABLED: 'true',
  OCI_SDK_APPEND_USER_AGENT: 'environment-agent',
  OCI_SDK_ESCAPE_JSON_ASCII: 'true',
  OCI_SDK_DEFAULT_RETRY_ENABLED: 'true',
  OCI_SDK_DEFAULT_CIRCUITBREAKER_ENABLED: 'true',
  OCI_RESOURCE_PRINCIPAL_VERSION: '2.2',
  HTTP_PROXY: trap,
  HTTPS_PROXY: trap,
  ALL_PROXY: trap,
});

/** A call without what is new in each: dates, ids and what is derived from them. */
const lasting = ({ method, path, headers, body }: FakeCall) => ({
  method,
  path: path.replace(/ocid1[^/]+/g, '…'),
  headers: Object.entries(headers)
    .filter(
      ([name]) => !/^(date|authorization|opc-request-id|opc-retry-token|x-content-sha256|content-length)$/.test(name),
    )
    .sort(),
  names: Object.keys(headers).sort(),
  body: body
    .toString('utf8')
    .replace(/ocid1[^"]+/g, '…')
    .replace(/"message":"[^"]+"/, ''),
});

describe('Oracle OCI Vault in a hostile environment', () => {
  const under = useFakeOci();
  let home: string;
  let report: OciProbeReport;
  let calls: { clean: ReturnType<typeof lasting>[]; hostile: ReturnType<typeof lasting>[] };

  async function probe(env: Record<string, string>) {
    under.fake.reset();
    const { file, execArgv } = testScript('test/support/kms/ambient-oci-probe.ts');
    const args = [...execArgv, '-r', 'reflect-metadata', file];
    const { stdout } = await run(process.execPath, [...args, JSON.stringify(under.config())], {
      env: { PATH: process.env.PATH ?? '', ...env },
    });
    const { management, crypto } = under.fake;
    return { report: JSON.parse(stdout) as OciProbeReport, calls: [...management.calls, ...crypto.calls].map(lasting) };
  }

  before(async () => {
    home = await mkdtemp(join(tmpdir(), 'credenza-home-'));
    await mkdir(join(home, '.oci'));
    const trap = 'http://127.0.0.1:9';
    await writeFile(join(home, '.oci', 'config'), '[DEFAULT]\nuser=ocid1.user.oc1..evil\nregion=us-phoenix-1\n');
    await writeFile(join(home, '.oci', 'developer-tool-configuration.json'), '{"services":["none"],"regions":[]}');
    const clean = await probe({ HOME: tmpdir() });
    const other = await probe(hostile(home, trap));
    report = other.report;
    calls = { clean: clean.calls, hostile: other.calls };
  });
  after(() => rm(home, { recursive: true, force: true }));

  it('the library is loaded by the first use, not by the start, and replaces no global', () => {
    expect(report).to.include({ loadedAtStart: false, loadedAtUse: true, signed: true });
    expect(report.replaced).to.deep.equal([]);
  });

  it('sends exactly what it sends elsewhere', () => {
    expect(calls.clean.length).to.be.at.least(5);
    expect(calls.hostile).to.deep.equal(calls.clean);
    expect(JSON.stringify(calls.hostile)).to.include('Schlüssel').and.not.include('environment-agent');
  });

  it('looks at no file below the home directory, and prints nothing about a failed call', () => {
    expect(report.files).to.deep.equal([]);
    expect(report.warnings).to.deep.equal([]);
  });
});
