import { expect } from 'chai';
import fc from 'fast-check';
import { allows, hostAddress, isPublicAddress, parseAllowEntry } from '../../../domain/network/addresses.ts';
import { parseIp } from '../../../domain/network/ip.ts';

const REFUSED_BLOCKS = [
  '0.0.0.0/8',
  '10.0.0.0/8',
  '100.64.0.0/10',
  '127.0.0.0/8',
  '169.254.0.0/16',
  '172.16.0.0/12',
  '192.168.0.0/16',
  '224.0.0.0/4',
  '240.0.0.0/4',
];

const toNumber = (ip: string): number => ip.split('.').reduce((sum, byte) => sum * 256 + Number(byte), 0);
const toText = (value: number): string =>
  [value / 2 ** 24, value / 2 ** 16, value / 2 ** 8, value].map((part) => Math.floor(part) % 256).join('.');
const anyIpv4 = fc.integer({ min: 0, max: 2 ** 32 - 1 }).map(toText);

/** Any address of an IPv4 block. */
const within = (block: string): fc.Arbitrary<string> => {
  const [base = '', bits = ''] = block.split('/');
  return fc.integer({ min: 0, max: 2 ** (32 - Number(bits)) - 1 }).map((offset) => toText(toNumber(base) + offset));
};
const privateIpv4 = fc.oneof(...REFUSED_BLOCKS.map(within));
const group = fc.integer({ min: 0, max: 0xffff }).map((value) => value.toString(16));
/** Any IPv6 address that begins with these groups. */
const ipv6From = (...first: fc.Arbitrary<string>[]): fc.Arbitrary<string> =>
  fc
    .tuple(...first, ...new Array<fc.Arbitrary<string>>(8 - first.length).fill(group))
    .map((groups) => groups.join(':'));
const leading = (min: number, max: number) => fc.integer({ min, max }).map((value) => value.toString(16));

/** The host as a URL has it, brackets removed. */
const hostOf = (url: string): string => new URL(url).hostname.replace(/^\[|\]$/g, '');

describe('isPublicAddress', () => {
  it('refuses every address of the private, loopback, link-local, shared, multicast and reserved IPv4 blocks', () => {
    fc.assert(fc.property(privateIpv4, (ip) => !isPublicAddress(ip)));
  });

  it('accepts every IPv4 address from blocks in public use', () => {
    const blocks = ['1.0.0.0/8', '8.8.0.0/16', '93.184.0.0/16', '142.250.0.0/15', '172.32.0.0/11', '192.169.0.0/16'];
    fc.assert(fc.property(fc.oneof(...blocks.map(within)), (ip) => isPublicAddress(ip)));
  });

  it('refuses every unique local, link-local and multicast IPv6 address', () => {
    const local = fc.oneof(
      ipv6From(leading(0xfc00, 0xfdff)),
      ipv6From(leading(0xfe80, 0xfebf)),
      ipv6From(leading(0xff00, 0xffff)),
    );
    fc.assert(fc.property(local, (ip) => !isPublicAddress(ip)));
  });

  it('refuses every IPv6 form that carries an IPv4 address, for any IPv4 address', () => {
    const carrying = ['::ffff:', '::ffff:0:', '::', '64:ff9b::', '64:ff9b:1::', '2002::', '2001::'];
    fc.assert(fc.property(fc.constantFrom(...carrying), anyIpv4, (prefix, ip) => !isPublicAddress(prefix + ip)));
    fc.assert(fc.property(ipv6From(fc.constant('2002')), (ip) => !isPublicAddress(ip)));
  });

  it('accepts every IPv6 address of registry blocks in public use', () => {
    const blocks = fc.oneof(ipv6From(leading(0x2400, 0x2bff)), ipv6From(fc.constant('2606'), fc.constant('4700')));
    fc.assert(fc.property(blocks, (ip) => isPublicAddress(ip)));
  });

  it('refuses what is not an address', () => {
    fc.assert(fc.property(fc.string(), (text) => parseIp(text) !== undefined || !isPublicAddress(text)));
    const spellings = [
      '',
      '8.8.8',
      '08.8.8.8',
      '8.8.8.256',
      '2606:4700::1%eth0',
      ':::',
      '1:2:3:4:5:6:7:8:9',
      '1::2::3',
    ];
    for (const text of spellings) expect(isPublicAddress(text), text).to.equal(false);
  });

  it('refuses the metadata addresses of the clouds', () => {
    const metadata = ['169.254.169.254', '100.100.100.200', '168.63.129.16', '192.0.0.192', 'fd00:ec2::254'];
    for (const ip of metadata) expect(isPublicAddress(ip), ip).to.equal(false);
  });

  it('refuses every spelling of a private address once the URL standard has read it', () => {
    const spellings = [
      (value: number) => String(value),
      (value: number) => `0x${value.toString(16)}`,
      (value: number) => `0${value.toString(8)}`,
      (value: number) => `0x${Math.floor(value / 2 ** 24).toString(16)}.${value % 2 ** 24}`,
      (value: number) => `${toText(value)}.`,
      (value: number) => `[::ffff:${toText(value)}]`,
      (value: number) => encodeURIComponent(toText(value)).replaceAll('.', '%2e'),
    ];
    fc.assert(
      fc.property(fc.constantFrom(...spellings), privateIpv4, (spell, ip) => {
        const host = hostOf(`http://${spell(toNumber(ip))}/`);
        return hostAddress(host) !== undefined && !isPublicAddress(host);
      }),
    );
    for (const host of ['127.1', '2130706433', '0x7f.1', '0', '[::1]', '①②⑦.⓪.⓪.①'])
      expect(isPublicAddress(hostOf(`http://${host}/`)), host).to.equal(false);
  });
});

