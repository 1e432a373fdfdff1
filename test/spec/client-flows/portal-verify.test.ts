import { expect } from 'chai';
import { decodeJwt } from 'jose';
import { HttpPeer } from '../../actors/http-peer.ts';
import { handedOn, loggedIn, PORTAL, portalCall, preflight, type WalletPage } from '../../actors/portal.ts';
import { degreeOffer } from '../../actors/portal-issuer.ts';
import { useServer } from '../../support/servers/server.ts';

interface PolicyLine {
  policy: string;
  is_success: boolean;
  error?: unknown;
}

const VERIFY = '/openid4vc/verify';
const REDIRECTS = { successRedirectUri: `${PORTAL}/success/$id`, errorRedirectUri: `${PORTAL}/success/$id` };
const degrees = (vc_policies: unknown[]) => ({
  request_credentials: [{ type: 'UniversityDegree', format: 'jwt_vc_json' }],
  vc_policies,
});

describe('the portal, verifying and showing the result', () => {
  const server = useServer();
  let page: WalletPage;
  let hook: HttpPeer;
  let credential: string;
  before(async () => {
    hook = await new HttpPeer().listen();
    page = await loggedIn(server);
    const text = handedOn(await degreeOffer(server), 'openid-initiate-issuance');
    credential = (await page.post(page.at('exchange/useOfferRequest'), text)).body[0].id;
  });
  after(() => hook.close());

  /** Starts a verification as the form does; `state` of the link in the QR code identifies the session. */
  async function ask(json: object): Promise<{ link: string; state: string }> {
    const { status, headers, body } = await portalCall(server, VERIFY, { json, headers: REDIRECTS });
    expect(status, JSON.stringify(body)).to.equal(200);
    expect(headers.get('content-type')).to.match(/^text\/plain/);
    expect(headers.get('access-control-allow-origin')).to.equal('*');
    return { link: body, state: new URL(body).searchParams.get('state') ?? '' };
  }

  const poll = (state: string) => portalCall(server, `/openid4vc/session/${state}`);

  /** The wallet that scanned the code. */
  async function disclose(link: string) {
    const resolved = await page.post(page.at('exchange/resolvePresentationRequest'), handedOn(link, 'openid'));
    const json = { presentationRequest: resolved.body, selectedCredentials: [credential], disclosures: null };
    return page.post(page.at('exchange/usePresentationRequest'), json);
  }

  const groups = async (state: string): Promise<PolicyLine[][]> =>
    (await poll(state)).body.policyResults.results.map((group: { policyResults: PolicyLine[] }) => group.policyResults);

  it('sends a preflight with both redirect headers before it posts', async () => {
    const headers = ['content-type', 'errorredirecturi', 'successredirecturi'];
    const answer = await preflight(server, VERIFY, { origin: PORTAL, method: 'POST', headers });
    expect(answer.status).to.equal(204);
    expect(answer.headers.get('access-control-allow-origin')).to.equal('*');
    const allowed = (answer.headers.get('access-control-allow-headers') ?? '').split(', ');
    expect(allowed).to.include.members(headers);
  });

  it('reads the metadata of the issuer first, and finds no transaction data profile', async () => {
    expect((await portalCall(server, '/draft13/.well-known/openid-credential-issuer')).status).to.equal(200);
    const profiles = await portalCall(server, '/transaction-data-profiles');
    expect([profiles.status, profiles.body]).to.deep.equal([200, []]);
  });

  it('polls until the result is true, then shows presentation, credentials and policies', async () => {
    const { link, state } = await ask(degrees(['signature', 'expired', 'not-before']));
    for (let second = 0; second < 3; second += 1) {
      const { status, headers, body } = await poll(state);
      expect(status).to.equal(200);
      expect(headers.get('access-control-allow-origin')).to.equal('*');
      expect(body).not.to.have.property('verificationResult');
    }
    const { status, body } = await disclose(link);
    expect([status, body.redirectUri]).to.deep.equal([200, `${PORTAL}/success/${state}`]);
    const result = (await poll(state)).body;
    expect(result.verificationResult).to.equal(true);
    const { vp } = decodeJwt<{ vp: { verifiableCredential: string[] } }>(result.tokenResponse.vp_token);
    const { vc } = decodeJwt<{ vc: { type: string[] } }>(vp.verifiableCredential[0] ?? '');
    expect(vc.type.at(-1)).to.equal('UniversityDegree');
    const [presentation, shown] = await groups(state);
    expect(presentation).to.not.equal(undefined);
    expect(shown?.map(({ policy }) => policy)).to.deep.equal(['signature', 'expired', 'not-before']);
    expect(shown?.every(({ is_success }) => is_success)).to.equal(true);
  });

  it('has a webhook policy; its success is a success', async () => {
    hook.routes['/yes'] = () => ({ body: { welcome: true } });
    const { link, state } = await ask(degrees(['signature', { policy: 'webhook', args: `${hook.url}/yes` }]));
    expect((await disclose(link)).status).to.equal(200);
    expect(JSON.parse(hook.seen.at(-1)?.body ?? '').vc.type).to.include('UniversityDegree');
    const [, shown] = await groups(state);
    expect(shown?.at(-1)).to.include({ policy: 'webhook', is_success: true });
  });

  it('sees a failure after the redirect: false, with the error of the failed policy', async () => {
    hook.routes['/no'] = () => ({ status: 400, body: { reason: 'unknown degree' } });
    const { link, state } = await ask(degrees(['signature', { policy: 'webhook', args: `${hook.url}/no` }]));
    const { status, body } = await disclose(link);
    expect([status, body.redirectUri]).to.deep.equal([400, `${PORTAL}/success/${state}`]);
    const result = await poll(state);
    expect([result.status, result.body.verificationResult]).to.deep.equal([200, false]);
    expect(result.body.tokenResponse.vp_token).to.be.a('string');
    const [, shown] = await groups(state);
    expect(shown?.map(({ policy, is_success }) => [policy, is_success])).to.deep.equal([
      ['signature', true],
      ['webhook', false],
    ]);
    expect(shown?.at(-1)?.error).to.deep.include({ response: { reason: 'unknown degree' } });
  });

  it('stops polling when the session has expired', async () => {
    const { state } = await ask(degrees(['signature']));
    server.clock.advance(301_000);
    expect((await poll(state)).status).to.equal(404);
  });

  it('shows `message` of an error', async () => {
    const { status, headers, body } = await portalCall(server, VERIFY, {
      json: degrees(['nonsense']),
      headers: REDIRECTS,
    });
    expect(status).to.equal(400);
    expect(headers.get('access-control-allow-origin')).to.equal('*');
    expect(body.errorDescription ?? body.message).to.include('nonsense');
  });
});
