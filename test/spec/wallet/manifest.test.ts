import { expect } from 'chai';
import { startIssuer, type TestIssuer } from '../../actors/issuer.ts';
import { newWalletUser, type WalletUser } from '../../actors/wallet-user.ts';
import { dataUrl, IMAGES, imageOf } from '../../support/credentials/images.ts';
import { type Answer, useServer } from '../../support/servers/server.ts';
import { type ListHost, listHost } from '../../support/status/status-lists.ts';

const METADATA = '/issuer/.well-known/openid-credential-issuer';
const CLAIMS = {
  credentialSubject: {
    level: {
      display: [
        { name: 'Level', locale: 'en' },
        { name: 'Stufe', locale: 'de' },
      ],
    },
  },
};

describe('the display data of a credential', () => {
  const server = useServer({ outboundTimeoutMs: 1500 });
  let issuer: TestIssuer;
  let host: ListHost;
  let holder: WalletUser;
  let plain: TestIssuer['peer']['routes'][string] | undefined;
  before(async () => {
    [issuer, host, holder] = [await startIssuer(), await listHost(), await newWalletUser(server)];
    plain = issuer.peer.routes[METADATA];
  });
  after(() => Promise.all([issuer.close(), host.close()]));

  /** Changes the metadata of the issuer: itself and its configuration of a degree. */
  const publish = (display: unknown, configuration: object): void => {
    issuer.peer.routes[METADATA] = async (request) => {
      const body = structuredClone((await plain?.(request))?.body) as {
        credential_configurations_supported: Record<string, object>;
      };
      const configurations = body.credential_configurations_supported;
      Object.assign(configurations.Degree_jwt_vc_json ?? {}, configuration);
      return { body: { ...body, display } };
    };
  };
  const image = (bytes: Buffer, type = 'image/png', status = 200): string =>
    host.publish((_, response) => void response.writeHead(status, { 'content-type': type }).end(bytes));
  const accept = async (ids?: string[], query: Record<string, string> = {}): Promise<Answer['body']> => {
    const { status, body } = await holder.call('acceptCredentialOffer', { text: issuer.link(ids), query });
    expect(status, JSON.stringify(body)).to.equal(200);
    return body[0];
  };
  const shown = (entries: object): void =>
    publish([{ name: 'Example University', logo: { uri: image(IMAGES.png), alt_text: 'A shield' } }], {
      display: [{ name: 'University Degree', background_color: '#12107c', text_color: '#ffffff', ...entries }],
      credential_definition: { type: ['VerifiableCredential', 'Degree'], ...CLAIMS },
    });
  const manifest = (operationId: string, credentialId: string): Promise<Answer> =>
    holder.call(operationId, { path: { credentialId } });

  it('acceptCredentialOffer and listWalletCredentials: is kept at issuance and shown without the issuer', async () => {
    shown({ locale: 'en', description: 'What was studied', logo: { uri: image(IMAGES.webp), alt_text: 'A cap' } });
    const { id, display } = await accept();
    expect(display).to.deep.equal({
      issuer: [{ name: 'Example University', logo: { uri: dataUrl(IMAGES.png), altText: 'A shield' } }],
      credential: [
        {
          name: 'University Degree',
          locale: 'en',
          description: 'What was studied',
          logo: { uri: dataUrl(IMAGES.webp, 'webp'), altText: 'A cap' },
          backgroundColor: '#12107c',
          textColor: '#ffffff',
        },
      ],
      claims: [
        {
          path: ['credentialSubject', 'level'],
          labels: [
            { name: 'Level', locale: 'en' },
            { name: 'Stufe', locale: 'de' },
          ],
        },
      ],
    });
    const [fetched, asked] = [host.hits.size, issuer.peer.seen.length];
    const { body } = await holder.call('listWalletCredentials');
    expect(body.find((one: { id: string }) => one.id === id).display).to.deep.equal(display);
    expect([host.hits.size, issuer.peer.seen.length]).to.deep.equal([fetched, asked]);
  });

  it('getWalletManifest, getWalletManifestDisplay and getWalletManifestIssuer: 200, as existing front ends read it', async () => {
    shown({});
    const { id } = await accept();
    const { status, body } = await manifest('getWalletManifest', id);
    const logo = { uri: dataUrl(IMAGES.png), description: 'A shield' };
    const colours = { backgroundColor: '#12107c', textColor: '#ffffff' };
    const display = {
      title: 'University Degree',
      card: { title: 'University Degree', issuedBy: 'Example University', ...colours, logo },
      claims: { 'vc.credentialSubject.level': { type: 'String', label: 'Level' } },
    };
    const by = { id: issuer.did, name: 'Example University', logo };
    expect([status, body]).to.deep.equal([200, { display, issuer: by }]);
    expect((await manifest('getWalletManifestDisplay', id)).body).to.deep.equal(display);
    expect((await manifest('getWalletManifestIssuer', id)).body).to.deep.equal(by);
    expect((await holder.call('getWalletCredential', { path: { credentialId: id } })).body.manifest).to.deep.equal(
      body,
    );
  });

  it('204 when the issuer published nothing, 404 for an unknown credential', async () => {
    publish(undefined, {});
    const { id, ...credential } = await accept();
    expect(credential).to.not.have.any.keys('display', 'manifest');
    for (const operationId of ['getWalletManifest', 'getWalletManifestDisplay', 'getWalletManifestIssuer']) {
      expect((await manifest(operationId, id)).status).to.equal(204);
      expect((await manifest(operationId, 'x')).status).to.equal(404);
    }
  });

  it('acceptCredentialOffer: images that cannot be had are left out, and the credential is received', async () => {
    const redirected = host.publish(
      (_, response) => void response.writeHead(302, { location: image(IMAGES.gif) }).end(),
    );
    const logos: [string, string | undefined][] = [
      [image(Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"><script/></svg>'), 'image/svg+xml'), undefined],
      [image(Buffer.from('<svg/>')), undefined],
      [image(imageOf(128 * 1024 + 1)), undefined],
      [image(IMAGES.png, 'image/png', 404), undefined],
      [host.publish((request) => void request.socket.destroy()), undefined],
      ['http://10.0.0.1/logo.png', undefined],
      ['http://user:secret@127.0.0.1/logo.png', undefined],
      [dataUrl(Buffer.from('<svg/>')), undefined],
      [image(IMAGES.jpeg, 'text/plain'), dataUrl(IMAGES.jpeg, 'jpeg')],
      [redirected, dataUrl(IMAGES.gif, 'gif')],
      [image(imageOf(128 * 1024)), dataUrl(imageOf(128 * 1024))],
      [dataUrl(IMAGES.webp), dataUrl(IMAGES.webp, 'webp')],
    ];
    for (const [uri, expected] of logos) {
      shown({ logo: { uri } });
      const { display } = await accept();
      expect(display.credential[0].logo?.uri, uri.slice(0, 80)).to.equal(expected);
    }
  });

  it('acceptCredentialOffer: images that are not received in time delay it by two seconds', async () => {
    const hanging = Array.from({ length: 8 }, () => host.publish(() => {}));
    publish([], {
      display: hanging.map((uri, index) => ({ name: 'x', locale: `x${'abcdefgh'[index]}`, logo: { uri } })),
    });
    const startedAt = performance.now();
    const { display } = await accept();
    expect(performance.now() - startedAt).to.be.within(1900, 4500);
    expect(display.credential).to.have.length(8);
  });

  it('acceptCredentialOffer: each credential of an offer has its own, and a pending one too', async () => {
    shown({});
    const query = { requireUserInput: 'true' };
    const text = issuer.link(['Degree_jwt_vc_json', 'Passport_jwt_vc_json']);
    const { body } = await holder.call('acceptCredentialOffer', { text, query });
    const names = body.map((one: Answer['body']) => [
      one.pending,
      one.display.issuer[0].name,
      one.display.credential[0]?.name,
    ]);
    expect(names).to.deep.equal([
      [true, 'Example University', 'University Degree'],
      [true, 'Example University', undefined],
    ]);
  });

  describe('extractManifest', () => {
    const extract = (offer: string): Promise<Answer> => holder.call('extractManifest', { query: { offer } });

    it('200: what an offer shows before it is accepted; nothing is stored', async () => {
      shown({});
      const before = (await holder.call('listWalletCredentials')).body.length;
      const { status, body } = await extract(issuer.link(['Degree_jwt_vc_json']));
      expect(status, JSON.stringify(body)).to.equal(200);
      expect(body.display.card).to.include({ title: 'University Degree', issuedBy: 'Example University' });
      expect(body.issuer).to.include({ id: issuer.issuer, name: 'Example University' });
      expect((await holder.call('listWalletCredentials')).body).to.have.length(before);
    });

    it('204: when the issuer describes none of the offered credentials', async () => {
      publish(undefined, {});
      expect((await extract(issuer.link(['Degree_jwt_vc_json', 'Passport_jwt_vc_json']))).status).to.equal(204);
    });

    it('400: for a text that is no offer link, an unknown credential, and without an offer', async () => {
      const { status, body } = await extract('mailto:ada@example.org');
      expect([status, body.details[0].path]).to.deep.equal([400, '/query/offer']);
      expect((await extract(issuer.link(['Unknown']))).status).to.equal(400);
      expect((await holder.call('extractManifest')).body.details[0].path).to.equal('/query/offer');
    });

    it('502 and 504: when the offer cannot be fetched', async () => {
      const gone = host.publish((_, response) => void response.writeHead(500).end());
      const hanging = host.publish(() => {});
      const link = (url: string): string =>
        `openid-credential-offer://?credential_offer_uri=${encodeURIComponent(url)}`;
      expect((await extract(link(gone))).status).to.equal(502);
      expect((await extract(link(hanging))).status).to.equal(504);
    });
  });

  describe('when the issuer has stopped', () => {
    it('listWalletCredentials: still shows it when the issuer has stopped', async () => {
      shown({});
      const { id, display } = await accept();
      await issuer.close();
      const { body } = await holder.call('listWalletCredentials');
      expect(body.find((one: { id: string }) => one.id === id).display).to.deep.equal(display);
    });
  });
});

describe('the display data of a credential of our own issuer', () => {
  const logo = { uri: dataUrl(IMAGES.png), alt_text: 'A shield' };
  const degree = {
    format: 'jwt_vc_json',
    display: [
      { name: 'Degree', locale: 'en', logo, background_color: '#12107c' },
      { name: 'Abschluss', locale: 'de', background_image: { uri: dataUrl(IMAGES.gif) } },
    ],
    credential_definition: { type: ['VerifiableCredential', 'Degree'], credentialSubject: CLAIMS.credentialSubject },
  };
  const server = useServer({
    settings: {
      issuerMetadata: {
        issuerDisplay: [{ name: 'Our University', locale: 'en' }],
        supportedCredentialTypes: { Degree: degree, Licence: ['VerifiableCredential', 'Licence'] },
      },
    },
  });

  it('acceptCredentialOffer: flows from credential-issuer-metadata.conf into the wallet', async () => {
    const holder = await newWalletUser(server);
    const { issuerKey, issuerDid } = (await server.call('onboardIssuer', { json: { key: { keyType: 'secp256r1' } } }))
      .body;
    const receive = async (credentialConfigurationId: string, type: string): Promise<Answer['body']> => {
      const credentialData = {
        '@context': ['https://www.w3.org/2018/credentials/v1'],
        type: ['VerifiableCredential', type],
        credentialSubject: { level: 'master' },
      };
      const mapping = { id: '<uuid>', credentialSubject: { id: '<subjectDid>' } };
      const json = { issuerKey, issuerDid, credentialConfigurationId, credentialData, mapping };
      const { body: text } = await server.call('issueJwtCredential', { json });
      const { status, body } = await holder.call('acceptCredentialOffer', { text });
      expect(status, JSON.stringify(body)).to.equal(200);
      return body[0];
    };
    const { display, manifest } = await receive('Degree', 'Degree');
    expect(display).to.deep.equal({
      issuer: [{ name: 'Our University', locale: 'en' }],
      credential: [
        { name: 'Degree', locale: 'en', logo: { uri: logo.uri, altText: 'A shield' }, backgroundColor: '#12107c' },
        { name: 'Abschluss', locale: 'de', backgroundImage: { uri: dataUrl(IMAGES.gif, 'gif') } },
      ],
      claims: [
        {
          path: ['credentialSubject', 'level'],
          labels: [
            { name: 'Level', locale: 'en' },
            { name: 'Stufe', locale: 'de' },
          ],
        },
      ],
    });
    expect(manifest.display.card).to.include({ title: 'Degree', issuedBy: 'Our University' });
    const { display: named } = await receive('Licence_jwt_vc_json', 'Licence');
    expect(named.credential).to.deep.equal([{ name: 'Licence', locale: 'en' }]);
  });
});

describe('the display data of the built-in credentials', () => {
  const server = useServer();

  it('acceptCredentialOffer: an EU PID is received from its example, and shown with the labels of its claims', async () => {
    const holder = await newWalletUser(server);
    const { issuerKey } = (await server.call('onboardIssuer', { json: { key: { keyType: 'secp256r1' } } })).body;
    const pid = server.settings.issuerMetadata.supportedCredentialTypes['urn:eudi:pid:1'] as { example: object };
    const { body: text } = await server.call('issueSdJwtCredential', {
      json: { issuerKey, credentialConfigurationId: 'urn:eudi:pid:1', ...pid.example },
    });
    const { status, body } = await holder.call('acceptCredentialOffer', { text });
    expect(status, JSON.stringify(body)).to.equal(200);
    const { display } = body[0];
    expect(display.credential[0]).to.include({ name: 'EU Person Identification Data', backgroundColor: '#003399' });
    const labels = (en: string, de: string) => [
      { name: en, locale: 'en' },
      { name: de, locale: 'de' },
    ];
    expect(display.claims).to.deep.include.members([
      { path: ['family_name'], labels: labels('Family name', 'Nachname') },
      { path: ['age_equal_or_over', '18'], labels: labels('Over 18', 'Über 18') },
    ]);
  });
});
