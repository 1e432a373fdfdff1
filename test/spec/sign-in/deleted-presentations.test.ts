import { expect } from 'chai';
import { clientCredentials } from '../../actors/relying-party.ts';
import { clientOf, SignInFixture, signInOf } from '../../actors/sign-in.ts';
import { WrittenRecords } from '../../support/stores/written-records.ts';

const shop = await clientCredentials('client_secret_basic');

describe('getSignInPage: what is stored of a presentation', () => {
  const records = new WrittenRecords();
  const on = new SignInFixture(signInOf({ shop: clientOf(shop) }), { wrapStore: (store) => records.wrap(store) });
  const stored = async () => records.opened(on.server.settings, on.server.clock.now);
  const naming = (texts: readonly string[], text: string) =>
    texts.filter((one) => one.includes(text)).map((one) => one.split(' ')[0]);

  it('the presentation until the sign-in ends, and its claims until the access token does', async () => {
    const party = await on.party('shop', shop);
    const begun = await party.begin();
    const [signed = ''] = on.wallet.card.split('~');
    const answer = await on.signIn(begun);
    expect(naming(await stored(), signed)).to.deep.equal([]);
    expect(naming(await stored(), 'Lovelace')).to.deep.equal(['signed-in']);
    await party.exchange(answer, begun.checks);
    on.server.clock.advance((300 + 60 + 600 + 61) * 1000);
    expect(naming(await stored(), 'Lovelace')).to.deep.equal([]);
  });
});
