import { expect } from 'chai';
import { type Dispatcher, request } from 'undici';
import type { Operation } from '../../adapters/http/messages/document.ts';
import { ALL_RIGHTS, AllRights } from '../actors/all-rights.ts';
import { contract } from '../support/documents/contract.ts';
import { exampleOf as documentedExample } from '../support/documents/examples.ts';
import { useFakeAws } from '../support/kms/aws.ts';
import { inTier, inTurn, oneOfEach } from '../support/runs/tier.ts';
import { undisturbedMs } from '../support/runs/undisturbed.ts';
import { type Answer, type Plain, useServer } from '../support/servers/server.ts';
import { BARE_JSON, BROKEN_JSON, mutate } from './mutations.ts';

interface Tally {
  tried: number;
  clear: number;
  allowed: number;
  slow: number;
  failures: string[];
}

const SLOW_MS = 2000;

describe('bad input', () => {
  const aws = useFakeAws();
  const server = useServer(async () => ({
    settings: { ...ALL_RIGHTS, kms: { kmsa: aws.settings } },
  }));
  let rights: AllRights;
  let operations: Operation[];
  let asJson: Operation[];
  const tally: Tally = { tried: 0, clear: 0, allowed: 0, slow: 0, failures: [] };

  before(async () => {
    operations = (await contract).operations;
    // A mounted operation has the schema and the handler of the one that it is a copy of.
    asJson = operations.filter(
      ({ requestBody, rawText, mounted }) => requestBody?.content['application/json'] && !rawText && !mounted,
    );
    rights = await AllRights.at(server);
  });
  after(() => {
    const { tried, clear, allowed, slow, failures } = tally;
    console.log(
      `      bad inputs tried ${tried} | clear 4xx ${clear} | accepted as harmless ${allowed} | 5xx ${failures.length} | hangs over 2 s ${slow}`,
    );
  });

  /** Sends one hostile request; the answer must be documented, in time and name the defect. */
  async function attempt(operation: Operation, init: Plain, path = pathOf(operation)): Promise<Answer> {
    const answered = server.fetch(path, rights.authorized(operation, init));
    if ((await undisturbedMs(() => answered)) > SLOW_MS) tally.slow += 1;
    const answer = await answered;
    tally.tried += 1;
    if (answer.status >= 500 && answer.status !== 502 && answer.status !== 504)
      tally.failures.push(`${operation.operationId} ${answer.status}`);
    else if (answer.status >= 400) tally.clear += 1;
    else tally.allowed += 1;
    return answer;
  }

  const port = (): string => new URL(server.url).port;

  /** The body that the mutations begin with: with a key in a key management service where there may be one, and this server as the other party. */
  function exampleOf({ operationId, requestBody }: Operation): unknown {
    const key = { backend: 'kmsa-rest-api', keyType: 'secp256r1', config: aws.config() };
    const withKey: Record<string, unknown> = {
      onboardIssuer: { key, did: { method: 'jwk' } },
      generateWalletKey: { ...key, name: 'second' },
      generateKey: key,
    };
    const example = withKey[operationId] ?? documentedExample({ requestBody }) ?? UNWRITTEN[operationId];
    return JSON.parse(JSON.stringify(example).replaceAll(/127\.0\.0\.1(:|%3A)7001/g, `127.0.0.1$1${port()}`));
  }

  const pathOf = ({ path }: Operation): string =>
    path.replaceAll(/\{([^}]+)\}/g, (_, name) => (name === 'wallet' ? rights.wallet : 'unknown-thing'));

  it('that is not JSON is 400 where JSON is required', async () => {
    for (const [turn, operation] of asJson.entries()) {
      const refused = takesAnyJson(operation) ? BROKEN_JSON : { ...BROKEN_JSON, ...BARE_JSON };
      // All are read by the same code: each operation is sent every third, and each third goes to many operations.
      for (const [name, body] of Object.entries(refused).filter((_, index) => index % 3 === turn % 3)) {
        const answer = await attempt(operation, { body, headers: { 'content-type': 'application/json' } });
        expect(answer.status, `${operation.operationId}: ${name}`).to.equal(400);
      }
      const bytes = await attempt(operation, {
        body: Buffer.from([0x7b, 0xff, 0xfe]),
        headers: { 'content-type': 'application/json' },
      });
      expect(bytes.status, `${operation.operationId}: invalid UTF-8`).to.equal(400);
    }
  });

  it('in any one field, missing, mistyped, oversized or unknown, gets a clear answer', async () => {
    for (const [turn, operation] of asJson.entries()) {
      const example = exampleOf(operation);
      expect(example, `${operation.operationId} has an example`).to.not.equal(undefined);
      const whole = await attempt(operation, {
        body: JSON.stringify(example),
        headers: { 'content-type': 'application/json' },
      });
      const all = [...mutate(example)];
      // A third of the kinds of defects, each in a field that the seed chooses: each kind goes to a third of the operations.
      const some = oneOfEach(all, ({ name }) => `${operation.operationId} ${name}`);
      const defects = inTier({ hard: all, usual: inTurn(some, turn, 3) });
      for (const { text: body, name, path } of defects) {
        const answer = await attempt(operation, { body, headers: { 'content-type': 'application/json' } });
        const what = `${operation.operationId} ${path} ${name}: ${answer.status} ${JSON.stringify(answer.body).slice(0, 300)}`;
        expect(answer.status, what).to.be.lessThan(500);
        if (path === '/__proto__') expect(answer.status, what).to.equal(400);
        const [field, holder] = path.split('/').reverse();
        // Without a backend the key is one of this server, which takes no configuration.
        const contradicted = field === 'backend' ? 'config' : undefined;
        const names = [field, holder, contradicted].some((part) => part && JSON.stringify(answer.body).includes(part));
        if (answer.status === 400 && whole.status < 400 && !ignoresUnknown(operation))
          expect(names, `${what} names the field`).to.equal(true);
      }
    }
  });

  it('of a hundred thousand wrong values, or of 20,000 in one field, gets a clear answer, soon', async () => {
    const [many, some] = [100_000, 20_000].map((count) => JSON.stringify(Array(count).fill(5)));
    const unknown = JSON.stringify(Object.fromEntries(Array.from({ length: 20_000 }, (_, n) => [`x${n}`, 1])));
    for (const [turn, operation] of asJson.entries()) {
      const example = exampleOf(operation) as Record<string, unknown>;
      const filled = Object.keys(example).map((name) => `{${JSON.stringify(name)}:${some}}`);
      for (const body of [...inTurn([many as string, unknown], turn), ...inTurn(filled, turn)]) {
        const answer = await attempt(operation, { body, headers: { 'content-type': 'application/json' } });
        const what = `${operation.operationId} ${body.slice(0, 40)}`;
        expect(answer.status, what).to.be.lessThan(500);
        expect(JSON.stringify(answer.body).length, what).to.be.lessThan(10_000);
      }
    }
  });

  it('in the path is rejected or unknown, never a 500', async () => {
    const hostile = [
      '%00',
      '..%2f..%2fetc',
      '%c0%af',
      '__proto__',
      'constructor',
      `${'a'.repeat(5000)}`,
      '%e2%80%ae',
      "';--",
    ];
    // The events of what was removed are still shown, so a name that may have been that of an organization is not unknown.
    const isOfEvents = ({ operationId }: Operation): boolean => /^(list|export|check)Audit/.test(operationId);
    for (const [turn, operation] of operations.filter(({ path }) => path.includes('{')).entries()) {
      const known = hostile.filter((name) => !isOfEvents(operation) || !/^[a-z_]{1,128}$/.test(name));
      for (const part of inTurn(known, turn)) {
        const path = operation.path.replaceAll(/\{[^}]+\}/g, part);
        const { headers } = rights.authorized({ ...operation, lateBody: false }, {});
        const method = operation.method as Dispatcher.HttpMethod;
        const { statusCode, body } = await request(`${server.url}${path}`, { method, headers });
        tally.tried += 1;
        tally.clear += 1;
        expect(statusCode, `${operation.operationId} ${part.slice(0, 20)}`).to.be.within(400, 499);
        await body.dump();
      }
    }
  });

  it('changes nothing: later requests are answered as before', async () => {
    expect(({} as Record<string, unknown>).x).to.equal(undefined);
    // Others were made with bodies that are valid.
    const [first] = (await server.call('listAccountWallets', { token: rights.tokens.wallet })).body.wallets;
    expect(first.id).to.equal(rights.wallet);
    expect(tally.failures).to.deep.equal([]);
    expect(tally.slow).to.equal(0);
  });
});

/** Authentication requests ignore unknown members, so an error names another defect. */
const ignoresUnknown = ({ path }: Operation): boolean => path.startsWith('/wallet-api/auth/');

/** Whether a body may be any JSON: its schema only describes it. */
function takesAnyJson({ requestBody }: Operation): boolean {
  const { schema } = Object(requestBody?.content['application/json']);
  return Object.keys(Object(schema)).every((name) => name === 'description');
}

/** Bodies without a documented example, because a valid one expires. */
const UNWRITTEN: Record<string, unknown> = {
  registerWithCertificate: { type: 'x5c', token: 'e30.e30.AAAA' },
  loginWithCertificate: { type: 'x5c', token: 'e30.e30.AAAA' },
};
