import { expect } from 'chai';
import { DomainError } from '../../../domain/foundation/errors.ts';
import { OpaRules } from '../../../domain/verifier/policies/opa-rules.ts';
import type { OutboundReply, OutboundRequest } from '../../../ports/outbound.ts';
import { refusedField, tryPolicy, vcSubject } from '../../support/credentials/policies.ts';
import { silentLog } from '../../support/servers/silent-log.ts';

const SERVER = 'https://opa.example';
const ARGS = {
  policy_name: 'adult',
  opa_server: SERVER,
  rules: { rego: '  package vc.verification.adult\r\n  allow if true  ' },
  argument: { age: 18 },
};

/** An Open Policy Agent that gives each rule of a policy the value of `result`. */
class Engine {
  readonly calls: OutboundRequest[] = [];
  readonly uploaded = new Map<string, string>();
  /** What a method is answered with instead. */
  answers: Partial<Record<string, { status: number; body: string }>> = {};
  result: unknown = { allow: true };

  readonly outbound = {
    check: () => {},
    send: async (request: OutboundRequest): Promise<OutboundReply> => {
      this.calls.push(request);
      await Promise.resolve();
      const { status, body } = this.answers[request.method] ?? this.#answer(request);
      return { status, headers: {}, body: new TextEncoder().encode(body) };
    },
  };

  readonly ruleEngine = new OpaRules({ outbound: this.outbound, log: silentLog });

  #answer({ method, url, body }: OutboundRequest): { status: number; body: string } {
    const name = url.split('/').at(-1) ?? '';
    if (method === 'GET') return { status: 200, body: 'package fetched' };
    if (method === 'PUT') this.uploaded.set(name, String(body));
    if (method === 'DELETE') this.uploaded.delete(name);
    const rules = this.uploaded.get(name);
    if (method === 'POST') return { status: 200, body: JSON.stringify({ result: rules && this.result }) };
    return { status: 200, body: '{}' };
  }

  run(args: object = ARGS) {
    const { outbound, ruleEngine } = this;
    const subject = vcSubject({ document: { name: 'Ada' } });
    return tryPolicy('dynamic', { args, subject, context: { outbound, ruleEngine } });
  }
}

