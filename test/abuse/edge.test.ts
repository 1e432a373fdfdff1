import { connect } from 'node:net';
import { expect } from 'chai';
import { admitTo } from '../../adapters/http/edge/admission.ts';
import { ClientAddresses } from '../../adapters/http/edge/client-addresses.ts';
import type { RateLimits } from '../../adapters/http/edge/rate-limits.ts';
import { type RouteParts, routeSteps } from '../../adapters/http/edge/steps.ts';
import { withValidators } from '../../adapters/http/edge/validation.ts';
import { checkAnswer, contract, operationOf } from '../support/documents/contract.ts';
import { useServer } from '../support/servers/server.ts';
import { silentLog } from '../support/servers/silent-log.ts';

/** For so long bodies are sent and do not end. */
const SLOW_BODY_MS = 5000;

describe('the edge', () => {
  const server = useServer();

  /** Sends bytes unchanged and returns what was received until the server closed, or after `ms`. */
  const raw = (bytes: string, ms = 10_000): Promise<string> =>
    new Promise((resolve) => {
      let text = '';
      const socket = connect(Number(new URL(server.url).port), '127.0.0.1', () => socket.write(bytes));
      const done = setTimeout(() => socket.destroy(), ms);
      socket.on('data', (chunk) => {
        text += chunk;
      });
      socket.on('error', () => {});
      socket.on('close', () => {
        clearTimeout(done);
        resolve(text);
      });
    });

  it('does not start with an operation that has no handler', async () => {
    const livez = await operationOf('getLiveness');
    const parts = {
      ...withValidators(await contract),
      handlers: {},
      limits: {} as RateLimits,
      sessions: { authenticate: async () => undefined },
      admission: {},
      streams: {} as RouteParts['streams'],
      sources: new ClientAddresses([]),
      log: silentLog,
    };
    expect(() => routeSteps({ ...parts, origins: { publicUrl: server.url, corsOrigins: [] } })(livez)).to.throw(
      'has no handler',
    );
  });

  it('does not start with an operation on a wallet and nothing that decides whose it is', async () => {
    const keys = await operationOf('listWalletKeys');
    expect(() => admitTo(keys, {})).to.throw('Nothing decides whose wallets listWalletKeys is for');
    expect(() => admitTo(keys, { wallets: { requireWallet: async () => undefined } })).to.not.throw();
  });

  it('an undocumented answer fails the tests', async () => {
    const operation = await operationOf('getLiveness');
    const good = { status: 200, type: 'application/json', body: [{ name: 'http', status: 'Healthy' }] };
    expect(() => checkAnswer(operation, good)).to.not.throw();
    expect(() => checkAnswer(operation, { ...good, status: 201 })).to.throw('not documented');
    expect(() => checkAnswer(operation, { ...good, type: 'text/plain' })).to.throw('documented are');
    expect(() => checkAnswer(operation, { ...good, body: [{ name: 'http' }] })).to.throw('status');
  });

  it('the parser rejects header values with control characters and ambiguous requests', async () => {
    const hostile = [
      'POST /openid4vc/verify HTTP/1.1\r\nHost: a\r\nsuccessRedirectUri: https://a.example/\x01x\r\nContent-Length: 2\r\n\r\n{}',
      'POST /openid4vc/verify HTTP/1.1\r\nHost: a\r\nContent-Length: 2\r\nContent-Length: 3\r\n\r\n{}',
      'POST /openid4vc/verify HTTP/1.1\r\nHost: a\r\nContent-Length: 2\r\nTransfer-Encoding: chunked\r\n\r\n{}',
      'GET /livez HTTP/1.1\r\nHost: a\r\nX: a\nb: c\r\n\r\n',
    ];
    for (const bytes of hostile) expect(await raw(bytes, 300), JSON.stringify(bytes)).to.match(/^HTTP\/1\.1 4\d\d |^$/);
  });

  it('redirect and callback headers that are not URLs, or have encoded line breaks, are 400', async () => {
    const json = { request_credentials: ['UniversityDegree'] };
    for (const name of ['successRedirectUri', 'errorRedirectUri', 'statusCallbackUri', 'authorizeBaseUrl']) {
      for (const value of [
        'javascript:alert(1)',
        'data:text/html,x',
        '//evil.example',
        'not a url',
        'https://u:p@a.example/',
      ]) {
        if (name === 'authorizeBaseUrl' && value.startsWith('https')) continue;
        const { status } = await server.call('startVerification', { json, headers: { [name]: value } });
        expect(status, `${name}: ${value}`).to.equal(400);
      }
    }
  });

  it('while bodies are sent slowly, the health probe answers before they end', async () => {
    const slow = Array.from({ length: 50 }, () =>
      raw(
        'POST /onboard/issuer HTTP/1.1\r\nHost: a\r\nContent-Type: application/json\r\nContent-Length: 1000\r\n\r\n{',
        SLOW_BODY_MS,
      ),
    );
    let hasEnded = false;
    const ended = Promise.race(slow).then(() => {
      hasEnded = true;
    });
    expect((await server.call('getLiveness')).status).to.equal(200);
    expect(hasEnded).to.equal(false);
    await Promise.all([ended, ...slow]);
  });

  it('a body with a wrong length or without an end is cut off at 1 MiB', async () => {
    const head =
      'POST /onboard/issuer HTTP/1.1\r\nHost: a\r\nContent-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\n';
    const chunk = `10000\r\n${' '.repeat(0x10000)}\r\n`;
    expect(await raw(`${head}${chunk.repeat(20)}`)).to.match(/^HTTP\/1\.1 413 /);
  });

  it('an absolute request target without a path is answered', async () => {
    expect(await raw('PUT http:// HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n')).to.match(/^HTTP\/1\.1 40[04] /);
  });

  it('another spelling of a path is another path', async () => {
    for (const path of ['//livez', '/LIVEZ', '/livez/', '/./livez', '/%6civez']) {
      const text = await raw(`GET ${path} HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n`);
      expect(text, path).to.match(/^HTTP\/1\.1 404 /);
    }
  });
});
