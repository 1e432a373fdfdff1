import { expect } from 'chai';
import { decodeJwt, decodeProtectedHeader, importJWK, jwtVerify } from 'jose';
import { signRequestObject } from '../../../domain/verifier/openid4vp/request-object.ts';
import { localKeys } from '../../support/keys/local-keys.ts';

const NOW = 1_800_000_000_500;
const { backends } = localKeys();

async function newSigner() {
  const key = await backends.create('jwk', { keyType: 'secp256r1' });
  return { key, signer: backends.signer(key) };
}

const request = {
  parameters: { client_id: 'verifier.example', nonce: 'n', state: 's', scope: undefined },
  now: NOW,
  expiresAt: NOW + 300_000,
};

describe('Signed authorization requests', () => {
  it('verify with the key of the verifier and are typed, dated and meant for wallets that are discovered statically', async () => {
    const { key, signer } = await newSigner();
    const text = await signRequestObject(request, { signer, header: { kid: 'key-1' } });
    const verified = await jwtVerify(text, await importJWK(key.publicJwk, 'ES256'), {
      currentDate: new Date(NOW),
      typ: 'oauth-authz-req+jwt',
      audience: 'https://self-issued.me/v2',
    });
    expect(verified.protectedHeader).to.deep.equal({ alg: 'ES256', typ: 'oauth-authz-req+jwt', kid: 'key-1' });
    expect(verified.payload).to.deep.equal({
      client_id: 'verifier.example',
      nonce: 'n',
      state: 's',
      iss: 'verifier.example',
      aud: 'https://self-issued.me/v2',
      iat: 1_800_000_000,
      exp: 1_800_000_300,
    });
  });

  it('carry the certificates or the attestation that their key is found by', async () => {
    const { signer } = await newSigner();
    const header = { x5c: ['MIIB'], jwt: 'a.b.c' };
    expect(decodeProtectedHeader(await signRequestObject(request, { signer, header }))).to.include.keys('x5c', 'jwt');
  });

  it('repeat the nonce of the wallet, and no parameter replaces a claim', async () => {
    const { signer } = await newSigner();
    const parameters = { ...request.parameters, aud: 'elsewhere', exp: 1, iss: 'other' };
    const text = await signRequestObject(
      { ...request, parameters, walletNonce: 'w', audience: '' },
      { signer, header: {} },
    );
    expect(decodeJwt(text)).to.include({ wallet_nonce: 'w', aud: '', iss: 'verifier.example', exp: 1_800_000_300 });
  });
});
