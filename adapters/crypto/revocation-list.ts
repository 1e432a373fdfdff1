import type { RevokedCertificate } from '../../ports/certificate-maker.ts';
import type { Signer } from '../../ports/key-service.ts';

/** The content of a list of revoked certificates (RFC 5280 §5.1); bytes are DER, times milliseconds since the epoch. */
interface EncodedListContent {
  /** The name of the authority. */
  issuer: Uint8Array;
  thisUpdate: number;
  nextUpdate: number;
  revoked: readonly RevokedCertificate[];
  extensions: readonly Uint8Array[];
  /** Of the signature. */
  digest: keyof typeof SIGNED_WITH;
}

/** The tags of X.690 that occur. */
const TAG = { integer: 0x02, bits: 0x03, octets: 0x04, oid: 0x06, enumerated: 0x0a, time: 0x17, longTime: 0x18 };
const SEQUENCE = 0x30;
/** `[0] EXPLICIT`. */
const EXTENSIONS = 0xa0;

/** Version 2 of lists. */
const VERSION = 1;

/** The last bytes of `ecdsa-with-SHA…` (RFC 5758 §3.2). */
const SIGNED_WITH = { sha256: 2, sha384: 3, sha512: 4 };
const ECDSA_WITH = [0x2a, 0x86, 0x48, 0xce, 0x3d, 0x04, 0x03];
/** `id-ce-cRLReasons`, 2.5.29.21. */
const REASON = Uint8Array.of(0x55, 0x1d, 0x15);

/** RFC 5280 §5.3.1; `unspecified` is left out. */
const REASONS: Record<RevokedCertificate['reason'], number> = {
  unspecified: 0,
  keyCompromise: 1,
  affiliationChanged: 3,
  superseded: 4,
  cessationOfOperation: 5,
  privilegeWithdrawn: 9,
};

/**
 * A signed list of revoked certificates as DER. It is written here since the library compares each entry with all before it,
 * and holds other work up for 0.2 s where a thousand certificates are revoked.
 */
export async function encodeRevocationList(content: EncodedListContent, sign: Signer['sign']): Promise<Uint8Array> {
  const { issuer, thisUpdate, nextUpdate, revoked, extensions, digest } = content;
  const algorithm = der(SEQUENCE, der(TAG.oid, Uint8Array.of(...ECDSA_WITH, SIGNED_WITH[digest])));
  const signed = der(
    SEQUENCE,
    derInteger([VERSION]),
    algorithm,
    issuer,
    derTime(thisUpdate),
    derTime(nextUpdate),
    ...(revoked.length > 0 ? [der(SEQUENCE, ...revoked.map(derEntry))] : []),
    der(EXTENSIONS, der(SEQUENCE, ...extensions)),
  );
  const signature = await sign(signed);
  const half = signature.length / 2;
  const pair = der(SEQUENCE, derInteger(signature.subarray(0, half)), derInteger(signature.subarray(half)));
  return der(SEQUENCE, signed, algorithm, der(TAG.bits, Uint8Array.of(0), pair));
}

function derEntry({ serialNumber, revokedAt, reason }: RevokedCertificate): Uint8Array {
  const stated = der(TAG.octets, der(TAG.enumerated, Uint8Array.of(REASONS[reason])));
  const extensions = reason === 'unspecified' ? [] : [der(SEQUENCE, der(SEQUENCE, der(TAG.oid, REASON), stated))];
  return der(SEQUENCE, derInteger(octetsOf(serialNumber)), derTime(revokedAt), ...extensions);
}

/** The octets of a hexadecimal number. */
export const octetsOf = (digits: string): Uint8Array =>
  Buffer.from(digits.padStart(digits.length + (digits.length % 2), '0'), 'hex');

/** An INTEGER that is not negative, of its octets (X.690 §8.3). */
export function derInteger(octets: ArrayLike<number>): Uint8Array<ArrayBuffer> {
  const all = Uint8Array.from(octets);
  const first = all.findIndex((octet) => octet !== 0);
  const digits = first < 0 ? Uint8Array.of(0) : all.subarray(first);
  // A leading zero octet keeps the sign.
  return der(TAG.integer, ...((digits[0] ?? 0) > 0x7f ? [Uint8Array.of(0)] : []), digits);
}

/** Until 2049 the short form (RFC 5280 §5.1.2.4). */
function derTime(ms: number): Uint8Array {
  const text = `${new Date(ms).toISOString().slice(0, 19).replaceAll(/[-:T]/g, '')}Z`;
  return text < '2050' ? der(TAG.time, Buffer.from(text.slice(2))) : der(TAG.longTime, Buffer.from(text));
}

/** One value: its tag, its length, its contents (X.690 §8.1). */
function der(tag: number, ...contents: readonly Uint8Array[]): Uint8Array<ArrayBuffer> {
  const content = Buffer.concat(contents);
  const size = octetsOf(content.length.toString(16));
  const length = content.length < 0x80 ? size : [0x80 | size.length, ...size];
  return Uint8Array.from(Buffer.concat([Uint8Array.of(tag, ...length), content]));
}
