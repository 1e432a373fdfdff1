import { expect } from 'chai';
import { sharedPolicy } from '../../../adapters/http/edge/cors.ts';
import type { Operation } from '../../../adapters/http/messages/document.ts';
import { PORTAL, preflight } from '../../actors/portal.ts';
import { type Answer, useServer } from '../../support/servers/server.ts';

/** Paths without an operation, of the services that pages of any origin may call. */
const OPEN = ['/draft13/nothing/here', '/openid4vc/nothing/here', '/onboard/nothing', '/transaction-data-profiles/x'];
const FRONT = 'http://wallet.example:7101';

const allowed = ({ headers }: Answer): string | null => headers.get('access-control-allow-origin');

describe('answers to a page of another origin', () => {
  const server = useServer({ settings: { services: { corsOrigins: [FRONT] } } });

  const ask = (path: string, method: string, origin = PORTAL) =>
    preflight(server, path, { origin, method, headers: ['content-type'] });
  const send = (path: string, method: string, origin = PORTAL) => server.fetch(path, { method, headers: { origin } });

  for (const path of OPEN)
    it(`a preflight of ${path} succeeds, and the 404 after it is readable`, async () => {
      const question = await ask(path, 'PUT');
      expect([question.status, allowed(question)]).to.deep.equal([204, '*']);
      expect(question.headers.get('access-control-allow-methods')).to.include('PUT');
      const answer = await send(path, 'PUT');
      expect([answer.status, allowed(answer)]).to.deep.equal([404, '*']);
      expect(answer.body.id).to.equal('NotFound');
    });

  it('a preflight for a method that a path does not have succeeds, and the 405 after it is readable', async () => {
    expect((await ask('/openid4vc/verify', 'DELETE')).status).to.equal(204);
    const answer = await send('/openid4vc/verify', 'DELETE');
    expect([answer.status, allowed(answer), answer.headers.get('allow')]).to.deep.equal([405, '*', 'POST, OPTIONS']);
  });

  it('the wallet allows configured origins, and no others', async () => {
    for (const path of ['/wallet-api/nothing', '/wallet-api/auth/login']) {
      const listed = await send(path, 'DELETE', FRONT);
      expect([listed.status >= 404, allowed(listed)]).to.deep.equal([true, FRONT]);
      expect(allowed(await send(path, 'DELETE'))).to.equal(null);
      expect(allowed(await ask(path, 'DELETE'))).to.equal(null);
    }
  });

  it('a path whose operations differ allows no other origin', () => {
    const operations = ['any', 'wallet'].map((cors) => ({ cors }) as Operation);
    expect(sharedPolicy(operations)).to.equal('none');
    expect(sharedPolicy(operations.slice(1))).to.equal('wallet');
  });

  it('a path that belongs to no service allows no other origin', async () => {
    for (const path of ['/nothing', '/nothing/draft13', '/']) {
      const answer = await send(path, 'PUT');
      expect([answer.status >= 404, allowed(answer)], path).to.deep.equal([true, null]);
      expect(allowed(await ask(path, 'PUT')), path).to.equal(null);
    }
  });
});
