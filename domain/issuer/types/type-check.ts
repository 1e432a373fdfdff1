import { at, invalidField } from '../../foundation/errors.ts';
import type { CredentialType, LocalizedText, TypeCard } from '../credential-type.ts';
import { readExamples } from './claim-values.ts';
import { readClaimTree } from './type-claims.ts';
import { readImage } from './type-images.ts';

/** The least contrast of a text with its ground (WCAG 2.2 §1.4.3). */
const MIN_CONTRAST = 4.5;

/** Checks a type. @throws DomainError `BadRequest` naming the member that is wrong */
export function checkType({ display, claims, card = {}, formats }: CredentialType): void {
  at(['display'], () => checkLanguages(display));
  for (const [index, { label }] of claims.entries())
    if (label) at(['claims', index, 'label'], () => checkLanguages(label));
  const tree = at(['claims'], () => readClaimTree(claims));
  at(['claims'], () => readExamples(tree));
  at(['card'], () => checkCard(card));
  if (new Set(formats).size < formats.length) throw invalidField(['formats'], 'names a format twice');
}

function checkLanguages(texts: readonly LocalizedText[]): void {
  const again = texts.findIndex(({ locale }, index) => texts.findIndex((one) => one.locale === locale) < index);
  if (again >= 0) throw invalidField([again, 'locale'], 'stands twice');
}

function checkCard({ backgroundColor, textColor, ...images }: TypeCard): void {
  for (const [member, url] of Object.entries(images)) at([member], () => readImage(url));
  if (backgroundColor === undefined && textColor === undefined) return;
  if (backgroundColor === undefined || textColor === undefined)
    throw invalidField(
      [textColor === undefined ? 'textColor' : 'backgroundColor'],
      'goes together with the other colour',
    );
  if (contrast(backgroundColor, textColor) < MIN_CONTRAST)
    throw invalidField(['textColor'], `must have a contrast of ${MIN_CONTRAST} at least with backgroundColor`);
}

/** The contrast of two colours (WCAG 2.2, "contrast ratio"). */
function contrast(one: string, other: string): number {
  const [lighter = 0, darker = 0] = [luminance(one), luminance(other)].sort((a, b) => b - a);
  return (lighter + 0.05) / (darker + 0.05);
}

function luminance(color: string): number {
  const part = (start: number): number => {
    const share = Number.parseInt(color.slice(start, start + 2), 16) / 255;
    return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
  };
  return 0.2126 * part(1) + 0.7152 * part(3) + 0.0722 * part(5);
}
