import type * as Library from '@owf/mdoc';
import { digest } from '../../../domain/foundation/bytes.ts';
import type { Handover } from '../../../ports/credential-formats.ts';

type Kind = Handover['kind'];
type HandoverOf<K extends Kind> = Extract<Handover, { kind: K }>;

/** SHA-256 of the CBOR of a list. */
type Hashed = (list: readonly unknown[]) => Uint8Array;

/** The table of handovers, as their specifications write them. */
const HANDOVERS: { [K in Kind]: (handover: HandoverOf<K>, hashed: Hashed) => unknown[] } = {
  draft: ({ clientId, responseUri, nonce, mdocNonce = nonce }, hashed) => [
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

/**
 * The transcripts that a wallet may have signed, that of our own wallet first. Annex B knows no response in the clear:
 * where the nonce of the mdoc stands, wallets write that of the request or nothing, or they use the transcript of
 * OpenID4VP 1.0. Each of them contains the nonce, the client and the response URI of this one request.
 */
export function sessionTranscripts(handover: Handover, library: Pick<typeof Library, 'cborEncode'>): unknown[][] {
  const isInClear = handover.kind === 'draft' && handover.mdocNonce === undefined;
  const others: Handover[] = isInClear
    ? [
        { ...handover, mdocNonce: '' },
        { ...handover, kind: 'redirect' },
      ]
    : [];
  return [handover, ...others].map((one) => sessionTranscript(one, library));
}
