import type { CredentialFormats } from '../../credentials/formats/formats.ts';
import { fromBase64url, utf8Text } from '../../foundation/bytes.ts';
import { ignoring } from '../../foundation/errors.ts';
import { isText, type JsonObject } from '../../foundation/json.ts';
import { parseJson } from '../../foundation/strict-json.ts';
import type { StoredCredential } from '../../holdings/credentials.ts';

/** A disclosure of an SD-JWT (RFC 9901 §4.2). */
interface Disclosure {
  salt: string;
  /** Absent for an element of a list. */
  name?: string;
  value: unknown;
  encoded: string;
}

/** A credential with what is known of it, as wallet API 2 shows it. */
interface ReadCredential {
  type: string;
  format: string;
  credentialData?: JsonObject;
  issuer?: string;
  subject?: string;
  /** Of a credential that is a JWS. */
  signature?: string;
  /** As it was issued. */
  signed: string;
  /** Of an SD-JWT. */
  disclosures?: Disclosure[];
}

/** Reads a stored credential; one that cannot be parsed (any more) is shown as it was issued. */
export function readCredential(
  { format, document: signed, parsed }: StoredCredential,
  formats: CredentialFormats,
): ReadCredential {
  const [jws = '', ...disclosures] = signed.split('~');
  const [, , signature, ...more] = jws.split('.');
  return {
    type: formats.supported(format)?.parsedType?.(parsed?.document ?? {}) ?? format,
    format,
    ...(parsed && { credentialData: parsed.document, issuer: parsed.issuer.id }),
    ...(parsed?.subject !== undefined && { subject: parsed.subject }),
    ...(signature !== undefined && more.length === 0 && { signature }),
    signed,
    ...(disclosures.length > 0 && { disclosures: disclosures.flatMap(readDisclosure) }),
  };
}

/** Nothing for a text that is no disclosure. */
function readDisclosure(encoded: string): Disclosure[] {
  const text = utf8Text(fromBase64url(encoded) ?? new Uint8Array()) ?? '';
  const parts = readJson(text);
  if (!Array.isArray(parts) || !isText(parts[0])) return [];
  const [salt, name, value] = parts.length === 2 ? [parts[0], undefined, parts[1]] : parts;
  return [{ salt, ...(isText(name) && { name }), value, encoded }];
}

function readJson(text: string): unknown {
  try {
    return parseJson(text);
  } catch (error) {
    return ignoring('BadRequest')(error);
  }
}
