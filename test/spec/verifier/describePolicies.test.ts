import { Ajv2020 } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import { expect } from 'chai';
import { POLICY_CODES } from '../../../domain/verifier/policies/codes.ts';
import type { PolicyFacts } from '../../../domain/verifier/policies/table.ts';
import { joined } from '../../support/documents/contract.ts';
import { useServer } from '../../support/servers/server.ts';

describe('describePolicies', () => {
  const server = useServer();

  const described = async (): Promise<PolicyFacts[]> => (await server.call('describePolicies')).body;

  it('200: describes each policy of the list, in its order', async () => {
    const list = (await server.call('listPolicies')).body;
    const facts = await described();
    expect(Object.fromEntries(facts.map(({ name, description }) => [name, description]))).to.deep.equal(list);
    for (const { name, scopes, dependsOn } of facts) {
      expect(scopes, name).to.not.be.empty;
      for (const other of dependsOn) expect(Object.keys(list), name).to.include(other);
    }
  });

  it('200: every argument has a JSON Schema of draft 2020-12, and its examples are accepted', async () => {
    for (const { name, scopes, argument } of await described()) {
      if (!argument) continue;
      const ajv = new Ajv2020({ strict: true, strictRequired: false, allowUnionTypes: true });
      addFormats.default(ajv);
      const validate = ajv.compile(argument.schema);
      const { examples } = argument.schema;
      expect(examples, name).to.be.an('array').that.is.not.empty;
      for (const args of Array.isArray(examples) ? examples : []) {
        expect(validate(args), `${name}: ${JSON.stringify(args)}`).to.equal(true);
        const list = scopes[0] === 'vp' ? 'vp_policies' : 'vc_policies';
        const json = { request_credentials: ['Degree'], [list]: [{ policy: name, args }] };
        expect((await server.call('startVerification', { json })).status, name).to.equal(200);
      }
    }
  });

  it('400: a policy that needs an argument is refused without, one that takes none with one', async () => {
    for (const { name, scopes, argument } of await described()) {
      const member = scopes[0] === 'vp' ? 'vp_policies' : 'vc_policies';
      const start = (policy: unknown) =>
        server.call('startVerification', { json: { request_credentials: ['Degree'], [member]: [policy] } });
      const bare = await start(name);
      expect(bare.status, name).to.equal(argument?.isRequired ? 400 : 200);
      if (argument) continue;
      const { status, body } = await start({ policy: name, args: 1 });
      expect([status, body.details?.[0].path], name).to.deep.equal([400, `/body/${member}/0/args`]);
    }
  });

  it('documents every code', () => {
    const codes = Object.keys(POLICY_CODES);
    expect(joined.components?.schemas?.PolicyCode).to.have.property('enum').that.deep.equals(codes);
  });

  it('400: takes no parameters', async () => {
    expect((await server.call('describePolicies', { query: { x: '1' } })).status).to.equal(400);
  });
});
