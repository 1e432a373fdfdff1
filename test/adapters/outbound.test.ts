import type { LookupFunction } from 'node:net';
import { expect } from 'chai';
import { DomainError } from '../../domain/foundation/errors.ts';
import type { DocumentKind } from '../../ports/documents.ts';
import { DOCUMENTS } from '../../ports/documents.ts';
import { fails, get, guardedCalls, resolver } from '../support/servers/guarded-calls.ts';

const KINDS = Object.keys(DOCUMENTS) as DocumentKind[];
const own307 = (port: number): string => `http://127.0.0.1:${port}/`;

describe('GuardedOutbound', () => {
  const { host, canary, guard, outcomes, stop } = guardedCalls();

  describe('addresses', () => {
    it('refuses loopback in every spelling without connecting', async () => {
      const { port, connections } = await canary();
      const spellings = ['127.0.0.1', '127.1', '2130706433', '0x7f.1', '017700000001', '0', '[::1]', '[::]'];
      const hosts = [...spellings, '[::ffff:127.0.0.1]', '[::ffff:7f00:1]', 'localhost', 'localhost.', 'a.LOCALHOST'];
      for (const name of hosts) await fails(guard().send(get(`http://${name}:${port}/`)), 'AddressRefused');
      expect(connections()).to.equal(0);
      expect(new Set(outcomes)).to.deep.equal(new Set(['refused']));
    });

    it('refuses other schemes, credentials and texts that are not URLs', async () => {
      const { port, connections } = await canary();
      const urls = ['file:///etc/passwd', 'ftp://a.example/', 'data:,x', 'gopher://a.example', 'nothing', ''];
      for (const url of [...urls, `http://user:pass@127.0.0.1:${port}/`, `http://user@127.0.0.1:${port}/`])
        await fails(guard({ allow: ['127.0.0.1'] }).send(get(url)), 'AddressRefused');
      expect(connections()).to.equal(0);
    });

    it('refuses a name that resolves to loopback, even beside a public address, without naming the address', async () => {
      const { port, connections } = await canary();
      for (const answer of [['127.0.0.1'], ['8.8.8.8', '127.0.0.1'], ['::ffff:127.0.0.1'], ['fd00::1']]) {
        const sending = guard({ resolve: resolver(answer) }).send(get(`http://name.test:${port}/`));
        const { message } = await fails(sending, 'AddressRefused');
        expect(message).to.include('name.test').and.not.include(answer.at(-1));
      }
      expect(connections()).to.equal(0);
    });

    it('connects to the validated address: a name is resolved once per connection', async () => {
      const { port, connections } = await canary();
      const checked = guard({ allow: ['127.0.0.2/32'], resolve: resolver(['127.0.0.2'], ['127.0.0.1']) });
      await fails(checked.send(get(`http://name.test:${port}/`)), 'UpstreamFailed');
      await fails(checked.send(get(`http://name.test:${port}/`)), 'AddressRefused');
      expect(connections()).to.equal(0);
    });

    it('reaches addresses that are allowed by host, by host and port, and by block', async () => {
      const { port } = await canary();
      const resolve = resolver(['127.0.0.1']);
      const allowed: [string, string][] = [
        ['127.0.0.1', `http://127.1:${port}/`],
        [`127.0.0.1:${port}`, `http://127.0.0.1:${port}/`],
        ['name.test', `http://NAME.test.:${port}/`],
        ['127.0.0.0/8', `http://other.test:${port}/`],
      ];
      for (const [entry, url] of allowed)
        expect(await guard({ allow: [entry], resolve }).send(get(url)), entry).to.have.property('status', 200);
      await fails(guard({ allow: [`127.0.0.1:${port + 1}`] }).send(get(`http://127.0.0.1:${port}`)), 'AddressRefused');
    });

    it('reaches the address of this server for the calls of its wallet, but no other port', async () => {
      const { port } = await canary();
      const own = guard({ publicUrl: `http://127.0.0.1:${port}` });
      const expects = 'credential-offer';
      expect(await own.send(get(`http://127.0.0.1:${port}/x`, { expects }))).to.have.property('status', 200);
      const other = await canary();
      await fails(own.send(get(`http://127.0.0.1:${other.port}/`, { expects })), 'AddressRefused');
      expect(other.connections()).to.equal(0);
    });

    const others = KINDS.filter((kind) => !DOCUMENTS[kind].reachesOwnOrigin);
    for (const expects of others)
      it(`refuses the address of this server for a ${expects}, in any spelling and with any allowed block`, async () => {
        const { port, connections } = await canary();
        const resolve = resolver(['127.0.0.1']);
        const allow = ['127.0.0.0/8', 'localhost', '127.0.0.1', 'name.test'];
        const own = guard({ publicUrl: `http://127.0.0.1:${port}`, allow, resolve });
        const hosts = ['127.0.0.1', '127.1', 'localhost', 'LOCALHOST.', '[::ffff:127.0.0.1]', 'name.test'];
        for (const host of hosts) {
          const url = `http://${host}:${port}/`;
          await fails(own.send(get(url, { expects })), 'AddressRefused');
          if (host !== 'name.test') expect(() => own.check({ url, expects }), url).to.throw(DomainError);
        }
        const named = guard({ publicUrl: `http://Self.Test:${port}`, allow: ['127.0.0.0/8', 'self.test'], resolve });
        for (const host of ['self.test', 'SELF.test.'])
          expect(() => named.check({ url: `http://${host}:${port}/`, expects })).to.throw(DomainError);
        await fails(named.send(get(`http://self.test:${port}/`, { expects })), 'AddressRefused');
        const hop = await host((_, response) => void response.writeHead(307, { location: own307(port) }).end());
        const refusal = DOCUMENTS[expects].followsRedirects ? 'AddressRefused' : 'UpstreamFailed';
        await fails(own.send(get(`http://127.0.0.1:${hop.port}/`, { expects })), refusal);
        expect(connections()).to.equal(0);
      });

    it('a connection of the wallet to the address of this server is not reused by other calls', async () => {
      const { port, requests } = await canary();
      const own = guard({ publicUrl: `http://127.0.0.1:${port}`, allow: ['127.0.0.0/8'] });
      await own.send(get(`http://127.0.0.1:${port}/`, { expects: 'credential-offer' }));
      await fails(own.send(get(`http://127.0.0.1:${port}/`)), 'AddressRefused');
      expect(requests).to.have.length(1);
    });

    it('reaches the address of this server for every kind of call when an entry names its host and port', async () => {
      const { port } = await canary();
      const own = guard({ publicUrl: `http://127.0.0.1:${port}`, allow: [`127.0.0.1:${port}`] });
      for (const expects of KINDS)
        expect(await own.send(get(`http://127.0.0.1:${port}/`, { expects }))).to.have.property('status', 200);
    });

    it('refuses an entry that it cannot parse', () => {
      expect(() => guard({ allow: ['127.0.0.1', 'http://a.example'] })).to.throw('outbound.conf');
    });
  });

  describe('exchanges', () => {
    it('returns any status with its headers and body, and reuses connections', async () => {
      const { port, connections } = await host((_, response) => {
        response.writeHead(418, { 'X-Kind': ['a', 'b'] }).end('short');
      });
      const outbound = guard({ allow: ['127.0.0.1'] });
      for (let round = 0; round < 10; round += 1) {
        const reply = await outbound.send(get(`http://127.0.0.1:${port}/`));
        expect(reply).to.deep.include({ status: 418, body: Buffer.from('short') });
        expect(reply.headers).to.include({ 'x-kind': 'a, b' });
      }
      expect(connections()).to.be.at.most(2);
      expect(outcomes).to.deep.equal(new Array(10).fill('answered'));
    });

    it('refuses header values with line breaks or control characters', async () => {
      const { port, connections } = await canary();
      for (const value of ['a\r\nX-Evil: 1', 'a\nb', 'a\rb', 'a\0b', 'naïve → no']) {
        const headers = { authorization: value };
        const sending = guard({ allow: ['127.0.0.1'] }).send(get(`http://127.0.0.1:${port}/`, { headers }));
        const { message } = await fails(sending, 'BadRequest');
        expect(message).to.include('authorization').and.not.include(value);
      }
      expect(connections()).to.equal(0);
    });

    it('reports a server that is unreachable or closes the connection; only the log has the addresses', async () => {
      const gone = await canary();
      stop();
      const resolve = resolver(['127.0.0.1']);
      const outbound = guard({ allow: ['127.0.0.0/8'], resolve });
      const { message } = await fails(outbound.send(get(`http://name.test:${gone.port}/`)), 'UpstreamFailed');
      expect(message).to.include('name.test').and.not.include('127.0.0.1');
      const broken = await host((request) => void request.socket.destroy());
      await fails(outbound.send(get(`http://127.0.0.1:${broken.port}/`)), 'UpstreamFailed');
      expect(outcomes).to.deep.equal(['unreachable', 'unreachable']);
    });

    it('reports a name that does not resolve', async () => {
      const resolve: LookupFunction = (_name, _options, callback) => callback(new Error('ENOTFOUND'), '');
      await fails(guard({ resolve }).send(get('http://name.test/')), 'UpstreamFailed');
      await fails(guard({ resolve: resolver([]) }).send(get('http://name.test/')), 'UpstreamFailed');
    });
  });
});
