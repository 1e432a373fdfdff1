import { Ajv2020 } from 'ajv/dist/2020.js';
import { expect } from 'chai';
import fc from 'fast-check';
import { withoutOtherAlternatives } from '../../adapters/http/edge/alternatives.ts';
import { accessTokens } from '../actors/access-tokens.ts';
import { contract } from '../support/documents/contract.ts';
import { startServer } from '../support/servers/server.ts';

const ajv = new Ajv2020({ strict: false, allErrors: true });

/** The violations of a value under a schema as `path: message`. */
function sentences(schema: object, value: unknown): string[] {
  const validate = ajv.compile(schema);
  validate(value);
  return withoutOtherAlternatives(validate.errors ?? []).map(
    ({ instancePath, keyword, params }) =>
      `${instancePath}: ${keyword === 'type' ? [params.type].flat().join(' or ') : keyword}`,
  );
}

const NAMED = {
  oneOf: [
    { type: 'string', minLength: 1 },
    {
      type: 'object',
      required: ['name'],
      additionalProperties: false,
      properties: { name: { type: 'string' }, args: {} },
    },
    { type: 'array', items: { oneOf: [{ type: 'string' }, { type: 'number', minimum: 0 }] } },
  ],
};

describe('alternatives of a schema', () => {
  const cases: [unknown, string[]][] = [
    [5, [': string or object or array']],
    [null, [': string or object or array']],
    ['', [': minLength']],
    [{}, [': required']],
    [{ name: 5 }, ['/name: string']],
    [{ name: 'x', y: 1 }, [': additionalProperties']],
    [
      [true, 'x', -1],
      ['/0: string or number', '/2: minimum'],
    ],
    ['x', []],
  ];
  for (const [value, expected] of cases)
    it(`report for ${JSON.stringify(value)}: ${expected.join(', ') || 'no violation'}`, () => {
      expect(sentences(NAMED, value)).to.deep.equal(expected);
    });

  it('report when more than one alternative matches', () => {
    expect(sentences({ oneOf: [{ type: 'string' }, { minLength: 1 }] }, 'x')).to.deep.equal([': oneOf']);
  });

  it('property: report nothing for a valid value, and one violation for a value whose type no alternative has', () => {
    const types = ['string', 'number', 'boolean', 'null', 'array', 'object'] as const;
    const values = { string: 'x', number: 1.5, boolean: true, null: null, array: [], object: {} };
    fc.assert(
      fc.property(fc.subarray([...types], { minLength: 1 }), fc.constantFrom(...types), (allowed, type) => {
        const schema = { properties: { a: { anyOf: allowed.map((one) => ({ type: one })) } } };
        const expected = allowed.includes(type) ? [] : [`/a: ${allowed.join(' or ')}`];
        expect(sentences(schema, { a: values[type] })).to.deep.equal(expected);
      }),
    );
  });
});

describe('startVerification', () => {
  it('400: reports one violation for one invalid policy', async () => {
    const server = await startServer();
    const wrong: [unknown, string][] = [
      [5, 'vc_policies[0]: must be string or object'],
      [{}, 'vc_policies[0].policy: is required'],
      [{ policy: 5 }, 'vc_policies[0].policy: must be string'],
      [{ policy: 'signature', x: 1 }, 'vc_policies[0].x: is not a known field'],
      ['nope', 'vc_policies[0]: there is no policy "nope"'],
    ];
    for (const [policy, message] of wrong) {
      const json = { request_credentials: ['A'], vc_policies: [policy] };
      const { status, body } = await server.call('startVerification', { json });
      expect(status).to.equal(400);
      expect(body.message).to.equal(message);
      expect(body.details).to.have.length(1);
    }
    await server.close();
  });
});

describe('errors in the form of OAuth', () => {
  it('400: a malformed request has the error code that its endpoint specifies', async () => {
    const server = await startServer();
    const codeOf = (operationId: string): string => {
      if (/^(tenantN|n)otify/.test(operationId)) return 'invalid_notification_request';
      // Draft 11 §7.3.1 has no code of its own for credential requests.
      const isCredential = /Credential(Batch)?$/.test(operationId) && !operationId.includes('Draft11');
      return isCredential ? 'invalid_credential_request' : 'invalid_request';
    };
    const { operations } = await contract;
    const documented = operations.filter(({ oauthErrors }) => oauthErrors !== undefined);
    expect(documented.map(({ operationId }) => operationId)).to.include('submitPresentation');
    for (const { operationId, oauthErrors } of documented)
      expect(oauthErrors, operationId).to.equal(codeOf(operationId));
    const { issuer: token } = await accessTokens(server);
    for (const text of ['{', '[]', '5', '{"format":5}', '{"proof":"x"}']) {
      const answer = await server.call('requestCredential', { text, token, contentType: 'application/json' });
      expect([answer.status, answer.body.error], text).to.deep.equal([400, 'invalid_credential_request']);
    }
    await server.close();
  });
});
