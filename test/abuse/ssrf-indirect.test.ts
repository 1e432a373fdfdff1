import { expect } from 'chai';
import { UnsecuredJWT } from 'jose';
import { statusEntry } from '../../demo/actors/status-list.ts';
import { isEntityId } from '../../domain/trust/federation/entity-statement.ts';
import { giveCodes, loginOffer } from '../actors/code-grant.ts';
import { HttpPeer, type PeerReply } from '../actors/http-peer.ts';
import { startIssuer, type TestIssuer } from '../actors/issuer.ts';
import { crossDevice, Openid4vp } from '../actors/openid4vp.ts';
import { issueCredential, jwkParty, type Party } from '../actors/party.ts';
import { newWalletUser, type WalletUser } from '../actors/wallet-user.ts';
import { FORMATS } from '../conformance/verifier/credentials.ts';
import { newSigner } from '../support/credentials/sd-jwts.ts';
import { inTurn } from '../support/runs/tier.ts';
import { type Answer, startServer, useServer } from '../support/servers/server.ts';
import { credentialWith, listClaims } from '../support/status/status-lists.ts';
import { anchorSettings, configurationOf, signedBy } from '../support/trust/federation.ts';
import { Canary, HOSTS, urlsOf } from './canary.ts';
import { didWebOf, SsrfTarget } from './url-inputs.ts';

const WELL_KNOWN = '/.well-known/openid-credential-issuer';
/** Fields whose address is validated but never called. */
const NEVER_CALLED = ['$ref of a schema', 'x5u and jku beside x5c'];
/** The answering wallet does not learn the callback of a verifier. */
const UNTOLD = 'statusCallbackUri of a verification';
/** Must have no query. */
const ISSUERS = [
  'issuer',
  'credential_issuer',
  'credential_issuer, authorized',
  'credential_issuer, for its manifest',
  'receiveCredentials credential_issuer',
  'resolveOfferBatch credential_issuer',
  'createAuthorizationUrl credential_issuer',
  'createAuthorizationUrlBatch credential_issuer',
  'requestNonce credentialIssuer',
  'signProof issuerUrl',
  'collectDeferred credentialIssuerBaseUrl',
  'configurationEndpoint',
];

