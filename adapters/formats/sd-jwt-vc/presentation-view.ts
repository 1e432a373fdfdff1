import { parseSdJwt, splitKeyBinding } from '../../../domain/credentials/sd-jwt.ts';
import { parseJws } from '../../../domain/jose/jws.ts';
import type { PresentationView, ViewMode } from '../../../ports/credential-formats.ts';
import { simpleToken, verboseToken } from '../sd-jwt/token-view.ts';
import type { ParsingParts } from './parse-credential.ts';
import { parsePresentation } from './parse-presentation.ts';
import { SD_JWT_VC_RULES } from './token.ts';

/** An SD-JWT VC as it is shown, with its Key Binding JWT when it has one. @throws DomainError `BadRequest` */
export function viewPresentation(text: string, mode: ViewMode, parts: ParsingParts): PresentationView {
  parsePresentation(text, parts);
  const { sdJwt, keyBinding } = splitKeyBinding(text);
  const { header, claims: payload } = parseSdJwt(sdJwt, SD_JWT_VC_RULES);
  const bound = keyBinding === undefined ? {} : { keyBinding: simpleToken(parseJws(keyBinding)) };
  return mode === 'simple'
    ? { type: 'sd_jwt_vc_view_simple', vc: simpleToken({ header, payload }), ...bound }
    : { type: 'sd_jwt_vc_view_verbose', raw: text, vc: verboseToken({ raw: sdJwt, header, payload }), ...bound };
}
