import { expect } from 'chai';
import type { Operation } from '../../adapters/http/messages/document.ts';
import { crossDevice, Openid4vp } from '../actors/openid4vp.ts';
import { readRequest } from '../actors/wallet.ts';
import { contract } from '../support/documents/contract.ts';
import { useServer } from '../support/servers/server.ts';
import { FORM, formFields, HOSTILE_VALUES, queryNames } from './parameters.ts';

describe('bad parameters of the protocols of verifiers', () => {
  const server = useServer();
  let vp: Openid4vp;
  let operations: Operation[];
  before(async () => {
    vp = await Openid4vp.with(server);
    const ofVerifiers = (await contract).operations.filter(({ path }) =>
      /^\/(verification-session|openid4vc|authorize)\b/.test(path),
    );
    // The answer of a stream of events does not end.
    operations = ofVerifiers.filter(({ operationId }) => operationId !== 'streamVerificationSessionEvents');
  });

  /** New sessions: what stands in the path of each operation, and the states that responses repeat. */
  async function sessions(): Promise<{ path: Record<string, string>; state: Record<string, string> }> {
    const created = await vp.create(crossDevice());
    const { requestId, parameters } = await vp.request(created);
    const { body } = await server.call('startVerification', { json: { request_credentials: ['UniversityDegree'] } });
    const { state } = readRequest(body);
    const path = { sessionId: created.sessionId, requestId, state, id: state };
    return { path, state: { submitAuthorizationResponse: parameters.state, submitPresentation: state } };
  }

  it('in any one parameter, also sent twice, get a documented answer below 500', async () => {
    const tried = new Set<string>();
    for (const operation of operations) {
      const { operationId, method } = operation;
      const [fields, inQuery] = [formFields(operation), queryNames(operation)];
      for (const name of [...fields, ...inQuery]) {
        const { path: names, state } = await sessions();
        const path = operation.path.replaceAll(/\{([^}]+)\}/g, (_, part) => names[part] ?? 'unknown');
        for (const value of HOSTILE_VALUES)
          for (const more of ['', 'second']) {
            const parameters = new URLSearchParams({ state: state[operationId] ?? 'unknown', [name]: value });
            if (more !== '') parameters.append(name, more);
            const isField = fields.includes(name);
            const form = { body: parameters.toString(), headers: { 'content-type': FORM } };
            const answer = isField
              ? await server.fetch(path, { method, ...form })
              : await server.fetch(`${path}?${parameters}`, { method });
            const what = `${operationId} ${name}=${value.slice(0, 40)}: ${JSON.stringify(answer.body)}`;
            expect(answer.status, what).to.be.within(200, 499);
            tried.add(`${operationId} ${name}`);
          }
      }
    }
    expect([...tried]).to.include.members([
      'submitAuthorizationResponse vp_token',
      'submitAuthorizationResponse response',
      'submitAuthorizationResponse error',
      'postAuthorizationRequest wallet_metadata',
      'submitPresentation vp_token',
      'authorizeWallet scope',
      'getPresentedCredentials viewMode',
    ]);
  });
});
