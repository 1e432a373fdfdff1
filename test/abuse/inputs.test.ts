import { expect } from 'chai';
import { type Dispatcher, request } from 'undici';
import { MAX_BODY_BYTES } from '../../adapters/http/messages/body.ts';
import type { Operation } from '../../adapters/http/messages/document.ts';
import { accessTokens } from '../actors/access-tokens.ts';
import { login, registration, SUPERADMIN, TOKEN } from '../actors/tenant.ts';
import { contract } from '../support/documents/contract.ts';
import { exampleOf as documentedExample } from '../support/documents/examples.ts';
import { documentedPath } from '../support/documents/operation-calls.ts';
import { useFakeAws } from '../support/kms/aws.ts';
import { inTier, inTurn, oneOfEach } from '../support/runs/tier.ts';
import { undisturbedMs } from '../support/runs/undisturbed.ts';
import { type Answer, type Plain, type TestServer, useServer } from '../support/servers/server.ts';
import { BARE_JSON, BROKEN_JSON, BROKEN_TOKENS, mutate } from './mutations.ts';

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
    settings: {
      superadminRegistration: { tokens: { [TOKEN]: registration() } },
      kms: { kmsa: aws.settings },
    },
  }));
  let token: string;
  /** The tokens of callers with all permissions, by realm. */
  let tokens: Record<Operation['realm'], string>;
  /** Access tokens of wallets, by document: where one is needed, it is checked before the body. */
  let ofWallets: Record<string, string>;
  let wallet: string;
  let operations: Operation[];
  /** Those of a server with accounts. */
  let served: Operation[];
  let withBody: Operation[];
  let asJson: Operation[];
  const tally: Tally = { tried: 0, clear: 0, allowed: 0, slow: 0, failures: [] };

  before(async () => {
    operations = (await contract).operations;
    served = operations.filter(({ resolved }) => resolved['x-accounts'] !== 'none');
    // A mounted operation has the schema and the handler of the one that it is a copy of.
    withBody = operations.filter(({ requestBody, mounted }) => requestBody && !mounted);
    asJson = withBody.filter(({ requestBody, rawText }) => requestBody?.content['application/json'] && !rawText);
    const json = { type: 'email', name: 'A', email: 'abuse@example.org', password: 'correct horse battery' };
    await server.call('registerAccount', { json });
    token = (await server.call('loginAccount', { json })).body.token;
    tokens = { wallet: token, enterprise: await superadmin(server) };
    ofWallets = await accessTokens(server);
    wallet = (await server.call('listAccountWallets', { token })).body.wallets[0].id;
  });
  after(() => {
    const { tried, clear, allowed, slow, failures } = tally;
    console.log(
      `      bad inputs tried ${tried} | clear 4xx ${clear} | accepted as harmless ${allowed} | 5xx ${failures.length} | hangs over 2 s ${slow}`,
    );
  });

  /** Sends one hostile request; the answer must be documented, in time and name the defect. */
  async function attempt(operation: Operation, init: Plain, path = pathOf(operation)): Promise<Answer> {
    const own = operation.authentication === 'required' ? tokens[operation.realm] : undefined;
    const bearer = operation.lateBody ? ofWallets[operation.document] : own;
    const headers = { ...(bearer && { authorization: `Bearer ${bearer}` }), ...init.headers };
    const answered = server.fetch(path, { ...init, method: operation.method, headers });
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

  /** The body of a request that takes one. */
  const callOf = (operation: Operation): Plain => {
    const [type] = Object.keys(operation.requestBody?.content ?? {});
    return type === undefined ? {} : { body: type.endsWith('json') ? '{}' : 'a', headers: { 'content-type': type } };
  };

  const pathOf = ({ path }: Operation): string =>
    path.replaceAll(/\{([^}]+)\}/g, (_, name) => (name === 'wallet' ? wallet : 'unknown-thing'));

  it('over 1 MiB, or what the document names, is 413 on every operation that takes a body, unless the bound is that of a line', async () => {
    for (const operation of withBody) {
      const type = Object.keys(operation.requestBody?.content ?? {})[0] ?? 'text/plain';
      if (type === 'application/x-ndjson') continue;
      const answer = await attempt(operation, {
        body: 'x'.repeat((operation.maxBodyBytes ?? MAX_BODY_BYTES) + 1),
        headers: { 'content-type': type },
      });
      expect(answer.status, operation.operationId).to.equal(413);
    }
  });

  it('of an undocumented media type or with a content encoding is 415', async () => {
    for (const operation of withBody.filter(({ rawText }) => !rawText)) {
      const type = Object.keys(operation.requestBody?.content ?? {})[0] ?? 'text/plain';
      const headers: Record<string, string>[] = [
        { 'content-type': 'application/xml' },
        { 'content-type': type, 'content-encoding': 'gzip' },
      ];
      for (const one of headers) {
        const answer = await attempt(operation, { body: '<a/>', headers: one });
        expect(answer.status, `${operation.operationId} ${JSON.stringify(one)}`).to.equal(415);
      }
    }
  });

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

  it('with an unknown query parameter is 400 that names it, except at protocol endpoints', async () => {
    for (const operation of served.filter(({ ignoreUnknown }) => !ignoreUnknown)) {
      const answer = await attempt(
        operation,
        callOf(operation),
        `${documentedPath(operation, { wallet })}&surprise=1&surprise=2`,
      );
      const what = `${operation.operationId} ${JSON.stringify(answer.body)}`;
      // What is not there for the caller is not found before anything else is read.
      if (answer.status === 404 && operation.realm === 'enterprise') continue;
      expect(answer.status, what).to.equal(400);
      expect(JSON.stringify(answer.body), what).to.include('surprise');
    }
  });

  it('without a token, or with an invalid one, is 401 wherever a login is required', async () => {
    const closed = operations.filter(({ authentication }) => authentication === 'required');
    for (const [turn, operation] of closed.entries()) {
      for (const broken of ['', ...inTurn(BROKEN_TOKENS, turn)]) {
        const answer = await attempt(operation, {
          headers: { authorization: broken === '' ? '' : `Bearer ${broken}` },
        });
        expect(answer.status, `${operation.operationId} with ${broken.slice(0, 20)}`).to.equal(401);
        expect(answer.headers.get('www-authenticate')).to.equal('Bearer');
      }
    }
  });

  it('from the page of another that uses the cookie of a browser is 403 wherever a login changes something', async () => {
    const cookies = { wallet: 'login', enterprise: 'admin' };
    for (const operation of served.filter(
      ({ authentication, method }) => authentication !== 'none' && method !== 'GET',
    )) {
      const { body, headers } = callOf(operation);
      const cookie = `${cookies[operation.realm]}=${tokens[operation.realm]}`;
      const call = {
        method: operation.method,
        body,
        headers: { ...headers, cookie, origin: 'https://elsewhere.example' },
      };
      const answer = await server.fetch(documentedPath(operation, { wallet }), call);
      expect(answer.status, operation.operationId).to.equal(403);
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
        const headers: Record<string, string> =
          operation.authentication === 'required' ? { authorization: `Bearer ${tokens[operation.realm]}` } : {};
        const method = operation.method as Dispatcher.HttpMethod;
        const { statusCode, body } = await request(`${server.url}${path}`, { method, headers });
        tally.tried += 1;
        tally.clear += 1;
        expect(statusCode, `${operation.operationId} ${part.slice(0, 20)}`).to.be.within(400, 499);
        await body.dump();
      }
    }
  });

  it('with an encoding of its path that is none is 400', async () => {
    for (const operation of served.filter(({ path }) => path.includes('{'))) {
      const answer = await attempt(operation, callOf(operation), operation.path.replaceAll(/\{[^}]+\}/g, '%zz'));
      expect(answer.status, operation.operationId).to.equal(400);
    }
  });

  it('changes nothing: later requests are answered as before', async () => {
    expect(({} as Record<string, unknown>).x).to.equal(undefined);
    // Others were made with bodies that are valid.
    const [first] = (await server.call('listAccountWallets', { token })).body.wallets;
    expect(first.id).to.equal(wallet);
    expect(tally.failures).to.deep.equal([]);
    expect(tally.slow).to.equal(0);
  });
});

async function superadmin(server: TestServer): Promise<string> {
  await server.call('createSuperadmin', { text: TOKEN });
  return login(server, SUPERADMIN);
}

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
