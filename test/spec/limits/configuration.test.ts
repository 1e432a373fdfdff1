import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import fc from 'fast-check';
import { ConfigurationError } from '../../../adapters/config/errors.ts';
import { readSettings } from '../../../adapters/config/read-settings.ts';
import type { Settings } from '../../../adapters/config/settings.ts';

describe('rate-limit.conf', () => {
  let folder: string;
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'credenza-limits-'));
  });
  afterEach(() => rm(folder, { recursive: true }));

  async function read(text: string, environment: Record<string, string> = {}): Promise<Settings['rateLimit']> {
    await writeFile(join(folder, 'rate-limit.conf'), text);
    return (await readSettings({ CONFIG_DIR: folder, ...environment })).rateLimit;
  }

  /** `file field` of every problem. */
  async function problems(text: string): Promise<string[]> {
    const error = await read(text).catch((caught) => caught);
    if (!(error instanceof ConfigurationError)) throw new Error('the file was accepted');
    return error.problems.map(({ file, field }) => `${file} ${field}`);
  }

  it('has the documented defaults when it is empty or commented out', async () => {
    const { persistence, exempt, open_endpoints, audit_endpoint, key_endpoint, sign_in_endpoint, ...sections } =
      await read('persistence {\n  # type = kvstore\n}');
    expect(exempt).to.deep.equal([]);
    expect(persistence).to.deep.equal({ type: 'memory', nodes: [], user: '', password: '', tls: false });
    const perMinute = Object.entries(sections).map(([name, { requestsPerMinute }]) => [name, requestsPerMinute]);
    expect(Object.fromEntries(perMinute)).to.deep.equal({
      issuer2_token_endpoint: 5,
      issuer2_credential_endpoint: 10,
      verifier2_request_endpoint: 10,
      verifier2_response_endpoint: 5,
      superadmin_create_by_token_endpoint: 5,
      wallet_auth_endpoint: 30,
      enterprise_auth_endpoint: 30,
      draft_token_endpoint: 0,
      draft_credential_endpoint: 0,
    });
    expect(open_endpoints).to.deep.equal({
      requestsPerMinute: 600,
      storedMiBPerDay: 64,
      largestKiB: 64,
      longestSeconds: 86_400,
    });
    expect(sign_in_endpoint).to.deep.equal({ requestsPerMinute: 600 });
    for (const section of [audit_endpoint, key_endpoint]) expect(section).to.deep.equal({ requestsPerMinute: 60 });
    for (const { requestsPerMinute: _, ...failure } of Object.values(sections))
      expect(failure).to.deep.equal({ failureWindowSeconds: 60, failureThreshold: 5, failureBlockSeconds: 300 });
  });

  it('has the defaults of absent fields, and reads failure fields also without a store', async () => {
    const { issuer2_token_endpoint } = await read('issuer2_token_endpoint { failureThreshold = 3 }');
    expect(issuer2_token_endpoint).to.include({ requestsPerMinute: 5, failureThreshold: 3, failureWindowSeconds: 60 });
  });

  it('accepts every name of the stores, with values from the environment', async () => {
    const nodes = `nodes = [ { host = a.example, port = \${PORT_A} } ]`;
    const names: [string, string][] = [
      ['kvstore', 'kvstore'],
      ['redis', 'kvstore'],
      ['kvstore-cluster', 'kvstore-cluster'],
      ['redis-cluster', 'kvstore-cluster'],
    ];
    for (const [name, type] of names) {
      const { persistence } = await read(`persistence { type = ${name}, ${nodes}, password = \${SECRET} }`, {
        PORT_A: '6380',
        SECRET: 'hunter2',
      });
      expect(persistence).to.deep.equal({
        type,
        nodes: [{ host: 'a.example', port: 6380 }],
        user: '',
        password: 'hunter2',
        tls: false,
      });
    }
  });

  const WRONG: [string, string][] = [
    ['issuer_token_endpoint { }', 'issuer_token_endpoint'],
    ['issuer2_token_endpoint { requestsPerHour = 5 }', 'issuer2_token_endpoint.requestsPerHour'],
    ['issuer2_token_endpoint = 5', 'issuer2_token_endpoint'],
    ['open_endpoints { failureThreshold = 5 }', 'open_endpoints.failureThreshold'],
    ['open_endpoints { requestsPerMinute = -1 }', 'open_endpoints.requestsPerMinute'],
    ['exempt = 10.0.0.1', 'exempt'],
    ['exempt = [ wallets.example ]', 'exempt[0]'],
    ['exempt = [ 10.0.0.0/8, 10.0.0.0/33 ]', 'exempt[1]'],
    ['persistence = kvstore', 'persistence'],
    ['persistence.type = sqlite', 'persistence.type'],
    ['persistence.type = kvstore', 'persistence.nodes'],
    ['persistence { type = redis-cluster, nodes = [] }', 'persistence.nodes'],
    ['persistence { type = kvstore, nodes = [ { host = a, port = 1 }, { host = b, port = 2 } ] }', 'persistence.nodes'],
    ['persistence { type = kvstore, nodes = [ { host = a } ] }', 'persistence.nodes[0].port'],
    ['persistence { type = kvstore, nodes = [ { host = "", port = 1 } ] }', 'persistence.nodes[0].host'],
    ['persistence { type = kvstore, nodes = [ { host = a, port = 0 } ] }', 'persistence.nodes[0].port'],
    ['persistence { type = kvstore, nodes = [ { host = a, port = 65536 } ] }', 'persistence.nodes[0].port'],
    ['persistence { type = kvstore, nodes = [ { host = a, port = x } ] }', 'persistence.nodes[0].port'],
    ['persistence { hosts = [] }', 'persistence.hosts'],
  ];
  for (const [text, field] of WRONG)
    it(`refuses ${text}`, async () => {
      expect(await problems(text)).to.deep.equal([`rate-limit.conf ${field}`]);
    });

  it('property: a number is accepted exactly when it is a positive integer, and is named otherwise', async () => {
    const fields = fc.constantFrom(
      'requestsPerMinute',
      'failureWindowSeconds',
      'failureThreshold',
      'failureBlockSeconds',
    );
    const values = fc.oneof(
      fc.integer({ min: -5, max: 10_000 }),
      fc.double({ min: -2, max: 3, noNaN: true }),
      fc.constant('x'),
    );
    await fc.assert(
      fc.asyncProperty(fields, values, async (field, value) => {
        const text = JSON.stringify({ wallet_auth_endpoint: { [field]: value } });
        if (typeof value === 'number' && Number.isInteger(value) && value >= 1)
          expect((await read(text)).wallet_auth_endpoint).to.include({ [field]: value });
        else
          expect(new Set(await problems(text))).to.deep.equal(
            new Set([`rate-limit.conf wallet_auth_endpoint.${field}`]),
          );
      }),
      { numRuns: 100 },
    );
  });

  it('names no value of an invalid field', async () => {
    const text = 'persistence { type = kvstore, password = [ hunter2 ], user = { hunter2 = 1 } }';
    const error = await read(text).catch((caught) => caught);
    expect(error.message).to.include('persistence.password').and.not.include('hunter2');
  });
});