describe('policy dynamic', () => {
  it('uploads, asks and deletes the rules', async () => {
    const engine = new Engine();
    expect(await engine.run()).to.deep.include({ is_success: true, code: 'passed', result: { allow: true } });
    const shown = engine.calls.map(({ method, url, expects }) => [method, url, expects]);
    expect(shown).to.deep.equal([
      ['PUT', `${SERVER}/v1/policies/adult`, 'rule-decision'],
      ['POST', `${SERVER}/v1/data/vc/verification/adult`, 'rule-decision'],
      ['DELETE', `${SERVER}/v1/policies/adult`, 'rule-decision'],
    ]);
    expect(engine.calls[0]).to.deep.include({ body: 'package vc.verification.adult\nallow if true' });
    expect(engine.calls[0]?.headers).to.include({ 'content-type': 'text/plain' });
    const input = { parameter: { age: 18 }, credentialData: { name: 'Ada' } };
    expect(JSON.parse(String(engine.calls[1]?.body))).to.deep.equal({ input });
  });

  it('fails when no value is true, and only then', async () => {
    const engine = new Engine();
    for (const result of [
      {},
      { allow: false },
      { allow: 'true' },
      { deep: { allow: true } },
      [true],
      true,
      undefined,
    ]) {
      engine.result = result;
      const line = await engine.run();
      expect([line.code, line.is_success]).to.deep.equal(['condition-not-met', false]);
      expect(line.error).to.equal('The policy condition was not met for policy adult');
    }
    engine.result = { no: false, yes: true };
    expect((await engine.run()).is_success).to.equal(true);
  });

  it('cannot be run when the engine does not answer as it should; the rules are deleted all the same', async () => {
    const broken = { status: 400, body: '{"message":"rego_parse_error"}' };
    for (const method of ['PUT', 'POST']) {
      const engine = new Engine();
      engine.answers = { [method]: broken };
      const line = await engine.run();
      expect([line.code, line.is_success]).to.deep.equal(['unreachable', false]);
      expect(line.error).to.include(`${method} with the status 400: rego_parse_error`);
      expect(engine.calls.at(-1)?.method).to.equal('DELETE');
    }
    const text = new Engine();
    text.answers = { POST: { status: 200, body: 'true' } };
    expect((await text.run()).code).to.equal('unreachable');
    const undeleted = new Engine();
    undeleted.answers = { DELETE: { status: 500, body: '' } };
    expect((await undeleted.run()).is_success).to.equal(true);
  });

  it('fetches rules, and refuses larger ones than it may upload', async () => {
    const engine = new Engine();
    const args = { ...ARGS, rules: { policy_url: 'https://rules.example/adult.rego' } };
    expect((await engine.run(args)).is_success).to.equal(true);
    expect(engine.calls.map(({ method }) => method)).to.deep.equal(['GET', 'PUT', 'POST', 'DELETE']);
    expect(engine.calls[1]?.body).to.equal('package fetched');
    for (const answer of [
      { status: 404, body: '' },
      { status: 200, body: 'x'.repeat(1_000_001) },
    ]) {
      engine.answers = { GET: answer };
      engine.calls.length = 0;
      expect((await engine.run(args)).code).to.equal('unreachable');
      expect(engine.calls.map(({ method }) => method)).to.deep.equal(['GET']);
    }
  });

  it('rules of one name take turns, so that none answers for another', async () => {
    const engine = new Engine();
    await Promise.all(Array.from({ length: 5 }, () => engine.run()));
    const methods = engine.calls.map(({ method }) => method);
    expect(methods).to.deep.equal(Array.from({ length: 5 }, () => ['PUT', 'POST', 'DELETE']).flat());
  });

  it('at most 256 evaluations are under way', async () => {
    const { outbound } = new Engine();
    const rules = new OpaRules({ outbound, log: silentLog });
    const query = { server: SERVER, name: 'a', path: 'p', rules: 'package p.a', input: {} };
    const all = await Promise.allSettled(Array.from({ length: 257 }, () => rules.evaluate(query)));
    const refused = all.flatMap((one) => (one.status === 'rejected' ? one.reason : []));
    expect(refused.map((error: DomainError) => error.code)).to.deep.equal(['Busy']);
    expect(await rules.evaluate(query)).to.deep.equal({ allow: true });
  });

  it('refuses an argument that it cannot read, by its member', async () => {
    const bad: [object, string][] = [
      [{ ...ARGS, policy_name: 'a-b' }, 'policy_name'],
      [{ ...ARGS, policy_name: 'a'.repeat(65) }, 'policy_name'],
      [{ ...ARGS, policy_query: '../x' }, 'policy_query'],
      [{ ...ARGS, opa_server: 'ftp://opa' }, 'opa_server'],
      [{ ...ARGS, rules: {} }, 'rules'],
      [{ ...ARGS, rules: { rego: 'x', policy_url: 'https://x' } }, 'rules'],
      [{ ...ARGS, rules: { rego: 'x'.repeat(1_000_001) } }, 'rules/rego'],
      [{ ...ARGS, rules: { policy_url: 'x' } }, 'rules/policy_url'],
      [{ ...ARGS, argument: [] }, 'argument'],
      [{ ...ARGS, more: 1 }, 'more'],
    ];
    for (const [args, member] of bad)
      expect(await refusedField('dynamic', { args }), member).to.include(`[0].args.${member.replace('/', '.')}: `);
  });

  it('refuses servers that may not be called', async () => {
    const outbound = {
      check: () => {
        throw new DomainError('AddressRefused', 'not allowed');
      },
      send: () => Promise.reject(new Error('is never called')),
    };
    expect(await refusedField('dynamic', { args: ARGS, context: { outbound } })).to.include('[0].args.opa_server: ');
  });
});
