import { expect } from 'chai';
import { handedOn, loggedIn, portalCall, type WalletPage } from '../../actors/portal.ts';
import { degreeOffer } from '../../actors/portal-issuer.ts';
import { type TestServer, useServer } from '../../support/servers/server.ts';

const FRONT = 'http://wallet.example:7101';
const ASKED = {
  request_credentials: [{ type: 'UniversityDegree', format: 'jwt_vc_json' }],
  vc_policies: ['signature', 'expired', 'not-before'],
};

/** The ways in which a page calls the wallet, by `Origin`. */
const WAYS: Record<string, (server: TestServer) => string | undefined> = {
  'passed on by the server of the page': () => undefined,
  'from a page of the same origin': ({ url }) => url,
  'from a page of a listed origin': () => FRONT,
};

for (const [way, originOf] of Object.entries(WAYS))
  describe(`the web wallet, its exchanges, ${way}`, () => {
    const server = useServer({ settings: { services: { corsOrigins: [FRONT] } } });
    let page: WalletPage;
    before(async () => {
      page = await loggedIn(server, originOf(server));
    });

    /** The page of an offer, up to the button: returns the DID that the button sends. */
    async function openOffer(text: string): Promise<string> {
      await page.open();
      const offer = await page.post(page.at('exchange/resolveCredentialOffer'), text);
      expect(offer.status, JSON.stringify(offer.body)).to.equal(200);
      const { credential_issuer: issuer, credential_configuration_ids: ids } = offer.body;
      expect(ids).to.deep.equal(['UniversityDegree_jwt_vc_json']);
      const metadata = await page.get(page.at(`exchange/resolveIssuerOpenIDMetadata?issuer=${issuer}`));
      const configuration = metadata.body.credential_configurations_supported[ids[0]];
      expect(configuration.types ?? configuration.credential_definition.type).to.include('UniversityDegree');
      const { body: dids } = await page.get(page.at('dids'));
      return (dids.find((entry: { default: boolean }) => entry.default) ?? dids[0]).did;
    }

    /** The page of a request, up to the button: returns the resolved link and the displayed ids. */
    async function openRequest(text: string): Promise<{ link: string; ids: string[] }> {
      await page.open();
      const resolved = await page.post(page.at('exchange/resolvePresentationRequest'), text);
      expect(resolved.status, JSON.stringify(resolved.body)).to.equal(200);
      const link: string = resolved.body;
      const query = new URL(link).searchParams;
      expect(URL.canParse(query.get('response_uri') ?? query.get('redirect_uri') ?? '')).to.equal(true);
      expect((await page.get('/wallet-api/transaction-data-profiles')).body).to.be.an('array');
      const definition = JSON.parse(query.get('presentation_definition') ?? '');
      const matched = await page.post(page.at('exchange/matchCredentialsForPresentationDefinition'), definition);
      expect(matched.status).to.equal(200);
      for (const one of matched.body) expect(one).to.include.all.keys('id', 'document', 'parsedDocument', 'format');
      return { link, ids: matched.body.map(({ id }: { id: string }) => id) };
    }

    const disclose = (link: string, selectedCredentials: string[]) =>
      page.post(page.at('exchange/usePresentationRequest'), {
        presentationRequest: link,
        selectedCredentials,
        disclosures: null,
      });

    async function request(json: object = ASKED, headers: Record<string, string> = {}): Promise<string> {
      const { body } = await portalCall(server, '/openid4vc/verify', { json, headers });
      return handedOn(body, 'openid');
    }

    it('accepts an offer: an un-encoded link behind the older scheme, as raw text labelled JSON', async () => {
      const text = handedOn(await degreeOffer(server), 'openid-initiate-issuance');
      expect(text).to.match(/^openid-initiate-issuance:\/\/\?credential_offer_uri=http:\/\/[^%]+\?id=[\w-]+$/);
      const did = await openOffer(text);
      const accepted = await page.post(page.at(`exchange/useOfferRequest?did=${did}`), text);
      expect(accepted.status, JSON.stringify(accepted.body)).to.equal(200);
      const { body } = await page.get(page.at('credentials?showDeleted=false&showPending=false'));
      expect(body[0].parsedDocument.credentialSubject.id).to.equal(did);
    });

    it('accepts an offer once: a second click has an error `message`', async () => {
      const text = handedOn(await degreeOffer(server), 'openid-initiate-issuance');
      const did = await openOffer(text);
      const accept = () => page.post(page.at(`exchange/useOfferRequest?did=${did}`), text);
      expect((await accept()).status).to.equal(200);
      const { status, headers, body } = await accept();
      expect(status).to.equal(400);
      expect(headers.get('content-type')).to.equal('text/plain; charset=utf-8');
      expect(body.message).to.include('issuer');
    });

    it('shows why an offer cannot be resolved', async () => {
      const text = `openid-initiate-issuance://?credential_offer_uri=${server.url}/draft13/credentialOffer?id=o1`;
      const { status, body } = await page.post(page.at('exchange/resolveCredentialOffer'), text);
      expect(status).to.equal(400);
      expect(body.message).to.be.a('string');
    });

    it('presents: the link with the definition in it, the matching credentials, then the redirect', async () => {
      const successRedirectUri = 'http://portal.example:7102/success/$id';
      const text = await request(ASKED, { successRedirectUri });
      expect(text).to.match(/^openid:\/\/\?/);
      expect(text).to.include('&response_uri=http://').and.include('%22');
      const { link, ids } = await openRequest(text);
      expect(ids).to.not.be.empty;
      const { status, body } = await disclose(link, ids.slice(0, 1));
      expect(status, JSON.stringify(body)).to.equal(200);
      const state = new URL(link).searchParams.get('state') ?? '';
      expect(body.redirectUri).to.equal(successRedirectUri.replace('$id', state));
      expect((await portalCall(server, `/openid4vc/session/${state}`)).body.verificationResult).to.equal(true);
    });

    it('presents to a verifier without a redirect: `redirectUri` is absent', async () => {
      const { link, ids } = await openRequest(await request());
      const { status, body } = await disclose(link, ids.slice(0, 1));
      expect(status).to.equal(200);
      expect(body.redirectUri ?? null).to.equal(null);
    });

    it('presents once: a second click has `errorMessage` and `message`', async () => {
      const { link, ids } = await openRequest(await request());
      await disclose(link, ids.slice(0, 1));
      const { status, body } = await disclose(link, ids.slice(0, 1));
      expect(status).to.equal(400);
      expect(body.errorMessage).to.include('verifier').and.equal(body.message);
    });

    it('presents a credential that fails a policy: `errorMessage`, and the redirect for failures in `redirectUri`', async () => {
      const vc_policies = [{ policy: 'schema', args: { type: 'object', required: ['nothing like it'] } }];
      const errorRedirectUri = 'http://portal.example:7102/success/$id';
      const { link, ids } = await openRequest(await request({ ...ASKED, vc_policies }, { errorRedirectUri }));
      const { status, body } = await disclose(link, ids.slice(0, 1));
      expect(status).to.equal(400);
      expect(body.errorMessage).to.include('schema');
      const state = new URL(link).searchParams.get('state') ?? '';
      expect(body.redirectUri).to.equal(errorRedirectUri.replace('$id', state));
    });

    it('shows no credential for a request that none matches', async () => {
      const request_credentials = [{ type: 'VerifiableId', format: 'jwt_vc_json' }];
      expect((await openRequest(await request({ request_credentials }))).ids).to.deep.equal([]);
    });
  });
