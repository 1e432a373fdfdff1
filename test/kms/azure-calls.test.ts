import { setTimeout as pause } from 'node:timers/promises';
import { expect } from 'chai';
import fc from 'fast-check';
import type { Fault } from '../../demo/fake-clouds/fake-server.ts';
import type { DomainError } from '../../domain/foundation/errors.ts';
import type { KeyReference } from '../../ports/key-service.ts';
import { useFakeAzure } from '../support/kms/azure.ts';

const DATA = Buffer.from('data');
const codeOf = (work: Promise<unknown>): Promise<string> =>
  work.then(
    () => 'fulfilled',
    (error: DomainError) => error.code,
  );

describe('Calls to Azure Key Vault', () => {
  const under = useFakeAzure();
  const { clock } = under;
  const create = (backends = under.open().backends, more: object = {}): Promise<KeyReference> =>
    backends.create('kmsb', { keyType: 'secp256r1', config: { ...under.fake.config, ...more } });
  const count = () => ({ vault: under.fake.vault.calls.length, authority: under.fake.authority.calls.length });
  const wire = (backends: ReturnType<typeof under.open>['backends'], reference: KeyReference) => {
    const { _publicKey, _keyType, ...rest } = backends.write(reference, 'kmsb');
    return rest;
  };
  afterEach(() => {
    under.fake.content.keys.length = 0;
    under.fake.content.refusesTokens = false;
  });

  it('one signature is one call, once there are a challenge and a token', async () => {
    const { backends } = under.open();
    const reference = await create(backends);
    expect(count()).to.deep.equal({ vault: 2, authority: 1 });
    under.fake.reset();
    for (let n = 1; n <= 3; n += 1) {
      await backends.signer(reference).sign(DATA);
      expect(count()).to.deep.equal({ vault: n, authority: 0 });
    }
    expect(under.fake.vault.calls[0]?.path).to.match(/^\/keys\/credenza-[0-9a-f-]{36}\/[0-9a-f]{32}\/sign\?/);
  });

  it('concurrent first uses share one challenge and one token, and each keeps its body', async () => {
    const reference = await create();
    under.fake.reset();
    const { backends } = under.open();
    const signer = backends.signer(reference);
    await Promise.all(Array.from({ length: 20 }, (_, n) => signer.sign(Buffer.from(`data ${n}`))));
    expect(count()).to.deep.equal({ vault: 21, authority: 1 });
  });

  it('a token is fetched again 30 seconds before it expires', async () => {
    const { backends } = under.open();
    const reference = await create(backends);
    under.fake.reset();
    clock.time += (3599 - 30) * 1000 - 1;
    await backends.signer(reference).sign(DATA);
    expect(count()).to.deep.equal({ vault: 1, authority: 0 });
    clock.time += 1;
    await backends.signer(reference).sign(DATA);
    expect(count()).to.deep.equal({ vault: 2, authority: 1 });
  });

  it('a token that was revoked is replaced within the operation, once', async () => {
    const { backends } = under.open();
    const reference = await create(backends);
    under.fake.reset();
    under.fake.tokens.revoke();
    await backends.signer(reference).sign(DATA);
    expect(count()).to.deep.equal({ vault: 2, authority: 1 });
  });

  it('a vault that refuses every token is asked twice, and 400', async () => {
    const { backends } = under.open();
    const reference = await create(backends);
    under.fake.reset();
    under.fake.content.refusesTokens = true;
    expect(await codeOf(backends.signer(reference).sign(DATA))).to.equal('BadRequest');
    expect(count()).to.deep.equal({ vault: 2, authority: 1 });
    expect(await codeOf(create(backends))).to.equal('BadRequest');
    expect(count()).to.deep.equal({ vault: 5, authority: 3 });
    expect(under.fake.content.keys).to.have.length(1);
  });

  it('a public key is fetched once for concurrent readers, and cached', async () => {
    const reference = await create();
    under.fake.reset();
    const { backends } = under.open();
    const stated = wire(backends, reference);
    const read = await Promise.all(Array.from({ length: 10 }, () => backends.read({ ...stated })));
    await backends.read({ ...stated });
    expect(count()).to.deep.equal({ vault: 2, authority: 1 });
    for (const { publicJwk, keyType } of read)
      expect({ publicJwk, keyType }).to.deep.equal({ publicJwk: reference.publicJwk, keyType: 'secp256r1' });
    expect(JSON.stringify(read)).to.not.include('"kid"');
  });

  it('a cached public key and a cached token serve no other credentials', async () => {
    const { backends } = under.open();
    const reference = await create(backends);
    const stated = wire(backends, reference);
    await backends.read({ ...stated });
    const auth = { ...under.fake.config.auth, clientSecret: 'another-secret' };
    expect(await codeOf(backends.read({ ...stated, auth }))).to.equal('BadRequest');
    const foreign = { ...reference, config: { auth } };
    expect(await codeOf(backends.signer(foreign).sign(DATA))).to.equal('BadRequest');
  });

  it('of interleaved references, exactly those with the right credentials sign, however many are in use at once', async () => {
    const reference = await create();
    const { backends } = under.open();
    const secrets = fc.constantFrom(under.fake.config.auth.clientSecret, 'wrong-secret-1', 'wrong-secret-2');
    const uses = fc.array(fc.record({ clientSecret: secrets, states: fc.boolean() }), { maxLength: 12 });
    await fc.assert(
      fc.asyncProperty(uses, async (all) => {
        const outcomes = await Promise.all(
          all.map(async ({ clientSecret, states }) => {
            const auth = { ...under.fake.config.auth, clientSecret };
            const { _publicKey, ...rest } = backends.write({ ...reference, config: { auth } });
            const reading = backends.read(states ? { ...rest, _publicKey } : rest);
            return codeOf(reading.then((read) => backends.signer(read).sign(DATA)));
          }),
        );
        const { clientSecret: right } = under.fake.config.auth;
        const expected = all.map(({ clientSecret }) => (clientSecret === right ? 'fulfilled' : 'BadRequest'));
        expect(outcomes).to.deep.equal(expected);
      }),
      { numRuns: 30 },
    );
  });

  it('what is called: the token by form, the key with its operations and tags, the digest, the name without version', async () => {
    const { backends } = under.open();
    const reference = await create(backends, { tags: { team: 'identity' }, name: 'shapes' });
    await backends.signer(reference).sign(DATA);
    await backends.remove(reference);
    const [form] = under.fake.authority.calls;
    expect([...new URLSearchParams(form?.body.toString()).keys()]).to.deep.equal([
      'grant_type',
      'client_id',
      'client_secret',
      'scope',
    ]);
    const sent = under.fake.vault.calls.map(
      ({ method, path }) => `${method} ${decodeURIComponent(path).replace(/[0-9a-f]{32}/, '<version>')}`,
    );
    expect(sent).to.deep.equal([
      'GET /keys/shapes/?api-version=7.4',
      'GET /keys/shapes/?api-version=7.4',
      'POST /keys/shapes/create?api-version=7.4',
      'POST /keys/shapes/<version>/sign?api-version=7.4',
      'DELETE /keys/shapes?api-version=7.4',
    ]);
    const bodies = under.fake.vault.calls.map(({ body }) => body.toString()).filter((body) => body !== '');
    expect(JSON.parse(bodies[0] ?? '')).to.deep.equal({
      kty: 'EC',
      crv: 'P-256',
      key_ops: ['sign', 'verify'],
      attributes: {},
      tags: { team: 'identity' },
    });
    expect(Object.keys(JSON.parse(bodies[1] ?? ''))).to.deep.equal(['alg', 'value']);
    for (const { headers } of under.fake.vault.calls) expect(headers['user-agent']).to.equal('credenza');
  });

  it('the authority may have a path, with a slash at its end or without', async () => {
    for (const path of ['/', '/directory', '/directory/']) {
      under.fake.reset();
      const kmsb = { authorityHost: under.fake.authority.url + path, allowHttp: true };
      await codeOf(create(under.open({ kmsb }).backends));
      const { tenantId } = under.fake.config.auth;
      const expected = `${path.startsWith('/d') ? '/directory' : ''}/${tenantId}/oauth2/v2.0/token`;
      expect(under.fake.authority.calls[0]?.path).to.equal(expected);
    }
  });

  it('deletion of a key that is deleted or unknown is done', async () => {
    const { backends } = under.open();
    const reference = await create(backends);
    under.fake.reset();
    await backends.remove(reference);
    expect(under.fake.content.keys).to.deep.equal([]);
    await backends.remove(reference);
    expect(count()).to.deep.equal({ vault: 2, authority: 0 });
  });

  describe('that fail', () => {
    const FAULTS: [string, Fault][] = [
      ['throttled', { kind: 'throttle' }],
      ['failing', { kind: 'fail' }],
      ['cut', { kind: 'cut' }],
      ['cut after the work', { kind: 'cut', after: true }],
      ['nonsense', { kind: 'nonsense' }],
      ['a signature of another length', { kind: 'nonsense', body: '{"kid":"a","value":"AAAA"}' }],
      ['an empty object', { kind: 'nonsense', body: '{}' }],
    ];
    for (const [name, fault] of FAULTS)
      it(`${name}: a signature is tried three times, and then 502`, async () => {
        const { backends } = under.open();
        const reference = await create(backends);
        under.fake.reset();
        under.fake.vault.fault(1, fault);
        under.fake.vault.fault(2, fault);
        await backends.signer(reference).sign(DATA);
        expect(count()).to.deep.equal({ vault: 3, authority: 0 });
        under.fake.vault.always(fault);
        expect(await codeOf(backends.signer(reference).sign(DATA))).to.equal('UpstreamFailed');
        expect(count()).to.deep.equal({ vault: 6, authority: 0 });
      });

    for (const [name, fault] of FAULTS)
      it(`${name}: a creation is tried once, 502, and no key remains`, async () => {
        const { backends } = under.open();
        under.fake.vault.fault(2, fault);
        expect(await codeOf(create(backends))).to.equal('UpstreamFailed');
        await backends.close();
        const creations = under.fake.vault.calls.filter(
          ({ path, headers }) => path.includes('/create') && headers.authorization,
        );
        expect(creations).to.have.length(1);
        expect(under.fake.content.keys).to.deep.equal([]);
      });

    it('a key whose creation ended without an answer is deleted, in three attempts', async () => {
      const { backends } = under.open();
      under.fake.vault.fault(2, { kind: 'cut', after: true });
      under.fake.vault.fault(3, { kind: 'throttle' });
      under.fake.vault.fault(4, { kind: 'fail' });
      expect(await codeOf(create(backends))).to.equal('UpstreamFailed');
      expect(count()).to.deep.equal({ vault: 5, authority: 1 });
      expect(under.fake.content.keys).to.deep.equal([]);
    });

    for (const [name, fault] of FAULTS)
      it(`${name} challenge and token: a signature is tried again`, async () => {
        const reference = await create();
        under.fake.reset();
        under.fake.vault.fault(1, fault);
        under.fake.authority.fault(1, fault);
        await under.open().backends.signer(reference).sign(DATA);
        expect(count()).to.deep.equal({ vault: 3, authority: 2 });
      });

    it('a vault or an authority that hangs: 504 within the deadline, nothing is created', async () => {
      for (const server of ['vault', 'authority'] as const) {
        const reference = await create();
        under.fake.reset();
        under.fake[server].always({ kind: 'hang' });
        const { backends } = under.open({ timeoutSeconds: 0.2 });
        const startedAt = performance.now();
        expect(await codeOf(backends.signer(reference).sign(DATA)), server).to.equal('UpstreamTimeout');
        expect(await codeOf(create(under.open({ timeoutSeconds: 0.2 }).backends)), server).to.equal('UpstreamTimeout');
        expect(performance.now() - startedAt, server).to.be.lessThan(10_000);
        expect(under.fake.content.keys, server).to.have.length(1);
        under.fake.reset();
        under.fake.content.keys.length = 0;
      }
    });

    it('a key that is created after the deadline is deleted', async () => {
      const { backends } = under.open({ timeoutSeconds: 0.2 });
      under.fake.vault.fault(2, { kind: 'delay', ms: 400 });
      expect(await codeOf(create(backends))).to.equal('UpstreamTimeout');
      await backends.close();
      expect(under.fake.content.keys).to.deep.equal([]);
      expect(under.fake.vault.calls.at(-1)?.method).to.equal('DELETE');
    });

    it('an authority that answers otherwise than with a bearer token: 502', async () => {
      const answers = [
        { token_type: 'mac', access_token: 'a', expires_in: 60 },
        { token_type: 'Bearer', access_token: 'a\nb', expires_in: 60 },
        { token_type: 'Bearer', access_token: 'a', expires_in: '60' },
        { token_type: 'Bearer', expires_in: 60 },
        { token_type: 'Bearer', access_token: 'a', expires_in: -1 },
        [],
      ];
      for (const answer of answers) {
        under.fake.authority.always({ kind: 'nonsense', body: JSON.stringify(answer) });
        const { backends } = under.open();
        expect(await codeOf(create(backends)), JSON.stringify(answer)).to.equal('UpstreamFailed');
        expect(under.fake.content.keys).to.deep.equal([]);
      }
    });

    it('a key that is created of another type than was wanted is deleted: 502', async () => {
      const other = await create(under.open().backends, { name: 'another' });
      const kid = `${under.fake.origin}/keys/wanted/0123456789abcdef0123456789abcdef`;
      under.fake.vault.fault(3, { kind: 'nonsense', body: JSON.stringify({ key: { ...other.publicJwk, kid } }) });
      const { backends } = under.open();
      const config = { ...under.fake.config, name: 'wanted' };
      expect(await codeOf(backends.create('kmsb', { keyType: 'secp384r1', config }))).to.equal('UpstreamFailed');
      await backends.close();
      const last = under.fake.vault.calls.at(-1);
      expect(`${last?.method} ${last?.path.split('?')[0]}`).to.equal('DELETE /keys/wanted');
    });

    it('a process ends although calls are under way', async () => {
      under.fake.vault.always({ kind: 'delay', ms: 50 });
      const { backends } = under.open();
      const creating = codeOf(create(backends));
      await pause(10);
      await backends.close();
      expect(await creating).to.equal('fulfilled');
    });
  });
});
