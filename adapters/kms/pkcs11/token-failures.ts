import { TokenFailure, type TokenFault } from './calls.ts';

/** What a token was asked: it decides what its refusal means. */
type Asked = 'open' | 'create' | 'use';

const KEY_TYPE_CODES = ['MECHANISM_INVALID', 'CURVE_NOT_SUPPORTED', 'DOMAIN_PARAMS_INVALID', 'KEY_SIZE_RANGE'];
const UNUSABLE_CODES = [...KEY_TYPE_CODES, 'KEY_TYPE_INCONSISTENT', 'KEY_FUNCTION_NOT_PERMITTED'];
const PIN_CODES = ['PIN_INCORRECT', 'PIN_INVALID', 'PIN_LEN_RANGE', 'PIN_EXPIRED', 'PIN_LOCKED'];
const FORBIDDEN_CODES = ['SESSION_READ_ONLY', 'TOKEN_WRITE_PROTECTED', 'ACTION_PROHIBITED'];
const THROTTLED_CODES = ['SESSION_COUNT'];
const TEMPLATE_CODES = [
  'TEMPLATE_INCONSISTENT',
  'TEMPLATE_INCOMPLETE',
  'ATTRIBUTE_VALUE_INVALID',
  'ATTRIBUTE_TYPE_INVALID',
];

/** The meaning of return values (PKCS#11 2.40 §5.1); every other one is an outage. */
const FAULTS: Readonly<Record<Asked, readonly (readonly [readonly string[], TokenFault])[]>> = {
  open: [[PIN_CODES, 'pin']],
  create: [
    [KEY_TYPE_CODES, 'key-type'],
    [TEMPLATE_CODES, 'request'],
    [FORBIDDEN_CODES, 'credentials'],
    [THROTTLED_CODES, 'throttled'],
  ],
  use: [
    [UNUSABLE_CODES, 'unusable-key'],
    [FORBIDDEN_CODES, 'credentials'],
    [THROTTLED_CODES, 'throttled'],
  ],
};

/** After these the handles of a process mean nothing: it ends, and the next call starts another. */
const LOST = new Set([
  'DEVICE_REMOVED',
  'DEVICE_ERROR',
  'SESSION_HANDLE_INVALID',
  'SESSION_CLOSED',
  'USER_NOT_LOGGED_IN',
  'TOKEN_NOT_PRESENT',
  'TOKEN_NOT_RECOGNIZED',
  'SLOT_ID_INVALID',
  'CRYPTOKI_NOT_INITIALIZED',
  'GENERAL_ERROR',
]);

/** The key of a handle is no more: what was remembered of it is forgotten. */
export const isStaleHandle = (error: unknown): boolean =>
  ['KEY_HANDLE_INVALID', 'OBJECT_HANDLE_INVALID'].includes(codeOf(error) ?? '');

/** Whether the connection to the token is lost with this failure. */
export const isLost = (error: unknown): boolean => LOST.has(codeOf(error) ?? '');

/** A failure of the library in the words of callers. */
export function failureOf(error: unknown, asked: Asked): TokenFailure {
  if (error instanceof TokenFailure) return error;
  const code = codeOf(error);
  if (code === undefined) return new TokenFailure('unavailable', 'the library of the module failed');
  const [, fault = 'unavailable'] = FAULTS[asked].find(([codes]) => codes.includes(code)) ?? [];
  return new TokenFailure(fault, `the token answered CKR_${code}`);
}

/** The name of a return value without CKR_; absent where the library itself failed. */
const codeOf = (error: unknown): string | undefined =>
  error instanceof Error ? /\bCKR_([A-Z0-9_]{1,64})/.exec(error.message)?.[1] : undefined;
