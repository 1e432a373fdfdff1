import { createHmac } from 'node:crypto';
import { expect } from 'chai';
import { calculateJwkThumbprint, exportJWK } from 'jose';
import { NodeCertificates } from '../../../adapters/crypto/certificates.ts';
import { NodeSignatures } from '../../../adapters/crypto/signatures.ts';
import { MemoryStore } from '../../../adapters/memory/memory-store.ts';
import { PrometheusMetrics } from '../../../adapters/metrics/prometheus.ts';
import { systemIds, systemRandom } from '../../../adapters/system/system.ts';
import { Accounts } from '../../../domain/accounts/accounts.ts';
import { Identities } from '../../../domain/accounts/identities.ts';
import { ReplayGuard, type ReplayMode } from '../../../domain/accounts/replay-guard.ts';
import { X5cLogin, X5cTokenVerifier } from '../../../domain/accounts/x5c-login.ts';
import { audiencesOf } from '../../../domain/accounts/x5c-token.ts';
import { DomainError } from '../../../domain/foundation/errors.ts';
import { readAnchors } from '../../../domain/x509/trust-anchors.ts';
import { silentActivity } from '../../support/servers/silent-activity.ts';
import { silentLog } from '../../support/servers/silent-log.ts';
import {
  DAY,
  makeCertificate,
  type TestCertificate,
  testCa,
  testKeys,
  testLeaf,
  x5cToken,
} from '../../support/trust/certificates.ts';

const emptyWallets = { provision: async () => {}, discard: async () => {} };
interface Options {
  replay?: ReplayMode;
  autoRegister?: boolean;
  anchors?: TestCertificate[];
}

function newWorld({ replay = 'compatible', autoRegister = true, anchors = [testCa()] }: Options = {}) {
  const clock = { ms: Date.now(), now: () => clock.ms };
  const store = new MemoryStore(clock);
  const warnings: unknown[] = [];
  const metrics = new PrometheusMetrics();
  const log = { ...silentLog, warn: (_: string, fields?: Record<string, unknown>) => void warnings.push(fields) };
  const certificates = new NodeCertificates();
  const guard = new ReplayGuard({ store, clock, random: systemRandom }, replay);
  const parse = certificates.parse.bind(certificates);
  const rules = {
    anchors: readAnchors({ certificates: anchors.map(({ pem }) => pem), now: clock.ms, parse }),
    minRsaBits: 2048,
    audiences: audiencesOf('http://a.example'),
  };
  const signatures = new NodeSignatures(metrics);
  const tokens = new X5cTokenVerifier({ certificates, signatures, replay: guard, clock, metrics, log }, rules);
  const identities = new Identities(store);
  const accounts = new Accounts({
    store,
    identities,
    activity: silentActivity,
    wallets: emptyWallets,
    clock,
    ids: systemIds,
  });
  return {
    clock,
    warnings,
    metrics,
    guard,
    tokens,
    accounts,
    login: new X5cLogin({ accounts, identities, tokens }, { autoRegister }),
  };
}

const failure = (work: Promise<unknown>): Promise<unknown> =>
  work.then(
    () => undefined,
    (error: unknown) => (error instanceof DomainError ? error.code : error),
  );

const encode = (value: unknown): string => Buffer.from(JSON.stringify(value)).toString('base64url');

