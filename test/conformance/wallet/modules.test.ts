import { expect } from 'chai';
import { CARD_SETTINGS, holderOfAll } from '../../actors/holder-of-all.ts';
import { crossDevice, idIn, Openid4vp } from '../../actors/openid4vp.ts';
import type { WalletUser } from '../../actors/wallet-user.ts';
import { iaca } from '../../support/credentials/mdoc-issuer.ts';
import { useServer } from '../../support/servers/server.ts';
import { pemOf } from '../../support/trust/certificates.ts';
import { certifiedKey } from '../../support/trust/verifier-chains.ts';
import { FORMATS, type Format, isPage, MODULES, type Module, VARIANTS, type Variant } from './modules.ts';
import { ORIGIN, SuiteVerifier } from './verifier.ts';

describe('The wallet modules of the OpenID conformance suite', () => {
  const server = useServer(async () => {
    const [, root = ''] = (await certifiedKey()).withRoot;
    const trustedVerifiers = { certificates: [pemOf(Buffer.from(root, 'base64'))] };
    return { settings: { ...CARD_SETTINGS, trustedIssuers: { certificates: [iaca.pem] }, trustedVerifiers } };
  });
  let holder: WalletUser;
  let ids: Record<string, string>;
  let suite: SuiteVerifier;
  before(async () => {
    ({ holder, ids } = await holderOfAll(server));
    suite = await SuiteVerifier.start();
  });
  after(() => suite.close());

  /** Lets the wallet answer a request with the credential of the variant. */
  async function answered(
    { format, method, mode }: Variant,
    { change = () => ({}), reply = {} }: Omit<Module, 'name'>,
  ) {
    const { query, format: held } = FORMATS[format];
    const parameters = suite.parameters(method, mode, { credentials: [query] });
    const nowMs = server.clock.now();
    const changed = change({ parameters, query, nowMs });
    const selectedCredentials = [ids[held]];
    suite.reply = reply;
    if (!method.startsWith('page')) {
      const presentationRequest = await suite.link(method, parameters, changed, nowMs);
      return holder.call('presentCredentials', { json: { presentationRequest, selectedCredentials } });
    }
    const json = { ...(await suite.page(method, parameters, changed, nowMs)), selectedCredentials };
    const answer = await holder.call('answerPageRequest', { json });
    if (answer.status === 200) await suite.take(answer.body.data);
    return answer;
  }

  for (const variant of VARIANTS)
    describe([variant.format, variant.method, variant.mode].join(' '), () => {
      for (const module of MODULES.filter(({ applies = () => true }) => applies(variant)))
        it(`oid4vp-1final-wallet-${module.name}: ${module.refusal ? 'refused' : 'presented'}`, async () => {
          const before = suite.received.length;
          const { status, body } = await answered(variant, module);
          if (module.refusal) {
            expect([status, body.message].join(), JSON.stringify(body)).to.match(/^400,/);
            expect(body.message).to.match(module.refusal);
            const sent = suite.received.slice(before).filter((one) => one.error === undefined);
            expect(sent).to.deep.equal([]);
            return;
          }
          expect(status, JSON.stringify(body)).to.equal(200);
          expect(body.redirectUri).to.equal(module.reply?.redirect_uri);
          const { failures, shown, state } = await suite.judged();
          expect(failures).to.deep.equal([]);
          expect(state ?? '').to.have.length(module.reply && !isPage(variant) ? 64 : 0);
          const isBare = module.name === 'no-claims-in-dcql-query';
          if (variant.format === 'sd_jwt_vc') expect(shown).to.deep.equal([isBare ? [] : [['address', 'street']]]);
          if (variant.mode.endsWith('.jwt'))
            expect(suite.sealed.at(-1)).to.deep.include({ alg: 'ECDH-ES', enc: 'A256GCM', kid: 'response-key' });
        });
    });

  it('each encrypted response has a key of its own, and both content encryptions are taken', async () => {
    const variant: Variant = { format: 'sd_jwt_vc', method: 'request_uri_signed', mode: 'direct_post.jwt' };
    const before = suite.sealed.length;
    for (const enc of ['A128GCM', 'A256GCM'])
      await answered(variant, {
        change: ({ parameters: { client_metadata: metadata } }) => ({
          claims: { client_metadata: { ...metadata, encrypted_response_enc_values_supported: ['A192GCM', enc] } },
        }),
      });
    const sealed = suite.sealed.slice(before);
    expect(sealed.map(({ enc }) => enc)).to.deep.equal(['A128GCM', 'A256GCM']);
    expect(new Set(sealed.map(({ epk }) => epk.x)).size).to.equal(2);
    const refused = await answered(variant, {
      change: ({ parameters: { client_metadata: metadata } }) => ({
        claims: { client_metadata: { ...metadata, encrypted_response_enc_values_supported: ['A128CBC-HS256'] } },
      }),
    });
    expect([refused.status, refused.body.message]).to.deep.equal([
      400,
      'The response must be encrypted with A128GCM or A256GCM',
    ]);
    expect(suite.sealed).to.have.length(before + 2);
  });

  it('a certificate of no trusted authority is refused on pages too', async () => {
    const parameters = suite.parameters('page_signed', 'dc_api', { credentials: [FORMATS.sd_jwt_vc.query] });
    const { x5c, hash } = await certifiedKey({ isAlone: true });
    const page = await suite.page(
      'page_signed',
      parameters,
      { header: { x5c }, claims: { client_id: hash } },
      server.clock.now(),
    );
    const { status, body } = await holder.call('describePageRequest', { json: page });
    expect([status, body.message].join()).to.match(/^400,The certificate of the request object is not trusted/);
  });

  describe('with our verifier of HAIP', () => {
    for (const format of Object.keys(FORMATS) as Format[]) {
      it(`${format}: the session ends with success`, async () => {
        const { key, x5c, hash: clientId } = await certifiedKey();
        const vp = await Openid4vp.with(server);
        const core = { dcql_query: { credentials: [FORMATS[format].query] }, encrypted_response: true };
        const signed = { signed_request: true, key, x5c, clientId };
        const created = await vp.create(crossDevice({ ...core, ...signed }, { haip: true }));
        const text: string = created.bootstrapAuthorizationRequestUrl;
        const { consent, proof } = (await holder.call('describePresentationRequest', { text })).body;
        expect(proof).to.include({ kind: 'certificate', isTrusted: true });
        const json = { presentationRequest: text, consent, selectedCredentials: [ids[FORMATS[format].format]] };
        const answer = await holder.call('presentCredentials', { json });
        expect(answer.status, JSON.stringify(answer.body)).to.equal(200);
        expect((await vp.info(created)).status).to.equal('SUCCESSFUL');
      });

      for (const isSignedToo of [false, true])
        it(`${format}: a page of it, ${isSignedToo ? 'signed and encrypted' : 'unsigned'}`, async () => {
          const { key, x5c, hash: clientId } = await certifiedKey();
          const vp = await Openid4vp.with(server);
          const core = { dcql_query: { credentials: [FORMATS[format].query] }, encrypted_response: isSignedToo };
          const signed = isSignedToo ? { signed_request: true, key, x5c, clientId } : {};
          const page = { flow_type: 'dc_api_openid4vp', expectedOrigins: [ORIGIN] };
          const created = await vp.create(crossDevice({ ...core, ...signed }, page));
          const [request] = created.data.digital.requests;
          const asked = { origin: ORIGIN, ...request };
          const described = await holder.call('describePageRequest', { json: asked });
          expect(described.body.proof?.kind, JSON.stringify(described.body)).to.equal(
            isSignedToo ? 'certificate' : 'origin',
          );
          const json = {
            ...asked,
            consent: described.body.consent,
            selectedCredentials: [ids[FORMATS[format].format]],
          };
          const other = await holder.call('answerPageRequest', { json: { ...json, origin: 'https://evil.example' } });
          expect(other.status, JSON.stringify(other.body)).to.equal(isSignedToo ? 400 : 409);
          const answer = await holder.call('answerPageRequest', { json });
          expect(answer.status, JSON.stringify(answer.body)).to.equal(200);
          const path = { requestId: idIn(created.responseUri) };
          await server.call('submitAuthorizationResponse', { path, json: { credential: answer.body, origin: ORIGIN } });
          const session = await vp.info(created);
          expect(session.status, JSON.stringify(session.failure)).to.equal('SUCCESSFUL');
        });
    }
  });
});
