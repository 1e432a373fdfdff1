import type { Certificates, DistinguishedName, ParsedCertificate } from '../../../ports/certificates.ts';
import type { DidKeys } from '../../../ports/did-keys.ts';
import type { PublicJwk } from '../../../ports/key-service.ts';
import type { Signatures } from '../../../ports/signatures.ts';
import { fromBase64 } from '../../foundation/bytes.ts';
import { badRequest } from '../../foundation/errors.ts';
import { asList, isText, type JsonObject } from '../../foundation/json.ts';
import { parseJson } from '../../foundation/strict-json.ts';
import { type ParsedJws, verifyJws } from '../../jose/jws.ts';
import { signatureKeys } from '../../jose/key-set.ts';
import { checkPublishedSigner, checkSigner } from '../../jose/signer-keys.ts';
import { httpUrl } from '../../network/urls.ts';
import { decideChain } from '../../trust/chain-trust.ts';
import type { TrustChains } from '../../trust/federation/trust-chains.ts';
import type { TrustAnchor } from '../../trust/trust-anchors.ts';
import { sanitizeReason } from '../protocol-client.ts';

/** Who signed a request: a DID, the holder of a certificate, which names what the client_id says, or an entity of a federation. */
export type RequestSigner =
  | { kind: 'did'; did: string }
  /** `name` is the DNS name or the subject, `issuer` the name of the authority; a trust anchor vouches for both, or none. */
  | { kind: 'certificate'; name: string; issuer: string; isTrusted: boolean }
  /** `metadata` are those that the superiors of the entity allow; they replace what the request says of its client. */
  | { kind: 'federation'; entity: string; trustAnchor: string; metadata: JsonObject };

export interface SignatureParts {
  resolver: DidKeys;
  signatures: Signatures;
  certificates: Certificates;
  /** The authorities of verifiers; without any, no certificate is judged. */
  verifierAnchors: readonly TrustAnchor[];
  trustChains: Pick<TrustChains, 'resolve'>;
}

/** The most certificates of an `x5c` header. */
const MAX_CERTIFICATES = 8;

/** How a verifier is identified (OpenID4VP 1.0 §5.9.3; `client_id_scheme` in the drafts before 22). */
interface ClientId {
  scheme: string;
  id: string;
}

/** The prefixes of client identifiers that this wallet verifies (OpenID4VP 1.0 §5.9.3). */
export const PREFIXES = [
  'redirect_uri',
  'x509_san_dns',
  'x509_hash',
  'decentralized_identifier',
  'openid_federation',
] as const;

const PREFIXED = new RegExp(`^(${[...PREFIXES, 'verifier_attestation'].join('|')}):(.*)$`, 's');

/** Ways that this wallet has no means to verify; requests with them are refused. */
const UNSUPPORTED: readonly string[] = ['verifier_attestation', 'entity_id'];

/** Reads how a verifier is identified. @throws DomainError `BadRequest` for a way that this wallet cannot verify */
export function readClientId({ client_id: id, client_id_scheme: stated }: JsonObject): ClientId {
  const text = isText(id) ? id : '';
  const [, prefix = stated, rest = text] = PREFIXED.exec(text) ?? [];
  const scheme = text.startsWith('did:') || prefix === 'did' ? 'decentralized_identifier' : String(prefix ?? '');
  if (UNSUPPORTED.includes(scheme)) throw badRequest(`This wallet cannot verify a client_id of the kind ${scheme}`);
  return { scheme, id: rest };
}

/**
 * Verifies the signature of a request object where its client_id says whose it is, and returns the signer; other clients
 * are as trustworthy as the link. @throws DomainError `BadRequest` when it is not signed by its client_id
 */
export async function verifyRequest(
  jws: ParsedJws,
  { now, ...parts }: SignatureParts & { now: number },
): Promise<RequestSigner | undefined> {
  const client = readClientId(jws.payload);
  if (client.scheme === 'decentralized_identifier') return verifyByDid(jws, client, parts);
  if (client.scheme === 'openid_federation') return verifyByFederation(jws, client, parts);
  if (client.scheme !== 'x509_san_dns' && client.scheme !== 'x509_hash') return undefined;
  const chain = chainOf(jws);
  const leaf = parts.certificates.parse(chain[0]);
  if (now < leaf.notBefore || now > leaf.notAfter)
    throw badRequest('The certificate of the request object is not valid now');
  checkName(client, leaf, jws.payload);
  const { jwk } = leaf.publicKey;
  if (!jwk || !(await verifyJws(jws, jwk, parts.signatures)))
    throw badRequest('The signature of the request object is not valid');
  const isTrusted = parts.verifierAnchors.length > 0;
  if (isTrusted) checkTrust(chain, { now, ...parts });
  const name = client.scheme === 'x509_san_dns' ? client.id : shownName(leaf.subject);
  return { kind: 'certificate', name, issuer: shownName(leaf.issuer), isTrusted };
}

