import { createPrivateKey, createPublicKey } from 'node:crypto';
import { Openid4vpClient } from '@openid4vc/openid4vp';
import { expect } from 'chai';
import { base64url, CompactEncrypt, importJWK, type JWK } from 'jose';
import {
  MDOC_NONCE,
  presentOf,
  REQUESTED_FORMATS,
  type RequestedFormat,
  requestedOf,
  responseOf,
  TRUSTED_ROOT,
} from '../actors/presenters.ts';
import { readRequest } from '../actors/wallet.ts';
import { useServer } from '../support/servers/server.ts';
import { testKeys } from '../support/trust/certificates.ts';
import { callbacks } from './library.ts';

const { privateKey, publicKey } = testKeys('P-256', 62);

/** The library with jose for encryption. */
const client = new Openid4vpClient({
  callbacks: {
    ...callbacks(
      createPrivateKey(privateKey.export({ type: 'pkcs8', format: 'pem' })),
      createPublicKey(publicKey.export({ type: 'spki', format: 'pem' })),
    ),
    encryptJwe: async ({ publicJwk, alg, enc, apu, apv }, data) => {
      const jwk = publicJwk as JWK;
      const jwe = await new CompactEncrypt(new TextEncoder().encode(data))
        .setProtectedHeader({ alg, enc, kid: jwk.kid })
        .setKeyManagementParameters({
          ...(apu !== undefined && { apu: base64url.decode(apu) }),
          ...(apv !== undefined && { apv: base64url.decode(apv) }),
        })
        .encrypt(await importJWK(jwk, alg));
      return { jwe, encryptionJwk: publicJwk };
    },
  },
});

describe('presentations of the draft generation by the client of @openid4vc', () => {
  const server = useServer();

  /** Reads a request link, answers it and submits the answer, all by the library. */
  async function present(format: RequestedFormat, responseMode: string): Promise<{ status: number; state: string }> {
    const json = { request_credentials: [requestedOf(format)], trusted_root_cas: [TRUSTED_ROOT] };
    const headers = { openId4VPProfile: 'HAIP', responseMode };
    const { body: link } = await server.call('startVerification', { json, headers });
    const parsed = client.parseOpenid4vpAuthorizationRequest({ authorizationRequest: link });
    if (parsed.type !== 'openid4vp') throw new Error(`The request is one of the kind ${parsed.type}`);
    const resolved = await client.resolveOpenId4vpAuthorizationRequest({ authorizationRequestPayload: parsed.params });
    const definition: { input_descriptors: object[] } = Object(resolved.pex?.presentation_definition);
    expect(definition.input_descriptors).to.have.length(1);
    const { params: authorizationRequestPayload } = parsed;
    const request = readRequest(link);
    const { state: _, ...parameters } = responseOf([await presentOf(format, request)], request);
    const answer = await client.createOpenid4vpAuthorizationResponse({
      authorizationRequestPayload,
      authorizationResponsePayload: parameters as { vp_token: string },
      ...(responseMode === 'direct_post.jwt' && {
        jarm: {
          encryption: { nonce: MDOC_NONCE },
          serverMetadata: {
            authorization_signing_alg_values_supported: [],
            authorization_encryption_alg_values_supported: ['ECDH-ES'],
            authorization_encryption_enc_values_supported: ['A128GCM', 'A256GCM'],
          },
        },
      }),
    });
    const { response } = await client.submitOpenid4vpAuthorizationResponse({ authorizationRequestPayload, ...answer });
    return { status: response.status, state: request.state };
  }

  for (const format of REQUESTED_FORMATS)
    for (const responseMode of format === 'mso_mdoc' ? ['direct_post.jwt'] : ['direct_post', 'direct_post.jwt'])
      it(`${format} by ${responseMode}`, async () => {
        const { status, state } = await present(format, responseMode);
        const { body } = await server.call('getVerificationResult', { path: { state } });
        expect([status, body.verificationResult], JSON.stringify(body.policyResults)).to.deep.equal([200, true]);
      });
});
