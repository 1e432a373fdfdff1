import { expect } from 'chai';
import fc from 'fast-check';
import { LEASE_MS } from '../../../domain/foundation/lease.ts';
import { AccessTokens } from '../../../domain/oauth/access-tokens.ts';
import {
  type Authorization,
  Authorizations,
  type CodeRedemption,
  type RedeemedAuthorization,
} from '../../../domain/oauth/authorizations.ts';
import { codeChallenge } from '../../../domain/oauth/pkce.ts';
import { ANSWERED_AGAIN_MS, type RefreshRequest, RefreshTokens } from '../../../domain/oauth/refresh-tokens.ts';
import type { PresentedToken } from '../../../domain/oauth/sender-constraints.ts';
import type { Store } from '../../../ports/store.ts';
import { bearer, ISSUER, oauthPlatform, outcomeOf, START } from '../../support/credentials/oauth.ts';
import { Actor } from '../../support/stores/stepped-store.ts';

const VERIFIER = 'dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk';
const TOKENS_UNTIL = START + 3_600_000;

const ALLOWED: Authorization = {
  sessionId: 'session',
  clientId: 'wallet',
  redirectUri: 'https://wallet.example/cb?x=1',
  codeChallenge: codeChallenge(VERIFIER),
  dpopThumbprint: 'dpop-key',
  instanceThumbprint: 'instance-key',
  scopes: ['pid'],
};

function newWorld() {
  const platform = oauthPlatform();
  const on = (store: Store) => {
    const authorizations = new Authorizations({ ...platform, store });
    return {
      authorizations,
      tokens: new AccessTokens({ ...platform, store, authorizations }),
      refreshTokens: new RefreshTokens({ ...platform, store, authorizations }),
    };
  };
  const services = on(platform.store);
  const use = (code: string, changes: Partial<CodeRedemption> = {}, by = services.authorizations) =>
    by.redeem({ ...redemption(code), ...changes }, async (redeemed) => redeemed);
  const redemption = (code: string): CodeRedemption => ({
    issuerId: ISSUER,
    code,
    clientId: 'wallet',
    redirectUri: ALLOWED.redirectUri,
    verifier: VERIFIER,
    dpopThumbprint: 'dpop-key',
    instanceThumbprint: 'instance-key',
    tokensUntil: TOKENS_UNTIL,
  });
  /** Redeems a new code and makes both kinds of tokens from it. */
  const tokensOfNewCode = async () => {
    const code = await services.authorizations.create(ISSUER, ALLOWED);
    const { id: authorizationId } = await use(code);
    const bound = { authorizationId, clientId: 'wallet', dpopThumbprint: 'dpop-key' };
    const { token } = await services.tokens.create({
      ...bound,
      issuerId: ISSUER,
      sessionId: 's',
      expiresAt: TOKENS_UNTIL,
    });
    const refreshToken = await services.refreshTokens.create({
      ...bound,
      issuerId: ISSUER,
      instanceThumbprint: 'instance-key',
      expiresAt: TOKENS_UNTIL,
    });
    return { code, token, refreshToken, authorizationId };
  };
  const refresh = (refreshToken: string, changes: Partial<RefreshRequest> = {}, by = services.refreshTokens) =>
    by.redeem({ ...redemption(''), refreshToken, rotates: true, ...changes });
  return { ...platform, ...services, on, redemption, use, tokensOfNewCode, refresh };
}

