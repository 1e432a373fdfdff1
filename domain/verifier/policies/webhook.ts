import type { OutboundReply } from '../../../ports/outbound.ts';
import { base64, fromUtf8, utf8 } from '../../foundation/bytes.ts';
import { at, invalidField } from '../../foundation/errors.ts';
import { isText, type JsonObject } from '../../foundation/json.ts';
import { parseJson } from '../../foundation/strict-json.ts';
import { checkDestination, readHttpUrl } from '../../network/urls.ts';
import { readMembers, readText } from './arguments.ts';
import { type Evaluate, failed, passed, policyWithArgs, type Subject } from './policy.ts';

/** A URL, or one with the credentials that the service demands. */
type WebhookArgs = string | WebhookCall;

interface WebhookCall {
  url: string;
  basicauth_username?: string;
  /** A secret. */
  basicauth_password?: string;
  /** A secret. */
  bearerauth_token?: string;
}

const MAX_SECRET = 4096;
const MEMBERS = ['basicauth_username', 'basicauth_password', 'bearerauth_token'] as const;

function read(args: unknown): WebhookArgs {
  if (typeof args === 'string') return readHttpUrl(args);
  const members = readMembers(args, ['url', ...MEMBERS]);
  const call: WebhookCall = { url: at(['url'], () => readHttpUrl(members.url)) };
  for (const name of MEMBERS) Object.assign(call, readSecret(members, name));
  const { basicauth_username: user, basicauth_password: password, bearerauth_token: token } = call;
  if ((user === undefined) !== (password === undefined))
    throw invalidField(
      [user === undefined ? 'basicauth_username' : 'basicauth_password'],
      'is required with the other',
    );
  if (user?.includes(':')) throw invalidField(['basicauth_username'], 'may not hold a colon');
  if (token !== undefined && user !== undefined) throw invalidField(['bearerauth_token'], 'does not go with basicauth');
  return call;
}

function readSecret(members: JsonObject, name: (typeof MEMBERS)[number]): JsonObject {
  const text = readText(members, name);
  if (text === undefined) return {};
  if (text.length > MAX_SECRET || !/^[\x20-\x7e]+$/.test(text))
    throw invalidField([name], `must be printable ASCII of at most ${MAX_SECRET} characters`);
  return { [name]: text };
}

const callOf = (args: WebhookArgs): WebhookCall => (typeof args === 'string' ? { url: args } : args);

/** RFC 7617 §2, RFC 6750 §2.1. */
function authorizationOf(call: WebhookCall): Record<string, string> {
  const { basicauth_username: user, basicauth_password: password, bearerauth_token: token } = call;
  if (token !== undefined) return { authorization: `Bearer ${token}` };
  return user === undefined ? {} : { authorization: `Basic ${base64(utf8(`${user}:${password}`))}` };
}

const run: Evaluate<Subject, WebhookArgs> = async ({ claims }, { outbound, args }) => {
  const call = callOf(args);
  const headers = { 'content-type': 'application/json', accept: 'application/json', ...authorizationOf(call) };
  const body = JSON.stringify(claims);
  const reply = await outbound.send({ method: 'POST', url: call.url, headers, body, expects: 'webhook-reply' });
  const response = readReply(reply);
  if (reply.status >= 200 && reply.status < 300) return passed(response, { reason: 'The service accepted it' });
  const reason = `The service answered with the status ${reply.status}`;
  return failed('refused', { reason, error: { type: 'WebhookPolicyException', response } });
};

const SECRET = { type: 'string', minLength: 1, maxLength: MAX_SECRET, pattern: '^[ -~]+$', writeOnly: true };

/** The `webhook` policy: a service of the verifier accepts the claims with a 2xx answer. */
export const webhook = policyWithArgs<WebhookArgs>({
  description: 'Posts the claims to a URL given as args; a 2xx answer is a success',
  stage: 'service',
  dependsOn: ['signature'],
  argument: {
    schema: {
      description: 'A URL, or an object with the URL and the credentials for it',
      oneOf: [
        { type: 'string', format: 'uri' },
        {
          type: 'object',
          required: ['url'],
          additionalProperties: false,
          properties: {
            url: { type: 'string', format: 'uri' },
            basicauth_username: { type: 'string', minLength: 1 },
            basicauth_password: SECRET,
            bearerauth_token: SECRET,
          },
          dependentRequired: { basicauth_username: ['basicauth_password'], basicauth_password: ['basicauth_username'] },
        },
      ],
      examples: ['https://verifier.example.org/check', { url: 'https://verifier.example.org/check' }],
    },
    read,
    check: (args, { outbound }) =>
      at(typeof args === 'string' ? [] : ['url'], () =>
        checkDestination(outbound, { url: callOf(args).url, expects: 'webhook-reply' }),
      ),
    show: (args) => (typeof args === 'string' ? args : { url: args.url, ...userOf(args) }),
  },
  vp: run,
  vc: run,
});

const userOf = ({ basicauth_username: user }: WebhookCall): JsonObject =>
  isText(user) ? { basicauth_username: user } : {};

/** Returns the answer as JSON; its status for an answer that is not JSON. */
function readReply({ status, body }: OutboundReply): unknown {
  try {
    return parseJson(fromUtf8(body));
  } catch {
    return { status };
  }
}
