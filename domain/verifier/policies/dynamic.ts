import type { Outbound } from '../../../ports/outbound.ts';
import { fromUtf8 } from '../../foundation/bytes.ts';
import { at, DomainError, invalidField } from '../../foundation/errors.ts';
import { isObject, isText, type JsonObject } from '../../foundation/json.ts';
import { checkDestination, readHttpUrl } from '../../network/urls.ts';
import { readMembers, readRequiredText } from './arguments.ts';
import { type Evaluate, failed, passed, policyWithArgs, type Subject } from './policy.ts';

/** Rules, where they are evaluated, and what they are given besides the credential. */
interface DynamicArgs {
  policy_name: string;
  rules: { rego: string } | { policy_url: string };
  argument: JsonObject;
  opa_server: string;
  policy_query: string;
}

const DEFAULT_SERVER = 'http://localhost:8181';
const DEFAULT_QUERY = 'vc/verification';
const NAME = /^[a-zA-Z]{1,64}$/;
const QUERY = /^[A-Za-z0-9_]{1,64}(?:\/[A-Za-z0-9_]{1,64}){0,7}$/;
const MAX_CHARACTERS = 1_000_000;

function read(args: unknown): DynamicArgs {
  const members = readMembers(args, ['policy_name', 'rules', 'argument', 'opa_server', 'policy_query']);
  const { argument = {}, policy_query: query = DEFAULT_QUERY, opa_server: server = DEFAULT_SERVER } = members;
  const name = readRequiredText(members, 'policy_name');
  if (!NAME.test(name)) throw invalidField(['policy_name'], 'must be 1 to 64 letters');
  if (!isText(query) || !QUERY.test(query))
    throw invalidField(['policy_query'], 'must be names of letters, digits and _, separated by /');
  if (!isObject(argument)) throw invalidField(['argument'], 'must be an object');
  return {
    policy_name: name,
    rules: at(['rules'], () => readRules(members.rules)),
    argument,
    opa_server: at(['opa_server'], () => readHttpUrl(server)),
    policy_query: query,
  };
}

function readRules(value: unknown): DynamicArgs['rules'] {
  const { rego, policy_url: url } = readMembers(value, ['rego', 'policy_url']);
  if ((rego === undefined) === (url === undefined)) throw invalidField([], 'needs either rego or policy_url');
  if (url !== undefined) return { policy_url: at(['policy_url'], () => readHttpUrl(url)) };
  if (!isText(rego) || rego.length > MAX_CHARACTERS)
    throw invalidField(['rego'], `must be a text of at most ${MAX_CHARACTERS} characters`);
  return { rego };
}

async function regoOf(rules: DynamicArgs['rules'], outbound: Outbound): Promise<string> {
  if ('rego' in rules) return rules.rego;
  const headers = { accept: 'text/plain, */*;q=0.1' };
  const reply = await outbound.send({ method: 'GET', url: rules.policy_url, expects: 'rules', headers });
  if (reply.status !== 200) throw new DomainError('UpstreamFailed', `The rules were answered with ${reply.status}`);
  const rego = fromUtf8(reply.body);
  if (rego.length <= MAX_CHARACTERS) return rego;
  throw new DomainError('UpstreamFailed', `The rules have more than ${MAX_CHARACTERS} characters`);
}

const trimmed = (rego: string): string =>
  rego
    .split(/\r\n|\n/)
    .map((line) => line.trim())
    .join('\n');

const run: Evaluate<Subject, DynamicArgs> = async ({ document }, { ruleEngine, outbound, args }) => {
  const { policy_name: name, argument, opa_server: server, policy_query: path } = args;
  const rules = trimmed(await regoOf(args.rules, outbound));
  const input = { parameter: argument, credentialData: document };
  const result = await ruleEngine.evaluate({ server, name, path, rules, input });
  const isMet = isObject(result) && Object.values(result).includes(true);
  if (isMet) return passed(result, { reason: `The condition of the rule ${name} is met` });
  return failed('condition-not-met', { reason: `The policy condition was not met for policy ${name}` });
};

/** The `dynamic` policy: rules in Rego, evaluated by an Open Policy Agent, have a value that is true. */
export const dynamic = policyWithArgs<DynamicArgs>({
  description: 'Evaluates rules in Rego on a server of the Open Policy Agent',
  stage: 'service',
  dependsOn: ['signature'],
  argument: {
    schema: {
      type: 'object',
      required: ['policy_name', 'rules'],
      additionalProperties: false,
      properties: {
        policy_name: {
          type: 'string',
          pattern: NAME.source,
          description: 'Its package is `<policy_query>/<policy_name>`.',
        },
        rules: {
          type: 'object',
          additionalProperties: false,
          minProperties: 1,
          maxProperties: 1,
          properties: {
            rego: { type: 'string', minLength: 1, maxLength: MAX_CHARACTERS },
            policy_url: { type: 'string', format: 'uri', description: 'Where the rules are fetched.' },
          },
        },
        argument: { type: 'object', description: 'Given to the rules as `input.parameter`.' },
        opa_server: { type: 'string', format: 'uri', default: DEFAULT_SERVER },
        policy_query: { type: 'string', pattern: QUERY.source, default: DEFAULT_QUERY },
      },
      examples: [
        {
          policy_name: 'adult',
          opa_server: 'https://opa.example.org',
          rules: { rego: 'package vc.verification.adult\n\nallow if input.credentialData.age >= input.parameter.age' },
          argument: { age: 18 },
        },
      ],
    },
    read,
    check: (args, { outbound }) => {
      at(['opa_server'], () => checkDestination(outbound, { url: args.opa_server, expects: 'rule-decision' }));
      if (!('policy_url' in args.rules)) return;
      const { policy_url: url } = args.rules;
      at(['rules', 'policy_url'], () => checkDestination(outbound, { url, expects: 'rules' }));
    },
  },
  vp: run,
  vc: run,
});
