import { DomainError } from '../../foundation/errors.ts';
import { isText } from '../../foundation/json.ts';
import { parseJson } from '../../foundation/strict-json.ts';

/** The texts of the presentations in a `vp_token`. */
export interface PresentationTexts {
  texts: string[];
  /** Whether the `vp_token` is a list. */
  isList: boolean;
}

const refused = (why: string, cause?: unknown): DomainError =>
  new DomainError('BadRequest', `vp_token: ${why}`, { cause });

/**
 * Reads a `vp_token` of one presentation, as its text or as a JSON string, or of a JSON list of them (OpenID4VP draft 20
 * §6.1). @throws DomainError `BadRequest`
 */
export function readVpToken(token: string, most: number): PresentationTexts {
  if (!/^\s*["[{]/.test(token)) return { texts: [token.trim()], isList: false };
  const value = readJson(token);
  if (isText(value)) return { texts: [value], isList: false };
  if (!Array.isArray(value) || !value.every(isText)) throw refused('must be one presentation or a list of them');
  if (value.length === 0 || value.length > most) throw refused(`must hold 1 to ${most} presentations`);
  return { texts: value, isList: true };
}

function readJson(token: string): unknown {
  try {
    return parseJson(token);
  } catch (cause) {
    throw refused('is not acceptable JSON', cause);
  }
}
