import { DOCUMENTS } from '../../../ports/documents.ts';
import type { Outbound } from '../../../ports/outbound.ts';
import { base64 } from '../../foundation/bytes.ts';
import { mapBounded } from '../../foundation/concurrency.ts';
import { isDomainError } from '../../foundation/errors.ts';
import { dataUrlBytes, imageType } from '../../foundation/images.ts';
import type { CredentialDisplay, DisplayEntry } from '../../holdings/records.ts';
import { httpUrl } from '../../network/urls.ts';
import { isEmpty, isShown } from './credential-display.ts';

/** The bounds of the images of one offer. */
export const IMAGE_BOUNDS = {
  /** Different images. */
  images: 16,
  concurrent: 8,
  /** Milliseconds for one image. */
  timeoutMs: 2000,
  /** Characters of all data URLs of one credential, and of all credentials of one offer, which share them equally. */
  perCredential: 256 * 1024,
  perOffer: 4 * 1024 * 1024,
} as const;

/** Which images are kept first when not all of them have room. */
const ORDER = [
  ['credential', 'logo'],
  ['issuer', 'logo'],
  ['credential', 'backgroundImage'],
  ['issuer', 'backgroundImage'],
] as const;

type Displays = readonly (CredentialDisplay | undefined)[];

/** Embeds the images of display data, so that showing a credential needs no network, from which its issuer would learn of it. */
export class EmbeddedImages {
  constructor(private readonly outbound: Outbound) {}

  /**
   * Replaces the URLs of images by data URLs of their content. An image that cannot be fetched, is too large or is none of the types in
   * `imageType` is left out: display data never makes an issuance fail.
   */
  async embed(displays: Displays): Promise<(CredentialDisplay | undefined)[]> {
    const { images, concurrent, perCredential, perOffer } = IMAGE_BOUNDS;
    const urls = [...new Set(displays.flatMap((display) => (display ? imageUrls(display) : [])))].slice(0, images);
    const embedded = await mapBounded(urls, concurrent, (url) => this.#embed(url));
    const known = new Map(urls.map((url, index) => [url, embedded[index]]));
    const most = Math.min(perCredential, Math.floor(perOffer / displays.length));
    return displays.map((display) => display && withImages(display, known, most));
  }

  async #embed(url: string): Promise<string | undefined> {
    const bytes = /^data:/i.test(url) ? dataUrlBytes(url) : await this.#fetch(url);
    const type = bytes && bytes.length <= DOCUMENTS.logo.maxBytes ? imageType(bytes) : undefined;
    return bytes && type && `data:${type};base64,${base64(bytes)}`;
  }

  async #fetch(url: string): Promise<Uint8Array | undefined> {
    if (!httpUrl(url)) return undefined;
    const headers = { accept: 'image/png, image/webp, image/jpeg, image/gif' };
    try {
      const { timeoutMs } = IMAGE_BOUNDS;
      const reply = await this.outbound.send({ method: 'GET', url, expects: 'logo', headers, timeoutMs });
      return reply.status === 200 ? reply.body : undefined;
    } catch (error) {
      if (!isDomainError(error)) throw error;
      return undefined;
    }
  }
}

const imageUrls = (display: CredentialDisplay): string[] =>
  ORDER.flatMap(([part, member]) => display[part].flatMap((entry) => entry[member]?.uri ?? []));

/** The display data with those embedded images that have room; undefined when it shows nothing without the others. */
function withImages(
  display: CredentialDisplay,
  embedded: ReadonlyMap<string, string | undefined>,
  most: number,
): CredentialDisplay | undefined {
  const bare = ({ logo, backgroundImage, ...entry }: DisplayEntry): DisplayEntry => entry;
  const entries = { issuer: display.issuer.map(bare), credential: display.credential.map(bare) };
  let left = most;
  for (const [part, member] of ORDER)
    for (const [index, entry] of entries[part].entries()) {
      const image = display[part][index]?.[member];
      const uri = image && embedded.get(image.uri);
      if (uri === undefined || uri.length > left) continue;
      left -= uri.length;
      entry[member] = { ...image, uri };
    }
  const shown = {
    issuer: entries.issuer.filter(isShown),
    credential: entries.credential.filter(isShown),
    claims: display.claims,
  };
  return isEmpty(shown) ? undefined : shown;
}
