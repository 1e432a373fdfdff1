import { expect } from 'chai';
import fc from 'fast-check';
import { MemoryStore } from '../../../adapters/memory/memory-store.ts';
import { isDomainError } from '../../../domain/foundation/errors.ts';
import { domainName } from '../../../domain/network/domain-names.ts';
import { HostAliases } from '../../../domain/tenancy/hosts/host-aliases.ts';

function fixture(publicUrl = 'https://credenza.example') {
  let now = 1_700_000_000_000;
  const clock = { now: () => now };
  const store = new MemoryStore(clock);
  const instance = () => new HostAliases({ store, clock, publicUrl });
  const advance = (ms: number) => {
    now += ms;
  };
  return { instance, advance };
}

const refused = (attempt: Promise<unknown>) =>
  attempt.then(
    () => false,
    (error) => isDomainError(error, 'Conflict'),
  );

describe('domains of tenants', () => {
  it('are the base URLs of what is at and below their targets, the nearest and oldest first', async () => {
    const { instance, advance } = fixture();
    const aliases = instance();
    expect(await aliases.baseUrlOf('acme.t1.issuer')).to.equal('https://credenza.example');
    await aliases.add('acme', 'acme.example');
    advance(1);
    await aliases.add('acme', 'a.acme.example');
    await aliases.add('acme.t1', 't1.example');
    expect(await aliases.baseUrlOf('acme')).to.equal('https://acme.example');
    expect(await aliases.baseUrlOf('acme.t2.issuer')).to.equal('https://acme.example');
    expect(await aliases.baseUrlOf('acme.t1.issuer.key')).to.equal('https://t1.example');
    expect(await aliases.baseUrlOf('acmes.t1')).to.equal('https://credenza.example');
    await aliases.remove('acme', 'acme.example');
    expect(await aliases.baseUrlOf('acme.t2')).to.equal('https://a.acme.example');
  });

  it('have the scheme and the port of the public URL', async () => {
    const aliases = fixture('http://127.0.0.1:7001').instance();
    const { baseUrl } = await aliases.add('acme', 'acme.example');
    expect(baseUrl).to.equal('http://acme.example:7001');
    expect(await aliases.baseUrlOf('acme')).to.equal(baseUrl);
    expect(await aliases.baseUrlOf('other')).to.equal('http://127.0.0.1:7001');
  });

  it('answer at and below their targets only; other hosts answer everywhere', async () => {
    const aliases = fixture().instance();
    await aliases.add('acme.t1', 't1.example');
    const answers = (host: string, target: string) => aliases.answers(host, target);
    for (const host of ['t1.example', 'T1.Example', 't1.example:8443', 't1.example.'])
      expect(await Promise.all(['acme.t1', 'acme.t1.x.y', 'acme', 'acme.t10', 'other'].map((at) => answers(host, at))))
        .to //
        .deep.equal([true, true, false, false, false]);
    for (const host of ['', 'credenza.example', '127.0.0.1:7001', '[::1]:7001', 'unknown.example', 'x y', 'localhost'])
      expect(await answers(host, 'other'), host).to.equal(true);
  });

  it('are seen by other instances within two seconds', async () => {
    const { instance, advance } = fixture();
    const [one, other] = [instance(), instance()];
    const seen = () => Promise.all([other.baseUrlOf('acme.t1'), other.answers('t1.example', 'acme')]);
    expect(await seen()).to.deep.equal(['https://credenza.example', true]);
    await one.add('acme.t1', 't1.example');
    advance(2000);
    expect(await seen()).to.deep.equal(['https://t1.example', false]);
    await one.remove('acme.t1', 't1.example');
    advance(2000);
    expect(await seen()).to.deep.equal(['https://credenza.example', true]);
  });

  it('belong to one target: of many additions at once one succeeds, and none takes the domain of the installation', async () => {
    const aliases = fixture().instance();
    const targets = ['acme', 'acme', 'other', 'acme.t1', 'other'];
    const outcomes = await Promise.all(targets.map((target) => refused(aliases.add(target, 'shared.example'))));
    expect(outcomes.filter((isRefused) => !isRefused)).to.have.length(1);
    expect(await refused(aliases.add('acme', 'credenza.example'))).to.equal(true);
    const owner = targets[outcomes.indexOf(false)] ?? '';
    await aliases.removeAll(owner);
    expect(await refused(aliases.add('third', 'shared.example'))).to.equal(false);
  });

  it('property: a domain answers for a target exactly when no other target is meant by it', async () => {
    const target = fc.array(fc.constantFrom('a', 'b', 'ab'), { minLength: 1, maxLength: 3 }).map((it) => it.join('.'));
    await fc.assert(
      fc.asyncProperty(target, target, async (owner, asked) => {
        const aliases = fixture().instance();
        await aliases.add(owner, 'tenant.example');
        const isInside = `${asked}.`.startsWith(`${owner}.`);
        expect(await aliases.answers('tenant.example', asked)).to.equal(isInside);
        expect(await aliases.baseUrlOf(asked)).to.equal(`https://${isInside ? 'tenant' : 'credenza'}.example`);
      }),
    );
  });
});

describe('domain names', () => {
  it('have at least two labels in ASCII, and are no addresses', () => {
    const right = ['a.example', 'A.Example', 'xn--bcher-kva.example', '1.example', 'a-b.c', 'a.example.'];
    expect(right.map(domainName)).to.deep.equal(right.map((text) => text.toLowerCase().replace(/\.$/, '')));
    const wrong = ['', 'localhost', '127.0.0.1', '1.2', 'a.0x1f', 'a..b', '.a.b', '-a.b', 'a-.b', 'bücher.example'];
    const more = ['a.example:1', 'https://a.example', 'a.example/', 'a b.c', '*.a.b', `${'a'.repeat(64)}.b`, 'a_b.c'];
    const long = [`${'a.'.repeat(127)}a`, 'a.b\n', '[::1]', 'a.b..'];
    for (const text of [...wrong, ...more, ...long]) expect(domainName(text), text).to.equal(undefined);
  });
});