describe('Codes of the authorization endpoint', () => {
  it('one gives what was allowed, once, within 60 seconds', async () => {
    const { clock, authorizations, use } = newWorld();
    const [code, late] = [await authorizations.create(ISSUER, ALLOWED), await authorizations.create(ISSUER, ALLOWED)];
    clock.ms += 59_999;
    expect((await use(code)).authorization).to.deep.equal(ALLOWED);
    clock.ms += 1;
    expect(await outcomeOf(() => use(late))).to.equal('invalid_grant');
  });

  it('a request that does not fit is refused and changes nothing', async () => {
    const { authorizations, use } = newWorld();
    const code = await authorizations.create(ISSUER, ALLOWED);
    const misfits: Partial<CodeRedemption>[] = [
      { code: `${code.slice(1)}A` },
      { issuerId: 'other' },
      { clientId: 'other' },
      { clientId: undefined },
      { redirectUri: 'https://wallet.example/cb' },
      { redirectUri: undefined },
      { verifier: undefined },
      { verifier: VERIFIER.replace('d', 'e') },
      { dpopThumbprint: undefined },
      { dpopThumbprint: 'other' },
      { instanceThumbprint: undefined },
      { instanceThumbprint: 'other' },
    ];
    for (const misfit of misfits)
      expect(await outcomeOf(() => use(code, misfit)), JSON.stringify(misfit)).to.equal('invalid_grant');
    const { id } = await use(code);
    for (const misfit of misfits) await outcomeOf(() => use(code, misfit));
    expect(await authorizations.get(id)).to.deep.equal(ALLOWED);
  });

  it('a second use makes all tokens void that were made from it, at any time of their life', async () => {
    for (const wait of [0, 30_000, 3_599_999]) {
      const { clock, tokens, refresh, use, tokensOfNewCode } = newWorld();
      const { code, token, refreshToken } = await tokensOfNewCode();
      const other = await tokensOfNewCode();
      clock.ms += wait;
      expect((await tokens.grantOf(ISSUER, bound(token)))?.sessionId).to.equal('s');
      expect(await outcomeOf(() => use(code))).to.equal('invalid_grant');
      expect(await tokens.grantOf(ISSUER, bound(token))).to.equal(undefined);
      expect(await outcomeOf(() => refresh(refreshToken))).to.equal('invalid_grant');
      expect((await tokens.grantOf(ISSUER, bound(other.token)))?.dpopThumbprint).to.equal('dpop-key');
    }
  });

  it('of twenty redemptions at once exactly one succeeds, and the others are to come again', async () => {
    const { authorizations, use } = newWorld();
    const code = await authorizations.create(ISSUER, ALLOWED);
    const all = await Promise.all(Array.from({ length: 20 }, () => outcomeOf(() => use(code))));
    expect(all.filter((outcome) => outcome === 'Busy')).to.have.length(19);
    const { id } = all.find((outcome) => outcome !== 'Busy') as RedeemedAuthorization;
    expect(await authorizations.get(id)).to.deep.equal(ALLOWED);
  });

  it('in every interleaving of two redemptions exactly one succeeds; the other is to come again, or revokes its tokens', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(fc.boolean(), { maxLength: 8 }), async (turns) => {
        const { store, authorizations, use, on } = newWorld();
        const code = await authorizations.create(ISSUER, ALLOWED);
        const ids: string[] = [];
        const actor = () =>
          new Actor(store, async (stepped) => {
            ids.push((await use(code, {}, on(stepped).authorizations)).id);
          });
        const [one, other] = [actor(), actor()];
        for (const isFirst of turns) await (isFirst ? one : other).step();
        await one.run();
        await other.run();
        expect(ids).to.have.length(1);
        const loser = one.isDone ? other : one;
        const refusal = await outcomeOf(() => Promise.reject(loser.outcome?.error));
        const isLive = (await authorizations.get(ids[0] ?? '')) !== undefined;
        expect([refusal, isLive]).to.deep.equal(refusal === 'Busy' ? ['Busy', true] : ['invalid_grant', false]);
      }),
      { numRuns: 60 },
    );
  });

  it('one that is repeated while it is redeemed is to come again; a misfit is refused, and nothing becomes void', async () => {
    const { clock, authorizations, redemption, use } = newWorld();
    const code = await authorizations.create(ISSUER, ALLOWED);
    clock.ms += 59_000;
    const { id } = await authorizations.redeem(redemption(code), async (redeemed) => {
      expect(await outcomeOf(() => use(code))).to.equal('Busy');
      expect(await outcomeOf(() => use(code, { clientId: 'other' }))).to.equal('invalid_grant');
      expect(await authorizations.get(redeemed.id)).to.equal(undefined);
      clock.ms += LEASE_MS - 1;
      expect(await outcomeOf(() => use(code))).to.equal('Busy');
      return redeemed;
    });
    expect(await authorizations.get(id)).to.deep.equal(ALLOWED);
    expect(await outcomeOf(() => use(code))).to.equal('invalid_grant');
  });

  it('one whose redemption was cut off is good again when its lease has ended, and what was cut off makes nothing', async () => {
    const { clock, authorizations, redemption, use } = newWorld();
    const code = await authorizations.create(ISSUER, ALLOWED);
    const late = authorizations.redeem(redemption(code), async (redeemed) => {
      clock.ms += LEASE_MS;
      expect((await use(code)).authorization).to.deep.equal(ALLOWED);
      return redeemed;
    });
    expect(await outcomeOf(() => late)).to.equal('Busy');
    expect(await outcomeOf(() => use(code))).to.equal('invalid_grant');
  });

  it('one whose redemption failed is good again until its own end', async () => {
    const { clock, authorizations, redemption, use } = newWorld();
    const code = await authorizations.create(ISSUER, ALLOWED);
    for (let times = 0; times < 2; times += 1)
      expect(await outcomeOf(() => authorizations.redeem(redemption(code), failing))).to.equal('Error: it failed');
    clock.ms += 59_999;
    expect(await outcomeOf(() => authorizations.redeem(redemption(code), failing))).to.equal('Error: it failed');
    clock.ms += 1;
    expect(await outcomeOf(() => use(code))).to.equal('invalid_grant');
  });
});

