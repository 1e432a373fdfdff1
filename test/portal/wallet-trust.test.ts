import { expect } from 'chai';
import { HttpPeer } from '../actors/http-peer.ts';
import { startIssuer } from '../actors/issuer.ts';
import { LOGIN } from '../actors/openid4vp.ts';
import type { WalletUser } from '../actors/wallet-user.ts';
import { dataUrl, IMAGES } from '../support/credentials/images.ts';
import { type PortalPage, usePages } from '../support/portal/browser.ts';
import { holderOn, presenting, receiving } from '../support/portal/holder.ts';
import { Typist } from '../support/portal/keyboard.ts';
import { expectAccessible } from '../support/portal/looks.ts';
import { Visitor } from '../support/portal/walk.ts';
import { useServer } from '../support/servers/server.ts';
import { testLeaf } from '../support/trust/certificates.ts';
import { iaca } from '../support/trust/issuer-chains.ts';
import { listedStatus, registrars, signedRegistration, statingRequest } from '../support/trust/registrations.ts';
import { accessCertificate, registrationInfo, signMetadata } from '../support/trust/signed-metadata.ts';
import { readers } from '../support/trust/verifier-chains.ts';

/** What would run, load or push the layout aside if a page took it for more than text. */
const HOSTILE = `<img src=https://evil.example/x onerror="document.title='run'"><script>document.title='run'</script>${'W'.repeat(120)}`;

interface Query {
  id: string;
  claims?: string[];
  vct?: string;
  multiple?: boolean;
}

