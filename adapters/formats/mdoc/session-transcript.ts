import type * as Library from '@owf/mdoc';
import { digest } from '../../../domain/foundation/bytes.ts';
import type { Handover } from '../../../ports/credential-formats.ts';

type Kind = Handover['kind'];
type HandoverOf<K extends Kind> = Extract<Handover, { kind: K }>;

/** SHA-256 of the CBOR of a list. */
type Hashed = (list: readonly unknown[]) => Uint8Array;

/** The table of handovers, as their specifications write them. */
const HANDOVERS: { [K in Kind]: (handover: HandoverOf<K>, hashed: Hashed) => unknown[] } = {
  draft: ({ clientId, responseUri, nonce, mdocNonce }, hashed) => [
    hashed([clientId, mdocNonce]),
    hashed([responseUri, mdocNonce]),
    nonce,
  ],
  redirect: ({ clientId, nonce, encryptionKey = null, responseUri }, hashed) => [
    'OpenID4VPHandover',
    hashed([clientId, nonce, encryptionKey, responseUri]),
  ],
  'dc-api': ({ origin, nonce, encryptionKey = null }, hashed) => [
    'OpenID4VPDCAPIHandover',
    hashed([origin, nonce, encryptionKey]),
  ],
  'iso-dc-api': ({ encryptionInfo, origin }, hashed) => ['dcapi', hashed([encryptionInfo, origin])],
};

const handoverOf = <K extends Kind>(handover: HandoverOf<K> & { kind: K }, hashed: Hashed): unknown[] =>
  HANDOVERS[handover.kind](handover, hashed);

/**
 * The SessionTranscript of an exchange over the internet (ISO 18013-5 §9.1.5.1), which has neither a device engagement
 * nor a key of the reader, as the library encodes it.
 */
export const sessionTranscript = (
  handover: Handover,
  { cborEncode }: Pick<typeof Library, 'cborEncode'>,
): unknown[] => [null, null, handoverOf(handover, (list) => digest('sha256', cborEncode(list)))];
