import { expect } from 'chai';
import { degree, type Issuer, onboard } from '../../../demo/actors/issuer.ts';
import { licence } from '../../actors/issuance-formats.ts';
import { newWalletUser, type WalletUser } from '../../actors/wallet-user.ts';
import { useServer } from '../../support/servers/server.ts';

describe('our wallet and offers of draft 11', () => {
  const server = useServer();
  let holder: WalletUser;
  let issuer: Issuer;
  before(async () => {
    holder = await newWalletUser(server);
    issuer = await onboard(server, { key: { keyType: 'secp256r1' } });
  });

  const pinned = { standardVersion: 'DRAFT11', txCode: {}, txCodeValue: '4711' };
  const accept = (text: string, pinOrTxCode: string) =>
    holder.call('acceptCredentialOffer', { text, query: { did: holder.did, pinOrTxCode } });

  it('acceptCredentialOffer 200: a W3C credential, with the PIN of the offer and not with another one', async () => {
    const { body: link } = await server.call('issueJwtCredential', { json: degree(issuer, pinned) });
    const wrong = await accept(link, '0000');
    expect(wrong.status).to.equal(400);
    expect(wrong.body.message).to.include('user_pin');
    const { status, body } = await accept(link, '4711');
    expect(status, JSON.stringify(body)).to.equal(200);
    expect(body[0].parsedDocument.credentialSubject.id).to.equal(holder.did);
  });

  it('acceptCredentialOffer 200: an mdoc', async () => {
    const { body: link } = await server.call('issueMdoc', { json: licence(issuer, pinned) });
    const { status, body } = await accept(link, '4711');
    expect([status, body[0]?.format], JSON.stringify(body)).to.deep.equal([200, 'mso_mdoc']);
  });
});
