import { expect } from 'chai';
import type { Operation } from '../../adapters/http/document.ts';
import { CodeWallet } from '../actors/draft-authorization.ts';
import { type Issuer, onboard } from '../actors/issuance.ts';
import { LoginServer } from '../actors/login-server.ts';
import { GRANT } from '../actors/wallet.ts';
import { contract } from '../support/contract.ts';
import { useServer } from '../support/server.ts';

const FORM = 'application/x-www-form-urlencoded';

/** Values that a reader may not expect; each is sent percent-encoded in every parameter. */
const HOSTILE = [
  '\u0000',
  'a\r\nset-cookie: a=b',
  'é',
  '日本',
  'x'.repeat(2000),
  '[]',
  '{"a":1,"a":2}',
  '{"__proto__":{}}',
  '['.repeat(2000),
  '__proto__',
  '1e999',
  'https://wallet.example/日本',
  'https://日本.example/',
  'wallet://日本/callback',
  'https://user:password@wallet.example/',
  'http://[::1',
  'javascript:alert(1)',
  'e30.e30.AA',
  'eyJhbGciOiJub25lIn0.e30.',
  'urn:ietf:params:oauth:request_uri:x',
  '[{"type":"openid_credential","credential_configuration_id":{}}]',
  '[{"type":"openid_credential","format":"jwt_vc_json","credential_definition":5}]',
  '{"authorization_endpoint":5}',
  '{"authorization_endpoint":"openid://日本"}',
];

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

describe('bad parameters of the protocols of issuers', function () {
  this.timeout(120_000);
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

  /** The fields of the form of an operation. */
  function fieldsOf({ resolved }: Operation): string[] {
    const { requestBody } = resolved as {
      requestBody?: { content: Record<string, { schema: { properties?: object } }> };
    };
    return Object.keys(requestBody?.content[FORM]?.schema.properties ?? {});
  }

  const isForm = ({ requestBody }: Operation) => requestBody?.content[FORM] !== undefined;
  const inQuery = ({ parameters }: Operation) => parameters.filter(({ in: place }) => place === 'query');

  function send(operation: Operation, parameters: URLSearchParams, headers: Record<string, string> = {}) {
    const { method, path } = operation;
    if (!isForm(operation)) return server.fetch(`${path}?${parameters}`, { method, headers });
    const body = parameters.toString();
    return server.fetch(path, { method, body, headers: { 'content-type': FORM, ...headers } });
  }

  it('in any one parameter, also sent twice, get a documented answer below 500', async () => {
    let tried = 0;
    for (const operation of operations.filter((one) => isForm(one) || inQuery(one).length > 0)) {
      const names = [...fieldsOf(operation), ...inQuery(operation).map(({ name }) => name)];
      for (const method of ['NONE', 'ID_TOKEN']) {
        const whole = await good(operation, method);
        for (const name of names)
          for (const value of HOSTILE)
            for (const more of ['', 'second']) {
              const parameters = new URLSearchParams({ ...whole, [name]: value });
              if (more !== '') parameters.append(name, more);
              const { status } = await send(operation, parameters);
              expect(status, nameOf(operation, name, value)).to.be.within(200, 499);
              tried += 1;
            }
      }
    }
    expect(tried).to.be.greaterThan(5000);
  });

  it('in any header by which clients prove themselves get a documented answer below 500', async () => {
    for (const operation of operations)
      for (const name of HEADERS)
        for (const value of HEADER_VALUES) {
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
