import { expect } from 'chai';
import { calculateJwkThumbprint, exportJWK, generateKeyPair, jwtVerify, SignJWT } from 'jose';
import { degree, type Issuer, onboard } from '../../../demo/actors/issuer.ts';
import { statusEntry } from '../../../demo/actors/status-list.ts';
import { CodeWallet, returned } from '../../actors/draft-authorization.ts';
import { issueCredential, jwkParty, keyParty, type Party } from '../../actors/party.ts';
import { makePresentation, submissionFor } from '../../actors/wallet.ts';
import { keyOfJwk } from '../../interop/judge.ts';
import { useServer } from '../../support/servers/server.ts';
import { listClaims, listHost } from '../../support/status/status-lists.ts';

type Asked = Record<string, string>;
type Json = Record<string, unknown>;

describe('answerLogin', () => {
  const server = useServer();
  const wallet = new CodeWallet(server);
  let issuer: Issuer;
  let holder: Party;
  before(async () => {
    issuer = await onboard(server, { key: { keyType: 'secp256r1' } });
    holder = await keyParty();
  });

  const asks = async (changes: Json, more: Asked = {}) => {
    const answer = await wallet.authorize(await wallet.offer(issuer, changes), more);
    expect(answer.status).to.equal(302);
    return returned(answer);
  };
  const answer = (form: Asked) => server.call('answerLogin', { form });
  const seconds = () => Math.floor(server.clock.now() / 1000);

  describe('with a self-issued ID token', () => {
    const ID_TOKEN = { authenticationMethod: 'ID_TOKEN' };
    const claims = ({ client_id, nonce }: Asked, of: string) => {
      const now = seconds();
      return { iss: of, sub: of, aud: client_id, nonce, iat: now, exp: now + 60 };
    };
    const idToken = (asked: Asked, changes: Json = {}, by = holder) =>
      by.sign({ ...claims(asked, holder.did), ...changes });

    it('302: asks the wallet, takes its token and gives a code that becomes a credential', async () => {
      const asked = await asks(ID_TOKEN, { client_metadata: '{"authorization_endpoint":"https://w.example/in"}' });
      const url = `${server.url}/draft13/direct_post`;
      expect(asked).to.include({ response_type: 'id_token', response_mode: 'direct_post', scope: 'openid' });
      expect([asked.client_id, asked.redirect_uri]).to.deep.equal([url, url]);
      const done = returned(await answer({ state: asked.state ?? '', id_token: await idToken(asked) }));
      expect(done).to.include({ state: '7f3a', iss: `${server.url}/draft13` });
      expect((await wallet.claim(done.code)).status).to.equal(200);
    });

    it('302: opens openid:// when the wallet names no endpoint; a signed request has the same members', async () => {
      const state = await wallet.offer(issuer, { ...ID_TOKEN, useJar: true });
      const started = await wallet.authorize(state);
      expect(started.headers.get('location')).to.match(/^openid:\/\/\?/);
      const { request = '', ...asked } = returned(started);
      const { keys } = (await server.call('getIssuerKeys')).body;
      const { payload, protectedHeader } = await jwtVerify(request, ({ kid }) =>
        keyOfJwk(keys.find((key: Json) => key.kid === kid)),
      );
      expect(protectedHeader.typ).to.equal('oauth-authz-req+jwt');
      expect(payload).to.deep.include({
        ...asked,
        client_metadata: JSON.parse(asked.client_metadata ?? ''),
        iss: `${server.url}/draft13`,
      });
      expect(asked.client_id).to.equal(`${server.url}/draft13`);
      const done = returned(await answer({ state: asked.state ?? '', id_token: await idToken(asked) }));
      expect((await wallet.redeem(done.code)).status).to.equal(200);
    });

    it('302: accepts the thumbprint of a key as subject', async () => {
      const { privateKey, publicKey } = await generateKeyPair('ES256');
      const sub_jwk = await exportJWK(publicKey);
      const sub = await calculateJwkThumbprint(sub_jwk);
      for (const of of [sub, `urn:ietf:params:oauth:jwk-thumbprint:sha-256:${sub}`]) {
        const asked = await asks(ID_TOKEN);
        const token = new SignJWT({ ...claims(asked, of), sub_jwk }).setProtectedHeader({ alg: 'ES256' });
        const done = returned(await answer({ state: asked.state ?? '', id_token: await token.sign(privateKey) }));
        expect(done.code, of).to.be.a('string');
      }
    });

    const refused: [string, (asked: Asked) => Promise<Asked>][] = [
      ['no token', async () => ({})],
      ['what is no token', async () => ({ id_token: 'a.b.c' })],
      ['an error of the wallet', async () => ({ error: 'access_denied' })],
      ['another nonce', async (asked) => ({ id_token: await idToken(asked, { nonce: 'other' }) })],
      ['another audience', async (asked) => ({ id_token: await idToken(asked, { aud: 'https://rp.example' }) })],
      ['another subject than issuer', async (asked) => ({ id_token: await idToken(asked, { sub: 'did:key:z6Mk' }) })],
      ['a token that has expired', async (asked) => ({ id_token: await idToken(asked, { exp: seconds() - 61 }) })],
      ['a token without an end', async (asked) => ({ id_token: await idToken(asked, { exp: undefined }) })],
      ['the signature of another', async (asked) => ({ id_token: await idToken(asked, {}, await jwkParty()) })],
      ['a presentation', async (asked) => ({ vp_token: await idToken(asked), presentation_submission: '{}' })],
    ];
    for (const [title, make] of refused)
      it(`302: access_denied and no code for ${title}; the login is over`, async () => {
        const asked = await asks(ID_TOKEN);
        const { state = '' } = asked;
        const done = returned(await answer({ state, ...(await make(asked)) }));
        expect([done.error, done.state, done.code]).to.deep.equal(['access_denied', '7f3a', undefined]);
        const again = await answer({ state, id_token: await idToken(asked) });
        expect([again.status, again.body.error]).to.deep.equal([400, 'invalid_request']);
      });

    it('400: of five answers at once one gets a code; a login is over after ten minutes', async () => {
      const asked = await asks(ID_TOKEN);
      const form = { state: asked.state ?? '', id_token: await idToken(asked) };
      const answers = await Promise.all(Array.from({ length: 5 }, () => answer(form)));
      expect(answers.map(({ status }) => status).sort()).to.deep.equal([302, 400, 400, 400, 400]);
      const late = await asks(ID_TOKEN);
      server.clock.advance(600_001);
      const { status } = await answer({ state: late.state ?? '', id_token: await idToken(late) });
      expect(status).to.equal(400);
    });
  });

  describe('with a presentation', () => {
    const VP_TOKEN = { authenticationMethod: 'VP_TOKEN', vpRequestValue: 'VerifiableId' };
    let university: Party;
    before(async () => {
      university = await jwkParty();
    });
    const presented = async (
      asked: Asked,
      { by = holder, to = holder, type = 'VerifiableId', more = {}, vc = {} } = {},
    ) => {
      const credential = await issueCredential(university, to, { type, claims: more, vc });
      const { nonce = '', client_id: clientId = '' } = asked;
      const request = { nonce, clientId };
      const definition = JSON.parse(asked.presentation_definition ?? '');
      const [{ id }] = definition.input_descriptors;
      return {
        state: asked.state ?? '',
        vp_token: await makePresentation(by, request, { credentials: [credential] }),
        presentation_submission: submissionFor(definition.id, { [id]: 0 }),
      };
    };

    for (const useJar of [false, true])
      it(`302: asks for a credential of the type and gives a code${useJar ? '; the request is signed' : ''}`, async () => {
        const asked = await asks({ ...VP_TOKEN, useJar });
        expect(asked).to.include({
          response_type: 'vp_token',
          response_uri: `${server.url}/draft13/direct_post`,
          client_id: `${server.url}/draft13${useJar ? '' : '/direct_post'}`,
        });
        expect('request' in asked).to.equal(useJar);
        const done = returned(await answer(await presented(asked)));
        expect((await wallet.claim(done.code)).status).to.equal(200);
      });

    it('302: access_denied for another type, a credential of another or that has expired, and for another request', async () => {
      const thief = await jwkParty();
      for (const changes of [{ type: 'Other' }, { by: thief }, { to: thief }, { more: { exp: seconds() - 3600 } }]) {
        const done = returned(await answer(await presented(await asks(VP_TOKEN), changes)));
        expect([done.error, done.code], JSON.stringify(Object.keys(changes))).to.deep.equal([
          'access_denied',
          undefined,
        ]);
      }
      const { state = '' } = await asks(VP_TOKEN);
      const other = await presented(await asks(VP_TOKEN));
      expect(returned(await answer({ ...other, state })).error).to.equal('access_denied');
      const missing = await asks(VP_TOKEN);
      expect(returned(await answer({ state: missing.state ?? '', vp_token: 'a' })).error).to.equal('access_denied');
    });

    it('302: access_denied for a credential that is revoked or suspended, or whose status cannot be read', async () => {
      const host = await listHost();
      const publish = async (statusPurpose: string) => {
        const list = listClaims({ did: university.did, set: [7], subject: { statusPurpose } });
        return host.publish(await university.sign(list, { typ: undefined }));
      };
      for (const statusPurpose of ['revocation', 'suspension']) {
        const list = await publish(statusPurpose);
        const outcomes: unknown[] = [];
        for (const [url, index] of [
          [list, 8],
          [list, 7],
          [`${host.url}/none`, 8],
        ] as const) {
          const vc = { credentialStatus: statusEntry(url, index, { statusPurpose }) };
          const done = returned(await answer(await presented(await asks(VP_TOKEN), { vc })));
          outcomes.push(done.error ?? typeof done.code);
        }
        expect(outcomes, statusPurpose).to.deep.equal(['string', 'access_denied', 'access_denied']);
      }
      await host.close();
    });

    it('an offer needs the type, and a profile of requests that is available', async () => {
      for (const [changes, field] of [
        [{ authenticationMethod: 'VP_TOKEN' }, '/body/vpRequestValue'],
        [{ ...VP_TOKEN, vpProfile: 'EBSIV3' }, '/body/vpProfile'],
      ] as const) {
        const { status, body } = await server.call('issueJwtCredential', { json: degree(issuer, changes) });
        expect([status, body.details[0].path]).to.deep.equal([400, field]);
      }
    });
  });
});
