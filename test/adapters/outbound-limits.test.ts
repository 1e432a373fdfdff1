import type { LookupFunction } from 'node:net';
import { brotliCompressSync, deflateSync, gzipSync } from 'node:zlib';
import { expect } from 'chai';
import type { DocumentKind } from '../../ports/documents.ts';
import { DOCUMENTS } from '../../ports/documents.ts';
import { fails, get, guardedCalls } from '../support/servers/guarded-calls.ts';

describe('GuardedOutbound, limits', () => {
  const { host, guard, outcomes } = guardedCalls();

  const local = (more = {}) => guard({ allow: ['127.0.0.1'], ...more });

  it('aborts a request that is never answered', async () => {
    const { port } = await host(() => {});
    await fails(local().send(get(`http://127.0.0.1:${port}/`, { timeoutMs: 100 })), 'UpstreamTimeout');
    expect(outcomes).to.deep.equal(['timeout']);
  });

  it('aborts the resolution of a name that is never answered', async () => {
    let answer = () => {};
    const resolve: LookupFunction = (_name, _options, callback) => {
      answer = () => callback(new Error('too late'), '');
    };
    await fails(guard({ resolve }).send(get('http://name.test/', { timeoutMs: 100 })), 'UpstreamTimeout');
    answer();
  });

  it('aborts a body that arrives too slowly', async () => {
    const { port } = await host((_, response) => {
      const drip = setInterval(() => response.write('x'), 10);
      response.on('close', () => clearInterval(drip));
    });
    await fails(local().send(get(`http://127.0.0.1:${port}/`, { timeoutMs: 150 })), 'UpstreamTimeout');
  });

  it('counts redirects into the deadline', async () => {
    const { port } = await host((request, response) => {
      setTimeout(() => response.writeHead(302, { location: `${request.url}x` }).end(), 60);
    });
    await fails(local().send(get(`http://127.0.0.1:${port}/`, { timeoutMs: 150 })), 'UpstreamTimeout');
  });

  it('reads a body of each kind up to its limit and stops beyond it', async () => {
    const { port } = await host((request, response) => {
      response.end(Buffer.alloc(Number(request.url?.slice(1)), 'x'));
    });
    const guarded = local();
    const sized = (bytes: number, expects: DocumentKind) =>
      guarded.send(get(`http://127.0.0.1:${port}/${bytes}`, { expects }));
    for (const [name, { maxBytes: limit }] of Object.entries(DOCUMENTS)) {
      const kind = name as DocumentKind;
      expect((await sized(limit, kind)).body.length, kind).to.equal(limit);
      await fails(sized(limit + 1, kind), 'UpstreamFailed');
    }
  });

  it('stops at the limit of an infinite body', async () => {
    let sent = 0;
    const { port } = await host((_, response) => {
      const chunk = Buffer.alloc(64 * 1024);
      const pour = (error?: Error | null) => {
        if (error || response.destroyed) return;
        sent += chunk.length;
        response.write(chunk, pour);
      };
      pour();
    });
    await fails(local().send(get(`http://127.0.0.1:${port}/`)), 'UpstreamFailed');
    expect(sent).to.be.lessThan(32 * 1024 * 1024);
  });

  it('does not request compression, yet decompresses bodies', async () => {
    const codings = { gzip: gzipSync, deflate: deflateSync, br: brotliCompressSync };
    for (const [coding, compress] of Object.entries(codings)) {
      const { port, requests } = await host((_, response) => {
        response.writeHead(200, { 'content-encoding': coding }).end(compress(Buffer.from('plain')));
      });
      const { body } = await local().send(get(`http://127.0.0.1:${port}/`));
      expect(Buffer.from(body).toString(), coding).to.equal('plain');
      expect(requests[0]?.headers['accept-encoding']).to.equal('identity');
    }
  });

  it('stops at the limit of decompressed data too, and refuses damaged data and unknown codings', async () => {
    const bomb = Buffer.alloc(DOCUMENTS['status-list'].maxBytes + 1);
    const replies: [string, Buffer][] = [
      ['gzip', gzipSync(bomb)],
      ['deflate', deflateSync(bomb)],
      ['gzip', Buffer.from('not gzip')],
      ['gzip, gzip', gzipSync('x')],
      ['constructor', Buffer.from('x')],
    ];
    for (const [coding, data] of replies) {
      const { port } = await host((_, response) => {
        response.writeHead(200, { 'content-encoding': coding }).end(data);
      });
      await fails(local().send(get(`http://127.0.0.1:${port}/`)), 'UpstreamFailed');
    }
  });
});
