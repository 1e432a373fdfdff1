import { expect } from 'chai';
import { decodeJwt, decodeProtectedHeader } from 'jose';
import { NodeSignatures } from '../../../adapters/crypto/signatures.ts';
import { MemoryStore } from '../../../adapters/memory/memory-store.ts';
import { PrometheusMetrics } from '../../../adapters/metrics/prometheus.ts';
import { systemIds } from '../../../adapters/system/system.ts';
import { LoginSessions } from '../../../domain/accounts/login-sessions.ts';
import { thumbprint } from '../../../domain/jose/jwk.ts';
import { signJws } from '../../../domain/jose/jws.ts';
import { ServerKeys } from '../../../domain/keys/server-keys.ts';
import { localKeys } from '../../support/keys/local-keys.ts';

const LIFETIME = 3600;
const URL = 'http://wallet.example';

function newWorld() {
  const clock = { ms: 1_800_000_000_000, now: () => clock.ms };
  const store = new MemoryStore(clock);
  const metrics = new PrometheusMetrics();
  const keys = new ServerKeys(store, localKeys().backends, clock);
  const parts = { store, keys, signatures: new NodeSignatures(metrics), clock, ids: systemIds, metrics };
  const instance = (publicUrl = URL) => new LoginSessions(parts, { publicUrl, lifetimeSeconds: LIFETIME });
  return { clock, keys, instance };
}

describe('LoginSessions', () => {
  it('gives a JWT with the documented claims, new at each login', async () => {
    const { clock, keys, instance } = newWorld();
    const [one, two] = [await instance().start('account'), await instance().start('account')];
    const iat = clock.ms / 1000;
    const { jti, ...claims } = decodeJwt(one);
    expect(claims).to.deep.equal({ iss: URL, aud: `${URL}/wallet-api`, sub: 'account', iat, exp: iat + LIFETIME });
    const kid = thumbprint((await keys.signer('login')).publicJwk);
    expect(decodeProtectedHeader(one)).to.deep.equal({ alg: 'EdDSA', typ: 'JWT', kid });
    expect(decodeJwt(two).jti).not.to.equal(jti);
  });

  it('recognises a token on every instance until it is ended on one of them', async () => {
    const { instance } = newWorld();
    const [first, second] = [instance(), instance()];
    const [token, other] = [await first.start('account'), await first.start('account')];
    expect(await second.authenticate(token)).to.deep.equal({ accountId: 'account' });
    await second.end([token, token, 'no token', '']);
    expect(await first.authenticate(token)).to.equal(undefined);
    expect(await first.authenticate(other)).to.deep.equal({ accountId: 'account' });
    await first.end([token]);
  });

  it('lets a session end by itself when its time is over', async () => {
    const { clock, instance } = newWorld();
    const token = await instance().start('account');
    clock.ms += LIFETIME * 1000 - 1;
    expect(await instance().authenticate(token)).to.deep.equal({ accountId: 'account' });
    clock.ms += 1;
    expect(await instance().authenticate(token)).to.equal(undefined);
  });

  it('does not recognise a token of another installation, key, algorithm or account', async () => {
    const { keys, instance } = newWorld();
    const sessions = instance();
    const token = await sessions.start('account');
    const claims = decodeJwt(token);
    const login = await keys.signer('login');
    const [head = '', body = '', tail = ''] = token.split('.');
    const forged = [
      await newWorld().instance().start('account'),
      await signJws({ typ: 'JWT' }, claims, await keys.signer('verifier')),
      await signJws({}, { ...claims, aud: 'another service' }, login),
      await signJws({}, { ...claims, iss: 'another service' }, login),
      await signJws({}, { ...claims, exp: undefined }, login),
      await signJws({}, { ...claims, jti: undefined }, login),
      await signJws({}, { ...claims, jti: 'unknown' }, login),
      await signJws({ alg: 'none' }, claims, login),
      await signJws({ crit: ['exp'] }, claims, login),
      `${Buffer.from('{"alg":"none"}').toString('base64url')}.${body}.`,
      `${head}.${body}.`,
      `${head}.${body}.${tail.slice(0, -1)}`,
      `${head}.${body}.${tail}=`,
      token.repeat(2),
      '',
      '..',
    ];
    for (const text of forged) expect(await sessions.authenticate(text), text).to.equal(undefined);
    await sessions.end(forged);
    expect(await sessions.authenticate(token)).to.deep.equal({ accountId: 'account' });
    const stranger = await signJws({}, { ...claims, sub: 'another account' }, login);
    expect(await sessions.authenticate(stranger)).to.equal(undefined);
    expect(await instance('http://other.example').authenticate(token)).to.equal(undefined);
  });
});
