import type { Clock, Random } from '../../ports/system.ts';
import { base64url, equalInConstantTime, fromBase64url } from '../foundation/bytes.ts';
import { isPassed, isReached } from '../jose/jwt-claims.ts';
import type { ServerSecret } from '../keys/server-secret.ts';

/** What a nonce is for; one of another purpose is not accepted. */
export type NoncePurpose = 'proof' | 'dpop' | 'client-attestation';

/** How long a nonce is good, in seconds. */
const NONCE_SECONDS = 300;
const TIME_BYTES = 6;
const RANDOM_BYTES = 10;
const HEAD_BYTES = TIME_BYTES + RANDOM_BYTES;
const MAC_BYTES = 16;
/** The clocks of two instances may differ by this. */
const SKEW_MS = 5000;

export interface StampedNonceParts {
  secret: ServerSecret;
  clock: Clock;
  random: Random;
}

/**
 * Nonces that say themselves when they were made, so that creating one stores nothing: time, random bytes and a keyed
 * digest of both, the issuer and the purpose, as base64url.
 */
export class StampedNonces {
  constructor(
    private readonly parts: StampedNonceParts,
    private readonly purpose: NoncePurpose,
  ) {}

  async create(issuerId: string): Promise<string> {
    const { clock, random } = this.parts;
    const head = Uint8Array.from([...bytesOf(clock.now()), ...random.bytes(RANDOM_BYTES)]);
    return base64url(Uint8Array.from([...head, ...(await this.#mac(issuerId, head))]));
  }

  /** When a good nonce ends, in milliseconds since the epoch; undefined for any other text. */
  async endOf(issuerId: string, nonce: string): Promise<number | undefined> {
    const bytes = fromBase64url(nonce.slice(0, 64));
    if (bytes?.length !== HEAD_BYTES + MAC_BYTES || nonce.length > 64) return undefined;
    const head = bytes.slice(0, HEAD_BYTES);
    const mac = await this.#mac(issuerId, head);
    if (!equalInConstantTime(base64url(bytes.slice(HEAD_BYTES)), base64url(mac))) return undefined;
    const created = timeOf(head);
    const end = created + NONCE_SECONDS * 1000;
    const now = this.parts.clock.now();
    return isReached(created, { now, skewMs: SKEW_MS }) && !isPassed(end, { now }) ? end : undefined;
  }

  async #mac(issuerId: string, head: Uint8Array): Promise<Uint8Array> {
    return (await this.parts.secret.digest([this.purpose, issuerId, base64url(head)])).slice(0, MAC_BYTES);
  }
}

/** The six lowest bytes of a time in milliseconds, in network byte order. */
const bytesOf = (ms: number): number[] =>
  Array.from({ length: TIME_BYTES }, (_, index) => Math.floor(ms / 256 ** (TIME_BYTES - 1 - index)) % 256);

const timeOf = (head: Uint8Array): number => head.slice(0, TIME_BYTES).reduce((ms, byte) => ms * 256 + byte, 0);
