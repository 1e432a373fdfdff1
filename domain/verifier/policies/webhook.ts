import type { OutboundReply } from '../../../ports/outbound.ts';
import { fromUtf8 } from '../../foundation/bytes.ts';
import { parseJson } from '../../foundation/strict-json.ts';
import { checkDestination, readHttpUrl } from '../../network/urls.ts';
import { failed, type Policy, passed } from './policy.ts';

/** The `webhook` policy: a service of the verifier accepts the claims with a 2xx answer. */
export const webhook: Policy = {
  description: 'Posts the claims to a URL given as args; a 2xx answer is a success',
  scopes: ['vp', 'vc'],
  readArgs: (args, { outbound }) => {
    const url = readHttpUrl(args);
    checkDestination(outbound, { url, expects: 'webhook-reply' });
    return url;
  },
  run: async ({ claims }, { outbound, args }) => {
    const reply = await outbound.send({
      method: 'POST',
      url: String(args),
      headers: { 'content-type': 'application/json', accept: 'application/json' },
      body: JSON.stringify(claims),
      expects: 'webhook-reply',
    });
    const response = readReply(reply);
    const isSuccess = reply.status >= 200 && reply.status < 300;
    return isSuccess ? passed(response) : failed({ type: 'WebhookPolicyException', response });
  },
};

/** Returns the answer as JSON; its status for an answer that is not JSON. */
function readReply({ status, body }: OutboundReply): unknown {
  try {
    return parseJson(fromUtf8(body));
  } catch {
    return { status };
  }
}
