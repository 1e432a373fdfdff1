import { invalidField, isDomainError } from '../../foundation/errors.ts';
import type { JsonObject } from '../../foundation/json.ts';
import type { TrustedList } from '../../trust/list-anchors.ts';
import type { TrustLists, WantedList } from '../../trust/trust-lists.ts';
import { failed, type PolicyOutcome } from './policy.ts';

/** How a list is read; `now` in milliseconds since the epoch. */
interface ListReading {
  trustLists: TrustLists;
  now: number;
  /** Whether a list counts whose next update is overdue. */
  allowsStale?: boolean;
}

/** Reads a list that counts now, or says why it does not. @throws DomainError as `Outbound.send` */
export async function readUsableList(
  wanted: WantedList,
  { trustLists, ...reading }: ListReading,
): Promise<TrustedList | PolicyOutcome> {
  try {
    return await trustLists.usable(wanted, reading);
  } catch (error) {
    if (!isDomainError(error, 'BadRequest')) throw error;
    return failed('list-not-accepted', { reason: error.message });
  }
}

/** Reads a boolean member of an argument. @throws DomainError `BadRequest` */
export function readFlagOf(value: JsonObject, name: string, standard: boolean): boolean {
  const { [name]: flag = standard } = value;
  if (typeof flag !== 'boolean') throw invalidField([name], 'must be a boolean');
  return flag;
}

/** The JSON Schema of a list of certificates. */
export const certificateTexts = (description: string): JsonObject => ({
  type: 'array',
  maxItems: 16,
  items: { type: 'string', maxLength: 16_384, description: 'PEM, or DER in base64' },
  description,
});

/** A certificate for examples, DER in base64; its key has been thrown away. */
export const EXAMPLE_CERTIFICATE = [
  'MIIBpTCCAUugAwIBAgIJAWsPeE9iRPwdMAoGCCqGSM49BAMCMEMxCzAJBgNVBAYTAlpaMRAwDgYDVQQKEwdFeGFtcGxlMSIwIAYD',
  'VQQDExlFeGFtcGxlIGlzc3VpbmcgYXV0aG9yaXR5MCAXDTIwMDEwMTAwMDAwMFoYDzIxMjAwMTAxMDAwMDAwWjBDMQswCQYDVQQG',
  'EwJaWjEQMA4GA1UEChMHRXhhbXBsZTEiMCAGA1UEAxMZRXhhbXBsZSBpc3N1aW5nIGF1dGhvcml0eTBZMBMGByqGSM49AgEGCCqG',
  'SM49AwEHA0IABKKoxtkLUr3boS664p4RGPYmDqwkLVgHSslJ49XGOVVoru10m6WHT1KIY1sf58W7srVSfk3ciY4LPtU5VZNRWXmj',
  'JjAkMBIGA1UdEwEB/wQIMAYBAf8CAQAwDgYDVR0PAQH/BAQDAgEGMAoGCCqGSM49BAMCA0gAMEUCIEJhTLAP6FoCIqUU6PiTfVwi',
  'gKP6vj33wk4Wz4q+quaMAiEApD+Fv7M+Oo9ZF8syafgsoQ2ueK/Ib1jq99Nq45L8Ftk=',
].join('');