/** Where the wallet knows authorities of verifiers, it validates the chain of each (OpenID4VP 1.0 §5.9.3). */
function checkTrust(
  chain: readonly Uint8Array[],
  { verifierAnchors: anchors, certificates, now }: SignatureParts & { now: number },
): void {
  const decision = decideChain({ chain, anchors, now, purpose: 'access' }, certificates);
  if (!decision.trusted) throw badRequest(`The certificate of the request object is not trusted: ${decision.reason}`);
}

/** The values of a name, as they are compared: in lower case, the most significant first. */
const shownName = ({ rdns }: DistinguishedName): string =>
  sanitizeReason(
    rdns
      .flatMap((rdn) => asList(parseJson(`[${rdn.replaceAll(']+[', '],[')}]`)))
      .map((attribute) => String(asList(attribute).at(-1)))
      .join(', '),
  );

async function verifyByDid(
  jws: ParsedJws,
  { id: did }: ClientId,
  { resolver, signatures }: SignatureParts,
): Promise<RequestSigner> {
  const { kid } = jws.header;
  const verify = (jwk: PublicJwk) => verifyJws(jws, jwk, signatures);
  const signed = { kid, signer: did, needsKid: true, purpose: 'verificationMethod', verify } as const;
  const check = await checkSigner(signed, resolver);
  if (check.valid) return { kind: 'did', did };
  throw badRequest(
    check.refusal === 'signature'
      ? 'The signature of the request object is not valid'
      : 'The request object is not signed by its client_id',
  );
}

/** The keys are those of the metadata that the trust chain allows (OpenID4VP 1.0 §5.9.3). */
async function verifyByFederation(
  jws: ParsedJws,
  { id: entity }: ClientId,
  { trustChains, signatures }: SignatureParts,
): Promise<RequestSigner> {
  const { kid, trust_chain: stated } = jws.header;
  const chain = await trustChains.resolve(entity, stated);
  const metadata = chain.metadata('openid_credential_verifier');
  const verify = (jwk: PublicJwk) => verifyJws(jws, jwk, signatures);
  const check = await checkPublishedSigner({ kid, verify }, signatureKeys(metadata.jwks) ?? []);
  if (!check.valid) throw badRequest('The request object is not signed with a key of its entity');
  return { kind: 'federation', entity, trustAnchor: chain.anchor, metadata };
}

/** The certificates of the `x5c` header in DER, leaf first (RFC 7515 §4.1.6). */
function chainOf({ header: { x5c } }: ParsedJws): [Uint8Array, ...Uint8Array[]] {
  const texts = Array.isArray(x5c) && x5c.length <= MAX_CERTIFICATES ? x5c : [];
  const [leaf, ...others] = texts.flatMap((text) => (isText(text) && fromBase64(text)) || []);
  if (leaf && others.length + 1 === texts.length) return [leaf, ...others];
  throw badRequest(`The request object has no x5c with 1 to ${MAX_CERTIFICATES} certificates`);
}

/**
 * The certificate is for the DNS name, or it is the one that is hashed. Without trust in the certificate the response may
 * only go to the host that it names.
 */
function checkName({ scheme, id }: ClientId, leaf: ParsedCertificate, claims: JsonObject): void {
  if (scheme === 'x509_hash') {
    if (leaf.fingerprint !== id) throw badRequest('The certificate of the request object is not that of its client_id');
    return;
  }
  const isNamed = leaf.subjectAltNames.some(
    (name) => name.type === 'dns' && name.value.toLowerCase() === id.toLowerCase(),
  );
  if (!isNamed) throw badRequest('The certificate of the request object does not name its client_id');
  if (httpUrl(claims.response_uri ?? claims.redirect_uri)?.hostname !== id.toLowerCase())
    throw badRequest('The response_uri is not of the host that the client_id names');
}
