import { expect } from 'chai';
import { contract } from '../../support/documents/contract.ts';
import { documentedCall } from '../../support/documents/operation-calls.ts';
import { type Call, useServer } from '../../support/servers/server.ts';

const TOKEN = 'an-operator-token-of-36-characters--';
const WRONG = ['', 'x', `${TOKEN}x`, TOKEN.slice(1), `${TOKEN.slice(0, -1)}x`];
const managing = (await contract).operations.filter(({ isManagement }) => isManagement);
const open = (await contract).operations.filter(
  // Stores of wallets are served where there are no accounts.
  ({ isManagement, authentication, path }) =>
    !isManagement && authentication === 'none' && !path.startsWith('/stores/'),
);

describe('operations of management', () => {
  describe('with management = token', () => {
    const server = useServer({ settings: { services: { management: 'token', managementToken: TOKEN } } });

    for (const operation of managing) {
      const { operationId, method, path } = operation;
      const call = documentedCall(operation, {});

      it(`${method} ${path}: 401 without the token and with another one, in the documented form`, async () => {
        const attempts: Call[] = [
          {},
          ...WRONG.map((token) => ({ token })),
          { headers: { authorization: `Basic ${TOKEN}` } },
        ];
        for (const attempt of attempts) {
          const headers = { ...call.headers, ...attempt.headers };
          const answer = await server.call(operationId, { ...call, ...attempt, headers });
          expect(answer.status, JSON.stringify(attempt)).to.equal(401);
          expect(answer.headers.get('www-authenticate')).to.equal('Bearer');
          expect(answer.body).to.include({ id: 'LoginRequired', code: '401' });
        }
      });

      it(`${method} ${path}: is served with the token`, async () => {
        const answer = await server.call(operationId, { ...call, token: TOKEN });
        expect(answer.status).not.to.equal(401);
      });
    }

    it('all other operations without a login do not ask for it', async () => {
      for (const operation of open) {
        const answer = await server.call(operation.operationId, documentedCall(operation, {}));
        expect(JSON.stringify(answer.body), operation.operationId).not.to.include('management token');
      }
    });

    it('the API document demands the token for them', async () => {
      const { body } = await server.call('getContract');
      for (const { method, path } of managing)
        expect(body.paths[path][method.toLowerCase()].security, path).to.deep.equal([{ management: [] }]);
    });

    it('the token is in no log line', () => {
      expect(server.lines).not.to.deep.equal([]);
      expect(JSON.stringify(server.lines)).not.to.include(TOKEN);
    });
  });

  describe('with management = token, from far away', () => {
    const settings = {
      services: { management: 'token' as const, managementToken: TOKEN },
      rateLimit: { open_endpoints: { requestsPerMinute: 1, largestKiB: 1 } },
    };
    const server = useServer({ settings });

    it('who has the token is no stranger: neither requests nor bytes are counted', async () => {
      const headers = { 'x-forwarded-for': '203.0.113.7' };
      const json = { key: { backend: 'jwk', keyType: 'secp256r1', config: {} }, did: { method: 'jwk', config: {} } };
      for (let n = 0; n < 3; n += 1) {
        const { status } = await server.call('onboardIssuer', { json, headers, token: TOKEN });
        expect(status).to.equal(200);
      }
    });
  });

  describe('without a word', () => {
    const server = useServer();

    it('are open', async () => {
      for (const operation of managing) {
        const { status } = await server.call(operation.operationId, documentedCall(operation, {}));
        expect(status, operation.operationId).not.to.equal(401);
      }
    });
  });
});
