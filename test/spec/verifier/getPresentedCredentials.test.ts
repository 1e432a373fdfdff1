import { expect } from 'chai';
import { encryptedResponse } from '../../actors/encrypted-response.ts';
import {
  issueOf,
  LICENCE,
  MDOC_NONCE,
  presentOf,
  requestedOf,
  responseOf,
  TRUSTED_ROOT,
} from '../../actors/presenters.ts';
import { DEGREE_REQUEST, VerificationFixture } from '../../actors/verification.ts';
import { decodeJwt, readRequest, responseKeyOf, type WalletRequest } from '../../actors/wallet.ts';

describe('getPresentedCredentials', () => {
  const on = new VerificationFixture();

  const get = ({ state }: Pick<WalletRequest, 'state'>, viewMode?: string) =>
    on.server.call('getPresentedCredentials', { path: { state }, query: viewMode ? { viewMode } : {} });

  /** The only view of a session, in both modes; the simple one is the default. */
  async function viewsOf(request: WalletRequest, format: string) {
    const [byDefault, simple, verbose] = await Promise.all([
      get(request),
      get(request, 'simple'),
      get(request, 'verbose'),
    ]);
    expect([byDefault.status, simple.status, verbose.status]).to.deep.equal([200, 200, 200]);
    expect(byDefault.body).to.deep.equal(simple.body);
    expect(simple.body).not.to.deep.equal(verbose.body);
    expect([simple.body.viewMode, verbose.body.viewMode]).to.deep.equal(['simple', 'verbose']);
    return [simple, verbose].map(({ body }) => {
      expect(Object.keys(body.credentialsByFormat)).to.deep.equal([format]);
      expect(body.credentialsByFormat[format]).to.have.length(1);
      return body.credentialsByFormat[format][0];
    });
  }

  it('200: a JWT credential without disclosures', async () => {
    const request = await on.ask(DEGREE_REQUEST);
    const credential = await on.credential();
    const form = await on.form(request, { credentials: [credential] });
    await on.server.call('submitPresentation', { path: { state: request.state }, form });
    const [simple, verbose] = await viewsOf(request, 'jwt_vc_json');
    const { header, claims: payload } = decodeJwt(credential);
    expect(simple).to.deep.equal({
      type: 'jwt_vc_json_view_simple',
      holder: on.holder.did,
      verifiableCredentials: [{ header, payload }],
    });
    const vp = decodeJwt(form.vp_token ?? '');
    expect(verbose).to.deep.equal({
      type: 'jwt_vc_json_view_verbose',
      vp: { raw: form.vp_token, header: vp.header, payload: vp.claims },
      verifiableCredentials: [{ raw: credential, header, fullPayload: payload, undisclosedPayload: payload }],
    });
  });

  it('200: a JWT credential with disclosures, in their places and by their digests', async () => {
    const request = await on.ask({ request_credentials: [{ type: 'Degree', format: 'jwt_vc_json' }] });
    const document = {
      '@context': ['https://www.w3.org/2018/credentials/v1'],
      type: ['VerifiableCredential', 'Degree'],
      issuanceDate: '2024-01-01T00:00:00Z',
      credentialSubject: { degree: { name: 'BSc' } },
    };
    const subject = { sd: false, children: { fields: { degree: { sd: true } } } };
    const fields = { issuanceDate: { sd: true }, credentialSubject: subject };
    const credential = await issueOf('jwt_vc_json', { document, selectiveDisclosure: { fields } });
    expect((await on.present(request, { credentials: [credential] })).status).to.equal(200);
    const [simple, verbose] = await viewsOf(request, 'jwt_vc_json');
    const [shown] = verbose.verifiableCredentials;
    expect(shown.fullPayload.vc.credentialSubject.degree).to.deep.equal({ name: 'BSc' });
    expect(shown.undisclosedPayload.vc).to.have.property('_sd').with.length(1);
    expect(shown.undisclosedPayload.vc).not.to.have.property('issuanceDate');
    const disclosures: Record<string, Record<string, unknown>> = shown.disclosures;
    expect(Object.values(disclosures).map(({ key }) => key)).to.have.members(['issuanceDate', 'degree']);
    for (const one of Object.values(disclosures)) expect(one).to.have.all.keys('disclosure', 'salt', 'key', 'value');
    expect(Object.keys(disclosures)).to.include(shown.undisclosedPayload.vc._sd[0]);
    expect(simple.verifiableCredentials[0].payload).to.deep.equal(shown.fullPayload);
  });

  it('200: two credentials of one presentation are one view', async () => {
    const request = await on.ask({ request_credentials: ['A', 'B'] });
    const credentials = await Promise.all(['A', 'B'].map((type) => on.credential({ type })));
    await on.present(request, { credentials });
    const [simple, verbose] = await viewsOf(request, 'jwt_vc_json');
    for (const view of [simple, verbose]) expect(view.verifiableCredentials).to.have.length(2);
  });

  it('200: an SD-JWT VC with its key binding and what was disclosed', async () => {
    const { body } = await on.server.call('startVerification', {
      json: { request_credentials: [requestedOf('vc+sd-jwt')] },
    });
    const request = readRequest(body);
    const made = await presentOf('vc+sd-jwt', request);
    const { presentation_submission: submission, state } = responseOf([made], request);
    const form = { vp_token: made.token, presentation_submission: JSON.stringify(submission), state: String(state) };
    const answer = await on.server.call('submitPresentation', { path: { state: request.state }, form });
    expect(answer.status, JSON.stringify(answer.body)).to.equal(200);
    const [simple, verbose] = await viewsOf(request, 'vc+sd-jwt');
    expect(simple.type).to.equal('sd_jwt_vc_view_simple');
    expect(simple.vc.payload).to.include({ family_name: 'Lovelace', birthdate: '1815-12-10', country: 'GB' });
    for (const { keyBinding } of [simple, verbose]) {
      expect(keyBinding.header.typ).to.equal('kb+jwt');
      expect(keyBinding.payload).to.include({ nonce: request.nonce, aud: request.clientId });
    }
    expect(verbose).to.include({ type: 'sd_jwt_vc_view_verbose', raw: made.token });
    expect(verbose.vc.fullPayload).to.deep.equal(simple.vc.payload);
    expect(verbose.vc.undisclosedPayload._sd).to.have.length(2);
    expect(verbose.vc.undisclosedPayload).not.to.have.property('family_name');
    expect(Object.keys(verbose.vc.disclosures)).to.have.members(verbose.vc.undisclosedPayload._sd);
  });

  it('200: an mdoc of an encrypted response', async () => {
    const json = { request_credentials: [requestedOf('mso_mdoc')], trusted_root_cas: [TRUSTED_ROOT] };
    const request = readRequest((await on.server.call('startVerification', { json })).body);
    const made = await presentOf('mso_mdoc', request);
    const response = await encryptedResponse(responseOf([made], request), responseKeyOf(request), { apu: MDOC_NONCE });
    const answer = await on.server.call('submitPresentation', { path: { state: request.state }, form: { response } });
    expect(answer.status, JSON.stringify(answer.body)).to.equal(200);
    const [simple, verbose] = await viewsOf(request, 'mso_mdoc');
    expect(simple).to.include({ type: 'mso_mdoc_view_simple', version: '1.0', status: 0 });
    const [document] = simple.documents;
    expect(document.docType).to.equal(LICENCE);
    expect(Object.keys(document.nameSpaces)).to.deep.equal(['org.iso.18013.5.1']);
    expect(Object.keys(document.nameSpaces['org.iso.18013.5.1'])).to.have.length(11);
    expect(verbose).to.include({ type: 'mso_mdoc_view_verbose', raw: made.token });
  });

  it('400: shows nothing before a presentation, of one that failed, or of one that cannot be read', async () => {
    const waiting = await on.ask(DEGREE_REQUEST);
    for (const viewMode of [undefined, 'simple', 'verbose'])
      expect((await get(waiting, viewMode)).status).to.equal(400);
    const failed = await on.ask(DEGREE_REQUEST);
    expect((await on.present(failed, { claims: { nonce: 'x' } })).status).to.equal(400);
    expect((await get(failed)).status).to.equal(400);
    const unread = await on.ask(DEGREE_REQUEST);
    const form = { ...(await on.form(unread)), vp_token: await on.holder.sign({ kati: 'allo' }) };
    const path = { state: unread.state };
    expect((await on.server.call('submitPresentation', { path, form })).status).to.equal(400);
    expect((await on.session(unread)).verificationResult).to.equal(false);
    expect((await get(unread)).status).to.equal(400);
    const refused = await on.ask(DEGREE_REQUEST);
    await on.server.call('submitPresentation', { path: { state: refused.state }, form: { error: 'access_denied' } });
    expect((await get(refused)).status).to.equal(400);
  });

  it('400: refuses other modes; 404: knows no unknown or expired session', async () => {
    const request = await on.ask(DEGREE_REQUEST);
    await on.present(request);
    for (const viewMode of ['detailed', 'SIMPLE', ''])
      expect(
        (await on.server.call('getPresentedCredentials', { path: { state: request.state }, query: { viewMode } }))
          .status,
      ).to.equal(400);
    expect((await get({ state: 'unknown' })).status).to.equal(404);
    on.server.clock.advance(25 * 3600_000);
    expect((await get(request)).status).to.equal(404);
  });
});
