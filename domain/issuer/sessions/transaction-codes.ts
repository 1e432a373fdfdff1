import type { Random } from '../../../ports/system.ts';
import { equalInConstantTime } from '../../foundation/bytes.ts';
import { invalidField } from '../../foundation/errors.ts';
import { secretId } from '../../oauth/secrets.ts';
import type { TxCode } from '../issuance-grant.ts';

/** The transaction code that an offer is to have. */
export type TxCodeRequest = Partial<Omit<TxCode, 'digest'>>;

/** A transaction code with its value, which is shown to the issuer's backend once. */
interface NewTxCode {
  txCode: TxCode;
  value: string;
}

const DEFAULT_LENGTH = 6;
const MAX_LENGTH = 32;

/** The characters of generated values; the text ones have no look-alikes (0 and O, 1 and I). */
const ALPHABETS: Readonly<Record<TxCode['inputMode'], string>> = {
  numeric: '0123456789',
  text: '23456789ABCDEFGHJKLMNPQRSTUVWXYZ',
};

/** Creates the transaction code of a session; a value is generated when none is given. @throws DomainError `BadRequest` */
export function createTxCode(
  sessionId: string,
  { txCode, value: given }: { txCode: TxCodeRequest; value?: string },
  random: Random,
): NewTxCode {
  const { inputMode = 'numeric', description } = txCode;
  const length = txCode.length ?? (given === undefined ? DEFAULT_LENGTH : [...given].length);
  if (!Number.isInteger(length) || length < 1 || length > MAX_LENGTH)
    throw invalidField(['txCode', 'length'], `must be a whole number from 1 to ${MAX_LENGTH}`);
  const value = given ?? generate(ALPHABETS[inputMode], length, random);
  if ([...value].length !== length) throw invalidField(['txCodeValue'], `must have ${length} characters`);
  if (inputMode === 'numeric' && !/^[0-9]+$/.test(value)) throw invalidField(['txCodeValue'], 'must have digits only');
  return { value, txCode: { inputMode, length, description, digest: secretId(sessionId, value) } };
}

/** Whether a wallet sent the value of a session's transaction code; the time does not depend on where they differ. */
export const isTxCode = (sessionId: string, { digest }: TxCode, value: string): boolean =>
  equalInConstantTime(secretId(sessionId, value), digest);

/** Every character is equally likely: bytes above the largest multiple of the alphabet's length are not used. */
function generate(alphabet: string, length: number, random: Random): string {
  const limit = 256 - (256 % alphabet.length);
  let value = '';
  while (value.length < length)
    for (const byte of random.bytes(length))
      if (byte < limit && value.length < length) value += alphabet[byte % alphabet.length];
  return value;
}
