import { expect } from 'chai';
import type { Operation } from '../../../adapters/http/messages/document.ts';
import type { EnterpriseFixture } from '../../actors/tenant.ts';
import { ISSUER, startIssuer } from '../../actors/tenant-issuer.ts';
import { contract } from '../../support/documents/contract.ts';
import type { Call } from '../../support/servers/server.ts';

/** Bodies that are refused where a token is good. */
const BODIES: Record<string, Call> = {
  'without a body': {},
  'with JSON that is cut off': { text: '{"proofs":', contentType: 'application/json' },
  'with members of other types': { json: { proofs: 7, proof: 7, transaction_id: 7, notification_id: 7 } },
  'with another media type': { text: 'a=b', contentType: 'application/x-www-form-urlencoded' },
  'with a body that is too large': { json: { a: 'x'.repeat(2_200_000) } },
};

describe('endpoints with access tokens', () => {
  let world: EnterpriseFixture;
  let operations: Operation[];
  before(async () => {
    world = await startIssuer();
    operations = (await contract).operations.filter(({ lateBody }) => lateBody);
  });
  after(() => world.close());

  for (const [title, call] of Object.entries(BODIES))
    it(`401: every one checks the token before the body: a request ${title}`, async () => {
      expect(operations.map(({ operationId }) => operationId)).to.include.members([
        'requestCredential',
        'requestDraft11Credential',
        'requestOpenid4vciCredential',
        'tenantRequestOpenid4vciCredential',
      ]);
      for (const { operationId, path } of operations)
        for (const token of ['unknown', undefined]) {
          const target = path.includes('{target}') ? { path: { target: ISSUER } } : {};
          const { status, body } = await world.server.call(operationId, { ...call, ...target, token });
          expect([status, body.error], `${operationId} ${token}: ${JSON.stringify(body)}`).to.deep.equal([
            401,
            'invalid_token',
          ]);
        }
    });
});
