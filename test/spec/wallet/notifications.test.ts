import { expect } from 'chai';
import { startIssuer, type TestIssuer } from '../../actors/issuer.ts';
import { newWalletUser, type WalletUser } from '../../actors/wallet-user.ts';
import { useServer } from '../../support/servers/server.ts';

const METADATA = '/issuer/.well-known/openid-credential-issuer';

describe('an issuer that is notified about its credentials', () => {
  const server = useServer();
  let holder: WalletUser;
  let issuer: TestIssuer;
  /** Resolves with the notification. */
  let notified: Promise<{ authorization: string | undefined; body: object }>;
  before(async () => {
    holder = await newWalletUser(server);
  });
  beforeEach(async () => {
    issuer = await startIssuer();
    issuer.behaviour.nonces = 'endpoint';
    const { routes } = issuer.peer;
    const [metadata, deliver] = [routes[METADATA], routes['/issuer/credential']];
    routes[METADATA] = async (request) => ({
      body: { ...Object((await metadata?.(request))?.body), notification_endpoint: `${issuer.issuer}/notification` },
    });
    routes['/issuer/credential'] = async (request) => {
      const { body, ...rest } = (await deliver?.(request)) ?? {};
      return { ...rest, body: { ...Object(body), notification_id: 'of-this-one' } };
    };
    notified = new Promise((resolve) => {
      routes['/issuer/notification'] = ({ headers: { authorization }, body }) => {
        resolve({ authorization, body: JSON.parse(body) });
        return { status: 204 };
      };
    });
  });
  afterEach(() => issuer.close());

  const accept = () => holder.call('acceptCredentialOffer', { text: issuer.link() });

  it('acceptCredentialOffer 200: says that it stored them, with the access token', async () => {
    expect((await accept()).status).to.equal(200);
    const body = { notification_id: 'of-this-one', event: 'credential_accepted' };
    expect(await notified).to.deep.equal({ authorization: 'Bearer the-token', body });
  });

  it('acceptCredentialOffer 400: says that they were not acceptable', async () => {
    issuer.behaviour.credential = (jwt) => `${jwt.slice(0, -8)}AAAAAAAA`;
    expect((await accept()).status).to.equal(400);
    expect((await notified).body).to.deep.equal({ notification_id: 'of-this-one', event: 'credential_failure' });
  });

  it('acceptCredentialOffer 200: a notification that fails changes nothing', async () => {
    issuer.peer.routes['/issuer/notification'] = () => ({ status: 500 });
    expect((await accept()).status).to.equal(200);
  });
});
