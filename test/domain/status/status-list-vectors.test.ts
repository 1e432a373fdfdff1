import { deflateSync, inflateSync } from 'node:zlib';
import { expect } from 'chai';
import { NodeCertificates } from '../../../adapters/crypto/certificates.ts';
import { NodeSignatures } from '../../../adapters/crypto/signatures.ts';
import { ParsedTokenLists } from '../../../adapters/formats/token-status-list/token-lists.ts';
import { PrometheusMetrics } from '../../../adapters/metrics/prometheus.ts';
import { signList } from '../../../domain/status/list-tokens.ts';
import { readTokenEntry } from '../../../domain/status/status-entries.ts';
import { readTokenList, tokenValue } from '../../../domain/status/token-status-lists.ts';
import type { KeySources } from '../../../ports/credential-formats.ts';
import { testFormats } from '../../support/credentials/formats.ts';
import { mdocSigner } from '../../support/credentials/mdoc-issuer.ts';

const URL = 'https://lists.example/1';

/** The test vectors of draft-ietf-oauth-status-list-21 (Appendix C): lists of 2²⁰ entries and the values that are not 0. */
const VECTORS: { bits: number; lst: string; values: Record<number, number> }[] = [
  {
    bits: 1,
    lst:
      'eNrt3AENwCAMAEGogklACtKQPg9LugC9k_ACvreiogEAAKkeCQAAAAAAAAAAAAAAAAAAAIBylgQAAAAAAAAAAAAAAAAAAAAAAAAA' +
      'AAAAAAAAAAAAAAAAAAAAAAAAAAAAXG9IAAAAAAAAAPwsJAAAAAAAAAAAAAAAvhsSAAAAAAAAAAAA7KpLAAAAAAAAAAAAAAAAAAAA' +
      'AJsLCQAAAAAAAAAAADjelAAAAAAAAAAAKjDMAQAAAACAZC8L2AEb',
    values: {
      0: 1,
      1993: 1,
      25460: 1,
      159495: 1,
      495669: 1,
      554353: 1,
      645645: 1,
      723232: 1,
      854545: 1,
      934534: 1,
      1000345: 1,
    },
  },
  {
    bits: 2,
    lst:
      'eNrt2zENACEQAEEuoaBABP5VIO01fCjIHTMStt9ovGVIAAAAAABAbiEBAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAEB5' +
      'WwIAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA' +
      'AAAAAAAAAID0ugQAAAAAAAAAAAAAAAAAQG12SgAAAAAAAAAAAAAAAAAAAAAAAAAAAOCSIQEAAAAAAAAAAAAAAAAAAAAAAAD8ExIA' +
      'AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAwJEuAQAAAAAAAAAAAAAAAAAAAAAAAMB9SwIAAAAAAAAAAAAAAAAAAACoYUoA' +
      'AAAAAAAAAAAAAEBqH81gAQw',
    values: {
      0: 1,
      1993: 2,
      25460: 1,
      159495: 3,
      495669: 1,
      554353: 1,
      645645: 2,
      723232: 1,
      854545: 1,
      934534: 2,
      1000345: 3,
    },
  },
  {
    bits: 4,
    lst:
      'eNrt0EENgDAQADAIHwImkIIEJEwCUpCEBBQRHOy35Li1EjoOQGabAgAAAAAAAAAAAAAAAAAAACC1SQEAAAAAAAAAAAAAAAAAAAAA' +
      'AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA' +
      'AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA' +
      'AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAABADrsCAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA' +
      'AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAADoxaEAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA' +
      'AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAIIoCgAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA' +
      'AAAAAAAAAACArpwKAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAGhqVkAzlwIAAAAAiGVRAAAAAAAAAAAAAAAA' +
      'AAAAAAAAAAAAAAAAAAAAAAAAAABx3AoAgLpVAQAAAAAAAAAAAAAAwM89rwMAAAAAAAAAAAjsA9xMBMA',
    values: {
      0: 1,
      1993: 2,
      35460: 3,
      459495: 4,
      595669: 5,
      754353: 6,
      845645: 7,
      923232: 8,
      924445: 9,
      934534: 10,
      1000345: 12,
      1004534: 11,
      1030203: 13,
      1030204: 14,
      1030205: 15,
    },
  },
];

