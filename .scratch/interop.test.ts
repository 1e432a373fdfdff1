import { Openid4vpClient } from '@openid4vc/openid4vp';
import { Story, DEGREE } from '../test/spec/verifier/story.ts';
describe('interop', () => { const on = new Story();
 it('parses', async () => {
  const r = await on.ask(DEGREE);
  const client = new Openid4vpClient({ callbacks: { fetch } as never });
  const parsed = client.parseOpenid4vpAuthorizationRequest({ authorizationRequest: r.url });
  console.log(parsed.type, parsed.provided);
  const pd = await on.definition(r); const { presentation_definition_uri: _, ...rest } = parsed.params as never as Record<string, unknown>; const payload = { ...rest, client_metadata: typeof rest.client_metadata === 'string' ? JSON.parse(rest.client_metadata) : rest.client_metadata, presentation_definition: pd };
  try { const res = await client.resolveOpenId4vpAuthorizationRequest({ authorizationRequestPayload: payload as never }); console.log(JSON.stringify({...res, authorizationRequestPayload: undefined}).slice(0,800)); 
   const form = await on.form(r);
   const out = await client.submitOpenid4vpAuthorizationResponse({ authorizationRequestPayload: res.authorizationRequestPayload as never, authorizationResponsePayload: { vp_token: form.vp_token, presentation_submission: JSON.parse(form.presentation_submission!), state: r.state } as never });
   console.log(out.responseMode, out.response.status);
  } catch (e) { console.log('ERR', e); }
 }); });
