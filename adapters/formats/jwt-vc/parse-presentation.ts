import { credentialAsPresentation } from '../../../domain/credentials/credential-as-presentation.ts';
import { FORMATS } from '../../../domain/credentials/formats/table.ts';
import { isSdJwt } from '../../../domain/credentials/sd-jwt.ts';
import { type PresentationFacts, readPresentationFacts } from '../../../domain/credentials/token-facts.ts';
import { validityBounds } from '../../../domain/credentials/validity.ts';
import { DomainError, isDomainError } from '../../../domain/foundation/errors.ts';
import { asList, isObject, isText } from '../../../domain/foundation/json.ts';
import { type ParsedJws, parseJws, verifyJws } from '../../../domain/jose/jws.ts';
import { HOLDER_SKEW_MS, timeProblems } from '../../../domain/jose/jwt-claims.ts';
import { checkSigner, signerKeyId } from '../../../domain/jose/signer-keys.ts';
import { refusedVpToken } from '../../../domain/presentation/matching/response-parameters.ts';
import type { ParsedCredential, ParsedPresentation } from '../../../ports/credential-formats.ts';
import type { Signatures } from '../../../ports/signatures.ts';
import { parseCredential } from './parse-credential.ts';

const MAX_CREDENTIALS = 32;
const ENVELOPED = /^data:application\/vc\+jwt[,;]/;

/**
 * Parses a presentation in JWT form, of the data model 1.1 (`vp` claim) or 2.0 (the claims themselves), or a credential
 * that stands alone. @throws DomainError `BadRequest`
 */
export function parsePresentation(text: string, signatures: Signatures): ParsedPresentation {
  const [format] = FORMATS.jwt_vc_json.presentation.names;
  const jws = isSdJwt(text) ? undefined : parseJws(text, 'vp_token');
  if (!jws || isCredential(jws)) return credentialAsPresentation(parseMember(text, 0, signatures), format);
  const { document, holder = holderOfKey(jws) } = readFacts(jws);
  const listed = asList(document?.verifiableCredential);
  if (listed.length > MAX_CREDENTIALS) throw refusedVpToken(`there may be at most ${MAX_CREDENTIALS} credentials`);
  const { header, payload: claims } = jws;
  const signed = {
    kid: header.kid,
    signer: holder,
    purpose: 'authentication',
    verify: (jwk) => verifyJws(jws, jwk, signatures),
  } satisfies Parameters<typeof checkSigner>[0];
  return {
    format,
    type: asList(document?.type).filter(isText).at(-1) ?? 'VerifiablePresentation',
    holder,
    holderFrom: 'presentation',
    binding: { kind: 'stated', nonce: claims.nonce, audience: asList(claims.aud) },
    credentials: listed.map((item, index) => parseMember(item, index, signatures)),
    claims,
    document: document ?? claims,
    alg: String(header.alg),
    validity: validityBounds(claims),
    verifyHolder: async ({ dids, now, maxAgeMs }) => {
      const { iat } = timeProblems({ iat: claims.iat }, { now, skewMs: HOLDER_SKEW_MS, maxAgeMs });
      return iat ? { valid: false, refusal: 'issued-at' } : checkSigner(signed, dids);
    },
  };
}

/** Whether a token is a credential and no presentation. */
export const isCredential = ({ payload: { vp, vc, type } }: ParsedJws): boolean =>
  vp === undefined && (isObject(vc) || asList(type).includes('VerifiableCredential'));

function readFacts(jws: ParsedJws): PresentationFacts {
  try {
    return readPresentationFacts(jws);
  } catch (cause) {
    throw isDomainError(cause) ? refusedVpToken(cause.message, cause) : cause;
  }
}

/** A presentation that names no holder is that of the DID whose key signed it. */
function holderOfKey({ header: { kid } }: ParsedJws): string | undefined {
  const named = signerKeyId({ kid });
  return 'did' in named ? named.did : undefined;
}

/** The text of a credential in a presentation: a JWT, or an object with the JWT in its `id` (VC Data Model 2.0 §4.13.1). */
export function credentialText(item: unknown): string | undefined {
  const text = isObject(item) && isText(item.id) && ENVELOPED.test(item.id) ? item.id.replace(/^[^,]*,/, '') : item;
  return isText(text) ? text : undefined;
}

function parseMember(item: unknown, index: number, signatures: Signatures): ParsedCredential {
  const text = credentialText(item);
  if (text === undefined) throw refusedVpToken(`credential ${index} is not a JWT credential`);
  try {
    return parseCredential(text, signatures);
  } catch (cause) {
    throw refusedVpToken(
      `credential ${index}: ${cause instanceof DomainError ? cause.message : 'cannot be read'}`,
      cause,
    );
  }
}
