import { expect } from 'chai';
import { startIssuer, type TestIssuer } from '../../actors/issuer.ts';
import { newWalletUser, type WalletUser } from '../../actors/wallet-user.ts';
import { useServer } from '../../support/servers/server.ts';
import { iaca } from '../../support/trust/issuer-chains.ts';
import { accessCertificate, registrationInfo, signMetadata } from '../../support/trust/signed-metadata.ts';

describe('resolveIssuerMetadata, resolveOffer: who issues', () => {
  const authority = iaca(90);
  const certificate = accessCertificate(authority);
  const registrars = iaca(95);
  const server = useServer({
    settings: {
      wallet: { issuerAuthorities: [authority.pem], registrars: [registrars.pem] },
      issuerMetadata: {
        metadataKey: { type: 'jwk', jwk: certificate.keys.privateKey.export({ format: 'jwk' }) },
        metadataX5chain: [certificate.pem],
      },
    },
  });
  const demanding = useServer({ settings: { wallet: { signedIssuerMetadata: 'required' } } });
  const signedBy = { name: 'city, registry, ntrzz-q1', issuer: 'zz, example, authority 90' };
  let holder: WalletUser;
  let issuer: TestIssuer;
  before(async () => {
    holder = await newWalletUser(server);
  });
  beforeEach(async () => {
    issuer = await startIssuer();
    issuer.behaviour.nonces = 'endpoint';
  });
  afterEach(() => issuer.close());

  /** What both APIs say of the issuer. */
  async function proofs(user = holder) {
    const metadata = await user.call('resolveIssuerMetadata', { query: { issuer: issuer.issuer } });
    const offer = await user.call('resolveOffer', { json: { offerUrl: issuer.link() } });
    return [metadata.status, metadata.body.issuerProof, offer.status, offer.body.issuer?.proof];
  }

  it('200: is the subject of a certificate below an authority, and what was signed is received', async () => {
    await signMetadata(issuer, { certificate });
    expect(await proofs()).to.deep.equal([200, { signedBy }, 200, { signedBy }]);
    expect((await holder.call('acceptCredentialOffer', { text: issuer.link() })).status).to.equal(200);
  });

  it('200: is not proven by a key that the issuer publishes, nor by what it says of itself', async () => {
    await signMetadata(issuer, { claims: { issuerProof: { signedBy } } });
    expect(await proofs()).to.deep.equal([200, {}, 200, {}]);
  });

  it('502: a certificate of another authority; with a demand, metadata without a signature', async () => {
    const user = await newWalletUser(demanding);
    expect(await proofs(user)).to.deep.equal([502, undefined, 502, undefined]);
    await signMetadata(issuer, {});
    expect(await proofs(user)).to.deep.equal([200, {}, 200, {}]);
    await signMetadata(issuer, { certificate: accessCertificate(iaca(91)) });
    expect(await proofs()).to.deep.equal([502, undefined, 502, undefined]);
  });

  it('200: says for what the issuer is registered; 502 when that was revoked', async () => {
    const credential_configurations_supported = {
      Degree_jwt_vc_json: { format: 'dc+sd-jwt', vct: 'urn:degree' },
      Other: { format: 'dc+sd-jwt', vct: 'urn:other' },
    };
    const claims = {
      issuer_info: await registrationInfo(issuer, { authority: registrars, vct: 'urn:degree' }),
      credential_configurations_supported,
    };
    await signMetadata(issuer, { certificate, claims });
    const registration = { name: 'City registry', identifier: 'NTRZZ-Q1', unregistered: ['Other'] };
    expect(await proofs()).to.deep.equal([200, { signedBy, registration }, 200, { signedBy, registration }]);
    const other = await startIssuer();
    const issuer_info = await registrationInfo(other, { authority: registrars, vct: 'urn:degree', isRevoked: true });
    await signMetadata(issuer, { certificate, claims: { ...claims, issuer_info } });
    const { status, body } = await holder.call('resolveIssuerMetadata', { query: { issuer: issuer.issuer } });
    expect([status, body.message]).to.deep.equal([
      502,
      'The registration certificate of the issuer is not valid any more: revocation',
    ]);
    await other.close();
  });

  it('200: our own issuer signs with its access certificate, or else with a key that it publishes', async () => {
    for (const [own, user, issuerProof] of [
      [server, holder, { signedBy }],
      [demanding, await newWalletUser(demanding), {}],
    ] as const) {
      const query = { issuer: `${own.url}/openid4vci` };
      const { status, body } = await user.call('resolveIssuerMetadata', { query });
      const published = (await own.call('getOpenid4vciIssuerMetadata')).body;
      expect([status, body]).to.deep.equal([200, { ...published, issuerProof }]);
    }
  });
});
