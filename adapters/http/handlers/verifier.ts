import type { CredentialFormats } from '../../../domain/credentials/formats/formats.ts';
import { at } from '../../../domain/foundation/errors.ts';
import type { FieldPath } from '../../../domain/foundation/field-paths.ts';
import { boundedLife } from '../../../domain/limits/lifetimes.ts';
import { describePolicies, policyList } from '../../../domain/verifier/policies/table.ts';
import type { FetchedRequest } from '../../../domain/verifier/protocol.ts';
import type { CreateSession } from '../../../domain/verifier/requests/create-session.ts';
import type { NewVerification } from '../../../domain/verifier/requests/request-composer.ts';
import type { RequestEndpoint } from '../../../domain/verifier/requests/request-endpoint.ts';
import type { RequestSigning } from '../../../domain/verifier/requests/request-signing.ts';
import { startedByWallet } from '../../../domain/verifier/requests/wallet-started.ts';
import { presentedCredentials, sessionView } from '../../../domain/verifier/verification/draft20-view.ts';
import type { ResultPurge } from '../../../domain/verifier/verification/purge.ts';
import type { ResponseReceiver } from '../../../domain/verifier/verification/receive.ts';
import type { SessionRepository } from '../../../domain/verifier/verification/repository.ts';
import type { DraftVerifier } from '../../../domain/verifier/verifier.ts';
import type { operations } from '../../../openapi/types.ts';
import { type Handlers, type Input, NO_STORE, reply, replyUncached } from '../messages/operations.ts';

/** What the handlers of the document `verifier` need. */
export interface VerifierServices {
  /** The verifier of the open endpoints. */
  verifier: DraftVerifier;
  creation: CreateSession;
  responses: ResponseReceiver;
  sessions: SessionRepository;
  results: ResultPurge;
  requestEndpoint: RequestEndpoint;
  signing: RequestSigning;
  formats: CredentialFormats;
}

/** The verifier: requests, responses of wallets, and results. */
export const verifierHandlers = (services: VerifierServices): Handlers<'verifier'> => ({
  ...creatorHandlers(services),
  ...walletHandlers(services),
  ...listHandlers(),
});

const creatorHandlers = ({ verifier, creation, sessions, results, formats }: VerifierServices) =>
  ({
    startVerification: async (input) => {
      const wanted = newVerification(input);
      const life = {
        ttlSeconds: at(['header', 'sessionTtl'], () => boundedLife(wanted.ttlSeconds, input.caller.longestSeconds)),
      };
      return { status: 200, body: await at(placesOf(input), () => creation.start(verifier, { ...wanted, ...life })) };
    },
    getVerificationResult: reply(200, async ({ path }) =>
      results.read(verifier, await sessions.get(verifier, 'draft20', path.state), ({ id, value }) =>
        sessionView(id, value),
      ),
    ),
    getPresentedCredentials: reply(200, async ({ path, query: { viewMode = 'simple' } }) =>
      results.read(verifier, await sessions.get(verifier, 'draft20', path.state), ({ value }) =>
        presentedCredentials(value, viewMode, formats),
      ),
    ),
  }) satisfies Partial<Handlers<'verifier'>>;

const walletHandlers = ({ verifier, creation, responses, sessions, requestEndpoint, signing }: VerifierServices) =>
  ({
    getPresentationDefinition: async ({ path }) => {
      const { request } = (await sessions.get(verifier, 'draft20', path.state)).value;
      return { status: 200, body: request.query.definition };
    },
    getRequestObject: replyUncached(200, async ({ path }) =>
      objectOf(await requestEndpoint.fetch(verifier, await sessions.get(verifier, 'draft20', path.state))),
    ),
    getVerifierJwks: reply(200, async () => ({
      keys: (await signing.publicKeys(verifier)).map((jwk) => ({ ...jwk })),
    })),
    getVerifierConfiguration: reply(200, () => verifierConfiguration(verifier)),
    authorizeWallet: async ({ query }) =>
      redirectTo(await at(['query'], () => creation.start(verifier, startedByWallet(query)))),
    submitPresentation: async ({ path, body }) => {
      const session = await sessions.get(verifier, 'draft20', path.state);
      const reply = await at(['body'], () => responses.receive(verifier, session, body));
      if (reply.kind === 'redirect') return redirectTo(reply.location);
      const { redirectUri } = reply;
      if (reply.kind === 'taken')
        return { status: 200, body: redirectUri === undefined ? {} : { redirect_uri: redirectUri } };
      const answer = { error: reply.error, error_description: reply.description };
      return { status: 400, body: redirectUri === undefined ? answer : { ...answer, error_uri: redirectUri } };
    },
  }) satisfies Partial<Handlers<'verifier'>>;

