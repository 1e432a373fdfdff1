import { expect } from 'chai';
import { decodeProtectedHeader, importJWK, jwtVerify } from 'jose';
import type { CredentialContent } from '../../../ports/credential-formats.ts';
import type { PublicJwk } from '../../../ports/key-service.ts';
import { startIssuer, type TestIssuer } from '../../actors/issuer.ts';
import { newWalletUser, resetWallet, type WalletUser } from '../../actors/wallet-user.ts';
import { deviceKey, issueMdoc, MDL } from '../../support/credentials/mdoc-issuer.ts';
import { useServer } from '../../support/servers/server.ts';

const LICENCE = { [MDL.namespace]: { family_name: 'Doe', birth_date: '1980-01-31', age_over_18: true } };

describe('acceptCredentialOffer', () => {
  const server = useServer();
  let holder: WalletUser;
  let issuer: TestIssuer;
  /** The bodies of credential requests. */
  const requests: { format: string; doctype: string; proof: { jwt: string } }[] = [];
  /** Changes the content of the mdoc that the issuer makes. */
  let changes: Partial<CredentialContent>;
  /** Changes what the issuer delivers. */
  let delivered: (text: string) => string;

  beforeEach(async () => {
    holder ??= await newWalletUser(server);
    await resetWallet(holder);
    issuer = await startIssuer();
    delivered = (text) => text;
    changes = {};
    requests.length = 0;
    issuer.peer.routes['/issuer/.well-known/openid-credential-issuer'] = () => ({
      body: {
        credential_issuer: issuer.issuer,
        token_endpoint: `${issuer.issuer}/token`,
        credential_endpoint: `${issuer.issuer}/credential`,
        credential_configurations_supported: {
          [MDL.docType]: {
            format: 'mso_mdoc',
            doctype: MDL.docType,
            cryptographic_binding_methods_supported: ['cose_key'],
          },
        },
      },
    });
    issuer.peer.routes['/issuer/credential'] = async ({ body }) => {
      const request = JSON.parse(body);
      requests.push(request);
      const { jwk } = decodeProtectedHeader(request.proof.jwt);
      await jwtVerify(request.proof.jwt, await importJWK({ ...jwk }, 'ES256'), { audience: issuer.issuer });
      const credential = await issueMdoc({ document: LICENCE, holder: { jwk: jwk as PublicJwk }, ...changes });
      return { body: { format: 'mso_mdoc', credential: delivered(credential) } };
    };
  });
  afterEach(() => issuer.close());

  const accept = () => holder.call('acceptCredentialOffer', { text: issuer.link([MDL.docType]) });
  const held = async () => (await holder.call('listWalletCredentials')).body;

  it('200: receives an mdoc bound to the key of the holder, and shows its claims by namespace', async () => {
    expect((await accept()).status).to.equal(200);
    expect(requests[0]).to.include({ format: 'mso_mdoc', doctype: MDL.docType });
    const [credential] = await held();
    expect(credential).to.include({ format: 'mso_mdoc' });
    expect(credential.parsedDocument).to.deep.include({ docType: MDL.docType, nameSpaces: LICENCE });
    const { body } = await holder.call('parseMdoc', { text: credential.document });
    expect(body).to.have.keys('nameSpaces', 'issuerAuth');
  });

  it('400: refuses an mdoc that is bound to another key, and one of another document type than was offered', async () => {
    for (const [change, reason] of [
      [{ holder: { jwk: deviceKey() } }, 'is bound to the key of another holder'],
      [{ type: 'org.iso.23220.photoid.1' }, 'of another type'],
    ] as const) {
      changes = change;
      const { status, body } = await accept();
      expect(status).to.equal(400);
      expect(body.message).to.include(reason);
    }
    expect(await held()).to.deep.equal([]);
  });

  it('400: refuses an mdoc with an element that is not signed, and text that is no mdoc', async () => {
    const changed = (text: string) => {
      const bytes = Buffer.from(text, 'base64url');
      bytes.write('Roe', bytes.indexOf('Doe'));
      return bytes.toString('base64url');
    };
    for (const change of [changed, () => 'eyJhbGciOiJFUzI1NiJ9.e30.AA']) {
      delivered = change;
      expect((await accept()).status).to.equal(400);
    }
    expect(await held()).to.deep.equal([]);
  });
});
