import { expect } from 'chai';
import fc from 'fast-check';
import { matchesDns, matchesEmail, matchesIp, matchesUri } from '../../../domain/x509/constraint-matching.ts';
import { cpuMs } from '../../support/runs/cpu.ts';
import { makeCertificate, type TestName, testKeys } from '../../support/trust/certificates.ts';
import { directoryName, otherName, smtpUtf8Mailbox } from '../../support/trust/general-names.ts';
import { changedPath, judge, threeCertificates } from '../../support/trust/paths.ts';

const dns = (dNSName: string): TestName => ({ dNSName });
const email = (rfc822Name: string): TestName => ({ rfc822Name });
const ip = (iPAddress: string): TestName => ({ iPAddress });
const uri = (uniformResourceIdentifier: string): TestName => ({ uniformResourceIdentifier });

/** A name, a constraint, and whether the name is within it. */
const WITHIN: [string, TestName, TestName, boolean][] = [
  ['a host itself', dns('example.com'), dns('example.com'), true],
  ['a host below', dns('a.b.example.com'), dns('example.com'), true],
  ['a host in another case', dns('A.EXAMPLE.com'), dns('Example.COM'), true],
  ['a host that only ends alike', dns('badexample.com'), dns('example.com'), false],
  ['the host above', dns('com'), dns('example.com'), false],
  ['a host below a dotted base', dns('a.example.com'), dns('.example.com'), true],
  ['a host itself under a dotted base', dns('example.com'), dns('.example.com'), false],
  ['any host under the empty base', dns('example.com'), dns(''), true],
  ['a wildcard below', dns('*.example.com'), dns('example.com'), true],
  ['a mailbox', email('ann@example.com'), email('ann@example.com'), true],
  ['a mailbox with another case in its host', email('ann@EXAMPLE.com'), email('ann@example.COM'), true],
  ['a mailbox with another case before the @', email('Ann@example.com'), email('ann@example.com'), false],
  ['another mailbox', email('bob@example.com'), email('ann@example.com'), false],
  ['a mailbox on the host', email('bob@example.com'), email('example.com'), true],
  ['a mailbox below the host', email('bob@mail.example.com'), email('example.com'), false],
  ['a mailbox below a dotted host', email('bob@mail.example.com'), email('.example.com'), true],
  ['a mailbox on a dotted host', email('bob@example.com'), email('.example.com'), false],
  ['an address in the network', ip('10.1.2.3'), ip('10.0.0.0/8'), true],
  ['an address outside', ip('11.1.2.3'), ip('10.0.0.0/8'), false],
  ['an address at an odd prefix', ip('10.15.255.255'), ip('10.0.0.0/12'), true],
  ['an address just outside an odd prefix', ip('10.16.0.0'), ip('10.0.0.0/12'), false],
  ['an IPv6 address in the network', ip('2001:db8::1'), ip('2001:db8::/32'), true],
  ['an IPv6 address outside', ip('2001:db9::1'), ip('2001:db8::/32'), false],
  ['an address of the other family', ip('::a00:1'), ip('10.0.0.0/8'), false],
  ['a URI on the host', uri('https://example.com/x'), uri('example.com'), true],
  ['a URI in another case', uri('HTTPS://u@EXAMPLE.com:8443?x'), uri('example.com'), true],
  ['a URI below the host', uri('https://a.example.com/x'), uri('example.com'), false],
  ['a URI below a dotted host', uri('https://a.example.com/x'), uri('.example.com'), true],
  ['a URI on a dotted host', uri('https://example.com/x'), uri('.example.com'), false],
  ['a URI with the host in its path', uri('https://evil.net/example.com'), uri('example.com'), false],
  ['a URI with the host before an @', uri('https://example.com@evil.net/'), uri('example.com'), false],
  ['a directory name below', directoryName('O=A,CN=x'), directoryName('O=a'), true],
  ['a directory name itself', directoryName('O=A,CN=x'), directoryName('O=A,CN=X'), true],
  ['a directory name elsewhere', directoryName('O=B,CN=x'), directoryName('O=A'), false],
  ['a directory name above', directoryName('O=A'), directoryName('O=A,CN=x'), false],
  ['a directory name in another order', directoryName('CN=x,O=A'), directoryName('O=A'), false],
];

/** Names that cannot be compared with a constraint of their type: rejected by a permitted and by an excluded one. */
const UNDECIDABLE: [string, TestName, TestName][] = [
  ['a name of an unknown type', otherName(), otherName()],
  ['a registered id', { registeredID: '1.2.3' }, { registeredID: '1.2.3' }],
  ['a URI without a host', uri('urn:uuid:1'), uri('example.com')],
  ['a URI with an address', uri('https://10.0.0.1/'), uri('example.com')],
  ['a URI with an IPv6 address', uri('https://[::1]/'), uri('example.com')],
  ['a URI with a backslash', uri('https://evil.net\\@example.com/'), uri('example.com')],
  ['a quoted mailbox', email('"ann"@example.com'), email('ann@example.com')],
  ['a mailbox with two @', email('ann@evil.net@example.com'), email('example.com')],
  ['a mailbox without a host', email('ann'), email('example.com')],
  ['a mailbox at an address', email('ann@[10.0.0.1]'), email('example.com')],
  ['a host with a final dot', dns('example.com.'), dns('example.com')],
  ['a host with an empty label', dns('a..example.com'), dns('example.com')],
  ['a host with a space', dns('a b.example.com'), dns('example.com')],
  ['an inner wildcard', dns('a*.example.com'), dns('example.com')],
  ['an internationalized mailbox at an unreadable host', smtpUtf8Mailbox('ä@ö.example'), email('example.com')],
];

