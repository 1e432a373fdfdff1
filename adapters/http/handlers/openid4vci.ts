import { utf8 } from '../../../domain/foundation/bytes.ts';
import type { CredentialIssuer } from '../../../domain/issuer/credential-issuer.ts';
import type { CredentialEncryption, ReadRequest } from '../../../domain/issuer/endpoints/credential-encryption.ts';
import type { MetadataSigning } from '../../../domain/issuer/endpoints/metadata-signing.ts';
import { createOffer, parseDeferredRequest, parseNotification } from '../../../domain/issuer/openid4vci/draft13.ts';
import { jwtVcIssuerDocument } from '../../../domain/issuer/openid4vci/draft13-metadata.ts';
import {
  createCredentialResponse,
  deferredResponse,
  parseCredentialRequest,
  type StatedResponse,
} from '../../../domain/issuer/openid4vci/v1.ts';
import { issuerDocument, serverDocument } from '../../../domain/issuer/openid4vci/v1-metadata.ts';
import type { SingleUseNonces } from '../../../domain/oauth/single-use-nonces.ts';
import { prefers } from '../messages/negotiation.ts';
import { type Handlers, reply, replyUncached } from '../messages/operations.ts';
import type { IssuerServices } from './issuer.ts';
import {
  type AuthorizationServices,
  authorizationHandlers,
  nextHeaders,
  type OfIssuer,
} from './openid4vci-authorization.ts';
import { withAccessToken } from './protected-resource.ts';

/** What the handlers of the document `openid4vci` need. */
export interface Openid4vciServices
  extends AuthorizationServices,
    Pick<IssuerServices, 'offers' | 'credentialEndpoint' | 'deferredEndpoint' | 'notificationEndpoint' | 'keys'> {
  proofNonces: SingleUseNonces;
  encryption: CredentialEncryption;
  metadataSigning: MetadataSigning;
}

/** The endpoints of OpenID4VCI 1.0 that wallets call. */
export const openid4vciHandlers = (services: Openid4vciServices): Handlers<'openid4vci', OfIssuer> => ({
  ...metadataHandlers(services),
  ...authorizationHandlers(services),
  ...credentialHandlers(services),
  ...walletHandlers(services),
});

const JWT = 'application/jwt';

const metadataHandlers = ({ encryption, metadataSigning, keys }: Openid4vciServices) =>
  ({
    getOpenid4vciIssuerMetadata: async ({ issuer, headers: { accept } }) => {
      const vary = { vary: 'Accept' };
      const document = issuerDocument(issuer, await encryption.metadata());
      if (!prefers(accept, JWT, 'application/json')) return { status: 200, headers: vary, body: document };
      const body = utf8(await metadataSigning.sign(issuer, document));
      return { status: 200, headers: { ...vary, 'content-type': JWT }, body };
    },
    getOpenid4vciServerMetadata: reply(200, ({ issuer }) => serverDocument(issuer)),
    getOpenid4vciJwtVcIssuer: reply(200, ({ issuer }) => jwtVcIssuerDocument(issuer)),
    listOpenid4vciKeys: reply(200, async ({ issuer }) => ({ keys: await keys.published(issuer) })),
  }) satisfies Partial<Handlers<'openid4vci', OfIssuer>>;

function credentialHandlers(services: Openid4vciServices) {
  const { clientProofs, credentialEndpoint, deferredEndpoint, encryption } = services;
  const answer = async (issuer: CredentialIssuer, stated: StatedResponse, request: ReadRequest) => {
    const body = await encryption.encrypted(stated.body, request);
    const headers = await nextHeaders(services, issuer);
    return body
      ? { status: stated.status, body, headers: { ...headers, 'content-type': JWT } }
      : { ...stated, headers };
  };
  return {
    requestOpenid4vciCredential: ({ issuer, body, headers: sent }) =>
      withAccessToken({ issuer, endpoint: 'credential', headers: sent, clientProofs }, async (accessToken) => {
        const access = await credentialEndpoint.access(issuer, accessToken);
        const read = await encryption.read(await body());
        const { outcome } = await credentialEndpoint.issue(access, parseCredentialRequest(read.request, issuer));
        return answer(issuer, createCredentialResponse(outcome), read);
      }),
    requestOpenid4vciDeferredCredential: ({ issuer, body, headers: sent }) =>
      withAccessToken({ issuer, endpoint: 'deferred_credential', headers: sent, clientProofs }, async (accessToken) => {
        const grant = await deferredEndpoint.grant(issuer, accessToken);
        const read = await encryption.read(await body());
        const { transactionId } = parseDeferredRequest(read.request);
        const outcome = await deferredEndpoint.issue(issuer, { grant, transactionId });
        const isPending = outcome.kind === 'pending';
        return answer(
          issuer,
          isPending ? deferredResponse(transactionId, outcome) : createCredentialResponse(outcome),
          read,
        );
      }),
  } satisfies Partial<Handlers<'openid4vci', OfIssuer>>;
}

function walletHandlers(services: Openid4vciServices) {
  const { offers, proofNonces, notificationEndpoint, clientProofs } = services;
  return {
    getOpenid4vciOffer: replyUncached(200, ({ issuer, query }) => offers.get(issuer, query.id, createOffer)),
    requestOpenid4vciNonce: async ({ issuer }) => ({
      status: 200,
      headers: await nextHeaders(services, issuer),
      body: { c_nonce: await proofNonces.create(issuer.id) },
    }),
    notifyOpenid4vciIssuer: ({ issuer, body, headers: sent }) =>
      withAccessToken({ issuer, endpoint: 'notification', headers: sent, clientProofs }, async (accessToken) => {
        const access = await notificationEndpoint.access(issuer, accessToken);
        await notificationEndpoint.notify(access, parseNotification(await body()));
        return { status: 204, headers: await nextHeaders(services, issuer) };
      }),
  } satisfies Partial<Handlers<'openid4vci', OfIssuer>>;
}