describe('the wallet in the portal: whom it trusts with what', () => {
  const transactionDataProfiles = [{ type: 'payment', displayName: 'Payment', fields: ['amount'] }];
  const server = useServer({
    settings: {
      auth: { x5c: { replay: 'challenge' } },
      wallet: { transactionDataProfiles, issuerAuthorities: [iaca(90).pem], registrars: [registrars.pem] },
      trustedVerifiers: { certificates: [readers.pem] },
    },
  });
  const open = usePages(server);

  /** Takes cards, whose given names say which they are. */
  const takeCards = async (holder: WalletUser, count: number): Promise<void> => {
    for (let n = 0; n < count; n += 1) {
      const runtimeOverrides = {
        credentialData: { family_name: `Family ${n}`, given_name: 'Ada', birthdate: `19${n}0-01-01` },
      };
      const json = { profileId: 'IdentityCredential_dc-sd-jwt', authMethod: 'PRE_AUTHORIZED', runtimeOverrides };
      const { status, body } = await server.call('createCredentialOffer', { json });
      expect(status, JSON.stringify(body)).to.equal(201);
      await holder.accept(body.credentialOffer);
    }
  };
  /** A session of our verifier that asks for the card of the tour, and its link. */
  const asking = async (queries: Query[], more: { core?: object; flow?: object } = {}) => {
    const credentials = queries.map(
      ({ id, claims = ['family_name'], vct = `${server.url}/openid4vci/IdentityCredential`, ...more }) => ({
        ...{ id, ...more },
        format: 'dc+sd-jwt',
        meta: { vct_values: [vct] },
        claims: claims.map((name) => ({ path: [name] })),
      }),
    );
    const { dcql_query = {}, ...core } = Object(more.core);
    const json = {
      flow_type: 'cross_device',
      core_flow: { dcql_query: { credentials, ...dcql_query }, ...core },
      ...more.flow,
    };
    const { status, body } = await server.call('createVerificationSession', { json });
    expect(status, JSON.stringify(body)).to.equal(200);
    return { sessionId: body.sessionId, link: body.bootstrapAuthorizationRequestUrl };
  };
  const infoOf = async (sessionId: string) =>
    (await server.call('getVerificationSession', { path: { sessionId } })).body;
  /** The names beside each value below a heading of the summary. */
  const below = (page: PortalPage, heading: string) =>
    page.locator(`h3:has-text("${heading}") + dl dt`).allInnerTexts();

  it('W2: with a certificate the browser signs; the key is not sent, and an encrypted one is refused with a command', async () => {
    const page = await open('/#/wallet/login?next=%2Fwallet%2Fkeys');
    const visitor = new Visitor(page);
    const sent: string[] = [];
    page.on('request', (request) => sent.push(`${request.url()} ${request.postData() ?? ''}`));
    await visitor.click('Certificate');
    const leaf = testLeaf(31);
    const { privateKey } = leaf.keys;
    const pem = (name: string, text: string | Buffer) => ({
      name,
      mimeType: 'application/x-pem-file',
      buffer: Buffer.from(text),
    });
    const encrypted = { type: 'pkcs8', format: 'pem', cipher: 'aes-256-cbc', passphrase: 'secret' } as const;
    await page.getByLabel('Private key').setInputFiles(pem('client.key', privateKey.export(encrypted)));
    await page.getByRole('button', { name: 'Log in' }).click();
    await page.getByText('Choose a file with a certificate in PEM.').first().waitFor();
    await page.getByLabel('Certificate', { exact: true }).setInputFiles(pem('client.pem', leaf.pem));
    await page.getByRole('button', { name: 'Log in' }).click();
    await page.getByText('The key is encrypted.').first().waitFor();
    await page.getByText('openssl pkcs8 -topk8 -nocrypt').first().waitFor();
    await expectAccessible(page);
    const key = privateKey.export({ type: 'pkcs8', format: 'pem' }).toString();
    await page.getByLabel('Private key').setInputFiles(pem('client.key', key));
    await page.getByRole('button', { name: 'Log in' }).click();
    await visitor.reads('Keys and DIDs');
    await page.getByText('did:').first().waitFor();
    page.forgive(/ 401 /);
    const secret = key.split('\n').slice(1, -2);
    expect(sent.filter((text) => secret.some((line) => text.includes(line)))).to.deep.equal([]);
    expect(sent.filter((text) => text.includes('/auth/x5c/login'))).to.have.length(1);
  });

  it('W2: without the feature there is no certificate tab', async () => {
    const page = await open();
    await page.route('**/portal.json', async (route) => {
      const answer = await route.fetch();
      await route.fulfill({ json: { ...(await answer.json()), features: [] } });
    });
    await page.goto(`${server.url}/?fresh#/wallet/login`);
    await page.getByRole('heading', { level: 1, name: 'Log in to your wallet' }).waitFor();
    expect(await page.getByRole('link', { name: 'Certificate' }).count()).to.equal(0);
  });

  it('W8, W9, W12: nothing is chosen where several match; the summary is what arrives; a redirect names its host and waits', async () => {
    const page = await open();
    const visitor = new Visitor(page);
    const holder = await holderOn(page, server, '/wallet/log');
    await takeCards(holder, 2);
    const core = { client_metadata: { client_name: 'The Shop' } };
    const redirects = { success_redirect_uri: 'https://shop.example/done' };
    const { sessionId, link } = await asking([{ id: 'card', claims: ['family_name', 'birthdate'] }], {
      core,
      flow: { redirects },
    });
    await page.goto(`${server.url}/#${presenting(link)}`);
    await page.getByText('The Shop').waitFor();
    await page.getByText('A name beside it is not proven.').waitFor();
    expect(await page.getByRole('radio').count()).to.equal(2);
    expect(await page.getByRole('radio', { checked: true }).count()).to.equal(0);
    expect(await page.getByRole('button', { name: 'Share' }).count()).to.equal(0);
    await expectAccessible(page);
    await page.getByRole('radio').first().check();
    const [shown, kept] = [await below(page, 'You share'), await below(page, 'You keep')];
    expect(shown.sort()).to.deep.equal(['Date of birth', 'Family name']);
    expect(kept).to.include('Given name');
    await expectAccessible(page);
    await visitor.click('Share');
    await visitor.reads('You shared it');
    expect(await page.getByRole('link', { name: 'Continue at shop.example' }).getAttribute('href')).to.match(
      /^https:\/\/shop\.example\/done/,
    );
    const info = await infoOf(sessionId);
    const arrived = JSON.stringify(info.presented_credentials);
    for (const name of ['family_name', 'birthdate']) expect(arrived).to.include(`"${name}"`);
    for (const name of kept) expect(arrived).to.not.include(`"${name.toLowerCase().replaceAll(' ', '_')}"`);
    await page.goto(`${server.url}/#/wallet/log`);
    await page.locator('tbody tr').first().getByText('Shared').waitFor();
    expect(await page.locator('tbody tr').first().innerText()).to.include(new URL(server.url).host);
  });

  it('W8: one of several combinations is chosen by the user, who sees what it authorizes and as whom it logs in', async () => {
    const page = await open();
    const visitor = new Visitor(page);
    const holder = await holderOn(page, server, '/wallet/log');
    await takeCards(holder, 1);
    const credential_sets = [{ options: [['name'], ['birth']] }];
    const transactionData = [{ type: 'payment', credential_ids: ['name', 'birth'], amount: '10 EUR' }];
    const { sessionId, link } = await asking([{ id: 'name' }, { id: 'birth', claims: ['birthdate'] }], {
      core: { dcql_query: { credential_sets } },
      flow: { openid: { ...LOGIN, transactionData } },
    });
    await page.goto(`${server.url}/#${presenting(link)}`);
    await page.getByRole('radio').nth(1).waitFor();
    expect(await page.getByRole('group').first().getByRole('radio', { checked: true }).count()).to.equal(0);
    await page.getByRole('radio').nth(1).check();
    expect(await below(page, 'You share')).to.deep.equal(['Date of birth']);
    await page.getByText('By sharing you authorize: payment').waitFor();
    await page.getByText('10 EUR').waitFor();
    await page.getByText('recognises you by it').waitFor();
    await expectAccessible(page);
    await visitor.click('Share');
    await visitor.reads('You shared it');
    const info = await infoOf(sessionId);
    expect(info.status).to.equal('SUCCESSFUL');
    expect(JSON.stringify(info)).to.include(holder.did);
  });

  it('W8, W9: where several are asked for, boxes choose by keyboard; each is shown for the query that it was chosen for', async () => {
    const page = await open();
    const holder = await holderOn(page, server, '/wallet/log');
    await takeCards(holder, 3);
    const birth = { id: 'birth', claims: ['birthdate'] };
    const { sessionId, link } = await asking([{ id: 'names', multiple: true }, birth]);
    await page.goto(`${server.url}/#${presenting(link)}`);
    const boxes = page.getByRole('group', { name: 'Which ones do you share? One or more.' }).getByRole('checkbox');
    await boxes.nth(2).waitFor();
    const names = await page.getByRole('group').first().locator('label').allInnerTexts();
    expect(names.map((name) => /Family (\d)/.exec(name)?.[1]).sort()).to.deep.equal(['0', '1', '2']);
    await page.getByRole('radio').last().check();
    expect(await page.getByRole('checkbox', { checked: true }).count()).to.equal(0);
    expect(await page.getByRole('button', { name: 'Share' }).count()).to.equal(0);
    const person = new Typist(page);
    await boxes.first().focus();
    for (const key of ['Space', 'Tab', 'Space', 'Tab', 'Space', 'Shift+Tab', 'Space', 'Space', 'Tab', 'Space'])
      await page.keyboard.press(key);
    expect(await page.getByRole('checkbox', { checked: true }).count()).to.equal(2);
    expect(await below(page, 'You share')).to.deep.equal(['Family name', 'Family name', 'Date of birth']);
    await expectAccessible(page);
    await person.press('Share');
    await page.getByRole('heading', { level: 1, name: 'You shared it' }).waitFor();
    const { presented_credentials: shown } = await infoOf(sessionId);
    /** Which cards were shown for a query, by the number in what they say. */
    const cards = (id: string, name: string): string[] =>
      shown[id].map(({ claims }: { claims: Record<string, unknown> }) => String(claims[name]).replace(/\D/g, ''));
    const numberOf = { names: cards('names', 'family_name'), birth: cards('birth', 'birthdate') };
    expect(numberOf.names).to.have.length(2);
    expect([...numberOf.names, ...numberOf.birth.map((date) => date[2])].sort()).to.deep.equal(['0', '1', '2']);
  });

  it('W10, W11, W12: names what is missing; declining sends nothing; a refusal is shown with its reason and its way on', async () => {
    const page = await open();
    const visitor = new Visitor(page);
    const holder = await holderOn(page, server, '/wallet/log');
    const { sessionId, link } = await asking([
      { id: 'q', vct: 'https://city.example/types/DogLicence', claims: ['dog_name'] },
    ]);
    await page.goto(`${server.url}/#${presenting(link)}`);
    await page.getByText('asked for as DogLicence').waitFor();
    await page.getByText('It would have to say: Dog name.').waitFor();
    expect(await page.getByRole('button', { name: 'Share' }).count()).to.equal(0);
    await visitor.click('Decline');
    await visitor.reads('Nothing was shared');
    const declined = await infoOf(sessionId);
    expect(JSON.stringify(declined)).to.include('access_denied').and.not.include(holder.did);
    await takeCards(holder, 1);
    const refused = await asking([{ id: 'card' }], {
      core: {
        policies: {
          specific_vc_policies: { card: [{ policy: 'allowed-issuer', allowed_issuer: 'did:web:other.example' }] },
        },
      },
      flow: { redirects: { error_redirect_uri: 'https://shop.example/failed' } },
    });
    await page.goto(`${server.url}/#${presenting(refused.link)}`);
    await visitor.click('Share');
    const alert = page.getByRole('alert');
    await alert.getByText('The verifier did not take it').waitFor();
    expect(await alert.innerText()).to.match(/The verifier answered with 400: \w+/);
    await page.getByRole('link', { name: 'Continue at shop.example' }).waitFor();
    page.forgive(/ 400 /);
    expect(page.url()).to.include(server.url);
  });

  it('an offer says who issues, and whether that is proven', async () => {
    const issuer = await startIssuer();
    const page = await open();
    const visitor = new Visitor(page);
    await holderOn(page, server, receiving(issuer.link()));
    await visitor.reads('A credential is offered to you');
    await page.getByText('Nothing but this address says who it is.').waitFor();
    const issuer_info = await registrationInfo(issuer, { authority: iaca(95), vct: 'urn:other' });
    await signMetadata(issuer, { certificate: accessCertificate(iaca(90)), claims: { issuer_info } });
    await page.reload();
    await page.getByText(/^Signed by city, registry, ntrzz-q1, with a certificate of zz, example, auth/).waitFor();
    await page.getByText('Registered as City registry, NTRZZ-Q1.').waitFor();
    await page.getByText('It is not registered to issue this.').waitFor();
    await expectAccessible(page);
    await issuer.close();
  });

  it('a request says for what its verifier is registered, and what it asks for beyond that', async () => {
    const peer = await new HttpPeer().listen();
    const pid = { format: 'dc+sd-jwt', meta: { vct_values: ['urn:eudi:pid:1'] } };
    const data = await signedRegistration({
      ...(await listedStatus(peer)),
      credentials: [{ ...pid, claim: [{ path: ['given_name'] }] }],
    });
    const claims = [{ path: ['given_name'] }, { path: ['birthdate'] }];
    const query = { credentials: [{ id: 'pid', ...pid, claims }] };
    const link = await statingRequest(query, [{ format: 'registration_cert', data }]);
    const page = await open();
    const visitor = new Visitor(page);
    await holderOn(page, server, presenting(link));
    await visitor.reads('You are asked for a credential');
    await page.getByText('Shop, NTRZZ-Q1').waitFor();
    await page.getByText('To send a parcel').waitFor();
    await page.getByRole('heading', { name: 'It asks for more than it is registered for' }).waitFor();
    expect(await page.locator('.notice.warning').first().innerText()).to.match(/1: Birthdate$/i);
    await expectAccessible(page);
    await peer.close();
  });

  it('a card says when its issuer does not want it to be shown to who asks', async () => {
    const [issuer, peer] = await Promise.all([startIssuer(), new HttpPeer().listen()]);
    const path = '/issuer/.well-known/openid-credential-issuer';
    const plain = issuer.peer.routes[path];
    issuer.peer.routes[path] = async (request) => {
      const body = Object((await plain?.(request))?.body);
      body.credential_configurations_supported.Degree_jwt_vc_json.disclosure_policy = {
        policy_type: 'authorized_relying_parties',
        authorized_relying_parties: ['NTRZZ-Q2'],
        policy_url: 'https://issuer.example/policy',
      };
      return { body };
    };
    const degree = { format: 'jwt_vc_json', meta: { type_values: [['Degree']] } };
    const data = await signedRegistration({ ...(await listedStatus(peer)), credentials: [degree] });
    const asked = { credentials: [{ id: 'degree', ...degree }] };
    const page = await open();
    const visitor = new Visitor(page);
    const holder = await holderOn(page, server, '/wallet');
    await holder.accept(issuer.link());
    const link = await statingRequest(asked, [{ format: 'registration_cert', data }]);
    await page.goto(`${server.url}/#${presenting(link)}`);
    await visitor.reads('You are asked for a credential');
    await page.getByText('Its issuer does not want it to be shown to who asks.').waitFor();
    await page.getByText('https://issuer.example/policy').waitFor();
    await page.getByRole('button', { name: 'Share' }).waitFor();
    await expectAccessible(page);
    await Promise.all([issuer.close(), peer.close()]);
  });

  it('hostile names, claims, logos and colours are text at most: nothing runs, loads or pushes the page aside', async () => {
    const issuer = await startIssuer();
    const path = '/issuer/.well-known/openid-credential-issuer';
    const plain = issuer.peer.routes[path];
    issuer.peer.routes[path] = async (request) => {
      const body = Object((await plain?.(request))?.body);
      const degree = body.credential_configurations_supported.Degree_jwt_vc_json;
      degree.display = [{ name: HOSTILE, background_color: '#000000', text_color: '#000000' }];
      degree.credential_definition.credentialSubject = { level: { display: [{ name: HOSTILE }] } };
      return { body: { ...body, display: [{ name: HOSTILE }] } };
    };
    issuer.behaviour.claims = (claims) => {
      Object(claims.vc).credentialSubject.level = HOSTILE;
      return claims;
    };
    const page = await open();
    const visitor = new Visitor(page);
    const holder = await holderOn(page, server, receiving(issuer.link()));
    await visitor.reads('A credential is offered to you');
    await page.getByText('onerror').first().waitFor();
    await expectAccessible(page);
    await visitor.click('Accept');
    await visitor.reads('The credential is in your wallet');
    await page.route('**/credentials?*', async (route) => {
      const [credential] = await (await route.fetch()).json();
      const svg = `data:image/svg+xml,${encodeURIComponent('<svg xmlns="http://www.w3.org/2000/svg" onload="document.title=1"/>')}`;
      const shown = (name: string, changes: object) => ({
        ...credential,
        id: name,
        display: { issuer: [], claims: [], credential: [{ name, ...changes }] },
      });
      const logos = ['https://evil.example/logo.png', 'javascript:alert(1)', svg, dataUrl(IMAGES.png)];
      await route.fulfill({
        json: [
          credential,
          ...logos.map((uri, at) => shown(`logo ${at}`, { logo: { uri } })),
          shown('colour', { backgroundColor: 'url(https://evil.example/c)', textColor: 'red;background:url(//evil)' }),
        ],
      });
    });
    await visitor.click('Go to the wallet');
    await page.getByText('colour', { exact: true }).waitFor();
    expect(await page.locator('.card img').count()).to.equal(1);
    await expectAccessible(page);
    await page.unrouteAll();
    await page.locator('.card').first().click();
    await page.getByText('What it says').waitFor();
    await expectAccessible(page);
    const { link } = await asking([{ id: 'q' }], { core: { client_metadata: { client_name: HOSTILE } } });
    await page.goto(`${server.url}/#${presenting(link)}`);
    await page.getByText('onerror').first().waitFor();
    await expectAccessible(page);
    expect(await page.title()).to.match(/^You are asked/);
    expect(await page.locator('main img, main script').count()).to.equal(0);
    expect((await holder.call('listWalletCredentials')).body).to.have.length(1);
    await issuer.close();
  });
});
