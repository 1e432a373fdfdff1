import type { Certificates, KeyUsage, ParsedCertificate } from '../../ports/certificates.ts';
import { fromBase64url, hex } from '../foundation/bytes.ts';
import { isDomainError } from '../foundation/errors.ts';
import { certificateViolation } from '../x509/certificate-rules.ts';
import { countryOf, isSelfIssued } from '../x509/name-constraints.ts';
import { findPath } from '../x509/path-validation.ts';
import { MDL_DOCUMENT_SIGNER } from '../x509/signer-profiles.ts';
import type { TrustAnchor, TrustAnchors } from './trust-anchors.ts';

/** What a chain is to be trusted for: credentials of a format, requests of verifiers, registrations, any credential of a listed issuer, or lists. */
export type ChainPurpose = 'mdoc' | 'sd-jwt-vc' | 'access' | 'registration' | 'listed' | 'list';

interface PurposeRules {
  /** The leaf must have this extended key usage. */
  extendedKeyUsage?: string;
  /** Whether the authority is a self-signed root with the leaf directly below it, of the same country. */
  isDirect: boolean;
  /** One of them must be in the key usage of the leaf, when it has one. */
  keyUsages: readonly KeyUsage[];
}

const SIGNING: readonly KeyUsage[] = ['digitalSignature'];

/** The table of purposes. Document signers and their authorities: ISO 18013-5 Annex B; no others have a registered usage. */
const PURPOSES: Readonly<Record<ChainPurpose, PurposeRules>> = {
  mdoc: { extendedKeyUsage: MDL_DOCUMENT_SIGNER, isDirect: true, keyUsages: SIGNING },
  'sd-jwt-vc': { isDirect: false, keyUsages: SIGNING },
  access: { isDirect: false, keyUsages: SIGNING },
  registration: { isDirect: false, keyUsages: [...SIGNING, 'nonRepudiation'] },
  listed: { isDirect: false, keyUsages: SIGNING },
  list: { isDirect: false, keyUsages: [...SIGNING, 'nonRepudiation'] },
};

/** Why a chain is not trusted: a code for programs. */
type TrustRefusal = 'no-trust-anchor' | 'chain-malformed' | 'chain-untrusted' | 'chain-invalid' | 'chain-unsuitable';

/** The anchor that a chain ends at, or why it is not trusted: a code for programs and a sentence for humans. */
export type TrustDecision =
  | { readonly trusted: true; readonly anchor?: TrustAnchor }
  | { readonly trusted: false; readonly code: TrustRefusal; readonly reason: string };

/** A chain and what it is judged by. */
export interface ChainQuestion extends Pick<TrustAnchors, 'anchors'> {
  /** DER, leaf first; whether the anchor is at its end makes no difference. */
  chain: readonly Uint8Array[];
  purpose: ChainPurpose;
  /** The document type of an mdoc. */
  docType?: string;
  /** Milliseconds since the epoch. */
  now: number;
}

/** Decides whether a chain ends at an anchor and is for the purpose, by our path validation (RFC 5280 §6). */
export function decideChain(question: ChainQuestion, certificates: Certificates): TrustDecision {
  const ends = endOf(question, certificates);
  return 'code' in ends ? ends : { trusted: true, anchor: ends.anchor };
}

/**
 * Decides the same, with the certificates by which the chain is trusted, the anchor among them, in hexadecimal SHA-256: others
 * that were sent beside them prove nothing.
 */
export function provenChain(
  question: ChainQuestion,
  certificates: Certificates,
): { trusted: true; certifiedBy: string[] } | Refused {
  const ends = endOf(question, certificates);
  if ('code' in ends) return ends;
  const proving = [...ends.path, ends.anchor.certificate];
  return {
    trusted: true,
    certifiedBy: proving.map(({ fingerprint }) => hex(fromBase64url(fingerprint) ?? new Uint8Array())),
  };
}