describe('parseIp', () => {
  it('reads back every IPv6 address in the spelling that URLs use', () => {
    fc.assert(
      fc.property(ipv6From(), (ip) => {
        expect(parseIp(hostOf(`http://[${ip}]/`))).to.deep.equal(parseIp(ip));
      }),
    );
  });
});

describe('allows', () => {
  const allowed = (entry: string, host: string, { port = 80, address = '127.0.0.1' } = {}): boolean =>
    allows([parseAllowEntry(entry)], { host, port, address });

  it('takes a host exactly, without regard to case and trailing dot', () => {
    expect(allowed('Host.Example', 'host.example.')).to.equal(true);
    expect(allowed('host.example', 'sub.host.example')).to.equal(false);
    expect(allowed('host.example', 'host.example.evil.test')).to.equal(false);
    expect(allowed('127.0.0.1', '127.0.0.1')).to.equal(true);
  });

  it('does not take a name for the address it resolves to, unless a block covers the address', () => {
    expect(allowed('127.0.0.1', 'localhost')).to.equal(false);
    expect(allowed('127.0.0.1/32', 'localhost')).to.equal(true);
  });

  it('takes a host with a port only at that port', () => {
    expect(allowed('host.example:8443', 'host.example', { port: 8443 })).to.equal(true);
    expect(allowed('host.example:8443', 'host.example', { port: 443 })).to.equal(false);
    expect(allowed('[::1]:8443', '[::1]', { port: 8443, address: '::1' })).to.equal(true);
    expect(allowed('0:0:0:0:0:0:0:1', '[::1]', { address: '::1' })).to.equal(true);
  });

  it('takes a block for exactly the addresses with its prefix', () => {
    const entry = parseAllowEntry('10.1.0.0/16');
    fc.assert(
      fc.property(fc.oneof(within('10.0.0.0/8'), within('10.1.0.0/16')), (address) => {
        expect(allows([entry], { host: 'a.test', port: 80, address })).to.equal(address.startsWith('10.1.'));
      }),
    );
    expect(allowed('fd00::/8', 'a.test', { address: 'fd12::1' })).to.equal(true);
    expect(allowed('0.0.0.0/0', 'a.test', { address: '::ffff:10.0.0.1' })).to.equal(false);
  });

  it('refuses an entry that cannot be read, naming outbound.conf', () => {
    const bad = [
      '',
      'http://host.example',
      '*.example',
      'host.example:0',
      'host.example:65536',
      'host example',
      '10.1.2.3/8',
      '10.0.0.0/33',
      '10.0.0.0/',
      'host/8',
      '127.1',
      '2130706433',
      '0x7f.1',
      '[::1',
      '[host]',
      '-a.example',
    ];
    for (const entry of bad) expect(() => parseAllowEntry(entry), entry).to.throw('outbound.conf: allow');
  });
});
