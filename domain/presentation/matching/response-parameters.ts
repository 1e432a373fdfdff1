import { badRequest, type DomainError } from '../../foundation/errors.ts';
import { parseJson } from '../../foundation/strict-json.ts';

type ResponseParameter = 'vp_token' | 'presentation_submission';

/** The error about a parameter of a response that is not acceptable. */
export const refusedParameter = (name: ResponseParameter, why: string, cause?: unknown): DomainError =>
  badRequest(`${name}: ${why}`, cause);

/** The error about a `vp_token` that is not acceptable. */
export const refusedVpToken = (why: string, cause?: unknown): DomainError => refusedParameter('vp_token', why, cause);

/** Parses a parameter of a response that is JSON. @throws DomainError `BadRequest` naming the parameter */
export function parseParameter(name: ResponseParameter, text: string): unknown {
  try {
    return parseJson(text);
  } catch (cause) {
    throw refusedParameter(name, 'is not acceptable JSON', cause);
  }
}