function endOf(question: ChainQuestion, certificates: Certificates): End | Refused {
  const { anchors, purpose } = question;
  if (anchors.length === 0) return refused('no-trust-anchor', 'there is no trust anchor');
  const chain = parsedChain(question.chain, certificates);
  if (typeof chain === 'string') return refused('chain-malformed', chain);
  const ends = pinned(chain, question) ?? below(chain, question, certificates);
  if ('code' in ends) return ends;
  const unsuitable = leafViolation(chain, purpose) ?? placeViolation(ends, purpose);
  return unsuitable === undefined ? ends : refused('chain-unsuitable', unsuitable);
}

const refused = (code: TrustRefusal, reason: string) => ({ trusted: false, code, reason }) as const;

function parsedChain(ders: readonly Uint8Array[], certificates: Certificates): ParsedCertificate[] | string {
  try {
    return ders.map((der) => certificates.parse(der));
  } catch (error) {
    if (!isDomainError(error, 'BadRequest')) throw error;
    return 'the chain has an entry that is not an X.509 certificate';
  }
}

/** Where a chain ends; `path` has the certificates below the anchor, none when the leaf is the anchor. */
interface End {
  anchor: TrustAnchor;
  path: readonly ParsedCertificate[];
}
type Refused = Extract<TrustDecision, { trusted: false }>;

/** A signer that is trusted by itself, as trust lists name them. */
function pinned(
  [leaf]: readonly ParsedCertificate[],
  { anchors, ...question }: ChainQuestion,
): End | Refused | undefined {
  const anchor = anchors.find(
    ({ certificate, ...limits }) =>
      certificate.fingerprint === leaf?.fingerprint && !isAuthority(certificate) && isFor(limits, question),
  );
  if (!anchor) return undefined;
  const violation = certificateViolation(anchor.certificate, question.now);
  return violation === undefined ? { anchor, path: [] } : refused('chain-invalid', `certificate 1 ${violation}`);
}

function below(
  chain: readonly ParsedCertificate[],
  question: ChainQuestion,
  certificates: Certificates,
): End | Refused {
  const { now } = question;
  const authorities = question.anchors.filter(({ certificate }) => isAuthority(certificate));
  const usable = authorities.filter((anchor) => isFor(anchor, question));
  const anchors = usable.map(({ certificate }) => certificate);
  const signedBy: Certificates['signedBy'] = (certificate, issuer) => certificates.signedBy(certificate, issuer);
  const found = findPath({ chain, anchors, now, signedBy });
  const anchor = 'anchor' in found && usable.find(({ certificate }) => certificate === found.anchor);
  if ('reason' in found || !anchor)
    return refused(
      'reason' in found && found.reachesAnchor ? 'chain-invalid' : 'chain-untrusted',
      'reason' in found ? found.reason : 'the chain ends at no trust anchor',
    );
  return { anchor, path: found.path };
}

const isAuthority = ({ basicConstraints }: ParsedCertificate): boolean => basicConstraints?.ca === true;

const isFor = ({ docTypes }: Pick<TrustAnchor, 'docTypes'>, { docType }: Pick<ChainQuestion, 'docType'>): boolean =>
  docTypes === undefined || (docType !== undefined && docTypes.includes(docType));

function leafViolation([leaf]: readonly ParsedCertificate[], purpose: ChainPurpose): string | undefined {
  const { extendedKeyUsage, keyUsages } = PURPOSES[purpose];
  if (!leaf || isAuthority(leaf)) return 'certificate 1 is that of a certificate authority, not of a signer';
  if (leaf.keyUsage && !leaf.keyUsage.some((usage) => keyUsages.includes(usage)))
    return 'certificate 1 may not sign by its key usage';
  return extendedKeyUsage === undefined || leaf.extendedKeyUsage?.includes(extendedKeyUsage)
    ? undefined
    : 'certificate 1 is not that of a document signer by its extended key usage';
}

function placeViolation({ anchor: { certificate: root }, path }: End, purpose: ChainPurpose): string | undefined {
  const [leaf] = path;
  if (!PURPOSES[purpose].isDirect || !leaf) return undefined;
  if (path.length > 1)
    return 'certificate 1 is not directly below the trust anchor, as that of a document signer must be';
  if (!isSelfIssued(root)) return 'the trust anchor is not a root, as the authority of a document signer must be';
  return countryOf(leaf.subject) === countryOf(root.subject)
    ? undefined
    : 'certificate 1 is of another country than its authority';
}
