import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect } from 'chai';
import { FakeServer } from '../../demo/fake-clouds/fake-server.ts';
import type { ProbeOrder, ProbeReport } from '../support/kms/ambient-probe.ts';
import { useFakeAws } from '../support/kms/aws.ts';
import { testScript } from '../support/processes/script.ts';

const run = promisify(execFile);

/** A profile that leads elsewhere, with other credentials. */
const profile = (trap: string) => `[default]
region = us-east-1
endpoint_url = ${trap}
services = trap
aws_access_key_id = AKIAPROFILEPROFILE01
aws_secret_access_key = profile-secret
retry_mode = adaptive
max_attempts = 9
use_fips_endpoint = true
use_dualstack_endpoint = true
sdk_ua_app_id = profile-app

[profile other]
region = us-east-1
endpoint_url = ${trap}

[services trap]
kms =
  endpoint_url = ${trap}
`;

/** What the vendor's library reads of its own accord where nothing else is configured. */
const environment = (home: string, trap: string): Record<string, string> => ({
  HOME: home,
  PATH: process.env.PATH ?? '',
  AWS_PROFILE: 'other',
  AWS_CONFIG_FILE: join(home, '.aws', 'config'),
  AWS_SHARED_CREDENTIALS_FILE: join(home, '.aws', 'credentials'),
  AWS_ACCESS_KEY_ID: 'AKIAENVIRONMENT00001',
  AWS_SECRET_ACCESS_KEY: 'environment-secret',
  AWS_SESSION_TOKEN: 'environment-token',
  AWS_REGION: 'us-east-1',
  AWS_DEFAULT_REGION: 'us-east-1',
  AWS_ENDPOINT_URL: trap,
  AWS_ENDPOINT_URL_KMS: trap,
  AWS_EC2_METADATA_SERVICE_ENDPOINT: trap,
  AWS_CONTAINER_CREDENTIALS_FULL_URI: trap,
  AWS_MAX_ATTEMPTS: '9',
  AWS_RETRY_MODE: 'adaptive',
  AWS_DEFAULTS_MODE: 'auto',
  AWS_SDK_UA_APP_ID: 'environment-app',
  AWS_EXECUTION_ENV: 'environment-execution',
  AWS_LAMBDA_FUNCTION_NAME: 'environment-function',
  _X_AMZN_TRACE_ID: 'Root=environment-trace',
  AWS_AUTH_SCHEME_PREFERENCE: 'sigv4a',
  HTTP_PROXY: trap,
  HTTPS_PROXY: trap,
});

describe('AWS KMS in a hostile environment', () => {
  const fake = useFakeAws();
  let trap: FakeServer;
  let home: string;
  let report: ProbeReport;
  let headers: string;

  before(async () => {
    trap = await FakeServer.start({
      answer: () => ({ status: 200, body: '{"Keys":[]}' }),
      throttled: () => ({ status: 429 }),
      failed: () => ({ status: 500 }),
    });
    home = await mkdtemp(join(tmpdir(), 'credenza-home-'));
    await mkdir(join(home, '.aws'));
    for (const name of ['config', 'credentials']) await writeFile(join(home, '.aws', name), profile(trap.url));
    const order: ProbeOrder = { kmsa: fake.settings, config: fake.config() };
    const { file, execArgv } = testScript('test/support/kms/ambient-probe.ts');
    const args = [...execArgv, '-r', 'reflect-metadata', file];
    const env = { ...environment(home, trap.url), AWS_USE_DUALSTACK_ENDPOINT: 'true', AWS_USE_FIPS_ENDPOINT: 'false' };
    const { stdout } = await run(process.execPath, [...args, JSON.stringify(order)], { env });
    report = JSON.parse(stdout);
    headers = JSON.stringify(fake.server.calls.map((call) => call.headers));
  });
  after(async () => {
    await trap.close();
    await rm(home, { recursive: true, force: true });
  });

  it('the library is loaded by the first use, not by the start', () => {
    expect(report.loadedAtStart).to.equal(false);
    expect(report.loadedAtUse).to.equal(true);
  });

  it('signs with the credentials, the region and the endpoint of the configuration', () => {
    expect(report.signed).to.equal(true);
    expect(headers).to.include('/eu-central-1/kms/aws4_request').and.not.include('us-east-1');
  });

  it('sends nothing of the environment', () => {
    for (const text of ['environment', 'AKIAENV', 'AKIAPROFILE', 'profile', 'trace-id', 'max=9'])
      expect(headers).to.not.include(text);
  });

  it('opens no profile, while a client without configuration does, and calls where the environment leads', () => {
    const profiles = (files: string[]) => files.filter((path) => path.includes('.aws'));
    expect(profiles(report.files)).to.deep.equal([]);
    expect(profiles(report.plainFiles)).to.not.deep.equal([]);
    const paths = trap.calls.map(({ path }) => path);
    expect(paths.indexOf('/signed'), 'calls before the signature was done').to.equal(0);
    expect(paths.length).to.be.greaterThan(1);
  });
});
