import { expect } from 'chai';
import fc from 'fast-check';
import type { Operation } from '../../adapters/http/messages/document.ts';
import { login, registration, SUPERADMIN, TOKEN } from '../actors/tenant.ts';
import { contract } from '../support/documents/contract.ts';
import { exampleOf } from '../support/documents/examples.ts';
import { inTier } from '../support/runs/tier.ts';
import { undisturbedMs } from '../support/runs/undisturbed.ts';
import { type Plain, useServer } from '../support/servers/server.ts';

const REQUESTS = inTier({ hard: 100_000, usual: 400 });
const SLOW_MS = 2000;
/** A vault, a login server or an issuer that a request names is not there. */
const OF_OTHERS = [502, 504];

/** Where a text of a request is sent. */
interface Fuzz {
  operation: number;
  path: string;
  query: [string, string][];
  body: 'example' | 'json' | 'text';
  json: unknown;
  text: string;
  type: string;
  member: number;
  isKnown: boolean;
}

const TYPES = ['application/json', 'application/x-www-form-urlencoded', 'text/plain', 'application/jwt', 'x/y'];
const names = fc.oneof(fc.constantFrom('limit', 'offset', 'sort', 'id', 'state', 'target', '__proto__'), fc.string());
const fuzz: fc.Arbitrary<Fuzz> = fc.record({
  operation: fc.nat(),
  path: fc.oneof(fc.constantFrom('x', 'acme.t1', '__proto__', '..', '%00'), fc.string({ minLength: 1 })),
  query: fc.array(fc.tuple(names, fc.string()), { maxLength: 3 }),
  body: fc.constantFrom('example' as const, 'json' as const, 'text' as const),
  json: fc.jsonValue({ maxDepth: 4 }),
  text: fc.string({ unit: 'binary', maxLength: 200 }),
  type: fc.constantFrom(...TYPES),
  member: fc.nat(),
  isKnown: fc.boolean(),
});

/** The documented body with one of its members replaced. */
function changed(example: unknown, { member, json }: Fuzz): string {
  const keys = Object.keys(Object(example));
  const name = keys[member % Math.max(1, keys.length)];
  return JSON.stringify(name === undefined || Array.isArray(example) ? json : { ...Object(example), [name]: json });
}

describe(`${REQUESTS} requests that no client makes`, () => {
  const server = useServer({
    settings: {
      superadminRegistration: { tokens: { [TOKEN]: registration() } },
      outbound: { allow: [] },
    },
  });
  let operations: Operation[];
  let token: string;
  before(async () => {
    const { paths } = (await server.fetch('/api.json')).body;
    // Those that answer as long as the client listens have tests of their own.
    operations = (await contract).operations.filter(
      ({ operationId, path }) => paths[path] && !/Events$/.test(operationId),
    );
    expect(operations).to.have.length.above(300);
    await server.call('createSuperadmin', { text: TOKEN });
    token = await login(server, SUPERADMIN);
  });

  function requestOf(operation: Operation, one: Fuzz): [path: string, init: Plain] {
    const segment = encodeURIComponent(one.path);
    const path = operation.path.replaceAll(/\{[^}]+\}/g, segment === '.' || segment === '..' ? 'x' : segment);
    const query = new URLSearchParams(one.query).toString();
    const authorization = one.isKnown ? `Bearer ${token}` : `Bearer ${one.text.replaceAll(/[^!-~]/g, '')}`;
    const bodies: Record<Fuzz['body'], () => string> = {
      example: () => changed(exampleOf(operation), one),
      json: () => JSON.stringify(one.json),
      text: () => one.text,
    };
    const body = operation.requestBody ? { body: bodies[one.body]() } : {};
    const type: Record<string, string> = operation.requestBody ? { 'content-type': one.type } : {};
    return [`${path}?${query}`, { method: operation.method, headers: { authorization, ...type }, ...body }];
  }

  it('get documented answers below 500, soon, and change nothing for others', async () => {
    await fc.assert(
      fc.asyncProperty(fuzz, async (one) => {
        const operation = operations[one.operation % operations.length] as Operation;
        const [path, init] = requestOf(operation, one);
        let status = 0;
        const ms = await undisturbedMs(async () => {
          ({ status } = await server.fetch(path, init));
        });
        expect(ms, operation.operationId).to.be.below(SLOW_MS);
        if (!OF_OTHERS.includes(status)) expect(status, operation.operationId).to.be.below(500);
      }),
      { numRuns: REQUESTS },
    );
    expect(({} as Record<string, unknown>).x).to.equal(undefined);
    expect((await server.call('getReadiness')).status).to.equal(200);
    expect((await server.call('getOwnAccount', { token })).status).to.equal(200);
  });
});
