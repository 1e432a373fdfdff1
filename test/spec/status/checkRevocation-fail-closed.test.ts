import type { RequestListener } from 'node:http';
import { expect } from 'chai';
import fc from 'fast-check';
import { bitstring, encodeList, LIST_BITS, statusEntry } from '../../../demo/actors/status-list.ts';
import { runs } from '../../support/runs/property-runs.ts';
import { useServer } from '../../support/servers/server.ts';
import {
  credentialWith,
  type ListHost,
  type ListIssuer,
  listClaims,
  listHost,
  listIssuer,
} from '../../support/status/status-lists.ts';

type ListOptions = Parameters<typeof listClaims>[0];

/** Defects of a list before it is signed. */
const WRONG_LISTS: Record<string, (options: ListOptions) => ListOptions> = {
  'another purpose': (options) => ({ ...options, subject: { ...options.subject, statusPurpose: 'suspension' } }),
  'no purpose': (options) => ({ ...options, subject: { ...options.subject, statusPurpose: undefined } }),
  'another subject type': (options) => ({ ...options, subject: { ...options.subject, type: 'StatusList2020' } }),
  'another credential type': (options) => ({ ...options, vc: { ...options.vc, type: ['VerifiableCredential'] } }),
  'too short': (options) => ({
    ...options,
    subject: { ...options.subject, encodedList: encodeList(bitstring([], 65_536)) },
  }),
  'not gzip': (options) => ({ ...options, subject: { ...options.subject, encodedList: 'AAAA' } }),
  'no list': (options) => ({ ...options, subject: { ...options.subject, encodedList: undefined } }),
  expired: (options) => ({ ...options, claims: { ...options.claims, exp: 1 } }),
  'not valid yet': (options) => ({ ...options, claims: { ...options.claims, nbf: 4_102_444_800 } }),
  'of another issuer': (options) => ({ ...options, did: 'did:example:other' }),
  'of another URL': (options) => ({ ...options, vc: { ...options.vc, id: 'https://elsewhere.example/1' } }),
};

/** Defects of a signed list when it is sent; `at` is any number from 0 to 1. */
const WRONG_REPLIES: Record<string, (list: string, at: number) => RequestListener> = {
  'cut off': (list, at) => (_, response) => void response.end(list.slice(0, Math.floor(at * list.length))),
  'one character changed': (list, at) => (_, response) => {
    const index = Math.floor(at * (list.length - 1));
    response.end(list.slice(0, index) + (list[index] === 'A' ? 'B' : 'A') + list.slice(index + 1));
  },
  'one character more': (list, at) => (_, response) => {
    const index = 1 + Math.floor(at * (list.length - 1));
    response.end(`${list.slice(0, index)}A${list.slice(index)}`);
  },
  unsigned: (list) => (_, response) => {
    const [, payload = ''] = list.split('.');
    response.end(`${Buffer.from('{"alg":"none"}').toString('base64url')}.${payload}.`);
  },
  'plain JSON': (list) => (_, response) => {
    const claims = JSON.parse(Buffer.from(list.split('.')[1] ?? '', 'base64url').toString());
    response.end(JSON.stringify(claims.vc));
  },
  'an error status': (list, at) => (_, response) => void response.writeHead(400 + Math.floor(at * 199)).end(list),
  'a success without a list': (list, at) => (_, response) =>
    void response.writeHead(201 + Math.floor(at * 5)).end(list),
  'broken off': (list, at) => (_, response) => {
    response.writeHead(200, { 'content-length': String(list.length) });
    response.write(list.slice(0, Math.floor(at * list.length)), () => response.destroy());
  },
  'a redirect to itself': () => (request, response) =>
    void response.writeHead(302, { location: request.url ?? '/' }).end(),
};

describe('checkRevocation, fail closed', () => {
  const server = useServer();
  let host: ListHost;
  let issuer: ListIssuer;

  before(async () => {
    [host, issuer] = await Promise.all([listHost(), listIssuer()]);
  });

  after(() => host.close());

  const index = fc.integer({ min: 0, max: LIST_BITS - 1 });
  const wrongs = fc.subarray(Object.keys(WRONG_LISTS), { maxLength: 2 });
  const wrongReply = fc.option(fc.constantFrom(...Object.keys(WRONG_REPLIES)), { nil: undefined });

  it('property: a check answers 200 only when the list is valid in every respect, and then with the right result', async () => {
    const at = fc.double({ min: 0, max: 0.999, noNaN: true });
    await fc.assert(
      fc.asyncProperty(index, fc.boolean(), wrongs, wrongReply, at, async (entry, revoked, wrong, reply, where) => {
        const good: ListOptions = { did: issuer.did, set: revoked ? [entry] : [] };
        const options = wrong.reduce((spoilt, name) => WRONG_LISTS[name]?.(spoilt) ?? spoilt, good);
        const list = await issuer.sign(listClaims(options));
        const spoil = reply === undefined ? undefined : WRONG_REPLIES[reply];
        const url = host.publish(spoil === undefined ? list : spoil(list, where));
        const credential = credentialWith(issuer.did, statusEntry(url, entry));
        const { status, body } = await server.call('checkRevocation', { json: credential });
        if (wrong.length === 0 && spoil === undefined) expect(body).to.deep.equal({ isRevoked: revoked });
        else expect(status, `${wrong} ${reply} ${JSON.stringify(body)}`).to.be.oneOf([400, 502]);
      }),
      { numRuns: runs(75) },
    );
  });
});
