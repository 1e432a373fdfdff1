import { GRANT } from '../../demo/actors/holder-key.ts';
import { degree, onboard } from '../../demo/actors/issuer.ts';
import type { Call, TestServer } from '../support/servers/server.ts';
import { makeOffer, offerId } from './issuance.ts';

/** Live access tokens of the open issuers, by the document of the endpoints that take them. */
export async function accessTokens(server: TestServer): Promise<Record<string, string>> {
  const issuer = await onboard(server, { key: { keyType: 'secp256r1' } });
  const { code } = await makeOffer(server, degree(issuer));
  const ok = async (operationId: string, call: Call) => {
    const { status, body } = await server.call(operationId, call);
    if (status >= 300) throw new Error(`${operationId}: ${JSON.stringify(body)}`);
    return body;
  };
  const redeemed = async (operationId: string, of: string): Promise<string> =>
    (await ok(operationId, { form: { grant_type: GRANT, 'pre-authorized_code': of } })).access_token;
  const url = await ok('issueJwtCredential', { json: degree(issuer, { standardVersion: 'DRAFT11' }) });
  const draft11 = await ok('getDraft11Offer', { query: { id: offerId(url) } });
  const json = { profileId: 'UniversityDegree_jwt_vc_json', authMethod: 'PRE_AUTHORIZED', valueMode: 'BY_VALUE' };
  const { credentialOffer } = await ok('createCredentialOffer', { json });
  const final = JSON.parse(new URL(credentialOffer).searchParams.get('credential_offer') ?? '');
  return {
    issuer: await redeemed('requestAccessToken', code),
    draft11: await redeemed('requestDraft11Token', draft11.grants[GRANT]['pre-authorized_code']),
    openid4vci: await redeemed('requestOpenid4vciToken', final.grants[GRANT]['pre-authorized_code']),
  };
}
