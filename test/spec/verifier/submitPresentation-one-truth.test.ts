import { expect } from 'chai';
import { issueCredential, jwkParty } from '../../actors/party.ts';
import { DEGREE_REQUEST, type PresentOptions, VerificationFixture } from '../../actors/verification.ts';

describe('submitPresentation', () => {
  const on = new VerificationFixture();

  it('400: refuses tokens that contradict themselves; the session stays open', async () => {
    const trusted = await jwkParty();
    const request = await on.ask({ ...DEGREE_REQUEST, vc_policies: [] });
    const vc = (members: object) => async () => ({ credentials: [await on.credential({ vc: { ...members } })] });
    const twofold: [string, () => Promise<PresentOptions> | PresentOptions][] = [
      ['iss and vc.issuer', vc({ issuer: trusted.did })],
      ['iss and vc.issuer.id', vc({ issuer: { id: trusted.did, name: 'Trusted' } })],
      ['vc.issuer', vc({ issuer: [trusted.did] })],
      ['vc.issuer.id', vc({ issuer: { name: 'Trusted' } })],
      ['sub and credentialSubject.id', vc({ credentialSubject: { id: trusted.did } })],
      ['sub and credentialSubject.id', vc({ credentialSubject: [{ id: on.holder.did }, { id: trusted.did }] })],
      [
        'jti and vc.id',
        async () => ({ credentials: [await on.credential({ vc: { id: 'urn:a' }, claims: { jti: 'urn:b' } })] }),
      ],
      [
        'type has one value in vc',
        async () => ({ credentials: [await on.credential({ claims: { type: ['VerifiableCredential', 'X'] } })] }),
      ],
      ['iss and issuer', async () => ({ credentials: [await on.credential({ claims: { issuer: trusted.did } })] })],
      [
        'The credential names no issuer',
        async () => ({ credentials: [await on.credential({ vc: { issuer: undefined }, claims: { iss: undefined } })] }),
      ],
      ['iss and vp.holder', () => ({ claims: { iss: trusted.did, sub: undefined } })],
      ['iss and sub', () => ({ claims: { sub: trusted.did } })],
      ['iss and holder', () => ({ claims: { holder: { id: trusted.did } } })],
      ['iss is not a text', () => ({ claims: { iss: [on.holder.did] } })],
      ['vp is not an object', () => ({ claims: { vp: 'nonsense' } })],
    ];
    for (const [why, options] of twofold) {
      const { status, body } = await on.present(request, await options());
      expect([status, body.error], why).to.deep.equal([400, 'invalid_request']);
      expect(body.error_description)
        .to.match(/^vp_token: /)
        .and.include(why);
    }
    expect((await on.session(request)).verificationResult).to.equal(undefined);
    expect((await on.present(request)).status).to.equal(200);
  });

  it('400: a constraint on the issuer is not met by a credential that another than this issuer signed', async () => {
    const trusted = await jwkParty();
    const filter = { type: 'string', const: trusted.did };
    const constraints = { fields: [{ path: ['$.vc.issuer', '$.vc.issuer.id'], filter }] };
    const request_credentials = [{ format: 'jwt_vc_json', input_descriptor: { id: 'trusted', constraints } }];
    const attempts = [
      await on.credential({ vc: { issuer: trusted.did } }),
      await on.credential({ vc: { issuer: { id: trusted.did } } }),
      await on.credential({ vc: { issuer: [trusted.did] }, claims: { iss: undefined } }),
      await on.credential({ vc: { issuer: trusted.did }, claims: { iss: undefined } }),
    ];
    for (const credential of attempts) {
      const request = await on.ask({ request_credentials });
      expect((await on.present(request, { credentials: [credential] })).status).to.equal(400);
      expect((await on.session(request)).verificationResult).to.not.equal(true);
    }
    const honest = await issueCredential(trusted, on.holder);
    expect((await on.outcome({ request_credentials }, { credentials: [honest] })).verificationResult).to.equal(true);
  });
});