describe('X5cTokenVerifier', () => {
  it('finds the identity by the RFC 7638 thumbprint of the leaf key', async () => {
    const leaf = testLeaf(0);
    const expected = await calculateJwkThumbprint(await exportJWK(leaf.keys.publicKey));
    expect(await newWorld().tokens.accept(x5cToken({ chain: [leaf] }))).to.equal(`x5c:${expected}`);
  });

  it('accepts the chain with and without its root, and through an intermediate', async () => {
    const between = makeCertificate({ subject: 'CN=Between', issuer: testCa(), ca: true, keys: testKeys('P-256') });
    const leaf = testLeaf(0, { issuer: between });
    for (const chain of [
      [leaf, between],
      [leaf, between, testCa()],
      [testLeaf(0), testCa()],
    ])
      expect(await failure(newWorld().tokens.accept(x5cToken({ chain })))).to.equal(undefined);
  });

  it('rejects a signature that is not that of the leaf key', async () => {
    const { tokens } = newWorld();
    const chain = [testLeaf(0)];
    const good = x5cToken({ chain });
    const [head = '', body = '', tail = ''] = good.split('.');
    const pem = testLeaf(0).keys.publicKey.export({ type: 'spki', format: 'pem' });
    const hs = `${encode({ alg: 'HS256', x5c: chain.map(({ der }) => Buffer.from(der).toString('base64')) })}.${body}`;
    const forged = [
      x5cToken({ chain, key: testKeys('RSA', 99).privateKey }),
      x5cToken({ chain, key: testKeys('RSA', 99).privateKey, header: { kid: 'any' } }),
      x5cToken({ chain, header: { alg: 'RS512' } }),
      x5cToken({ chain, header: { alg: 'none' } }),
      `${head}.${encode({ sub: 'x' })}.${tail}`,
      `${head}.${body}.`,
      `${head}.${body}.${Buffer.from(tail, 'base64url').subarray(1).toString('base64url')}`,
      `${hs}.${createHmac('sha256', pem).update(hs).digest('base64url')}`,
    ];
    for (const token of forged) expect(await failure(tokens.accept(token)), token).to.equal('TokenRejected');
    const attacker = testKeys('RSA', 99);
    const jwk = await exportJWK(attacker.publicKey);
    for (const header of [{ jwk }, { jku: 'https://a.example' }, { x5u: 'https://a.example' }])
      for (const key of [attacker.privateKey, testLeaf(0).keys.privateKey])
        expect(await failure(tokens.accept(x5cToken({ chain, key, header })))).to.equal('BadRequest');
  });

  it('rejects a chain that is not trusted, and a malformed certificate', async () => {
    const { tokens } = newWorld();
    const stranger = makeCertificate({ subject: testCa().subject, ca: true, keys: testKeys('RSA', 50) });
    const chains = [
      [testLeaf(0, { issuer: stranger })],
      [testLeaf(0, { issuer: stranger }), stranger],
      [testLeaf(0, { notAfter: new Date(Date.now() - 60_000) })],
      [testLeaf(0, { notBefore: new Date(Date.now() + DAY) })],
      [testLeaf(1, { issuer: testLeaf(0) }), testLeaf(0)],
      [testLeaf(0, { keys: testKeys('RSA1024') })],
    ];
    for (const chain of chains) expect(await failure(tokens.accept(x5cToken({ chain })))).to.equal('TokenRejected');
    const elliptic = testLeaf(0, { keys: testKeys('P-256') });
    expect(await failure(tokens.accept(x5cToken({ chain: [elliptic] })))).to.equal('TokenRejected');
    const junk = { ...testLeaf(0), der: Buffer.from('junk') };
    for (const chain of [[junk], [testLeaf(0), junk]])
      expect(await failure(tokens.accept(x5cToken({ chain, key: testLeaf(0).keys.privateKey })))).to.equal(
        'BadRequest',
      );
  });

  it('stops trusting a token on the day its certificate or its anchor expires', async () => {
    const soon = { notAfter: new Date(Date.now() + DAY) };
    const anchor = makeCertificate({ subject: 'CN=Brief CA', ca: true, keys: testKeys('RSA', 60), ...soon });
    const { clock, tokens } = newWorld({ anchors: [testCa(), anchor] });
    const all = [[testLeaf(0, soon)], [testLeaf(0, { issuer: anchor })]].map((chain) => x5cToken({ chain }));
    for (const token of all) expect(await failure(tokens.accept(token))).to.equal(undefined);
    clock.ms += DAY + 1000;
    for (const token of all) expect(await failure(tokens.accept(token))).to.equal('TokenRejected');
  });

  it('checks the signature before the chain, and the chain before the claims', async () => {
    const { tokens } = newWorld();
    const untrusted = makeCertificate({ keys: testKeys('RSA', 70) });
    const message = (token: string) => tokens.accept(token).catch((error: Error) => error.message);
    const payload = { exp: 'never' };
    const key = testKeys('RSA', 99).privateKey;
    expect(await message(x5cToken({ chain: [untrusted], key, payload }))).to.match(/signature/);
    expect(await message(x5cToken({ chain: [untrusted], payload }))).to.match(/chain is not trusted/);
    expect(await message(x5cToken({ chain: [testLeaf(0)], payload }))).to.match(/claim exp/);
  });

  it('warns of and counts exactly the tokens that can be used again', async () => {
    const { tokens, warnings, metrics, guard, clock } = newWorld();
    const { nonce } = await guard.nonce();
    const bounded = [{ jti: 'x' }, { exp: clock.ms / 1000 + 60 }, { nonce }];
    for (const payload of bounded) await tokens.accept(x5cToken({ chain: [testLeaf(0)], payload }));
    expect(warnings).to.have.length(0);
    for (const payload of [{}, { iat: clock.ms / 1000 }])
      await tokens.accept(x5cToken({ chain: [testLeaf(0)], payload }));
    expect(warnings).to.have.length(2);
    expect(await metrics.expose()).to.match(/replayable\S* 2\b/);
    const once = newWorld({ replay: 'once' });
    await once.tokens.accept(x5cToken({ chain: [testLeaf(0)] }));
    expect(once.warnings).to.have.length(0);
  });

  it('does not consume a nonce for a token that is not accepted', async () => {
    const { tokens, guard } = newWorld({ replay: 'challenge' });
    const { nonce } = await guard.nonce();
    const chain = [testLeaf(0)];
    for (const payload of [
      { nonce, exp: 1 },
      { nonce, aud: 'http://b.example' },
      { nonce, jti: 1 },
    ])
      expect(await failure(tokens.accept(x5cToken({ chain, payload })))).to.be.oneOf(['TokenRejected', 'BadRequest']);
    expect(await failure(tokens.accept(x5cToken({ chain, payload: { nonce } })))).to.equal(undefined);
    expect(await failure(tokens.accept(x5cToken({ chain, payload: { nonce } })))).to.equal('TokenRejected');
  });
});

