import { expect } from 'chai';
import { keyPair } from '../../../demo/actors/key-pairs.ts';
import { readPublicJwk } from '../../../domain/jose/jwk.ts';
import { handedOn, loggedIn, PORTAL, portalCall, preflight } from '../../actors/portal.ts';
import { degreeOffer, issueBody, jwkIssuer, type PageIssuer } from '../../actors/portal-issuer.ts';
import { startServer, useServer } from '../../support/servers/server.ts';

/** An issuer of the configuration. */
const named = ({ issuerDid: did, issuerKey: { jwk } }: PageIssuer) => ({ did, jwk: { ...readPublicJwk(jwk) } });

const METADATA = '/draft13/.well-known/openid-credential-issuer';

describe('the portal, issuing with a QR code', () => {
  const server = useServer();

  it('reads the metadata from another origin and finds a configuration by its name', async () => {
    const { status, headers, body } = await portalCall(server, METADATA);
    expect(status).to.equal(200);
    expect(headers.get('access-control-allow-origin')).to.equal('*');
    expect(headers.has('access-control-allow-credentials')).to.equal(false);
    for (const name of ['UniversityDegree', 'OpenBadgeCredential', 'VerifiableId'])
      expect(body.credential_configurations_supported).to.have.property(`${name}_jwt_vc_json`);
  });

  for (const path of ['/openid4vc/jwt/issue', '/openid4vc/jwt/issueBatch'])
    it(`sends a preflight for ${path} with only the header content-type`, async () => {
      const { status, headers } = await preflight(server, path, {
        origin: PORTAL,
        method: 'POST',
        headers: ['content-type'],
      });
      expect(status).to.equal(204);
      expect(headers.get('access-control-allow-origin')).to.equal('*');
      expect(headers.get('access-control-allow-methods')).to.include('POST');
      expect(headers.get('access-control-allow-headers')).to.include('content-type');
    });

  it('receives the offer as plain text, readable from its origin, and the wallet accepts everything from the question mark', async () => {
    const json = issueBody(jwkIssuer());
    const { status, headers, body } = await portalCall(server, '/openid4vc/jwt/issue', { json });
    expect(status).to.equal(200);
    expect(headers.get('content-type')).to.match(/^text\/plain/);
    expect(headers.get('access-control-allow-origin')).to.equal('*');
    expect(body).to.match(/^openid-credential-offer:\/\/\?credential_offer_uri=http/);
    const page = await loggedIn(server);
    const text = handedOn(body, 'openid-initiate-issuance');
    const accepted = await page.post(page.at('exchange/useOfferRequest'), text);
    expect(accepted.status, JSON.stringify(accepted.body)).to.equal(200);
    expect(accepted.body[0].parsedDocument.credentialSubject.degree.name).to.equal('Bachelor of Science');
  });

  for (const path of ['/openid4vc/sdjwt/issue', '/openid4vc/sdjwt/issueBatch'])
    it(`issues a W3C credential with disclosures at ${path}; the wallet receives it`, async () => {
      const fields = { degree: { sd: true } };
      const selectiveDisclosure = { fields: { credentialSubject: { sd: false, children: { fields } } } };
      const one = issueBody(jwkIssuer(), { selectiveDisclosure });
      const json = path.endsWith('Batch') ? [one] : one;
      const { status, body } = await portalCall(server, path, { json });
      expect(status, JSON.stringify(body)).to.equal(200);
      const page = await loggedIn(server);
      const accepted = await page.post(page.at('exchange/useOfferRequest'), handedOn(body, 'openid-initiate-issuance'));
      expect(accepted.status, JSON.stringify(accepted.body)).to.equal(200);
      expect(accepted.body[0]).to.include({ format: 'jwt_vc_json' });
      expect(accepted.body[0].document.split('~')).to.have.length(3);
    });

  it('omits the configuration and the mapping', async () => {
    const changes = { credentialConfigurationId: undefined, mapping: undefined };
    const { status } = await portalCall(server, '/openid4vc/jwt/issue', { json: issueBody(jwkIssuer(), changes) });
    expect(status).to.equal(200);
  });

  it('issues several credentials as one offer; the wallet receives all of them', async () => {
    const badge = issueBody(jwkIssuer());
    badge.credentialConfigurationId = 'OpenBadgeCredential_jwt_vc_json';
    badge.credentialData.type = ['VerifiableCredential', 'OpenBadgeCredential'];
    const json = [issueBody(jwkIssuer()), badge];
    const { status, body } = await portalCall(server, '/openid4vc/jwt/issueBatch', { json });
    expect(status, JSON.stringify(body)).to.equal(200);
    const page = await loggedIn(server);
    const text = handedOn(body, 'openid-initiate-issuance');
    const offer = await page.post(page.at('exchange/resolveCredentialOffer'), text);
    expect(offer.body.credential_configuration_ids).to.have.length(2);
    const accepted = await page.post(page.at('exchange/useOfferRequest'), text);
    const types = accepted.body.map((one: { parsedDocument: { type: string[] } }) => one.parsedDocument.type.at(-1));
    expect(types).to.have.members(['UniversityDegree', 'OpenBadgeCredential']);
  });

  it('issues as built-in issuers of this server; the error names another DID', async () => {
    const ed25519 = keyPair('ed25519').privateKey.export({ format: 'jwk' });
    const secp256k1 = keyPair({ namedCurve: 'secp256k1' }).privateKey.export({ format: 'jwk' });
    const { issuerDid } = (await server.call('onboardIssuer', { json: { did: { method: 'key' } } })).body;
    const { issuerKey } = jwkIssuer();
    expect(await degreeOffer(server, jwkIssuer())).to.be.a('string');
    const issuers = [
      { issuerDid: 'did:web:issuer.example:secp256k1', issuerKey: { type: 'jwk' as const, jwk: secp256k1 } },
      { issuerDid: 'did:ebsi:zhv2N2DsvXMDgqqCXuqQqpW', issuerKey },
      { issuerDid: 'did:cheqd:testnet:55dbc8bf-fba3-4117-855c-1e0dc1d3bb47', issuerKey },
    ];
    for (const issuer of [...issuers, { issuerDid, issuerKey: { type: 'jwk' as const, jwk: ed25519 } }]) {
      const { status, body } = await portalCall(server, '/openid4vc/jwt/issue', { json: issueBody(issuer) });
      expect([status, body.details[0].path], issuer.issuerDid).to.deep.equal([400, '/body/issuerDid']);
    }
    const configured = await startServer({ settings: { issuerMetadata: { issuers: issuers.map(named) } } });
    for (const issuer of issuers) expect(await degreeOffer(configured, issuer)).to.be.a('string');
    await configured.close();
  });

  it('shows `message` of an error', async () => {
    const changes = { credentialConfigurationId: 'Nothing_jwt_vc_json' };
    const json = issueBody(jwkIssuer(), changes);
    const { status, headers, body } = await portalCall(server, '/openid4vc/jwt/issue', { json });
    expect(status).to.equal(400);
    expect(headers.get('access-control-allow-origin')).to.equal('*');
    expect(body.errorDescription ?? body.message).to.include('Nothing_jwt_vc_json');
  });
});
