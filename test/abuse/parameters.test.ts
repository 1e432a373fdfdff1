import { expect } from 'chai';
import type { Operation } from '../../adapters/http/messages/document.ts';
import { GRANT } from '../../demo/actors/holder-key.ts';
import { type Issuer, onboard } from '../../demo/actors/issuer.ts';
import { CodeWallet } from '../actors/draft-authorization.ts';
import { LoginServer } from '../actors/login-server.ts';
import { contract } from '../support/documents/contract.ts';
import { inTier, inTurn } from '../support/runs/tier.ts';
import { useServer } from '../support/servers/server.ts';
import { FORM, formFields, HOSTILE_VALUES, queryNames } from './parameters.ts';

const HEADERS = ['authorization', 'dpop', 'oauth-client-attestation', 'oauth-client-attestation-pop'];
const HEADER_VALUES = [
  'x',
  'DPoP',
  'DPoP x',
  'Bearer a.b.c',
  'e30.e30.AA',
  'eyJhbGciOiJub25lIn0.e30.',
  'x, y',
  '\u00e9',
];

describe('bad parameters of the protocols of issuers', () => {
  let login: LoginServer;
  const server = useServer(async () => {
    login = await LoginServer.start();
    return { settings: { authenticationService: { server: login.settings } } };
  });
  const wallets = { draft11: new CodeWallet(server, 'draft11'), draft13: new CodeWallet(server) };
  let issuer: Issuer;
  let operations: Operation[];
  before(async () => {
    issuer = await onboard(server, { key: { keyType: 'secp256r1' } });
    operations = (await contract).operations.filter(({ path }) =>
      /^\/(draft11|draft13|openid4vci|callback)\b/.test(path),
    );
  });
  after(() => login.close());

  /** A request that is good in all parameters but what it asks for. */
  async function good({ path }: Operation, authenticationMethod: string): Promise<Record<string, string>> {
    const draft = path.startsWith('/draft11') ? 'draft11' : 'draft13';
    const parameters = wallets[draft].parameters(await wallets[draft].offer(issuer, { authenticationMethod }));
    return { ...parameters, grant_type: GRANT };
  }

  const nameOf = ({ operationId }: Operation, name: string, value: string) =>
    `${operationId} ${name}=${value.slice(0, 40)}`;

  const isForm = ({ requestBody }: Operation) => requestBody?.content[FORM] !== undefined;

  function send(operation: Operation, parameters: URLSearchParams, headers: Record<string, string> = {}) {
    const { method, path } = operation;
    if (!isForm(operation)) return server.fetch(`${path}?${parameters}`, { method, headers });
    const body = parameters.toString();
    return server.fetch(path, { method, body, headers: { 'content-type': FORM, ...headers } });
  }

  it('in any one parameter, and one sent twice, get a documented answer below 500', async () => {
    let tried = 0;
    for (const operation of operations.filter((one) => isForm(one) || queryNames(one).length > 0)) {
      const names = [...formFields(operation), ...queryNames(operation)];
      for (const [turn, method] of ['NONE', 'ID_TOKEN'].entries()) {
        const whole = await good(operation, method);
        // What is done with a value depends little on the method: each is sent with one of the two, but for the first.
        for (const [field, name] of names.entries())
          for (const [at, value] of [
            ...[...HOSTILE_VALUES.entries()].slice(0, 1),
            ...inTurn([...HOSTILE_VALUES.entries()].slice(1), field).filter(([at]) => at % 2 === turn),
          ]) {
            const parameters = new URLSearchParams({ ...whole, [name]: value });
            const requests =
              at === 0 ? [parameters, new URLSearchParams([...parameters, [name, 'second']])] : [parameters];
            for (const one of requests) {
              const { status } = await send(operation, one);
              expect(status, nameOf(operation, name, value)).to.be.within(200, 499);
              tried += 1;
            }
          }
      }
    }
    expect(tried).to.be.greaterThan(inTier({ hard: 1400, usual: 400 }));
  });

  it('in any header by which clients prove themselves get a documented answer below 500', async () => {
    // All are read by the same code: each operation is sent every second value, and each half goes to many operations.
    for (const [turn, operation] of operations.entries())
      for (const name of HEADERS)
        for (const value of inTurn(
          HEADER_VALUES.filter((_, at) => at % 2 === turn % 2),
          turn,
        )) {
          const { method, path } = operation;
          const proofs = { dpop: 'e30.e30.AA', [name]: value };
          const json = operation.requestBody?.content['application/json'] !== undefined;
          const answer = json
            ? server.fetch(path, { method, body: '{}', headers: { 'content-type': 'application/json', ...proofs } })
            : send(operation, new URLSearchParams(await good(operation, 'NONE')), proofs);
          expect((await answer).status, nameOf(operation, name, value)).to.be.within(200, 499);
        }
  });
});