describe('X5cLogin', () => {
  const token = (number = 0, payload: Record<string, unknown> = {}) => x5cToken({ chain: [testLeaf(number)], payload });

  it('finds the account of a key when its certificate is renewed, and gives another key another account', async () => {
    const { login } = newWorld();
    const { id } = await login.register({ token: token(0) });
    const renewed = testLeaf(0, { subject: 'CN=Renamed', notAfter: new Date(Date.now() + 2 * DAY) });
    expect(await login.login({ token: x5cToken({ chain: [renewed] }) })).to.deep.equal({ id });
    const sameName = testLeaf(1, { subject: testLeaf(0).subject });
    expect((await login.login({ token: x5cToken({ chain: [sameName] }) })).id).not.to.equal(id);
  });

  it('creates one account for fifty concurrent registrations', async () => {
    const { login } = newWorld();
    const all = await Promise.all(Array.from({ length: 50 }, () => failure(login.register({ token: token(0) }))));
    expect(all.filter((code) => code === undefined)).to.have.length(1);
    expect(all.filter((code) => code === 'Conflict')).to.have.length(49);
  });

  it('gives fifty first logins at once the same account', async () => {
    const { login } = newWorld();
    const all = await Promise.all(Array.from({ length: 50 }, () => login.login({ token: token(0) })));
    expect(new Set(all.map(({ id }) => id)).size).to.equal(1);
  });

  it('answers an unacceptable token with bad request on register, with rejected on login', async () => {
    const { login } = newWorld();
    const expired = token(0, { exp: 1 });
    expect(await failure(login.register({ token: expired }))).to.equal('BadRequest');
    expect(await failure(login.login({ token: expired }))).to.equal('TokenRejected');
    expect(await failure(login.register({ token: 'x' }))).to.equal('BadRequest');
    expect(await failure(login.login({ token: 'x' }))).to.equal('BadRequest');
  });

  it('creates no accounts at login when that is turned off', async () => {
    const { login } = newWorld({ autoRegister: false });
    expect(await failure(login.login({ token: token(0) }))).to.equal('TokenRejected');
    await login.register({ token: token(0) });
    expect(await failure(login.login({ token: token(0) }))).to.equal(undefined);
  });
});