const under = (constraints: { permitted?: TestName[]; excluded?: TestName[] }, ...altNames: TestName[]) =>
  judge(changedPath({ intermediate: constraints, leaf: { altNames } }));

const FREE = { permitted: [dns('elsewhere.example')] };

describe('validatePath: name constraints', () => {
  for (const [what, name, base, within] of WITHIN)
    it(`finds ${what} ${within ? 'within' : 'outside'} the subtree`, () => {
      // The leaf's own subject would be a directory name outside the permitted ones.
      const leaf = { subject: '', altNames: [name] };
      expect(judge(changedPath({ intermediate: { permitted: [base] }, leaf })).valid).to.equal(within);
      expect(judge(changedPath({ intermediate: { excluded: [base] }, leaf })).valid).to.equal(!within);
    });

  for (const [what, name, base] of UNDECIDABLE)
    it(`rejects ${what} when its type is constrained, and only then`, () => {
      expect(under({ permitted: [base] }, name).valid).to.equal(false);
      expect(under({ excluded: [base] }, name).valid).to.equal(false);
      expect(under({ excluded: [ip('192.0.2.0/24')] }, name)).to.deep.equal({ valid: true });
    });

  it('rejects a wildcard that matches an excluded host', () => {
    expect(under({ excluded: [dns('secret.example.com')] }, dns('*.example.com')).valid).to.equal(false);
    expect(under({ excluded: [dns('a.secret.example.com')] }, dns('*.example.com')).valid).to.equal(true);
    expect(under({ permitted: [dns('secret.example.com')] }, dns('*.example.com')).valid).to.equal(false);
  });

  it('compares the e-mail addresses of the subject with the constraints, in any string type', () => {
    const path = (address: string) =>
      changedPath({ intermediate: { permitted: [email('example.com')] }, leaf: { subject: `CN=Leaf,E=${address}` } });
    expect(judge(path('ann@example.com'))).to.deep.equal({ valid: true });
    expect(judge(path('ann@evil.net')).valid).to.equal(false);
  });

  it('compares internationalized mailboxes with e-mail constraints', () => {
    expect(under({ permitted: [email('example.com')] }, smtpUtf8Mailbox('ä@example.com')).valid).to.equal(true);
    expect(under({ permitted: [email('example.com')] }, smtpUtf8Mailbox('ä@evil.net')).valid).to.equal(false);
  });

  it('compares the subject with directory name constraints', () => {
    const path = (permitted: string) => changedPath({ intermediate: { permitted: [directoryName(permitted)] } });
    expect(judge(path('CN=Leaf'))).to.deep.equal({ valid: true });
    expect(judge(path('O=A'))).to.deep.equal({
      valid: false,
      reason: 'certificate 1 has a name (dirName) that the name constraints do not permit',
    });
  });

  it('permits names of types that no constraint names', () => {
    expect(under(FREE, email('a@b.example'), ip('10.0.0.1'), otherName())).to.deep.equal({ valid: true });
  });

  it('requires every name of a certificate to be permitted', () => {
    expect(under({ permitted: [dns('a.example')] }, dns('x.a.example'), dns('b.example')).valid).to.equal(false);
    expect(
      under({ permitted: [dns('a.example'), dns('b.example')] }, dns('a.example'), dns('b.example')).valid,
    ).to.equal(true);
  });

  it('excludes a name that is also permitted', () => {
    const rules = { permitted: [dns('example.com')], excluded: [dns('secret.example.com')] };
    expect(under(rules, dns('open.example.com')).valid).to.equal(true);
    expect(under(rules, dns('a.secret.example.com')).valid).to.equal(false);
  });

  it('intersects the permitted and unites the excluded subtrees of a path', () => {
    const valid = (name: string) =>
      judge(
        changedPath({
          root: { permitted: [dns('example.com'), dns('example.net')], excluded: [dns('x.team.example.com')] },
          intermediate: { permitted: [dns('team.example.com'), dns('org')], excluded: [dns('y.team.example.com')] },
          leaf: { altNames: [dns(name)] },
        }),
      ).valid;
    expect(valid('a.team.example.com')).to.equal(true);
    for (const name of ['example.com', 'example.net', 'a.org', 'x.team.example.com', 'a.y.team.example.com'])
      expect(valid(name), name).to.equal(false);
  });

  it('compares intermediates with the constraints too, unless they are self-issued', () => {
    const change = { root: { permitted: [dns('example.com')] } };
    const named = { altNames: [dns('other.net')] };
    expect(judge(changedPath({ ...change, intermediate: named }))).to.deep.equal({
      valid: false,
      reason: 'certificate 2 has a name (dns) that the name constraints do not permit',
    });
    const { root } = threeCertificates(change);
    const keys = testKeys('P-256', 5);
    const rekeyed = makeCertificate({ ...named, subject: root.subject, keys, issuer: root, ca: true });
    const leaf = makeCertificate({ subject: 'CN=Leaf', keys: testKeys('P-256', 2), issuer: rekeyed });
    expect(judge({ chain: [leaf, rekeyed], anchors: [root] })).to.deep.equal({ valid: true });
    const itself = makeCertificate({ ...named, subject: root.subject, keys, issuer: root });
    expect(judge({ chain: [itself], anchors: [root] }).valid).to.equal(false);
  });

  it('rejects a certificate that needs too many comparisons', () => {
    const many = (count: number) => Array.from({ length: count }, (_, index) => dns(`n${index}.example.com`));
    expect(under({ excluded: [...many(600)] }, ...many(600).map(({ dNSName }) => dns(`x${dNSName}`)))).to.deep.equal({
      valid: false,
      reason: 'certificate 1 has too many names to check against the name constraints',
    });
  });
});

