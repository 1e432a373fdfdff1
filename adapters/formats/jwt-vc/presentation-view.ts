import { isSdJwt } from '../../../domain/credentials/sd-jwt.ts';
import { asList, isObject, type JsonObject } from '../../../domain/foundation/json.ts';
import { parseJws } from '../../../domain/jose/jws.ts';
import type { PresentationView, ViewMode } from '../../../ports/credential-formats.ts';
import type { Signatures } from '../../../ports/signatures.ts';
import { simpleToken, verboseToken } from '../sd-jwt/token-view.ts';
import { parseToken } from './disclosures.ts';
import { credentialText, isCredential, parsePresentation } from './parse-presentation.ts';

/** A presentation in JWT form, or a credential that stands alone, as it is shown. @throws DomainError `BadRequest` */
export function viewPresentation(text: string, mode: ViewMode, signatures: Signatures): PresentationView {
  parsePresentation(text, signatures);
  const jws = isSdJwt(text) ? undefined : parseJws(text, 'vp_token');
  if (!jws || isCredential(jws)) return VIEWS[mode]({ credentials: [text] });
  const { header, payload } = jws;
  const document = isObject(payload.vp) ? payload.vp : payload;
  const credentials = asList(document.verifiableCredential).map((item) => credentialText(item) ?? '');
  return VIEWS[mode]({ presentation: { raw: text, header, payload, holder: document.holder }, credentials });
}

interface Shown {
  /** Absent where a credential stands alone. */
  presentation?: { raw: string; header: JsonObject; payload: JsonObject; holder: unknown };
  credentials: readonly string[];
}

const VIEWS: Readonly<Record<ViewMode, (shown: Shown) => PresentationView>> = {
  simple: ({ presentation, credentials }) => ({
    type: 'jwt_vc_json_view_simple',
    ...(presentation?.holder !== undefined && { holder: presentation.holder }),
    verifiableCredentials: credentials.map((text) => simpleToken(parseToken(text))),
  }),
  verbose: ({ presentation, credentials }) => {
    const { raw, header, payload } = presentation ?? {};
    return {
      type: 'jwt_vc_json_view_verbose',
      ...(presentation && { vp: { raw, header, payload } }),
      verifiableCredentials: credentials.map((text) => ({
        raw: text,
        ...verboseToken({ raw: text, ...parseToken(text) }),
      })),
    };
  },
};
