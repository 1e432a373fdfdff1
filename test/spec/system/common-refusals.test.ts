import { expect } from 'chai';
import { MAX_BODY_BYTES } from '../../../adapters/http/messages/body.ts';
import type { Operation } from '../../../adapters/http/messages/document.ts';
import { BROKEN_TOKENS } from '../../abuse/mutations.ts';
import { ALL_RIGHTS, AllRights } from '../../actors/all-rights.ts';
import { contract } from '../../support/documents/contract.ts';
import { documentedPath } from '../../support/documents/operation-calls.ts';
import { inTurn } from '../../support/runs/tier.ts';
import { type Answer, type Plain, useServer } from '../../support/servers/server.ts';

/** What all operations refuse alike, tried on each operation of the documents. */
describe('a request', () => {
  const server = useServer({ settings: ALL_RIGHTS });
  let rights: AllRights;
  let operations: Operation[];
  /** Those of a server with accounts. */
  let served: Operation[];
  let withBody: Operation[];
  before(async () => {
    operations = (await contract).operations;
    served = operations.filter(({ resolved }) => resolved['x-accounts'] !== 'none');
    // A mounted operation has the schema and the handler of the one that it is a copy of.
    withBody = operations.filter(({ requestBody, mounted }) => requestBody && !mounted);
    rights = await AllRights.at(server);
  });

  const attempt = (operation: Operation, init: Plain, path = pathOf(operation)): Promise<Answer> =>
    server.fetch(path, rights.authorized(operation, init));

  /** The body of a request that takes one. */
  const callOf = (operation: Operation): Plain => {
    const [type] = Object.keys(operation.requestBody?.content ?? {});
    return type === undefined ? {} : { body: type.endsWith('json') ? '{}' : 'a', headers: { 'content-type': type } };
  };

  const pathOf = ({ path }: Operation): string =>
    path.replaceAll(/\{([^}]+)\}/g, (_, name) => (name === 'wallet' ? rights.wallet : 'unknown-thing'));

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

  it('with an unknown query parameter is 400 that names it, except at protocol endpoints', async () => {
    for (const operation of served.filter(({ ignoreUnknown }) => !ignoreUnknown)) {
      const answer = await attempt(
        operation,
        callOf(operation),
        `${documentedPath(operation, { wallet: rights.wallet })}&surprise=1&surprise=2`,
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
      const cookie = `${cookies[operation.realm]}=${rights.tokens[operation.realm]}`;
      const call = {
        method: operation.method,
        body,
        headers: { ...headers, cookie, origin: 'https://elsewhere.example' },
      };
      const answer = await server.fetch(documentedPath(operation, { wallet: rights.wallet }), call);
      expect(answer.status, operation.operationId).to.equal(403);
    }
  });

  it('with an encoding of its path that is none is 400', async () => {
    for (const operation of served.filter(({ path }) => path.includes('{'))) {
      const answer = await attempt(operation, callOf(operation), operation.path.replaceAll(/\{[^}]+\}/g, '%zz'));
      expect(answer.status, operation.operationId).to.equal(400);
    }
  });
});
