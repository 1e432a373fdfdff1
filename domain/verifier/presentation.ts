import type { ParsedPresentation } from '../../ports/credential-formats.ts';
import type { CredentialFormats, SupportedFormat } from '../credentials/formats.ts';
import { DomainError } from '../foundation/errors.ts';
import { countValues } from '../foundation/json.ts';

const MAX_VALUES = 20_000;

/** A presentation, its format and a measure of the work that matching it can cause. */
export interface SizedPresentation {
  presentation: ParsedPresentation;
  format: SupportedFormat;
  /** How many values its documents are made of. */
  size: number;
}

/** Parses a `vp_token`, with at most 20,000 values in it. @throws DomainError `BadRequest` */
export function parsePresentation(vpToken: string, formats: CredentialFormats): SizedPresentation {
  const format = formats.presentedIn(vpToken);
  const presentation = format.codec.parsePresentation(vpToken);
  const size = [presentation, ...presentation.credentials].reduce((sum, { claims }) => sum + countValues(claims), 0);
  if (size > MAX_VALUES) throw new DomainError('BadRequest', 'vp_token: the presentation holds too many values');
  return { presentation, format, size };
}
