import { expect } from 'chai';
import { placeOf } from '../../../demo/services.ts';
import { locationOf } from '../../actors/browser.ts';
import { CALLBACK, clientCredentials } from '../../actors/relying-party.ts';
import { clientOf, SignInFixture, signInOf } from '../../actors/sign-in.ts';
import { oversized } from '../../actors/tenant.ts';
import { operationOf } from '../../support/documents/contract.ts';

const shop = await clientCredentials('client_secret_basic');
const FORMS = [
  'postSignInRequest',
  'pushSignInRequest',
  'exchangeSignInCode',
  'postForSignedInPerson',
  'postLogout',
  'confirmLogout',
];
const PAGES = [
  'getSignInPage',
  'openWalletForSignIn',
  'returnFromWallet',
  'retrySignIn',
  'cancelSignIn',
  'requestDigitalSignIn',
  'followSignIn',
];

describe('malformed requests of sign-ins', () => {
  const on = new SignInFixture(signInOf({ shop: clientOf(shop) }));

  for (const operationId of FORMS)
    it(`${operationId} 413: too large; 415: no form`, async () => {
      expect(
        (await on.server.call(operationId, { ...oversized, contentType: 'application/x-www-form-urlencoded' })).status,
      ).to.equal(413);
      expect((await on.server.call(operationId, { json: {} })).status).to.equal(415);
    });

  for (const operationId of PAGES)
    it(`${operationId} 400: the name of no sign-in`, async () => {
      expect((await on.server.call(operationId, { path: { signIn: 'a b' } })).status).to.equal(400);
    });

  it('getSignInAsset 400: a path that is not encoded; 404: another file', async () => {
    const place = placeOf(await operationOf('getSignInAsset'), { path: { asset: 'x' } });
    expect((await on.server.fetch(place.replace(/x$/, '%zz'))).status).to.equal(400);
    expect((await on.server.fetch(place)).status).to.equal(404);
  });

  it('resumeSignIn 400: a path that is not encoded; 404: in a browser that began none', async () => {
    expect((await on.server.fetch('/sign-in/authorize/%zz')).status).to.equal(400);
    const page = await on.browser().open(`${on.issuer}/authorize/unknown`);
    expect([page.status, page.text.includes('This sign-in is over')]).to.deep.equal([404, true]);
  });

  it('getSignedInPerson 400: a header that is no token', async () => {
    const headers = { authorization: 'Bearer a b' };
    expect((await on.server.call('getSignedInPerson', { headers })).status).to.equal(400);
  });

  it('pushSignInRequest 201: with the secret in the header', async () => {
    const form = {
      ...{ client_id: 'shop', response_type: 'code', scope: 'openid', redirect_uri: CALLBACK, state: 's' },
      ...{ code_challenge: 'E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM', code_challenge_method: 'S256' },
    };
    const headers = { authorization: `Basic ${Buffer.from(`shop:${shop.secret}`).toString('base64')}` };
    expect((await on.server.call('pushSignInRequest', { form, headers })).status).to.equal(201);
  });

  it('getSignInPage 409: after too many requests for wallets', async () => {
    const { url } = await (await on.party('shop', shop)).request();
    const browser = on.browser();
    const page = locationOf(await browser.open(url)) ?? '';
    for (let asked = 0; asked < 16; asked += 1) await browser.open(`${page}/wallet`);
    expect((await browser.open(page)).status).to.equal(409);
  });
});
