import { expect } from 'chai';
import fc from 'fast-check';
import { contract } from '../../support/contract.ts';
import { CountingStore } from '../../support/counting-store.ts';
import { exampleOf } from '../../support/examples.ts';
import { type Answer, startServer, type TestServer, useServer } from '../../support/server.ts';

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

  it('have no limit unless one is configured', async () => {
    server = await startServer();
    const answers: Answer[] = [];
    for (let n = 0; n < 40; n += 1) answers.push(await server.call('createLoginNonce'));
    for (const { status, headers } of answers) expect([status, headers.get('ratelimit')]).to.deep.equal([200, null]);
  });

  it('share one limit', async () => {
    server = await startServer({ settings: { rateLimit: { open_endpoints: { requestsPerMinute: 2 } } } });
    expect((await server.call('createLoginNonce')).status).to.equal(200);
    expect((await server.call('onboardIssuer', { json: {} })).status).to.equal(200);
    expect((await server.call('startVerification', { json: { request_credentials: ['A'] } })).status).to.equal(429);
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
          if (over > 0) expect(body.message).to.equal(`/body/${name}: must be at most 65536 bytes of JSON`);
        },
      ),
      { numRuns: 60 },
    ));
});