describe('addresses in the answers of a reachable server', () => {
  let canary: Canary;
  let peer: HttpPeer;
  let issuer: TestIssuer;
  let wallet: WalletUser;
  let party: Party;
  let degree: string;
  let tried = 0;

  const server = useServer(async () => {
    [canary, peer, issuer] = await Promise.all([Canary.listen(), new HttpPeer().listen(), startIssuer()]);
    const outbound = { allow: [peer.url, issuer.peer.url].map((url) => new URL(url).host) };
    const federations = [anchorSettings({ id: 'https://anchor.example', key: 9 })];
    return { settings: { outbound, trustedVerifiers: { federations }, trustedIssuers: { federations } } };
  });
  before(async () => {
    wallet = await newWalletUser(server);
    party = await jwkParty();
    degree = (await wallet.call('acceptCredentialOffer', { text: issuer.link() })).body[0].id;
  });
  after(async () => {
    console.log(`      addresses handed on ${tried} | canary hits ${canary.hits}`);
    canary.close();
    await Promise.all([peer.close(), issuer.close()]);
  });

  const everyTarget = (): string[] => [
    ...HOSTS.map((host) => `http://${host}:${canary.port}/x`),
    ...urlsOf(canary.port),
  ];
  let turn = 0;
  /** Those of a test: each goes to some of the fields, whose guard is one. */
  const targets = (): readonly string[] => {
    turn += 1;
    return inTurn(everyTarget(), turn, 4);
  };
  /** Without slashes after the scheme of its base URL, a location is a path of the same host. */
  const isRelative = (location: string): boolean => /^http:[^/]/.test(location);

  function checkUntouched(what: string, { status, body }: Answer, isReported = true): void {
    tried += 1;
    expect(canary.hits, `${what} was called`).to.equal(0);
    // A server that redirects where none is followed has failed (502).
    if (status !== 502) expect(status, `${what}: ${JSON.stringify(body)}`).to.be.within(isReported ? 400 : 200, 499);
  }

  for (const [quarter, status] of [301, 302, 307, 308].entries())
    it(`are not followed by a redirect with ${status}, from any field`, async () => {
      const { inputs } = await SsrfTarget.of(server);
      const redirect: { reply: PeerReply } = { reply: {} };
      for (const path of ['/hop', `/hop${WELL_KNOWN}`, `${WELL_KNOWN}/hop`]) peer.routes[path] = () => redirect.reply;
      const called = inputs.urls.filter(({ name }) => !NEVER_CALLED.includes(name));
      // The guard is one for all fields: each leads to a quarter of the addresses, each address from a quarter of the fields.
      for (const [at, { name, send }] of called.entries())
        for (const location of everyTarget().filter(
          (url, index) => (index + at) % 16 === quarter && !isRelative(url),
        )) {
          redirect.reply = { status, headers: { location } };
          const calls = peer.seen.length;
          const answer = await send(`${peer.url}/hop${ISSUERS.includes(name) ? '' : `?call=${calls}`}`);
          checkUntouched(`${name} to ${location}`, answer, name !== UNTOLD);
          expect(peer.seen.length, `${name} calls at all`).to.be.greaterThan(calls);
        }
    });

  it('are not followed at the third redirect either', async () => {
    peer.routes['/1'] = () => ({ status: 302, headers: { location: '/2' } });
    peer.routes['/2'] = () => ({ status: 302, headers: { location: '/3' } });
    peer.routes['/3'] = () => ({ status: 302, headers: { location: `http://localhost:${canary.port}/` } });
    const text = `haip://?credential_offer_uri=${peer.url}/1`;
    checkUntouched('the third redirect', await wallet.call('resolveCredentialOffer', { text }));
    expect(peer.count('/3')).to.equal(1);
  });

  for (const name of ['token_endpoint', 'credential_endpoint', 'nonce_endpoint', 'authorization_servers'])
    it(`are refused as ${name} of an issuer`, async () => {
      const path = `/issuer${WELL_KNOWN}`;
      const original = issuer.peer.routes[path];
      for (const url of targets()) {
        const value = name === 'authorization_servers' ? [url] : url;
        issuer.peer.routes[path] = async (request) => {
          const { token_endpoint, ...rest } = Object((await original?.(request))?.body);
          const needed = name === 'authorization_servers' ? {} : { token_endpoint };
          return { body: { ...rest, ...needed, [name]: value } };
        };
        if (name === 'nonce_endpoint')
          issuer.peer.routes['/issuer/token'] = () => ({ body: { access_token: 'the-token' } });
        checkUntouched(`${name} ${url}`, await wallet.call('acceptCredentialOffer', { text: issuer.link() }));
      }
      if (original) issuer.peer.routes[path] = original;
    });

  it('are refused as endpoint for pushed requests, and not called as that for browsers, which may not execute it', async () => {
    const path = `/issuer${WELL_KNOWN}`;
    const original = issuer.peer.routes[path];
    const codes = giveCodes(issuer);
    const begin = () => wallet.call('beginOfferAuthorization', { json: { offer: loginOffer(issuer) } });
    for (const url of targets()) {
      codes.metadata = { pushed_authorization_request_endpoint: url };
      checkUntouched(`pushed_authorization_request_endpoint ${url}`, await begin());
      codes.metadata = { authorization_endpoint: url };
      const answer = await begin();
      checkUntouched(`authorization_endpoint ${url}`, answer, false);
      if (answer.status === 200) expect(new URL(answer.body.authorizationUrl).protocol).to.match(/^https?:$/);
    }
    if (original) issuer.peer.routes[path] = original;
  });

  it('are not called for the images of an issuer and of its credentials', async () => {
    const path = `/issuer${WELL_KNOWN}`;
    const original = issuer.peer.routes[path];
    for (const uri of targets()) {
      issuer.peer.routes[path] = async (request) => {
        const display = [{ name: 'Issuer', logo: { uri }, background_image: { uri: `${uri}?` } }];
        return { body: { ...Object((await original?.(request))?.body), display } };
      };
      checkUntouched(uri, await wallet.call('extractManifest', { query: { offer: issuer.link() } }), false);
    }
    issuer.peer.routes[path] = async (request) => {
      const display = [{ name: 'Issuer', logo: { uri: `${peer.url}/logo` } }];
      return { body: { ...Object((await original?.(request))?.body), display } };
    };
    await wallet.call('extractManifest', { query: { offer: issuer.link() } });
    expect(peer.count('/logo')).to.equal(1);
    if (original) issuer.peer.routes[path] = original;
  });

  it('are refused as the token endpoint of an authorization server', async () => {
    issuer.peer.routes[`/issuer${WELL_KNOWN}`] = () => ({
      body: {
        credential_issuer: issuer.issuer,
        credential_endpoint: `${issuer.issuer}/credential`,
        authorization_servers: [`${peer.url}/as`],
        credential_configurations_supported: { Degree_jwt_vc_json: { format: 'jwt_vc_json' } },
      },
    });
    for (const token_endpoint of targets()) {
      peer.routes['/as/.well-known/oauth-authorization-server'] = () => ({ body: { token_endpoint } });
      checkUntouched(token_endpoint, await wallet.call('acceptCredentialOffer', { text: issuer.link() }));
    }
  });

  it('are refused as credential_issuer of an offer by reference', async () => {
    for (const credential_issuer of targets()) {
      peer.routes['/offer'] = () => ({ body: { ...issuer.offer(), credential_issuer } });
      const text = `haip://?credential_offer_uri=${peer.url}/offer`;
      checkUntouched(credential_issuer, await wallet.call('acceptCredentialOffer', { text }));
    }
  });

  it('are refused in a request object: the definition URL and the response URL', async () => {
    const presentation_definition = { id: 'd', input_descriptors: [{ id: 'a', constraints: {} }] };
    const presentationRequest = `openid4vp://?client_id=a&request_uri=${peer.url}/object`;
    for (const url of targets())
      for (const claims of [
        { presentation_definition_uri: url, response_uri: `${peer.url}/response` },
        { presentation_definition, response_uri: url },
        { presentation_definition, redirect_uri: url },
      ]) {
        peer.routes['/object'] = () => ({ body: new UnsecuredJWT({ client_id: 'a', ...claims }).encode() });
        const json = { presentationRequest, selectedCredentials: [degree] };
        checkUntouched(url, await wallet.call('presentCredentials', { json }));
      }
    peer.routes['/response'] = () => ({ body: {} });
    const good = { client_id: 'a', presentation_definition, response_uri: `${peer.url}/response` };
    peer.routes['/object'] = () => ({ body: new UnsecuredJWT(good).encode() });
    const json = { presentationRequest, selectedCredentials: [degree] };
    expect((await wallet.call('presentCredentials', { json })).status).to.equal(200);
  });

  it('are refused as entities of a federation: the verifier, its superiors, and where they publish statements', async () => {
    for (const url of inTurn(everyTarget().filter(isEntityId), 0, 4)) {
      const name = `${peer.url}/entity`;
      const verifier = { id: name, key: 0, superiors: [{ id: url, key: 1 }] };
      const endpoint = { ...verifier, metadata: { federation_entity: { federation_fetch_endpoint: url } } };
      for (const [client, entity] of [[url, verifier] as const, [name, verifier] as const, [name, endpoint] as const]) {
        const superiors =
          entity === endpoint
            ? [
                { id: name, key: 0 },
                { id: `${peer.url}/above`, key: 0 },
              ]
            : entity.superiors;
        peer.routes['/entity/.well-known/openid-federation'] = () => ({
          body: configurationOf({ ...entity, superiors }),
        });
        peer.routes['/above/.well-known/openid-federation'] = () => ({
          body: configurationOf({ ...endpoint, id: `${peer.url}/above` }),
        });
        const claims = { client_id: `openid_federation:${client}`, response_uri: url };
        const request = signedBy(0, claims, { typ: 'oauth-authz-req+jwt' });
        const text = `openid4vp://?request=${request}`;
        checkUntouched(url, await wallet.call('describePresentationRequest', { text }));
        server.clock.advance(6 * 60_000);
      }
    }
    expect(peer.count('/above/.well-known/openid-federation')).to.be.above(0);
  });

  it('are refused as entities of a federation: the issuer of a presented credential, and its superiors', async () => {
    const vp = await Openid4vp.with(server);
    const [query] = FORMATS.sd_jwt_vc.query.credentials;
    const trusted_authorities = [{ type: 'openid_federation', values: ['https://anchor.example'] }];
    const signer = await newSigner('secp256r1');
    const entity = `${peer.url}/entity`;
    const path = '/entity/.well-known/openid-federation';
    const calls = peer.count(path);
    for (const url of inTurn(everyTarget().filter(isEntityId), 1, 4))
      for (const id of [url, entity]) {
        peer.routes[path] = () => ({ body: configurationOf({ id: entity, key: 0, superiors: [{ id: url, key: 1 }] }) });
        const created = await vp.create(
          crossDevice({ dcql_query: { credentials: [{ ...query, trusted_authorities }] } }),
        );
        const request = await vp.request(created);
        const token = await FORMATS.sd_jwt_vc.present(request, { issuer: { id, signer } }, server.clock.now());
        const state = request.parameters.state;
        checkUntouched(url, await vp.respond(request, { vp_token: { [query.id]: [token] }, state }), false);
        expect((await vp.info(created)).failure.reason).to.include(`(${id})`);
        server.clock.advance(6 * 60_000);
      }
    expect(peer.count(path)).to.be.above(calls);
  });

  it('are refused in the did:web that signed a status list', async () => {
    for (const host of inTurn(HOSTS, 0)) {
      const did = didWebOf(`${host}:${canary.port}`);
      const list = await party.sign(listClaims({ did }), { kid: `${did}#0` });
      peer.routes['/list'] = () => ({ body: list });
      const text = JSON.stringify(credentialWith(did, statusEntry(`${peer.url}/list`, 3)));
      checkUntouched(did, await server.call('checkRevocation', { text }));
    }
  });

  it('are not called for the keys of the issuer of a received credential', async () => {
    const own = await startIssuer();
    const { host } = new URL(own.peer.url);
    const other = await startServer({ settings: { outbound: { allow: [host] } } });
    const holder = await newWalletUser(other);
    for (const name of inTurn(HOSTS, 1)) {
      const did = didWebOf(`${name}:${canary.port}`);
      const signer: Party = { did, kid: `${did}#0`, sign: (claims) => party.sign(claims, { kid: `${did}#0` }) };
      const credential = await issueCredential(signer, { ...party, did: holder.did }, { type: 'Degree' });
      own.behaviour.credential = () => credential;
      await holder.call('acceptCredentialOffer', { text: own.link() });
      tried += 1;
      expect(canary.hits, did).to.equal(0);
    }
    await Promise.all([other.close(), own.close()]);
  });
});
