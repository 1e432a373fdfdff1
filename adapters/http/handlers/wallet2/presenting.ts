import { refusalIn } from '../../../../domain/wallet/presentation/verifier-endpoint.ts';
import { shownRequest } from '../../../../domain/wallet/steps/request-preview.ts';
import { holderReader, type Part, type StepServices, step } from './step.ts';
import { matchView, previewView, resultView } from './step-views.ts';

const ASKED = { link: ['requestUrl'], selectedCredentials: ['requestUrl'], loginDid: ['did'] };

/** Requests that are answered in one call. */
const answerHandlers = ({ presenting, ...services }: StepServices) => {
  const holderOf = holderReader(services);
  return {
    presentToVerifier: async ({ walletId, body }) => {
      const answer = async () => presenting.present(walletId, { link: body.requestUrl, ...(await holderOf(body)) });
      const present = () => answer().catch(refusalIn);
      return { status: 200, body: resultView(await step(present, ASKED)) };
    },
    presentGivenCredentials: async ({ walletId, body }) => {
      const { requestUrl: link, credentials } = body;
      const answer = async () => presenting.present(walletId, { link, ...(await holderOf(body)) }, credentials);
      const present = () => answer().catch(refusalIn);
      return { status: 200, body: resultView(await step(present, ASKED)) };
    },
  } satisfies Part;
};

/** Requests and credentials that are looked at. */
const requestHandlers = ({ presenting }: StepServices) => {
  return {
    resolveRequest: async ({ body }) => {
      const { params, hasRequestUri } = await step(() => presenting.resolve(body.requestUrl), ASKED);
      const shown = shownRequest(params);
      const { nonce, client_id: clientId, response_uri: responseUri, dcql_query: dcqlQuery } = shown;
      const named = Object.entries({ nonce, clientId, responseUri, dcqlQuery }).filter(
        ([, value]) => value !== undefined,
      );
      return { status: 200, body: { authorizationRequest: shown, hasRequestUri, ...Object.fromEntries(named) } };
    },
    matchGivenCredentials: async ({ walletId, body: { dcqlQuery, credentials } }) => ({
      status: 200,
      body: matchView(await step(() => presenting.match(walletId, dcqlQuery, credentials))),
    }),
    matchStoredCredentials: async ({ walletId, body: { dcqlQuery } }) => ({
      status: 200,
      body: matchView(await step(() => presenting.match(walletId, dcqlQuery))),
    }),
    previewRequest: async ({ walletId, body }) => {
      const preview = await step(() => presenting.preview(walletId, body.requestUrl), ASKED);
      return { status: 200, body: previewView(preview, body.keyId) };
    },
  } satisfies Part;
};

/** Responses that are built, sent and refused step by step. */
const responseHandlers = ({ presenting, ...services }: StepServices) => {
  const holderOf = holderReader(services);
  return {
    buildVpToken: async ({ walletId, body }) => {
      const {
        requestUrl: link,
        selectedCredentialOptions: options = [],
        selectedDisclosureOptions: claims = [],
      } = body;
      const older = Object.entries(body.selectedCredentialIds ?? {}).flatMap(([queryId, ids]) =>
        ids.map((credentialId) => ({ queryId, credentialId })),
      );
      const credentials = options.length > 0 ? options : older;
      const build = async () => presenting.build(walletId, { link, credentials, claims, ...(await holderOf(body)) });
      return { status: 200, body: await step(build, ASKED) };
    },
    sendResponse: async ({ walletId, body: { requestUrl: link, ...built } }) => {
      const send = () => presenting.send(walletId, { link, ...built }).catch(refusalIn);
      return { status: 200, body: resultView(await step(send, ASKED)) };
    },
    rejectRequest: async ({ walletId, body }) => {
      const { requestUrl: link, errorCode: error = 'access_denied', errorDescription: description } = body;
      const reject = () => presenting.reject(walletId, { link, error, description });
      return { status: 200, body: resultView(await step(reject, ASKED)) };
    },
  } satisfies Part;
};

/** How requests are looked at and answered, in one call and step by step. */
export const presentingHandlers = (services: StepServices) => ({
  ...answerHandlers(services),
  ...requestHandlers(services),
  ...responseHandlers(services),
});