const failing = (): Promise<never> => Promise.reject(new Error('it failed'));

/** A token as it is presented with a proof of its key. */
const bound = (token: string): PresentedToken => ({ token, scheme: 'DPoP', dpopThumbprint: 'dpop-key' });

describe('Access tokens', () => {
  it('one is good from the end of the redemption on, and void when that failed', async () => {
    for (const fails of [false, true]) {
      const { authorizations, tokens, redemption } = newWorld();
      const code = await authorizations.create(ISSUER, ALLOWED);
      let token = '';
      await outcomeOf(() =>
        authorizations.redeem(redemption(code), async ({ id: authorizationId }) => {
          const bound = { issuerId: ISSUER, sessionId: 's', authorizationId, expiresAt: TOKENS_UNTIL };
          ({ token } = await tokens.create(bound));
          expect(await tokens.grantOf(ISSUER, bearer(token))).to.equal(undefined);
          if (fails) throw new Error('it failed');
        }),
      );
      expect((await tokens.grantOf(ISSUER, bearer(token)))?.sessionId).to.equal(fails ? undefined : 's');
    }
  });

  it('one without an authorization lives on its own', async () => {
    const { tokens } = newWorld();
    const { token, grantId } = await tokens.create({ issuerId: ISSUER, sessionId: 's', expiresAt: TOKENS_UNTIL });
    expect(await tokens.grantOf(ISSUER, bearer(token))).to.deep.equal({ grantId, sessionId: 's' });
    expect(await tokens.grantOf('other', bearer(token))).to.equal(undefined);
  });
});

