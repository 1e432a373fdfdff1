import { expect } from 'chai';
import { type Authentication, type ClientCredentials, clientCredentials } from '../../actors/relying-party.ts';
import { clientOf, parametersOf, SignInFixture, signInOf } from '../../actors/sign-in.ts';

const AUTHENTICATIONS: Authentication[] = ['client_secret_basic', 'client_secret_post', 'private_key_jwt', 'none'];

/** A client for each way to authenticate and each algorithm. */
const CLIENTS: Record<string, ClientCredentials> = {};
for (const authentication of AUTHENTICATIONS) CLIENTS[authentication] = await clientCredentials(authentication);
CLIENTS.rs256 = await clientCredentials('client_secret_basic', 'RS256');

describe('exchangeSignInCode: a certified relying party', () => {
  const on = new SignInFixture(
    signInOf({
      ...Object.fromEntries(Object.entries(CLIENTS).map(([id, one]) => [id, clientOf(one)])),
      till: clientOf(CLIENTS.client_secret_basic as ClientCredentials, { sector: 'client_secret_post' }),
    }),
  );

  for (const [id, credentials] of Object.entries(CLIENTS))
    for (const mode of ['query', 'form_post'])
      for (const pushed of id === 'none' ? [false] : [false, true])
        it(`200: ${id}, ${mode}, ${pushed ? 'pushed' : 'in the URL'}: ID token and userinfo have the claims`, async () => {
          const party = await on.party(id, credentials);
          const begun = await party.begin({ response_mode: mode }, { pushed });
          const tokens = await party.exchange(await on.signIn(begun), begun.checks);
          const claims: Record<string, unknown> = { ...tokens.claims() };
          expect(claims).to.include({ family_name: 'Lovelace', acr: 'card', aud: id, iss: on.issuer });
          expect(claims.amr).to.deep.equal(['pop']);
          // Each sign-in is a presentation of its own, whose time it is.
          const seconds = on.server.clock.now() / 1000;
          expect(claims.auth_time).to.be.within(seconds - 300, seconds + 1);
          const { sub, family_name: name } = await party.userinfo(tokens);
          expect({ sub, name }).to.deep.equal({ sub: claims.sub, name: 'Lovelace' });
        });

  it('200: one client knows a person again, two clients know different subjects, and those of one sector the same', async () => {
    const subjects = [];
    for (const id of ['client_secret_basic', 'client_secret_basic', 'client_secret_post', 'till']) {
      const party = await on.party(id, (CLIENTS[id] ?? CLIENTS.client_secret_basic) as ClientCredentials);
      const begun = await party.begin();
      subjects.push((await party.exchange(await on.signIn(begun), begun.checks)).claims()?.sub);
    }
    const [first, again, other, ofSector] = subjects;
    expect(ofSector).to.equal(other);
    expect(again).to.equal(first);
    expect(other).to.not.equal(first);
  });

  it('400: a code is good once; of many who exchange it at once one gets tokens', async () => {
    const party = await on.party('client_secret_basic', CLIENTS.client_secret_basic as ClientCredentials);
    const begun = await party.begin();
    const answer = await on.signIn(begun);
    const outcomes = await Promise.allSettled(Array.from({ length: 8 }, () => party.exchange(answer, begun.checks)));
    expect(outcomes.filter(({ status }) => status === 'fulfilled').length).to.be.at.most(1);
    const refusals = outcomes.flatMap((one) => (one.status === 'rejected' ? [one.reason.error] : []));
    expect(new Set(refusals)).to.deep.equal(new Set(['invalid_grant']));
  });

  it('303: a pushed request is good for one sign-in; of two browsers at once one gets a code', async () => {
    const party = await on.party('client_secret_basic', CLIENTS.client_secret_basic as ClientCredentials);
    const { url } = await party.request({}, { pushed: true });
    const begun = await Promise.all([party.open(url), party.open(url)]);
    const answers = await Promise.all(begun.map(async (one) => parametersOf(await on.signIn(one))));
    expect(answers.filter(({ code }) => code !== undefined)).to.have.length(1);
  });
});
