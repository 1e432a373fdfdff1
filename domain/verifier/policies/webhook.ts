import type { OutboundReply } from '../../../ports/outbound.ts';
import { fromUtf8 } from '../../foundation/bytes.ts';
import { parseJson } from '../../foundation/strict-json.ts';
import { checkDestination, readHttpUrl } from '../../network/urls.ts';
import { type Evaluate, failed, passed, policyWithArgs, type Subject } from './policy.ts';

const run: Evaluate<Subject, string> = async ({ claims }, { outbound, args: url }) => {
  const reply = await outbound.send({
    method: 'POST',
    url,
    headers: { 'content-type': 'application/json', accept: 'application/json' },
    body: JSON.stringify(claims),
    expects: 'webhook-reply',
  });
  const response = readReply(reply);
  if (reply.status >= 200 && reply.status < 300) return passed(response, { reason: 'The service accepted it' });
  const reason = `The service answered with the status ${reply.status}`;
  return failed('refused', { reason, error: { type: 'WebhookPolicyException', response } });
};

/** The `webhook` policy: a service of the verifier accepts the claims with a 2xx answer. */
export const webhook = policyWithArgs({
  description: 'Posts the claims to a URL given as args; a 2xx answer is a success',
  stage: 'service',
  dependsOn: ['signature'],
  argument: {
    schema: { type: 'string', format: 'uri', examples: ['https://verifier.example.org/check'] },
    read: readHttpUrl,
    check: (url, { outbound }) => checkDestination(outbound, { url, expects: 'webhook-reply' }),
  },
  vp: run,
  vc: run,
});

/** Returns the answer as JSON; its status for an answer that is not JSON. */
function readReply({ status, body }: OutboundReply): unknown {
  try {
    return parseJson(fromUtf8(body));
  } catch {
    return { status };
  }
}
