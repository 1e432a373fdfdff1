import { base64, digest, hex } from '../../foundation/bytes.ts';
import { invalidField } from '../../foundation/errors.ts';
import { dataUrlBytes, imageType } from '../../foundation/images.ts';
import type { PublishedImage } from '../credential-type.ts';

/** The most bytes of one image. */
const MAX_IMAGE_BYTES = 65_536;

/** Reads a raster image. @throws DomainError `BadRequest` */
export function readImage(url: string): PublishedImage {
  const bytes = dataUrlBytes(url);
  const mediaType = bytes && imageType(bytes);
  if (!bytes || mediaType === undefined)
    throw invalidField([], 'must be a PNG, JPEG, GIF or WebP as a data URL in base64');
  if (bytes.length > MAX_IMAGE_BYTES) throw invalidField([], `may have at most ${MAX_IMAGE_BYTES} bytes`);
  return { name: hex(digest('sha256', bytes)), mediaType, bytes };
}

/** The base64 of an image. */
export const imageText = ({ bytes }: PublishedImage): string => base64(bytes);