const listHandlers = () =>
  ({
    listPolicies: reply(200, () => policyList()),
    describePolicies: reply(200, () => describePolicies()),
  }) satisfies Partial<Handlers<'verifier'>>;

/** Requests of the drafts are fetched as signed request objects alone. */
function objectOf(request: FetchedRequest): string {
  if ('signed' in request) return request.signed;
  throw new Error('A request of the drafts is not signed');
}

const redirectTo = (location: string) => ({ status: 302 as const, headers: { ...NO_STORE, location } });

/** The metadata by which wallets find the keys of a verifier that names itself by its URL (EBSI, OpenID Connect Discovery 1.0). */
const verifierConfiguration = ({ draft20: { identifier } }: DraftVerifier) => ({
  issuer: identifier,
  authorization_endpoint: `${identifier}/authorize`,
  jwks_uri: `${identifier}/jwks`,
  response_types_supported: ['code', 'id_token', 'vp_token'],
  subject_types_supported: ['public'],
  id_token_signing_alg_values_supported: ['ES256'],
});

type StartInput = Input<operations['startVerification']>;

/** Header names are in lower case. */
const newVerification = ({ headers, body }: StartInput): NewVerification => ({
  authorizeBaseUrl: headers.authorizebaseurl,
  responseMode: headers.responsemode,
  profile: body.openid_profile ?? headers.openid4vpprofile,
  stateId: headers.stateid,
  definitionByValue: headers.presentationdefinitionbyvalue === 'true',
  ttlSeconds: headers.sessionttl === undefined ? undefined : readSeconds(headers.sessionttl),
  successRedirectUri: headers.successredirecturi,
  errorRedirectUri: headers.errorredirecturi,
  statusCallbackUri: headers.statuscallbackuri,
  statusCallbackApiKey: headers.statuscallbackapikey,
  requestedCredentials: body.request_credentials,
  vpPolicies: body.vp_policies,
  vcPolicies: body.vc_policies,
  presentationDefinition: body.presentation_definition,
  trustedRootCas: body.trusted_root_cas,
});

/** NaN for a text that is not a number in plain digits. */
const readSeconds = (text: string): number => (/^[1-9][0-9]{0,8}$/.test(text) ? Number(text) : Number.NaN);

/** Where the members of a `NewVerification` are in the request. */
const PLACES = {
  authorizeBaseUrl: ['header', 'authorizeBaseUrl'],
  responseMode: ['header', 'responseMode'],
  stateId: ['header', 'stateId'],
  ttlSeconds: ['header', 'sessionTtl'],
  successRedirectUri: ['header', 'successRedirectUri'],
  errorRedirectUri: ['header', 'errorRedirectUri'],
  statusCallbackUri: ['header', 'statusCallbackUri'],
  statusCallbackApiKey: ['header', 'statusCallbackApiKey'],
  requestedCredentials: ['body', 'request_credentials'],
  vpPolicies: ['body', 'vp_policies'],
  vcPolicies: ['body', 'vc_policies'],
  presentationDefinition: ['body', 'presentation_definition'],
  trustedRootCas: ['body', 'trusted_root_cas'],
} as const satisfies Partial<Record<keyof NewVerification, FieldPath>>;

const placesOf = ({ body }: StartInput): Record<keyof typeof PLACES | 'profile', FieldPath> => ({
  ...PLACES,
  profile: body.openid_profile === undefined ? ['header', 'openId4VPProfile'] : ['body', 'openid_profile'],
});
