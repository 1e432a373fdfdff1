import type { Certificates, ParsedCertificate } from '../../../ports/certificates.ts';
import type { DidKeys } from '../../../ports/did-keys.ts';
import type { PublicJwk } from '../../../ports/key-service.ts';
import type { Signatures } from '../../../ports/signatures.ts';
import { fromBase64 } from '../../foundation/bytes.ts';
import { badRequest } from '../../foundation/errors.ts';
import { isText, type JsonObject } from '../../foundation/json.ts';
import { type ParsedJws, verifyJws } from '../../jose/jws.ts';
import { signatureKeys } from '../../jose/key-set.ts';
import { checkPublishedSigner, checkSigner } from '../../jose/signer-keys.ts';
import { httpUrl } from '../../network/urls.ts';
import { provenChain } from '../../trust/chain-trust.ts';
import type { TrustChains } from '../../trust/federation/trust-chains.ts';
import type { TrustAnchor } from '../../trust/trust-anchors.ts';
import { shownName } from '../certificate-name.ts';
import { sanitizeReason } from '../protocol-client.ts';
import {
  CLIENT_ID_PREFIXES,
  type ClientId,
  type ClientIdPrefix,
  type RegisteredClient,
  readClientId,
} from './client-ids.ts';
import { type AttestationIssuer, verifierAttestation } from './verifier-attestation.ts';
import type { VerifierRegistration, VerifierRegistrations } from './verifier-registration.ts';

/** Who signed a request: a DID, the holder of a certificate, which names what the client_id says, or an entity of a federation. */
export type RequestSigner =
  | { kind: 'did'; did: string }
  /** `name` is the DNS name or the subject, `issuer` the name of the authority; a trust anchor vouches for both, or none. */
  | ({ kind: 'certificate'; name: string; issuer: string; isTrusted: boolean } & CertifiedFacts)
  /** `metadata` are those that the superiors of the entity allow; they replace what the request says of its client. */
  | { kind: 'federation'; entity: string; trustAnchor: string; metadata: JsonObject }
  /** An issuer that the wallet trusts attests `name` and the key that signed. */
  | { kind: 'attestation'; name: string; issuer: string }
  /** A client of the configuration: its key signed, or, without keys, the response goes to an address of it. */
  | { kind: 'registered'; name: string };

/** What more is known of a signer whose certificate is below an authority that the wallet trusts. */
interface CertifiedFacts {
  /** The certificates of the signer and above it, in hexadecimal SHA-256. */
  roots?: string[];
  registration?: VerifierRegistration;
}

export interface SignatureParts {
  resolver: DidKeys;
  signatures: Signatures;
  certificates: Certificates;
  /** The authorities of verifiers; without any, no certificate is judged. */
  verifierAnchors: readonly TrustAnchor[];
  trustChains: Pick<TrustChains, 'resolve' | 'hasAnchors'>;
  /** Whose attestations of verifiers the wallet believes. */
  attesters: readonly AttestationIssuer[];
  registrations: Pick<VerifierRegistrations, 'of'>;
  /** The verifiers that the wallet knows. */
  clients: readonly RegisteredClient[];
}

/** The most certificates of an `x5c` header. */
const MAX_CERTIFICATES = 8;

/** What a request is verified with. */
type Checks = SignatureParts & {
  /** Milliseconds since the epoch. */
  now: number;
  /** Over the Digital Credentials API a response has no address: the browser says which page receives it. */
  isOverDcApi?: boolean;
};

/** How requests with one kind of client identifier prove who sent them. */
interface ClientKind {
  /** Whether its requests are signed. */
  signed: 'always' | 'never' | 'optional';
  /** Whether this wallet can verify any of its requests; it always can when absent. */
  isUsable?(parts: SignatureParts): boolean;
  /** @throws DomainError `BadRequest` when the request is not signed by its client */
  verify?(jws: ParsedJws, client: ClientId, checks: Checks): Promise<RequestSigner>;
}

/** The table of prefixes (OpenID4VP 1.0 §5.9.3). */
const KINDS: Readonly<Record<ClientIdPrefix, ClientKind>> = {
  redirect_uri: { signed: 'never' },
  x509_san_dns: { signed: 'always', verify: verifyByCertificate },
  x509_hash: { signed: 'always', verify: verifyByCertificate },
  decentralized_identifier: { signed: 'always', verify: verifyByDid },
  verifier_attestation: {
    signed: 'always',
    isUsable: ({ attesters }) => attesters.length > 0,
    verify: verifyByAttestation,
  },
  openid_federation: {
    signed: 'always',
    isUsable: ({ trustChains }) => trustChains.hasAnchors,
    verify: verifyByFederation,
  },
  'pre-registered': { signed: 'optional', isUsable: ({ clients }) => clients.length > 0, verify: verifyRegistered },
};

/** The prefixes whose requests this wallet can verify, as its metadata list them (OpenID4VP 1.0 §10). */
export const usablePrefixes = (parts: SignatureParts): ClientIdPrefix[] =>
  CLIENT_ID_PREFIXES.filter((prefix) => KINDS[prefix].isUsable?.(parts) ?? true);

/**
 * Verifies the signature of a request object where its client_id says whose it is, and returns the signer; other clients
 * are as trustworthy as the link. @throws DomainError `BadRequest` when it is not signed by its client_id
 */
