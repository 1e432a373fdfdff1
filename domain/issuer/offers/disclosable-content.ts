import { checkClaimNames, checkDisclosure } from '../../credentials/disclosure-frame.ts';
import type { FormatFacts } from '../../credentials/formats.ts';
import { mappedShape } from '../../credentials/mapping.ts';
import { at } from '../../foundation/errors.ts';
import type { IssuableContent } from './issuable-content.ts';

/** What a credential is packed from. */
export type DisclosableContent = Pick<IssuableContent, 'credentialData' | 'mapping' | 'claims' | 'selectiveDisclosure'>;

/**
 * Checks before a credential is made that its format can disclose it selectively as its frame says; an SD-JWT VC is packed
 * without a frame too. The frame may name what only the mapping adds. @throws DomainError `BadRequest` naming the member
 * of `credentialData`, `mapping`, `sdJwtCredentialClaims` or `selectiveDisclosure`
 */
export function checkDisclosable(
  { credentialData: data, mapping, claims = {}, selectiveDisclosure: frame }: DisclosableContent,
  { alwaysDisclosed, selector }: FormatFacts,
): void {
  const isToken = selector === 'vct';
  if (!alwaysDisclosed || (!frame && !isToken)) return;
  const added = mappedShape({ data: {}, mapping });
  at(['credentialData'], () => checkClaimNames(data));
  at(['sdJwtCredentialClaims'], () => checkClaimNames(claims));
  at(['mapping'], () => [added.document, added.claims].forEach(checkClaimNames));
  if (!frame) return;
  const shape = mappedShape({ data, mapping });
  const document = isToken ? { iat: 0, ...shape.document, ...claims, ...shape.claims } : shape.document;
  at(['selectiveDisclosure'], () => checkDisclosure(frame, { document, alwaysDisclosed }));
}
