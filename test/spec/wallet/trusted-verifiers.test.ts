import { expect } from 'chai';
import { exportJWK, SignJWT } from 'jose';
import { REQUEST_OBJECT } from '../../../domain/presentation/request-parameters.ts';
import { crossDevice, Openid4vp } from '../../actors/openid4vp.ts';
import { newWalletUser } from '../../actors/wallet-user.ts';
import { useServer } from '../../support/servers/server.ts';
import { pemOf, testKeys } from '../../support/trust/certificates.ts';
import { iaca } from '../../support/trust/issuer-chains.ts';
import { certifiedKey } from '../../support/trust/verifier-chains.ts';

describe('describePresentationRequest: verifiers with certificates', () => {
  const trusting = useServer(async () => {
    const [, root = ''] = (await certifiedKey()).withRoot;
    return { settings: { trustedVerifiers: { certificates: [pemOf(Buffer.from(root, 'base64'))] } } };
  });
  const other = useServer({ settings: { trustedVerifiers: { certificates: [iaca().pem] } } });
  const unjudging = useServer();

  /** What a wallet finds of a request that our verifier signed; both are on one server. */
  async function described(server: typeof trusting) {
    const vp = await Openid4vp.with(server);
    const { key, x5c, hash: clientId } = await certifiedKey();
    const created = await vp.create(crossDevice({ signed_request: true, key, x5c, clientId }));
    const text: string = created.bootstrapAuthorizationRequestUrl;
    return (await newWalletUser(server)).call('describePresentationRequest', { text });
  }

  it('200: the certificate is trusted below an authority of the configuration, and not judged without any', async () => {
    for (const server of [trusting, unjudging]) {
      const { status, body } = await described(server);
      expect(status, JSON.stringify(body)).to.equal(200);
      const isTrusted = server === trusting;
      expect(body.proof).to.deep.equal({
        kind: 'certificate',
        name: 'verifier.example.com',
        issuer: 'readers',
        isTrusted,
      });
    }
  });

  it('400: the certificate of another authority', async () => {
    const { status, body } = await described(other);
    expect([status, body.message]).to.match(/^400,The certificate of the request object is not trusted/);
  });

  describe('that the configuration names', () => {
    const attester = testKeys('P-256', 80);
    const keys = testKeys('P-256', 81);
    const address = 'https://shop.example/response';
    const trusts = useServer(async () => {
      const jwks = { keys: [await exportJWK(attester.publicKey)] };
      const shop = { clientId: 'shop', name: 'The shop', responseUris: [address] };
      const bank = { ...shop, clientId: 'bank', name: 'The bank', jwks: { keys: [await exportJWK(keys.publicKey)] } };
      const attestationIssuers = [{ issuer: 'https://attester.example', jwks }];
      return { settings: { trustedVerifiers: { attestationIssuers, clients: [shop, bank] } } };
    });
    const query = { credentials: [{ id: 'q', format: 'dc+sd-jwt', meta: { vct_values: ['urn:card:1'] } }] };
    const asking = (client_id: string, more = {}) => ({
      ...{ client_id, response_type: 'vp_token', response_mode: 'direct_post', response_uri: address, nonce: 'n' },
      client_metadata: { client_name: 'Anything', logo_uri: 'https://evil.example/logo.png' },
      ...{ dcql_query: query, ...more },
    });
    const signed = async (client_id: string, header = {}, more = {}) => {
      const jwt = new SignJWT(asking(client_id, more));
      const request = await jwt
        .setProtectedHeader({ alg: 'ES256', typ: REQUEST_OBJECT.TYP, ...header })
        .sign(keys.privateKey);
      return `openid4vp://?${new URLSearchParams({ client_id, request })}`;
    };
    const unsigned = (client_id: string, more = {}) => {
      const params = Object.entries(asking(client_id, more)).map(([name, value]): [string, string] => [
        name,
        typeof value === 'string' ? value : JSON.stringify(value),
      ]);
      return `openid4vp://?${new URLSearchParams(params)}`;
    };
    const answerTo = async (text: string) =>
      (await newWalletUser(trusts)).call('describePresentationRequest', { text });

    it('200: a client with a key signs, one without is bound to its address; both have the name of the configuration', async () => {
      for (const [text, name] of [
        [await signed('bank'), 'The bank'],
        [unsigned('shop'), 'The shop'],
      ] as const) {
        const { status, body } = await answerTo(text);
        expect(status, JSON.stringify(body)).to.equal(200);
        expect(body.proof).to.deep.equal({ kind: 'registered', name });
        expect(body.verifier).to.include({ name }).and.not.have.property('logoUri');
      }
    });

    it('200: a client with an attestation of a trusted issuer', async () => {
      const cnf = { jwk: await exportJWK(keys.publicKey) };
      const exp = Math.floor(trusts.clock.now() / 1000) + 60;
      const jwt = await new SignJWT({
        iss: 'https://attester.example',
        sub: 'kiosk',
        exp,
        cnf,
        redirect_uris: [address],
      })
        .setProtectedHeader({ alg: 'ES256', typ: 'verifier-attestation+jwt' })
        .sign(attester.privateKey);
      const { body } = await answerTo(await signed('verifier_attestation:kiosk', { jwt }));
      expect(body.proof, JSON.stringify(body)).to.deep.equal({
        kind: 'attestation',
        name: 'kiosk',
        issuer: 'https://attester.example',
      });
    });

    it('400: another address, a stranger without a prefix, a missing signature and an unknown prefix', async () => {
      const cases: [string, RegExp][] = [
        [await signed('bank', {}, { response_uri: 'https://evil.example/' }), /none of those/],
        [unsigned('shop', { response_uri: 'https://evil.example/' }), /none of those/],
        [unsigned('bank'), /must be signed/],
        [unsigned('kiosk'), /not registered/],
        [unsigned('verifier_attestation:kiosk'), /must be signed/],
        [await signed('verifier_attestation:kiosk'), /no verifier attestation/],
        [unsigned('w3c:kiosk'), /does not know a client_id of the kind w3c/],
      ];
      for (const [text, why] of cases) {
        const { status, body } = await answerTo(text);
        expect([status, body.message], String(why)).to.match(new RegExp(`^400,.*${why.source}`));
      }
    });
  });
});