export async function verifyRequest(jws: ParsedJws, checks: Checks): Promise<RequestSigner | undefined> {
  const client = readClientId(jws.payload, checks.clients);
  const kind = client.prefix && KINDS[client.prefix];
  if (jws.header.alg === 'none' && kind?.signed !== 'always') return acceptUnsigned(jws.payload, checks);
  if (kind?.signed === 'never' && client.isPrefixed)
    throw badRequest(`A request of a client_id with the prefix ${client.prefix} cannot be signed`);
  return kind?.verify?.(jws, client, checks);
}

/**
 * Returns who is behind a request without a signature, which a registered client without keys may send; other clients are
 * as trustworthy as the link. @throws DomainError `BadRequest` for a client whose requests must be signed
 */
export function acceptUnsigned(claims: JsonObject, { clients }: Pick<Checks, 'clients'>): RequestSigner | undefined {
  const client = readClientId(claims, clients);
  const { prefix, isPrefixed, registered } = client;
  if (registered) {
    if (registered.keys.length > 0) throw badRequest('A request of this client_id must be signed with its key');
    return registeredSigner(registered, claims);
  }
  if (prefix && isPrefixed && KINDS[prefix].signed === 'always')
    throw badRequest(`A request of a client_id with the prefix ${prefix} must be signed`);
  return undefined;
}

/** The client sends its responses where it is registered with, regardless of who made the request. */
function registeredSigner({ name, responseUris }: RegisteredClient, claims: JsonObject): RequestSigner {
  checkAddress(claims, responseUris);
  return { kind: 'registered', name };
}

async function verifyRegistered(jws: ParsedJws, { registered }: ClientId, checks: Checks): Promise<RequestSigner> {
  if (!registered) throw badRequest('The client_id is not registered with this wallet');
  const { kid } = jws.header;
  const verify = (jwk: PublicJwk) => verifyJws(jws, jwk, checks.signatures);
  const check = await checkPublishedSigner({ kid, verify }, registered.keys);
  if (!check.valid) throw badRequest('The request object is not signed with a registered key of its client');
  return checks.isOverDcApi ? { kind: 'registered', name: registered.name } : registeredSigner(registered, jws.payload);
}

async function verifyByAttestation(jws: ParsedJws, { id }: ClientId, checks: Checks): Promise<RequestSigner> {
  const { issuer, key, addresses } = await verifierAttestation(jws.header.jwt, id, checks);
  if (!(await verifyJws(jws, key, checks.signatures))) throw brokenSignature();
  if (addresses && !checks.isOverDcApi) checkAddress(jws.payload, addresses);
  return { kind: 'attestation', name: sanitizeReason(id), issuer };
}

/** Addresses are compared as texts. */
function checkAddress({ response_uri: address, redirect_uri: draft }: JsonObject, allowed: readonly string[]): void {
  if (!allowed.some((one) => one === (address ?? draft)))
    throw badRequest('The response_uri is none of those that its client is registered with');
}

const brokenSignature = (): Error => badRequest('The signature of the request object is not valid');

async function verifyByCertificate(jws: ParsedJws, client: ClientId, checks: Checks): Promise<RequestSigner> {
  const { now, verifierAnchors, certificates, signatures, registrations } = checks;
  const chain = chainOf(jws);
  const leaf = certificates.parse(chain[0]);
  if (now < leaf.notBefore || now > leaf.notAfter)
    throw badRequest('The certificate of the request object is not valid now');
  checkName(client, leaf, checks.isOverDcApi ? undefined : jws.payload);
  const { jwk } = leaf.publicKey;
  if (!jwk || !(await verifyJws(jws, jwk, signatures))) throw brokenSignature();
  const isTrusted = verifierAnchors.length > 0;
  const roots = isTrusted && trustedRoots(chain, checks);
  const registration = isTrusted ? await registrations.of(jws.payload.verifier_info, leaf) : undefined;
  const name = client.prefix === 'x509_san_dns' ? client.id : shownName(leaf.subject);
  return {
    kind: 'certificate',
    name,
    issuer: shownName(leaf.issuer),
    isTrusted,
    ...(roots && { roots }),
    ...(registration && { registration }),
  };
}

/** Where the wallet knows authorities of verifiers, it validates the chain of each (OpenID4VP 1.0 §5.9.3). */
function trustedRoots(chain: readonly Uint8Array[], { verifierAnchors: anchors, certificates, now }: Checks): string[] {
  const decision = provenChain({ chain, anchors, now, purpose: 'access' }, certificates);
  if (!decision.trusted) throw badRequest(`The certificate of the request object is not trusted: ${decision.reason}`);
  return decision.certifiedBy;
}

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
  throw check.refusal === 'signature'
    ? brokenSignature()
    : badRequest('The request object is not signed by its client_id');
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
function checkName({ prefix, id }: ClientId, leaf: ParsedCertificate, claims: JsonObject | undefined): void {
  if (prefix === 'x509_hash') {
    if (leaf.fingerprint !== id) throw badRequest('The certificate of the request object is not that of its client_id');
    return;
  }
  const isNamed = leaf.subjectAltNames.some(
    (name) => name.type === 'dns' && name.value.toLowerCase() === id.toLowerCase(),
  );
  if (!isNamed) throw badRequest('The certificate of the request object does not name its client_id');
  if (claims && httpUrl(claims.response_uri ?? claims.redirect_uri)?.hostname !== id.toLowerCase())
    throw badRequest('The response_uri is not of the host that the client_id names');
}
