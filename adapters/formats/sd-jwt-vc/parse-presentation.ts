import { credentialAsPresentation } from '../../../domain/credentials/credential-as-presentation.ts';
import { splitKeyBinding } from '../../../domain/credentials/sd-jwt.ts';
import { validityBounds } from '../../../domain/credentials/validity.ts';
import { isDomainError } from '../../../domain/foundation/errors.ts';
import { parseJws } from '../../../domain/jose/jws.ts';
import { refusedVpToken } from '../../../domain/presentation/matching/response-parameters.ts';
import type { ParsedCredential, ParsedPresentation } from '../../../ports/credential-formats.ts';
import { transactionDataIn, verifyKeyBinding } from './key-binding.ts';
import { type ParsingParts, parseCredential } from './parse-credential.ts';

/** The most characters of a Key Binding JWT. */
const MAX_CHARACTERS = 16 * 1024;

/**
 * Parses an SD-JWT VC with its Key Binding JWT, or alone (RFC 9901 §4). It is presented as long as both are valid: the
 * dates of the credential are those of the presentation, too. @throws DomainError `BadRequest`
 */
export function parsePresentation(text: string, parts: ParsingParts): ParsedPresentation {
  const { sdJwt, keyBinding: token } = splitKeyBinding(text);
  const credential = readCredential(sdJwt, parts);
  if (token === undefined) return credentialAsPresentation(credential, parts.format);
  if (token.length > MAX_CHARACTERS)
    throw refusedVpToken(`the key binding may have at most ${MAX_CHARACTERS} characters`);
  const keyBinding = parseJws(token, 'vp_token: the key binding');
  const { header, payload } = keyBinding;
  const { type, claims, document, holder, validity } = credential;
  const bounds = validityBounds(payload);
  const transactionData = transactionDataIn(payload);
  return {
    ...{ format: parts.format, type, claims, document },
    holder: holder?.did,
    holderFrom: 'credentials',
    binding: {
      kind: 'stated',
      nonce: payload.nonce,
      // RFC 9901 §4.3: a single string.
      audience: typeof payload.aud === 'string' ? [payload.aud] : [],
    },
    ...(transactionData && { transactionData }),
    credentials: [credential],
    alg: String(header.alg),
    validity: { starts: [...validity.starts, ...bounds.starts], ends: [...validity.ends, ...bounds.ends] },
    verifyHolder: (challenge) => verifyKeyBinding({ keyBinding, sdJwt, holder }, challenge, parts.signatures),
  };
}

function readCredential(sdJwt: string, parts: ParsingParts): ParsedCredential {
  try {
    return parseCredential(sdJwt, parts);
  } catch (cause) {
    throw isDomainError(cause, 'BadRequest') ? refusedVpToken(cause.message, cause) : cause;
  }
}