describe('Refresh tokens', () => {
  it('one that rotates is replaced with each use; an old one revokes everything', async () => {
    const { tokens, refresh, tokensOfNewCode } = newWorld();
    const { token, refreshToken } = await tokensOfNewCode();
    const second = (await refresh(refreshToken)).refreshToken;
    const third = (await refresh(second)).refreshToken;
    expect(new Set([refreshToken, second, third]).size).to.equal(3);
    expect(await tokens.grantOf(ISSUER, bound(token))).to.not.equal(undefined);
    expect(await outcomeOf(() => refresh(refreshToken))).to.equal('invalid_grant');
    expect(await outcomeOf(() => refresh(third))).to.equal('invalid_grant');
    expect(await tokens.grantOf(ISSUER, bound(token))).to.equal(undefined);
  });

  it('one whose use failed is good again, and the one that replaced it is a reuse', async () => {
    const { refreshTokens, refresh, tokensOfNewCode } = newWorld();
    const { refreshToken } = await tokensOfNewCode();
    const failed = await refresh(refreshToken);
    await refreshTokens.restore(failed);
    await refreshTokens.restore(await refresh(refreshToken, { rotates: false }));
    const again = await refresh(refreshToken);
    expect(again.refreshToken).to.not.equal(failed.refreshToken);
    expect(await outcomeOf(() => refreshTokens.restore(failed))).to.equal('Conflict');
    expect(await outcomeOf(() => refresh(failed.refreshToken))).to.equal('invalid_grant');
    expect(await outcomeOf(() => refresh(again.refreshToken))).to.equal('invalid_grant');
  });

  it('one that does not rotate stays as it is', async () => {
    const { refresh, tokensOfNewCode } = newWorld();
    const { refreshToken, authorizationId } = await tokensOfNewCode();
    for (let n = 0; n < 3; n += 1)
      expect(await refresh(refreshToken, { rotates: false })).to.deep.equal({
        refreshToken,
        authorizationId,
        authorization: ALLOWED,
      });
  });

  it('a request that does not prove the client and its keys is refused and changes nothing', async () => {
    const { refresh, tokensOfNewCode } = newWorld();
    const { refreshToken } = await tokensOfNewCode();
    const misfits: Partial<RefreshRequest>[] = [
      { issuerId: 'other' },
      { clientId: 'other' },
      { clientId: undefined },
      { dpopThumbprint: undefined },
      { dpopThumbprint: 'other' },
      { instanceThumbprint: undefined },
      { refreshToken: '' },
      { refreshToken: `${refreshToken}.x` },
      { refreshToken: refreshToken.slice(0, 43) },
    ];
    for (const misfit of misfits)
      expect(await outcomeOf(() => refresh(refreshToken, misfit)), JSON.stringify(misfit)).to.equal('invalid_grant');
    expect((await refresh(refreshToken)).authorization).to.deep.equal(ALLOWED);
  });

  it('any changed character is refused', async () => {
    const { refresh, tokensOfNewCode } = newWorld();
    await fc.assert(
      fc.asyncProperty(fc.nat(86), fc.constantFrom(...'AZaz09-_.'), async (at, letter) => {
        const { refreshToken } = await tokensOfNewCode();
        fc.pre(refreshToken[at] !== letter);
        const changed = refreshToken.slice(0, at) + letter + refreshToken.slice(at + 1);
        expect(await outcomeOf(() => refresh(changed))).to.equal('invalid_grant');
      }),
    );
  });

  it('its replacements end when it would have ended', async () => {
    const { clock, refresh, tokensOfNewCode } = newWorld();
    const { refreshToken } = await tokensOfNewCode();
    clock.ms = TOKENS_UNTIL - 1;
    const { refreshToken: next } = await refresh(refreshToken);
    clock.ms = TOKENS_UNTIL;
    expect(await outcomeOf(() => refresh(next))).to.equal('invalid_grant');
  });

  it('a lost answer can be asked for again for a minute, until its token is used', async () => {
    const { clock, refreshTokens, refresh, tokensOfNewCode } = newWorld();
    const { refreshToken } = await tokensOfNewCode();
    const lost = await refresh(refreshToken);
    clock.ms += ANSWERED_AGAIN_MS - 1;
    expect(await outcomeOf(() => refresh(refreshToken, { dpopThumbprint: 'other' }))).to.equal('invalid_grant');
    const again = await refresh(refreshToken);
    expect(again.refreshToken).to.equal(lost.refreshToken);
    expect(await outcomeOf(() => refreshTokens.restore(lost))).to.equal('Conflict');
    const { refreshToken: third } = await refresh(again.refreshToken);
    expect(await outcomeOf(() => refresh(refreshToken))).to.equal('invalid_grant');
    expect(await outcomeOf(() => refresh(third))).to.equal('invalid_grant');
  });

  it('one that was replaced a minute ago is a reuse', async () => {
    const { clock, tokens, refresh, tokensOfNewCode } = newWorld();
    const { token, refreshToken } = await tokensOfNewCode();
    const { refreshToken: next } = await refresh(refreshToken);
    clock.ms += ANSWERED_AGAIN_MS;
    expect(await outcomeOf(() => refresh(refreshToken))).to.equal('invalid_grant');
    expect(await outcomeOf(() => refresh(next))).to.equal('invalid_grant');
    expect(await tokens.grantOf(ISSUER, bound(token))).to.equal(undefined);
  });

  /** What two uses of a token in this interleaving give, and whether its authorization lives on. */
  async function interleaved(turns: boolean[], start: (world: ReturnType<typeof newWorld>) => Promise<Begun>) {
    const world = newWorld();
    const { refreshToken, authorizationId, changes } = await start(world);
    const { store, on, refresh, authorizations } = world;
    const given: string[] = [];
    const use = async (stepped: Store) =>
      void given.push((await refresh(refreshToken, changes, on(stepped).refreshTokens)).refreshToken);
    const [one, other] = [new Actor(store, use), new Actor(store, use)];
    for (const isFirst of turns) await (isFirst ? one : other).step();
    await one.run();
    await other.run();
    return { given, isLive: (await authorizations.get(authorizationId)) !== undefined };
  }
  type Begun = { refreshToken: string; authorizationId: string; changes?: Partial<RefreshRequest> };
  const turns = fc.array(fc.boolean(), { maxLength: 12 });

  it('in every interleaving of two uses by its client both get the same next token', async () => {
    await fc.assert(
      fc.asyncProperty(turns, async (order) => {
        const { given, isLive } = await interleaved(order, ({ tokensOfNewCode }) => tokensOfNewCode());
        expect(given).to.have.length(2);
        expect(given[0]).to.equal(given[1]);
        expect(isLive).to.equal(true);
      }),
      { numRuns: 60 },
    );
  });

  it('in every interleaving of two uses of one that nothing binds at most one succeeds, and the other revokes its tokens', async () => {
    await fc.assert(
      fc.asyncProperty(turns, async (order) => {
        const { given, isLive } = await interleaved(order, async ({ authorizations, refreshTokens }) => {
          const authorizationId = await authorizations.start({ sessionId: 's' }, TOKENS_UNTIL);
          const unbound = { issuerId: ISSUER, authorizationId, expiresAt: TOKENS_UNTIL };
          const refreshToken = await refreshTokens.create(unbound);
          return { refreshToken, authorizationId, changes: { clientId: undefined } };
        });
        expect(given).to.have.length(1);
        expect(isLive).to.equal(false);
      }),
      { numRuns: 60 },
    );
  });

  it('one of an authorization without a code works the same', async () => {
    const { authorizations, refreshTokens, refresh } = newWorld();
    const authorizationId = await authorizations.start({ sessionId: 's' }, TOKENS_UNTIL);
    const refreshToken = await refreshTokens.create({ issuerId: ISSUER, authorizationId, expiresAt: TOKENS_UNTIL });
    const next = await refresh(refreshToken, { clientId: undefined });
    expect(next.authorization).to.deep.equal({ sessionId: 's' });
    expect(await outcomeOf(() => refresh(refreshToken))).to.equal('invalid_grant');
    expect(await authorizations.get(authorizationId)).to.equal(undefined);
  });
});