/** A list of 2²⁰ entries of 8 bits, which is a byte each, with every value at a place of its own. */
function ofEightBits(): (typeof VECTORS)[number] {
  const places = Array.from({ length: 255 }, (_, index) => (index * 4111 + 19_535) % 2 ** 20);
  const values = Object.fromEntries(places.map((place, index) => [place, index + 1]));
  const bytes = new Uint8Array(2 ** 20).map((_, place) => values[place] ?? 0);
  return { bits: 8, lst: deflateSync(bytes).toString('base64url'), values };
}

/** The example of a list as CWT (§5.2), signed with a key that it names by its id alone. */
const CWT =
  'd2845820a2012610781a6170706c69636174696f6e2f7374617475736c6973742b63' +
  '7774a1044231325850a502782168747470733a2f2f6578616d706c652e636f6d2f73' +
  '74617475736c697374732f31061a648c5bea041a8898dfea19fffe19a8c019fffda2' +
  '646269747301636c73744a78dadbb918000217015d584093fa4d01032b18c35e2fe1' +
  '101b77fd6cc9440022caa4694450c4e4e9feab4e99d1fa6d9772ce2bf3a12e0323de' +
  'd7c982c5e101a5e67f0cbc1e2b6f57ce99c279';

describe('the test vectors of the Token Status List', () => {
  for (const { bits, lst, values } of [...VECTORS, ofEightBits()]) {
    const indexes = Object.keys(values).map(Number);

    it(`of ${bits} bits are read as they say`, () => {
      const list = readTokenList({ sub: URL, iat: 1, status_list: { bits, lst } }, URL);
      const at = (idx: number) => tokenValue(list, readTokenEntry({ idx, uri: URL }));
      expect(list.statuses).to.have.length((2 ** 20 * bits) / 8);
      for (const index of indexes) {
        expect(at(index), String(index)).to.equal(values[index]);
        if (values[index + 1] === undefined) expect(at(index + 1)).to.equal(0);
      }
      const count = list.statuses.reduce((sum, byte) => sum + (byte === 0 ? 0 : 1), 0);
      expect(count).to.be.at.most(indexes.length);
    });

    it(`of ${bits} bits are what we publish for these statuses`, async () => {
      const content = {
        choice: { kind: 'TokenStatusListJwt', bits },
        size: 2 ** 20,
        issuer: 'https://issuer.example',
        kid: 'k',
        url: URL,
        statuses: new Map(indexes.map((index) => [index, values[index] ?? 0])),
        issuedAt: 0,
        lifetimeSeconds: 1,
        ttlSeconds: 1,
      } as const;
      const parts = { credentials: testFormats.standard.codec, cwts: { sign: async () => new Uint8Array() } };
      const { body } = await signList(content, await mdocSigner(), parts);
      const claims = JSON.parse(Buffer.from(String(body).split('.')[1] ?? '', 'base64url').toString());
      const inflated = (text: string) => inflateSync(Buffer.from(text, 'base64url'));
      expect(claims.status_list.bits).to.equal(bits);
      expect(inflated(claims.status_list.lst).equals(inflated(lst))).to.equal(true);
    });
  }

  it('as CWT has the claims of the example, and no signer that a certificate names', async () => {
    const certificates = new NodeCertificates();
    const lists = new ParsedTokenLists({ certificates, signatures: new NodeSignatures(new PrometheusMetrics()) });
    const list = await lists.parse(Buffer.from(CWT, 'hex'), 'status_list');
    const sub = 'https://example.com/statuslists/1';
    const times = { iat: 1_686_920_170, exp: 2_291_720_170, ttl: 43_200 };
    expect(list.claims).to.deep.equal({ sub, ...times, status_list: { bits: 1, lst: 'eNrbuRgAAhcBXQ' } });
    expect(readTokenList(list.claims, sub).bits).to.equal(1);
    expect(await list.verify({} as KeySources)).to.equal(undefined);
  });
});
