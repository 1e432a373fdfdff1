import { expect } from 'chai';
import fc from 'fast-check';
import { from, STRANGERS } from '../../actors/strangers.ts';
import { contract } from '../../support/documents/contract.ts';
import { exampleOf } from '../../support/documents/examples.ts';
import { runs } from '../../support/runs/property-runs.ts';
import { startServer, type TestServer, useServer } from '../../support/servers/server.ts';
import { CountingStore } from '../../support/stores/counting-store.ts';

const LIMIT = 64 * 1024;

describe('open endpoints', () => {
  let server: TestServer;
  afterEach(() => server.close());

  it('that store records for a call without a login have a limit', async () => {
    let store: CountingStore | undefined;
    server = await startServer({
      wrapStore: (inner) => {
        store = new CountingStore(inner);
        return store;
      },
    });
    const { operations } = await contract;
    const keeping = new Map<string, string | undefined>();
    // Records of the whole server, such as its keys, exist in the second round.
    for (const round of [1, 2])
      for (const operation of operations) {
        const before = store?.inserts ?? 0;
        const example = exampleOf(operation);
        const body = example === undefined ? undefined : JSON.stringify(example);
        const path = operation.path.replaceAll(/\{[^}]+\}/g, 'x');
        const headers = { 'content-type': 'application/json' };
        await fetch(`${server.url}${path}`, { method: operation.method, headers, body });
        if (round === 2 && (store?.inserts ?? 0) > before) keeping.set(operation.operationId, operation.rateLimit);
      }
    expect([...keeping.keys()]).to.include.members([
      'createLoginNonce',
      'issueJwtCredential',
      'issueJwtCredentialBatch',
      'issueSdJwtCredential',
      'issueSdJwtCredentialBatch',
      'issueMdoc',
      'issueMdocBatch',
      'startVerification',
    ]);
    for (const [operationId, section] of keeping) expect(section, operationId).to.be.a('string');
  });

  it('have a limit for strangers by default, and none for callers of the operator', async () => {
    server = await startServer({ settings: STRANGERS });
    for (let n = 0; n < 600; n += 1)
      expect((await server.call('createLoginNonce', { headers: from(1) })).status, String(n)).to.equal(200);
    const refused = await server.call('createLoginNonce', { headers: from(1) });
    expect(refused.status).to.equal(429);
    expect(refused.headers.get('retry-after')).to.equal('60');
    expect((await server.call('createLoginNonce', { headers: from(2) })).status).to.equal(200);
    const { status, headers } = await server.call('createLoginNonce');
    expect([status, headers.get('ratelimit')]).to.deep.equal([200, null]);
  });

  it('take what a proxy without trust passed on for a stranger', async () => {
    server = await startServer({ settings: { rateLimit: { open_endpoints: { requestsPerMinute: 1 } } } });
    const statuses = async (headers: Record<string, string>) => {
      const answers = [1, 2].map(() => server.call('createLoginNonce', { headers }));
      return (await Promise.all(answers)).map(({ status }) => status).sort();
    };
    expect(await statuses(from(1))).to.deep.equal([200, 429]);
    expect(await statuses({})).to.deep.equal([200, 200]);
  });

  it('share one limit', async () => {
    const settings = { ...STRANGERS, rateLimit: { open_endpoints: { requestsPerMinute: 2 } } };
    server = await startServer({ settings });
    const headers = from(1);
    expect((await server.call('createLoginNonce', { headers })).status).to.equal(200);
    expect((await server.call('onboardIssuer', { headers, json: {} })).status).to.equal(200);
    const request = { headers, json: { request_credentials: ['A'] } };
    expect((await server.call('startVerification', request)).status).to.equal(429);
  });
});

describe('operations without a login', () => {
  it('that create, sign or revoke have a limit without a login, and so has all that is neither a read nor in this table', async () => {
    /** What needs no login and has no limit of its own, and why. */
    const UNLIMITED: Record<string, string> = {
      notifyIssuer: 'needs an access token',
      notifyOpenid4vciIssuer: 'needs an access token',
      tenantNotifyOpenid4vciIssuer: 'needs an access token',
      submitPresentation: 'ends a session that was created within the limit',
      requestOpenid4vciNonce: 'stores nothing',
      requestOpenid4vciChallenge: 'stores nothing',
      tenantRequestOpenid4vciNonce: 'stores nothing',
      tenantRequestOpenid4vciChallenge: 'stores nothing',
      checkRevocation: 'reads',
      parseMdoc: 'reads',
      createNamedStore: 'is served to the operator alone, who has no accounts',
    };
    const { operations } = await contract;
    const open = operations.filter(({ authentication, method }) => authentication === 'none' && method !== 'GET');
    const unlimited = open.filter(({ rateLimit }) => rateLimit === undefined).map(({ operationId }) => operationId);
    expect(unlimited).to.have.members(Object.keys(UNLIMITED));
  });
});

describe('startVerification', () => {
  const server = useServer();

  const descriptor = (purpose: string) => ({ id: 'a', purpose, constraints: { fields: [] } });
  /** Requests with `text` in one member, by the name of that member. */
  const REQUESTS: Record<string, (text: string) => Record<string, unknown>> = {
    presentation_definition: (text) => ({
      request_credentials: ['A'],
      presentation_definition: { id: 'd', input_descriptors: [descriptor(text)] },
    }),
    request_credentials: (text) => ({
      request_credentials: [{ format: 'jwt_vc_json', input_descriptor: descriptor(text) }],
    }),
    vc_policies: (text) => ({
      request_credentials: ['A'],
      vc_policies: [{ policy: 'schema', args: { type: 'object', description: text } }],
    }),
    vp_policies: (text) => ({
      request_credentials: ['A'],
      vp_policies: [{ policy: 'schema', args: { type: 'object', description: text } }],
    }),
  };

  it('400: property: names the member with more than 64 KiB of JSON, and accepts smaller ones', () =>
    fc.assert(
      fc.asyncProperty(
        fc.constantFrom(...Object.keys(REQUESTS)),
        fc.constantFrom('x', 'é', '😀'),
        fc.integer({ min: -40, max: 40 }),
        async (name, character, over) => {
          const build = REQUESTS[name];
          if (!build) throw new Error(name);
          const sizeOf = (text: string): number => Buffer.byteLength(JSON.stringify(build(text)[name]));
          const width = Buffer.byteLength(character);
          const room = LIMIT - sizeOf('') + over;
          const text = character.repeat(Math.floor(room / width)) + 'x'.repeat(room % width);
          expect(sizeOf(text)).to.equal(LIMIT + over);
          const { status, body } = await server.call('startVerification', { json: build(text) });
          // A definition of the elements has some more bytes.
          if (name === 'request_credentials' && over <= 0) return;
          expect(status, JSON.stringify(body).slice(0, 200)).to.equal(over > 0 ? 400 : 200);
          if (over > 0) expect(body.message).to.equal(`${name}: must be at most 65536 bytes of JSON`);
        },
      ),
      { numRuns: runs(30) },
    ));
});
