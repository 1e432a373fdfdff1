import { generateKeyPairSync, randomUUID } from 'node:crypto';
import { byCertificate } from '../../actors/accounts.ts';
import { giveCodes, loginOffer } from '../../actors/code-grant.ts';
import { startIssuer } from '../../actors/issuer.ts';
import { changed } from '../../support/kms/cloud-configs.ts';
import { canary } from '../../support/secrets/secret-places.ts';
import { testKeys } from '../../support/trust/certificates.ts';
import type { Json, PlantedServer } from './planted-server.ts';

/** Secrets of the users of wallets. */
export function secretsOfWallets(on: PlantedServer): void {
  it('of wallet accounts: passwords, certificate tokens, bearer tokens and cookies', async () => {
    const password = on.plant('wallet password', canary());
    const account = { type: 'email', email: `${randomUUID()}@example.org`, password, name: 'Ada' };
    await on.call('registerAccount', 201, { json: account });
    await on.call('registerAccount', 409, { json: account });
    await on.call('registerAccount', [400, 409], { json: { ...account, [password]: 1 } });
    await on.call('registerAccount', 400, { text: `{"password": "${password}"`, contentType: 'application/json' });
    await on.call('registerAccount', [400, 415], { text: password });
    await on.call('loginAccount', 401, { json: { ...account, password: `${password}x` } });
    await on.call('loginAccount', 400, { json: { ...account, type: password } });
    const { body } = await on.call('loginAccount', 200, { json: account });
    const bearer = on.plant('wallet token', body.token, ['loginAccount', 'getLoginSession']);
    await on.call('getLoginSession', 200, { token: bearer });
    await on.call('getUserInfo', 200, { cookie: `login=${bearer}` });
    await on.call('getUserInfo', 401, { token: `x${bearer}` });
    const { body: list } = await on.call('listAccountWallets', 200, { token: bearer });
    on.wallet = { id: list.wallets[0].id, token: bearer };
    await on.call('listWalletKeys', 403, { token: bearer, path: { wallet: randomUUID() } });
    await on.call('listWalletKeys', 400, { token: bearer, path: { wallet: on.wallet.id }, query: { token: bearer } });
    const x5c = byCertificate(0);
    on.plant('certificate token', x5c.token);
    await on.call('registerWithCertificate', 201, { json: x5c });
    await on.call('registerWithCertificate', [400, 401, 409], { json: x5c });
    await on.call('loginWithCertificate', [400, 401], { json: { ...x5c, token: `${x5c.token}x` } });
    const { body: certified } = await on.call('loginWithCertificate', 200, { json: x5c });
    on.plant('wallet token', certified.token, ['loginWithCertificate']);
    await on.call('logoutAccount', 200, { token: certified.token });
    await on.call('getUserInfo', 401, { token: certified.token });
  });

  it('of logins at issuers: their state, the code, the verifier and the key of the token', async () => {
    const at = { path: { wallet: on.wallet.id }, token: on.wallet.token };
    const issuer = await startIssuer();
    const codes = giveCodes(issuer);
    codes.metadata = { dpop_signing_alg_values_supported: ['ES256'] };
    const json = { offer: loginOffer(issuer), redirectUri: 'https://other.example' };
    await on.call('beginOfferAuthorization', 400, { ...at, json });
    for (const changes of [{}, { code: on.plant('authorization code', canary()) }]) {
      const { body } = await on.call('beginOfferAuthorization', 200, { ...at, json: { offer: loginOffer(issuer) } });
      const state = on.plant('login state', body.state, ['beginOfferAuthorization']);
      const { searchParams } = new URL(
        (await fetch(body.authorizationUrl, { redirect: 'manual' })).headers.get('location') ?? '',
      );
      const answer = { ...Object.fromEntries(searchParams), ...changes };
      await on.call('finishOfferAuthorization', 400, { ...at, json: { ...answer, state: `${state}x` } });
      await on.call('finishOfferAuthorization', [200, 400], { ...at, json: answer });
      const form = new URLSearchParams(issuer.peer.seen.findLast(({ url }) => url.pathname === '/issuer/token')?.body);
      on.plant('code verifier', form.get('code_verifier') ?? '');
    }
    await issuer.close();
  });

  it('of wallet keys: imported private keys, and the credentials of a cloud', async () => {
    const at = { path: { wallet: on.wallet.id }, token: on.wallet.token };
    const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
    const jwk = privateKey.export({ format: 'jwk' });
    on.plant('imported key', jwk.d ?? '', ['exportWalletKey']);
    const { body: keyId } = await on.call('importWalletKey', 201, { ...at, text: JSON.stringify(jwk) });
    await on.call('importWalletKey', 409, { ...at, text: JSON.stringify(jwk) });
    await on.call('importWalletKey', 400, { ...at, text: JSON.stringify({ ...jwk, x: jwk.d }) });
    await on.call('importWalletKey', [400, 415], { ...at, text: `${JSON.stringify(jwk)}}` });
    const pem = testKeys('RSA', 44).privateKey.export({
      format: 'pem',
      type: 'pkcs8',
    });
    const text = on.plant('imported key', String(pem), []);
    await on.call('importWalletKey', 201, { ...at, text });
    await on.call('importWalletKey', 400, { ...at, text: text.replace('BEGIN PRIVATE', 'BEGIN RSA PRIVATE') });
    const of = { ...at, path: { ...at.path, keyId } };
    await on.call('exportWalletKey', 200, of);
    await on.call('exportWalletKey', 200, { ...of, query: { loadPrivateKey: 'true' } });
    await on.call('verifyWithWalletKey', [200, 400], {
      ...at,
      query: { JWK: JSON.stringify(jwk) },
      text: 'e30.e30.AA',
    });
    for (const [cloud, { key }] of Object.entries(on.clouds)) {
      on.plantCloud(cloud, key);
      const { body: inCloud } = await on.call('generateWalletKey', 201, { ...at, json: key });
      await on.call('exportWalletKey', 400, {
        ...at,
        path: { ...at.path, keyId: inCloud },
        query: { loadPrivateKey: 'true' },
      });
      await on.call('generateWalletKey', 400, {
        ...at,
        json: { ...key, config: changed(key.config as Json, { unknown: 'x' }) },
      });
    }
    await on.call('listWalletKeys', 200, at);
    await on.call('listWalletEvents', 200, at);
  });

  it('of wallet API 2: passwords, bearer tokens, imported keys and those that wallets are created with', async () => {
    const password = on.plant('wallet password', canary());
    const json = { email: `${randomUUID()}@example.org`, password };
    await on.call('registerWallet2Account', 201, { json });
    await on.call('registerWallet2Account', 409, { json });
    await on.call('registerWallet2Account', 400, {
      text: `{"password": "${password}"`,
      contentType: 'application/json',
    });
    await on.call('loginWallet2Account', 401, { json: { ...json, password: `${password}x` } });
    const { body } = await on.call('loginWallet2Account', 200, { json });
    const token = on.plant('wallet token', body.token, ['loginWallet2Account']);
    const jwkOf = () => {
      const jwk = generateKeyPairSync('ec', { namedCurve: 'P-256' }).privateKey.export({ format: 'jwk' });
      on.plant('imported key', jwk.d ?? '', []);
      return { type: 'jwk', jwk };
    };
    const staticKey = jwkOf();
    const { body: fixed } = await on.call('createWallet', 201, { token, json: { staticKey } });
    await on.call('createWallet', 400, { token, json: { staticKey, staticDid: 'did:key:z6Mk' } });
    for (const operationId of ['describeWallet', 'listWallet2Keys'])
      await on.call(operationId, 200, { token, path: { wallet: fixed.walletId } });
    const { body: made } = await on.call('createWallet', 201, { token });
    const at = { token, path: { wallet: made.walletId } };
    const key = jwkOf();
    const { body: imported } = await on.call('importWallet2Key', 201, { ...at, json: { key } });
    await on.call('importWallet2Key', 409, { ...at, json: { key } });
    await on.call('importWallet2Key', 400, { ...at, json: { key: { ...key, jwk: { ...key.jwk, x: key.jwk.d } } } });
    await on.call('getWallet2Key', 200, { ...at, path: { ...at.path, keyId: imported.keyId } });
    await on.call('logoutWallet2Account', 200, { token });
    await on.call('listWallets', 401, { token });
  });
}
