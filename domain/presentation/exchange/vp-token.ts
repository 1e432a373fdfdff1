import { isText } from '../../foundation/json.ts';
import { parseParameter, refusedVpToken } from '../matching/response-parameters.ts';

/** The texts of the presentations in a `vp_token`. */
interface PresentationTexts {
  texts: string[];
  /** Whether the `vp_token` is a list. */
  isList: boolean;
}

/**
 * Reads a `vp_token` of one presentation, as its text or as a JSON string, or of a JSON list of them (OpenID4VP draft 20
 * §6.1). @throws DomainError `BadRequest`
 */
export function readVpToken(token: string, most: number): PresentationTexts {
  if (!/^\s*["[{]/.test(token)) return { texts: [token.trim()], isList: false };
  const value = parseParameter('vp_token', token);
  if (isText(value)) return { texts: [value], isList: false };
  if (!Array.isArray(value) || !value.every(isText)) throw refusedVpToken('must be one presentation or a list of them');
  if (value.length === 0 || value.length > most) throw refusedVpToken(`must hold 1 to ${most} presentations`);
  return { texts: value, isList: true };
}
