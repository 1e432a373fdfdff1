import { createHash, randomBytes, X509Certificate } from 'node:crypto';
import { type CallbackContext, clientAuthenticationAnonymous, setGlobalConfig } from '@openid4vc/oauth2';
import { Openid4vpClient } from '@openid4vc/openid4vp';
import { expect } from 'chai';
import { CompactEncrypt, exportJWK, importJWK, importX509, type JWK, jwtVerify } from 'jose';
import { crossDevice, DEGREE_QUERY, Openid4vp } from '../actors/openid4vp.ts';
import { FORMATS, type TestedFormat } from '../conformance/verifier/credentials.ts';
import { iaca } from '../support/credentials/mdoc-issuer.ts';
import { useServer } from '../support/servers/server.ts';
import { certifiedKey } from '../support/trust/verifier-chains.ts';

// biome-ignore lint/suspicious/noExplicitAny: setups have any member
type Json = Record<string, any>;

const pemOf = (base64: string): string => `-----BEGIN CERTIFICATE-----\n${base64}\n-----END CERTIFICATE-----`;
const refuse = (): never => {
  throw new Error('The wallet needs this for nothing');
};

/** What the library needs of a wallet that verifies signed requests and encrypts responses. */
function callbacks(nowMs: () => number): CallbackContext {
  setGlobalConfig({ allowInsecureUrls: true });
  return {
    hash: (data, algorithm) => createHash(algorithm.replace('-', '')).update(data).digest(),
    generateRandom: (length) => randomBytes(length),
    clientAuthentication: clientAuthenticationAnonymous(),
    signJwt: refuse,
    decryptJwe: refuse,
    fetch,
    verifyJwt: async (signer, { compact }) => {
      if (signer.method !== 'x5c') throw new Error(`No key by ${signer.method}`);
      const key = await importX509(pemOf(signer.x5c[0] ?? ''), signer.alg, { extractable: true });
      await jwtVerify(compact, key, { currentDate: new Date(nowMs()) });
      return { verified: true, signerJwk: { kty: 'EC', ...(await exportJWK(key)) } };
    },
    getX509CertificateMetadata: (certificate) => {
      const names = new X509Certificate(pemOf(certificate)).subjectAltName ?? '';
      const sanDnsNames = [...names.matchAll(/DNS:([^,]+)/g)].map(([, name = '']) => name);
      return { sanDnsNames, sanUriNames: [] };
    },
    encryptJwe: async ({ publicJwk, alg, enc }, data) => ({
      jwe: await new CompactEncrypt(Buffer.from(data))
        .setProtectedHeader({ alg, enc, kid: publicJwk.kid })
        .encrypt(await importJWK(publicJwk as JWK, alg)),
      encryptionJwk: publicJwk,
    }),
  };
}

const ENCRYPTION = {
  authorization_signing_alg_values_supported: ['ES256'],
  authorization_encryption_alg_values_supported: ['ECDH-ES'],
  authorization_encryption_enc_values_supported: ['A128GCM', 'A256GCM'],
};

describe('OpenID4VP 1.0: the @openid4vc client answers the verifier', () => {
  const server = useServer({ settings: { trustedIssuers: { certificates: [iaca.pem] } } });
  let vp: Openid4vp;
  let signed: Record<'x509_san_dns' | 'x509_hash', Json>;
  before(async () => {
    vp = await Openid4vp.with(server);
    const { key, x5c, sanDns, hash } = await certifiedKey({ host: 'localhost' });
    const core = { signed_request: true, key, x5c };
    signed = { x509_san_dns: { ...core, clientId: sanDns }, x509_hash: { ...core, clientId: hash } };
  });

  /** The library demands that the name in the certificate is the host of the response URI. */
  const atName = () => ({ url_prefix: `${server.url.replace('127.0.0.1', 'localhost')}/verification-session` });

  /** A W3C credential as JWT, presented in a JWT. */
  const w3c: TestedFormat = {
    query: DEGREE_QUERY,
    present: (request) => vp.presentation(request),
  };

  for (const [format, { query, present }] of Object.entries({ ...FORMATS, jwt_vc_json: w3c }))
    for (const prefix of ['redirect_uri', 'x509_san_dns', 'x509_hash'] as const)
      for (const isEncrypted of [false, true])
        it(`${format}, ${prefix}, ${isEncrypted ? 'direct_post.jwt' : 'direct_post'}`, async () => {
          const core = prefix === 'redirect_uri' ? {} : signed[prefix];
          const setup = crossDevice(
            { dcql_query: query, encrypted_response: isEncrypted, ...core },
            { url_config: atName() },
          );
          const created = await vp.create(setup);
          const client = new Openid4vpClient({ callbacks: callbacks(server.clock.now) });
          // It takes signed request objects alone, so that it reads any other request in its whole link.
          const { bootstrapAuthorizationRequestUrl: short, fullAuthorizationRequestUrl: link = short } = created;
          const { params } = client.parseOpenid4vpAuthorizationRequest({ authorizationRequest: link });
          const resolved = await client.resolveOpenId4vpAuthorizationRequest({ authorizationRequestPayload: params });
          const { authorizationRequestPayload, client: verifier, dcql } = resolved;
          expect(verifier.prefix).to.equal(prefix);
          expect(dcql?.query).to.deep.equal(query);
          const request = { parameters: authorizationRequestPayload as Json, requestId: '' };
          const [{ id }] = query.credentials;
          const token = await present(request, {}, server.clock.now());
          const answer = await client.createOpenid4vpAuthorizationResponse({
            authorizationRequestPayload,
            authorizationResponsePayload: { vp_token: { [id]: [token] } },
            ...(isEncrypted && { jarm: { encryption: { nonce: 'wallet' }, serverMetadata: ENCRYPTION } }),
          });
          const { response } = await client.submitOpenid4vpAuthorizationResponse({
            authorizationRequestPayload: authorizationRequestPayload as never,
            ...answer,
          });
          const session = await vp.info(created);
          expect([response.status, session.status], JSON.stringify(session.failure)).to.deep.equal([200, 'SUCCESSFUL']);
          expect(session.presented_credentials[id]).to.have.length(1);
        });
});
