import type { ParsedCertificate } from '../../../ports/certificates.ts';
import type { PublicJwk } from '../../../ports/key-service.ts';
import { invalidField } from '../../foundation/errors.ts';
import { httpUrl } from '../../network/urls.ts';
import type { CredentialIssuer } from '../credential-issuer.ts';
import type { IssuerKeys } from './issuer-keys.ts';

/** What a request without a DID has to name its issuer by. */
interface NamingEvidence {
  jwk: PublicJwk;
  /** The certificate of this key. */
  leaf?: ParsedCertificate;
}

/**
 * Returns the URL under which a verifier finds the key: the issuer's own identifier for a key that its key set has, else
 * the URL that the certificate names (SD-JWT VC §3.5). @throws DomainError `BadRequest` when there is neither
 */
export async function issuerUrl(
  issuer: CredentialIssuer,
  { jwk, leaf }: NamingEvidence,
  keys: Pick<IssuerKeys, 'publishes'>,
): Promise<string> {
  if (leaf) {
    const named = urlNamedBy(leaf, issuer.identifier);
    if (named !== undefined) return named;
    throw invalidField(['x5Chain', 0], 'names no URL and no host as its subject: use one that does, or an issuerDid');
  }
  if (await keys.publishes(issuer, jwk)) return issuer.identifier;
  throw invalidField(
    ['issuerDid'],
    `is required, or x5Chain: issuerKey is not among the keys that ${issuer.identifier}/jwks has for issuers onboarded here`,
  );
}

/** Whether a certificate is for a URL or a host, so that credentials can be issued under it without a DID. */
export const namesIssuer = (leaf: ParsedCertificate): boolean => urlNamedBy(leaf, '') !== undefined;

/** The issuer's own URL when the certificate is for it or its host, else the first URL or host that it is for. */
function urlNamedBy({ subjectAltNames }: ParsedCertificate, own: string): string | undefined {
  const urls = subjectAltNames.flatMap(({ type, ...name }) =>
    type === 'uri' && 'value' in name && httpUrl(name.value) ? [name.value] : [],
  );
  const hosts = subjectAltNames.flatMap(({ type, ...name }) => (type === 'dns' && 'value' in name ? [name.value] : []));
  const isForOwn = urls.includes(own) || hosts.some((host) => host.toLowerCase() === httpUrl(own)?.hostname);
  if (isForOwn) return own;
  return urls[0] ?? hosts.filter((host) => !host.includes('*')).map((host) => `https://${host}`)[0];
}
