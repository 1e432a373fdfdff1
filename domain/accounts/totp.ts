import { base32, equalInConstantTime } from '../foundation/bytes.ts';

/** The counter of RFC 6238: HMAC-SHA-1 of a time step under a secret. */
type HmacSha1 = (key: Uint8Array, message: Uint8Array) => Uint8Array;

const STEP_SECONDS = 30;
const DIGITS = 6;
/** How many steps the clock of a device may differ, either way (RFC 6238 §5.2). */
const DRIFT = 1;

/** The time step of an instant (ms since the epoch). */
export const stepAt = (ms: number): number => Math.floor(ms / 1000 / STEP_SECONDS);

/** The code of a time step (RFC 4226 §5.3). */
export function totpCode(secret: Uint8Array, step: number, hmac: HmacSha1): string {
  const message = new Uint8Array(8);
  new DataView(message.buffer).setBigUint64(0, BigInt(step));
  const mac = hmac(secret, message);
  const view = new DataView(mac.buffer, mac.byteOffset, mac.length);
  const number = view.getUint32(view.getUint8(mac.length - 1) & 0xf) & 0x7fff_ffff;
  return String(number % 10 ** DIGITS).padStart(DIGITS, '0');
}

/** A code to compare: at `now` (ms), and of a step after `lastStep` only, so that no code is used twice. */
interface TotpAttempt {
  code: string;
  now: number;
  lastStep: number;
}

/** The step whose code this is, of those that are acceptable now; undefined for every other code. */
export function matchingStep(
  secret: Uint8Array,
  { code, now, lastStep }: TotpAttempt,
  hmac: HmacSha1,
): number | undefined {
  const present = stepAt(now);
  const steps = [present - DRIFT, present, present + DRIFT];
  const matching = steps.filter((step) => equalInConstantTime(totpCode(secret, step, hmac), code));
  return matching.find((step) => step > lastStep);
}

/** The URI that authenticator apps read from a QR code (Key Uri Format). */
export function otpauthUrl(secret: Uint8Array, { issuer, account }: { issuer: string; account: string }): string {
  const label = `${encodeURIComponent(issuer)}:${encodeURIComponent(account)}`;
  const query = `secret=${base32(secret)}&issuer=${encodeURIComponent(issuer)}&algorithm=SHA1&digits=${DIGITS}&period=${STEP_SECONDS}`;
  return `otpauth://totp/${label}?${query}`;
}
