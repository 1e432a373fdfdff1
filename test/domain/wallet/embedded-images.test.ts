import { expect } from 'chai';
import fc from 'fast-check';
import { DomainError } from '../../../domain/foundation/errors.ts';
import { imageType } from '../../../domain/foundation/images.ts';
import type { CredentialDisplay, DisplayEntry } from '../../../domain/holdings/records.ts';
import { EmbeddedImages, IMAGE_BOUNDS } from '../../../domain/wallet/issuance/embedded-images.ts';
import type { Outbound, OutboundRequest } from '../../../ports/outbound.ts';
import { dataUrl, IMAGES, imageOf } from '../../support/credentials/images.ts';

const display = (...credential: DisplayEntry[]): CredentialDisplay => ({ issuer: [], credential, claims: [] });
const named = (name: string, uri: string): DisplayEntry => ({ name, logo: { uri } });

/** Answers each URL with the image of its number of bytes: `https://a.example/<bytes>/<anything>`. */
function imageServer() {
  const calls: OutboundRequest[] = [];
  let [open, most] = [0, 0];
  const outbound: Outbound = {
    check: () => {},
    send: async (request) => {
      calls.push(request);
      open += 1;
      most = Math.max(most, open);
      await new Promise((resolve) => setImmediate(resolve));
      open -= 1;
      const [, , , bytes = '', seed = ''] = request.url.split('/');
      if (bytes === 'down') throw new DomainError('UpstreamTimeout', 'late');
      if (bytes === 'refused') throw new DomainError('AddressRefused', 'private');
      if (bytes === 'missing') return { status: 404, headers: { 'content-type': 'image/png' }, body: imageOf(100) };
      return { status: 200, headers: { 'content-type': 'text/html' }, body: imageOf(Number(bytes), seed) };
    },
  };
  return { images: new EmbeddedImages(outbound), calls, most: () => most };
}

const url = (bytes: number | string, seed = ''): string => `https://a.example/${bytes}/${seed}`;

describe('EmbeddedImages', () => {
  it('fetches an image once for all places that show it, and keeps it as a data URL', async () => {
    const { images, calls } = imageServer();
    const entries = ['a', 'b'].map((name) => named(name, url(100)));
    const [one, none, other] = await images.embed([display(...entries), undefined, display(...entries)]);
    expect(one).to.deep.equal(display(...['a', 'b'].map((name) => named(name, dataUrl(imageOf(100))))));
    expect([none, other]).to.deep.equal([undefined, one]);
    expect(calls.map(({ method, url, expects, timeoutMs }) => ({ method, url, expects, timeoutMs }))).to.deep.equal([
      { method: 'GET', url: url(100), expects: 'logo', timeoutMs: 2000 },
    ]);
  });

  it('leaves out an image that fails, and an entry or display data that shows nothing without it', async () => {
    const { images } = imageServer();
    for (const failing of ['down', 'refused', 'missing', '3', '131073']) {
      const [shown] = await images.embed([
        display(named('a', url(failing)), { logo: { uri: url(failing) }, locale: 'de' }),
      ]);
      expect(shown, failing).to.deep.equal(display({ name: 'a' }));
      expect(await images.embed([display({ logo: { uri: url(failing) } })])).to.deep.equal([undefined]);
    }
    expect((await images.embed([display(named('a', url(131_072)))]))[0]?.credential[0]?.logo?.uri).to.match(/^data:/);
  });

  it('reads data URLs without a call, by their content and not by the type they state', async () => {
    const { images, calls } = imageServer();
    const kept = Object.entries(IMAGES).map(([type, image]) => [dataUrl(image, 'svg+xml'), dataUrl(image, type)]);
    const refused = [
      'data:image/svg+xml;base64,PHN2Zy8+',
      'data:image/png,%89PNG',
      `data:image/png;base64,${'!'.repeat(8)}`,
      'data:,',
      'data:',
    ];
    for (const [uri = '', embedded] of [...kept, ...refused.map((one) => [one])]) {
      const [shown] = await images.embed([display(named('a', uri))]);
      expect(shown?.credential[0]?.logo?.uri, uri).to.equal(embedded);
    }
    expect(calls).to.deep.equal([]);
  });

  it(`fetches at most ${IMAGE_BOUNDS.images} images for an offer, ${IMAGE_BOUNDS.concurrent} at once`, async () => {
    const { images, calls, most } = imageServer();
    const entries = Array.from({ length: 20 }, (_, index) => named(`n${index}`, url(100, `${index}`)));
    const shown = await images.embed([display(...entries.slice(0, 10)), display(...entries.slice(10))]);
    expect([calls.length, most()]).to.deep.equal([16, 8]);
    const logos = shown.flatMap((one) => one?.credential.map(({ logo }) => logo !== undefined) ?? []);
    expect(logos).to.deep.equal([...Array(16).fill(true), ...Array(4).fill(false)]);
  });

  it('a credential keeps at most 256 KiB of images: first its logos, then those of the issuer, then backgrounds', async () => {
    const { images } = imageServer();
    const [big, small] = [url(90_000), url(9000)];
    const all = {
      issuer: [{ name: 'i', logo: { uri: small }, backgroundImage: { uri: big } }],
      credential: [{ name: 'c', logo: { uri: big }, backgroundImage: { uri: url(90_000, 'x') } }],
      claims: [],
    };
    const [shown] = await images.embed([all]);
    expect(JSON.stringify(shown).length).to.be.within(200_000, IMAGE_BOUNDS.perCredential + 1000);
    const [issuer, credential] = [shown?.issuer[0], shown?.credential[0]];
    expect(
      [credential?.logo, issuer?.logo, credential?.backgroundImage].map((image) => image?.uri.slice(0, 5)),
    ).to.deep.equal(['data:', 'data:', 'data:']);
    expect(issuer).to.not.have.property('backgroundImage');
  });

  it('many credentials of one offer share 4 MiB equally', async () => {
    const { images } = imageServer();
    const shown = await images.embed(
      Array.from({ length: 128 }, () => display(named('a', url(24_000)), named('b', url(20_000)))),
    );
    expect(JSON.stringify(shown).length).to.be.within(3_000_000, IMAGE_BOUNDS.perOffer + 128 * 200);
    for (const one of shown) expect(one?.credential.map(({ logo }) => logo !== undefined)).to.deep.equal([true, false]);
  });
});

describe('imageType', () => {
  it('is that of the first bytes', () => {
    for (const [type, image] of Object.entries(IMAGES)) expect(imageType(image)).to.equal(`image/${type}`);
  });

  it('any text that is a document for a browser, and any too short beginning of an image, is none', () => {
    for (const text of [
      '<svg xmlns="http://www.w3.org/2000/svg"/>',
      '<html>',
      '<?xml version="1.0"?><svg/>',
      '%PDF-1.7',
      'BM',
      '',
    ])
      expect(imageType(Buffer.from(text))).to.equal(undefined);
    for (const image of Object.values(IMAGES)) expect(imageType(image.subarray(0, 3))).to.equal(undefined);
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 40 }), (bytes) => imageType(Uint8Array.of(0x3c, ...bytes)) === undefined),
    );
  });
});
