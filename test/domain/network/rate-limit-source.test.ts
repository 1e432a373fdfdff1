import { expect } from 'chai';
import fc from 'fast-check';
import { clientAddressOf, readProxies } from '../../../domain/network/client-address.ts';

const PROXIES = readProxies(['10.0.0.0/8', '2001:db8:ff::/48', '192.0.2.1']);
const through = (forwardedFor: string, peer = '10.0.0.1'): string => clientAddressOf({ peer, forwardedFor }, PROXIES);

/** Four groups of an IPv6 address; the first half of one that is in global use begins with 2. */
const half = fc
  .array(fc.integer({ min: 0, max: 0xffff }), { minLength: 4, maxLength: 4 })
  .map((parts) => parts.map((part) => part.toString(16)).join(':'));
const network = half.map((text) => text.replace(/^[^:]*/, '2001'));

describe('sourceOf', () => {
  it('is the peer, without port, zone or brackets', () => {
    const spellings: [string | undefined, string][] = [
      ['198.51.100.7', '198.51.100.7'],
      ['::ffff:198.51.100.7', '198.51.100.7'],
      ['::FFFF:C633:6407', '198.51.100.7'],
      ['2001:DB8:0:0:1::1', '2001:db8:0:0::/64'],
      ['fe80::1%eth0', 'fe80:0:0:0::/64'],
      [undefined, 'unknown'],
      ['', 'unknown'],
      ['/run/socket', 'unknown'],
    ];
    for (const [peer, source] of spellings)
      expect(clientAddressOf({ peer, forwardedFor: '' }, PROXIES)).to.equal(source);
  });

  it('property: all addresses of a /64 are one source, those of another are another', () => {
    const source = (peer: string) => clientAddressOf({ peer, forwardedFor: '' }, []);
    fc.assert(
      fc.property(network, network, half, half, (own, other, one, two) => {
        expect(source(`${own}:${one}`)).to.equal(source(`${own}:${two}`));
        expect(source(`${own}:${one}`) === source(`${other}:${one}`)).to.equal(own === other);
      }),
    );
  });

  it('property: what the header holds means nothing unless the peer is a trusted proxy', () => {
    fc.assert(
      fc.property(fc.oneof(fc.string(), fc.ipV4(), fc.ipV6()), (forwardedFor) => {
        expect(through(forwardedFor, '198.51.100.7')).to.equal('198.51.100.7');
        expect(clientAddressOf({ peer: '10.0.0.1', forwardedFor }, [])).to.equal('10.0.0.1');
      }),
    );
  });

  it('property: what a client writes in front of the hop its proxy added changes nothing', () => {
    const forged = fc.array(fc.oneof(fc.string(), fc.ipV4(), fc.ipV6()), { maxLength: 5 });
    fc.assert(
      fc.property(forged, (hops) => {
        expect(through([...hops, ' 198.51.100.7'].join(','))).to.equal('198.51.100.7');
        expect(through([...hops, '198.51.100.7', '10.9.9.9', '192.0.2.1'].join(', '))).to.equal('198.51.100.7');
      }),
    );
  });

  it('walks from the right over trusted proxies of both families', () => {
    const walks: [string, string][] = [
      ['203.0.113.5', '203.0.113.5'],
      ['1.1.1.1, 203.0.113.5', '203.0.113.5'],
      ['1.1.1.1, 203.0.113.5, 10.1.1.1, [2001:db8:ff::1]:443', '203.0.113.5'],
      ['203.0.113.5:4711', '203.0.113.5'],
      ['::ffff:203.0.113.5', '203.0.113.5'],
      ['[2001:db8:1:2::3]', '2001:db8:1:2::/64'],
      ['10.1.1.1, 10.2.2.2', '10.1.1.1'],
    ];
    for (const [header, source] of walks) expect(through(header), header).to.equal(source);
    expect(clientAddressOf({ peer: '::ffff:10.0.0.1', forwardedFor: '203.0.113.5' }, PROXIES)).to.equal('203.0.113.5');
  });

  it('stops at what it cannot read, with the last address it knew', () => {
    for (const header of ['unknown', '1.1.1.1, _hidden', '1.1.1.1,', '1.1.1.1, 010.1.1.1', '1.1.1.1, 10.0.0.300', '"'])
      expect(through(header), header).to.equal('10.0.0.1');
    expect(through('1.1.1.1, unreadable, 10.2.2.2')).to.equal('10.2.2.2');
  });
});

describe('readProxies', () => {
  it('names what is neither an address nor a block', () => {
    expect(() => readProxies(['10.0.0.0/33'])).to.throw('services.conf: trustedProxies: "10.0.0.0/33"');
  });

  it('takes an IPv4 address that is written as IPv6', () => {
    const proxies = readProxies(['::ffff:10.0.0.1']);
    expect(clientAddressOf({ peer: '10.0.0.1', forwardedFor: '203.0.113.5' }, proxies)).to.equal('203.0.113.5');
  });
});
