import { checkClaimNames, checkDisclosure } from '../../credentials/disclosure-frame.ts';
import type { FormatFacts } from '../../credentials/formats/facts.ts';
import { mappedShape } from '../../credentials/mapping.ts';
import { at } from '../../foundation/errors.ts';
import type { IssuableContent } from '../sessions/issuable-content.ts';

/** What a credential is packed from. */
type DisclosableContent = Pick<
  IssuableContent,
  'credentialData' | 'mapping' | 'claims' | 'credentialStatus' | 'selectiveDisclosure'
>;

/**
 * Checks before a credential is made that its format can disclose it selectively as its frame says, and that nothing in
 * it reads as a digest of what is withheld; an SD-JWT VC is packed without a frame too. The frame may name what only the
 * mapping adds. @throws DomainError `BadRequest` naming the member of `credentialData`, `mapping`,
 * `sdJwtCredentialClaims`, `credentialStatus` or `selectiveDisclosure`
 */
export function checkDisclosable(
  { credentialData: data, mapping, claims = {}, credentialStatus, selectiveDisclosure: frame }: DisclosableContent,
  { alwaysDisclosed, selector }: FormatFacts,
): void {
  if (!alwaysDisclosed) return;
  const isToken = selector === 'vct';
  const isPacked = isToken || frame !== undefined;
  const added = mappedShape({ data: {}, mapping });
  at(['credentialData'], () => checkClaimNames(data, isPacked));
  at(['sdJwtCredentialClaims'], () => checkClaimNames(claims, isPacked));
  at(['credentialStatus'], () => checkClaimNames(credentialStatus, isPacked));
  for (const names of [added.document, added.claims]) at(['mapping'], () => checkClaimNames(names, isPacked));
  if (!frame) return;
  const shape = mappedShape({ data, mapping });
  const document = isToken ? { iat: 0, ...shape.document, ...claims, ...shape.claims } : shape.document;
  at(['selectiveDisclosure'], () => checkDisclosure(frame, { document, alwaysDisclosed }));
}