const label = fc.stringMatching(/^[a-z][a-z0-9]{0,8}$/);
const host = fc.array(label, { minLength: 2, maxLength: 4 }).map((labels) => labels.join('.'));
const mixed = (text: string) => text.toUpperCase();

describe('constraint matching', () => {
  it('finds a host within another exactly when it is that host with labels added, in any case', () => {
    fc.assert(
      fc.property(host, host, fc.array(label, { maxLength: 3 }), (base, other, labels) => {
        const name = [...labels, base].join('.');
        expect(matchesDns(mixed(name), base, 'permitted')).to.equal(true);
        expect(matchesDns(name, `.${base}`, 'permitted')).to.equal(labels.length > 0);
        const within = other === base || other.endsWith(`.${base}`);
        expect(matchesDns(other, base, 'excluded')).to.equal(within);
      }),
    );
  });

  it('matches mailboxes and URIs on a host equally, for that host and the hosts below', () => {
    fc.assert(
      fc.property(host, label, (base, first) => {
        const below = `${first}.${base}`;
        expect(matchesEmail(`x@${base}`, base)).to.equal(true);
        expect(matchesUri(`https://${base}/`, base)).to.equal(true);
        expect(matchesEmail(`x@${below}`, base)).to.equal(false);
        expect(matchesUri(`https://${below}/`, base)).to.equal(false);
        expect(matchesEmail(`x@${below}`, `.${base}`)).to.equal(true);
        expect(matchesUri(`https://${below}`, `.${base}`)).to.equal(true);
      }),
    );
  });

  it('compares exactly the bits of the prefix of an address', () => {
    const bytes = fc.constantFrom(4, 16).chain((length) => fc.uint8Array({ minLength: length, maxLength: length }));
    fc.assert(
      fc.property(bytes, fc.nat(), fc.nat(), (address, prefixSeed, bitSeed) => {
        const bits = address.length * 8;
        const prefix = prefixSeed % (bits + 1);
        const bit = bitSeed % bits;
        const mask = address.map((_, index) => 0xff & (0xff00 >> Math.min(8, Math.max(0, prefix - index * 8))));
        const flipped = address.map((byte, index) => (index === bit >> 3 ? byte ^ (0x80 >> (bit & 7)) : byte));
        const base = Uint8Array.of(...address, ...mask);
        expect(matchesIp(address, base)).to.equal(true);
        expect(matchesIp(flipped, base)).to.equal(bit >= prefix);
      }),
    );
  });

  it('leaves addresses and masks of impossible shape undecided', () => {
    expect(matchesIp(Uint8Array.of(10, 0, 0), Uint8Array.of(10, 0, 0, 0, 255, 0, 0, 0))).to.equal(undefined);
    expect(matchesIp(Uint8Array.of(10, 0, 0, 1), Uint8Array.of(10, 0, 0, 0, 255, 0, 255, 0))).to.equal(undefined);
    expect(matchesIp(Uint8Array.of(10, 0, 0, 1), Uint8Array.of(10, 0, 0, 0, 255))).to.equal(undefined);
    expect(matchesIp(Uint8Array.of(10, 0, 0, 1), new Uint8Array(0))).to.equal(undefined);
  });

  it('takes under half a second for any text', async () => {
    const hostile = [
      'a'.repeat(16_000),
      '-'.repeat(16_000),
      'a.'.repeat(8_000),
      `x://${'a'.repeat(16_000)}\n`,
      '@'.repeat(16_000),
    ];
    const ms = await cpuMs(() => {
      for (const text of hostile) {
        matchesDns(text, text, 'excluded');
        matchesEmail(text, 'example.com');
        matchesUri(text, 'example.com');
      }
    });
    expect(ms).to.be.below(1000);
  });
});
