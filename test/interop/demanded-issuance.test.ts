import { expect } from 'chai';
import { keyPair } from '../../demo/actors/key-pairs.ts';
import { browse } from '../actors/code-grant.ts';
import { newWalletUser, resetWallet, type WalletUser } from '../actors/wallet-user.ts';
import { combinationsOf, shownChoices } from '../support/runs/combinations.ts';
import { inTier, pairwise } from '../support/runs/tier.ts';
import { type Answer, useServer } from '../support/servers/server.ts';
import { DEMANDS, DemandingIssuer } from './demanding-issuer.ts';

const REDIRECT_URI = 'https://wallet.example/callback';
const [attester, assertion] = [keyPair({ namedCurve: 'P-256' }), keyPair({ namedCurve: 'P-256' })];
const jwkOf = ({ privateKey }: typeof attester) => ({ type: 'jwk', jwk: privateKey.export({ format: 'jwk' }) });

describe('our wallet with an independent issuer that demands something of it', () => {
  const local = { issuer: 'https://attester.example', signingKey: jwkOf(attester), x5Chain: [], validitySeconds: 600 };
  const wallet = { attester: local, clientAssertionKey: jwkOf(assertion), redirectUris: [REDIRECT_URI] };
  const server = useServer({ settings: { wallet }, outboundTimeoutMs: 60_000 });
  let issuer: DemandingIssuer;
  let holder: WalletUser;
  before(async () => {
    issuer = await DemandingIssuer.start({ attester: attester.publicKey, assertion: assertion.publicKey });
    holder = await newWalletUser(server);
  });
  after(() => issuer.close());

  async function receive(): Promise<Answer> {
    if (issuer.demands.grant === 'pre-authorized code')
      return holder.call('acceptCredentialOffer', { text: issuer.offer });
    const json = { offer: issuer.offer, redirectUri: REDIRECT_URI };
    const { status, body } = await holder.call('beginOfferAuthorization', { json });
    expect(status, JSON.stringify(body)).to.equal(200);
    const answer = await browse(body.authorizationUrl, REDIRECT_URI);
    return holder.call('finishOfferAuthorization', { json: answer });
  }

  it('receives with each pair, or every combination, of grant, client authentication, token, proof, encryption and format', async () => {
    const refused: string[] = [];
    const all = combinationsOf(DEMANDS);
    const combinations = inTier({ hard: all, usual: pairwise(all, Object.values) });
    for (const demands of combinations) {
      issuer.demands = demands;
      // The issuer refuses proofs that are old by its clock.
      server.clock.advance(Math.max(0, Date.now() - server.clock.now()));
      const { status, body } = await receive();
      const isRight = status === 200 && body.length === 1 && body[0].format === demands.format;
      if (isRight) continue;
      refused.push(`${Object.values(demands).join(', ')}: ${status} ${JSON.stringify(body).slice(0, 300)}`);
    }
    await resetWallet(holder);
    console.log(`      ${combinations.length} of ${all.length} combinations of ${shownChoices(DEMANDS)}`);
    expect(refused).to.deep.equal([]);
  });
});
