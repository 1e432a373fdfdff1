import type { OutboundReply } from '../../../ports/outbound.ts';
import { fromUtf8 } from '../../bytes.ts';
import { parseJson } from '../../json.ts';
import { readHttpUrl } from '../urls.ts';
import { failed, type Policy, passed } from './policy.ts';

const MAX_REPLY_BYTES = 65_536;

/** The `webhook` policy: a service of the verifier's choice says yes with a 2xx answer. */
export const webhook: Policy = {
  description: 'Posts the claims to a URL given as args; a 2xx answer is a success',
  scopes: ['vp', 'vc'],
  readArgs: (args, { at }) => readHttpUrl(args, at),
  run: async ({ claims }, { outbound, args }) => {
    const reply = await outbound.send({
      purpose: 'webhook',
      method: 'POST',
      url: String(args),
      headers: { 'content-type': 'application/json', accept: 'application/json' },
      body: JSON.stringify(claims),
      maxBytes: MAX_REPLY_BYTES,
    });
    const response = readReply(reply);
    const isSuccess = reply.status >= 200 && reply.status < 300;
    return isSuccess ? passed(response) : failed({ type: 'WebhookPolicyException', response });
  },
};

/** The answer as JSON; one that is something else is told by its status alone. */
function readReply({ status, body }: OutboundReply): unknown {
  try {
    return parseJson(fromUtf8(body));
  } catch {
    return { status };
  }
}
