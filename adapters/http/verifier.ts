import { policyList } from '../../domain/verifier/policies/table.ts';
import type { VerificationSessions } from '../../domain/verifier/verification-sessions.ts';
import type { operations } from '../../openapi/types.ts';
import type { Handlers, Input } from './operations.ts';

/** The operations of the verifier. */
export const verifierHandlers = (sessions: VerificationSessions): Handlers<'verifier'> => ({
  startVerification: async ({ headers, body }) => ({
    status: 200,
    body: await sessions.start({ headers: headersOf(headers), body }),
  }),
  getPresentationDefinition: async ({ path }) => ({ status: 200, body: await sessions.definition(path.state) }),
  getVerificationResult: async ({ path }) => ({ status: 200, body: await sessions.result(path.state) }),
  listVerifierTransactionDataProfiles: async () => ({ status: 200, body: [] }),
  listPolicies: async () => ({ status: 200, body: policyList() }),
  submitPresentation: async ({ path, body }) => {
    const reply = await sessions.submit(path.state, body);
    if (reply.accepted)
      return { status: 200, body: reply.redirectUri === undefined ? {} : { redirect_uri: reply.redirectUri } };
    const { error, description, errorUri } = reply;
    const told = { error, error_description: description };
    return { status: 400, body: errorUri === undefined ? told : { ...told, error_uri: errorUri } };
  },
});

/** Header names arrive in lower case. */
const headersOf = (headers: Input<operations['startVerification']>['headers']) => ({
  authorizeBaseUrl: headers.authorizebaseurl,
  responseMode: headers.responsemode,
  successRedirectUri: headers.successredirecturi,
  errorRedirectUri: headers.errorredirecturi,
  statusCallbackUri: headers.statuscallbackuri,
  statusCallbackApiKey: headers.statuscallbackapikey,
  stateId: headers.stateid,
  openId4VPProfile: headers.openid4vpprofile,
  sessionTtl: headers.sessionttl,
});
