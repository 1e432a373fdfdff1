import type { ParsedCertificate } from '../../../ports/certificates.ts';
import type { PublicJwk } from '../../../ports/key-service.ts';
import { methodIdOf } from '../../dids/did-document.ts';
import type { DidResolver } from '../../dids/did-resolver.ts';
import { base64, fingerprint } from '../../foundation/bytes.ts';
import { at, invalidField, isDomainError } from '../../foundation/errors.ts';
import { isObject, isText } from '../../foundation/json.ts';
import { isSameKey, thumbprint } from '../../jose/jwk.ts';
import { parseJws } from '../../jose/jws.ts';
import { readVerificationKey } from '../../jose/verification-keys.ts';
import type { RequestKeyHeader, VerifierEntity } from '../protocol.ts';

/** The prefixes of client identifiers (OpenID4VP 1.0 §5.9.3); a name without one of them is known to the wallet already. */
type ClientIdPrefix =
  | 'redirect_uri'
  | 'x509_san_dns'
  | 'x509_hash'
  | 'decentralized_identifier'
  | 'verifier_attestation'
  | 'openid_federation';

/** A client identifier in its parts; without a prefix for a verifier that wallets know. */
interface ClientId {
  prefix?: ClientIdPrefix;
  /** What follows the prefix. */
  name: string;
}

/** The key that signs requests, and what others state about it. */
interface ClientKey {
  publicJwk: PublicJwk;
  /** As wallets get it: leaf first, without the trust anchor. */
  chain?: readonly ParsedCertificate[];
  /** A verifier attestation, as a compact JWS. */
  attestation?: string;
  /** The entity of the verifier, if the key is that of its published metadata. */
  entity?: VerifierEntity;
}

/** What client identifiers are checked with. */
interface ClientIdParts {
  dids: Pick<DidResolver, 'document'>;
  /** Milliseconds since the epoch. */
  now: number;
}

/** A name and the key that must belong to it. */
interface NamedKey {
  name: string;
  key: ClientKey;
  parts: ClientIdParts;
}

interface PrefixRow {
  /** The header by which wallets find the key; absent where requests are never signed. */
  header?(named: NamedKey): RequestKeyHeader | Promise<RequestKeyHeader>;
}

/** The table of prefixes. */
const PREFIXES: Readonly<Record<ClientIdPrefix, PrefixRow>> = {
  redirect_uri: {},
  x509_san_dns: { header: dnsName },
  x509_hash: { header: certificateHash },
  decentralized_identifier: { header: didKey },
  verifier_attestation: { header: attestation },
  openid_federation: { header: federationKey },
};

const isPrefix = (text: string): text is ClientIdPrefix => Object.hasOwn(PREFIXES, text);

/** Parses a client identifier (§5.9.2). @throws DomainError `BadRequest` */
export function parseClientId(text: string): ClientId {
  const colon = text.indexOf(':');
  const prefix = text.slice(0, Math.max(colon, 0));
  if (!isPrefix(prefix)) return { name: text };
  const name = text.slice(colon + 1);
  if (name === '') throw invalidField([], `must have a name after ${prefix}:`);
  return { prefix, name };
}

/** Whether requests of the client are signed: always, never, or as the verifier likes. */
export function signingOf({ prefix }: ClientId): 'always' | 'never' | 'optional' {
  if (prefix === undefined) return 'optional';
  return PREFIXES[prefix].header ? 'always' : 'never';
}

/**
 * Returns the header of signed requests by which wallets find the key, and checks that the key belongs to the name.
 * @throws DomainError `BadRequest` naming `clientId`, `x5c` or `verifier_attestation`
 */
export async function headerOf(
  { prefix, name }: ClientId,
  key: ClientKey,
  parts: ClientIdParts,
): Promise<RequestKeyHeader> {
  const header = prefix === undefined ? undefined : PREFIXES[prefix].header;
  if (prefix === undefined) return { kid: thumbprint(key.publicJwk), ...(key.chain && { x5c: encoded(key.chain) }) };
  if (!header) throw invalidField(['clientId'], `requests of a client with the prefix ${prefix} cannot be signed`);
  return header({ name, key, parts });
}

const encoded = (chain: readonly ParsedCertificate[]): string[] => chain.map(({ der }) => base64(der));

const wrong = (message: string): never => {
  throw invalidField(['clientId'], message);
};

function chainOf({ key: { chain } }: NamedKey): { leaf: ParsedCertificate; header: RequestKeyHeader } {
  const [leaf] = chain ?? [];
  if (!chain || !leaf) throw invalidField(['x5c'], 'is required by the prefix of clientId');
  return { leaf, header: { x5c: encoded(chain) } };
}

function dnsName(named: NamedKey): RequestKeyHeader {
  const { leaf, header } = chainOf(named);
  const names = leaf.subjectAltNames.flatMap((name) => (name.type === 'dns' ? name.value.toLowerCase() : []));
  if (!names.includes(named.name.toLowerCase())) wrong('is no DNS name of the first certificate');
  return header;
}

function certificateHash(named: NamedKey): RequestKeyHeader {
  const { leaf, header } = chainOf(named);
  if (fingerprint(leaf.der) !== named.name) wrong('is not the SHA-256 of the first certificate in base64url');
  return header;
}

async function didKey({ name: did, key, parts }: NamedKey): Promise<RequestKeyHeader> {
  try {
    const kid = methodIdOf(await parts.dids.document(did), did, key.publicJwk);
    return kid === undefined ? wrong('is a DID that does not list the key') : { kid };
  } catch (error) {
    return isDomainError(error, 'BadRequest') && !error.details ? wrong(error.message) : Promise.reject(error);
  }
}

/** Wallets find the key in the metadata of the entity (§5.9.3), so it is that of the verifier itself. */
async function federationKey({ name, key: { publicJwk, entity } }: NamedKey): Promise<RequestKeyHeader> {
  if (!entity)
    return wrong('is of a federation, where only a verifier signs that is configured for it, with its own key');
  const id = await entity.id();
  if (id !== name) wrong(`is not the entity of this verifier, which is ${id}`);
  return { kid: thumbprint(publicJwk), ...(entity.trustChain && { trust_chain: entity.trustChain }) };
}

const ATTESTATION_TYP = 'verifier-attestation+jwt';

/** A verifier attestation names the client and its key (§12); who signed it is for the wallet to judge. */
function attestation({ name, key, parts }: NamedKey): RequestKeyHeader {
  const { attestation: jwt } = key;
  if (jwt === undefined) throw invalidField(['verifier_attestation'], 'is required by the prefix of clientId');
  at(['verifier_attestation'], () => checkAttestation(jwt, { name, key, parts }));
  return { jwt };
}

function checkAttestation(jwt: string, { name, key, parts }: NamedKey): void {
  const { header, payload } = readAttestation(jwt);
  const { iss, sub, exp, cnf } = payload;
  const jwk = isObject(cnf) && isObject(cnf.jwk) ? readVerificationKey(cnf.jwk) : undefined;
  if (header.typ !== ATTESTATION_TYP) throw invalidField([], `must be of the type ${ATTESTATION_TYP}`);
  if (!isText(iss)) throw invalidField([], 'must name its issuer');
  if (sub !== name) throw invalidField([], 'is about another client than clientId');
  if (!jwk || !isSameKey(jwk, key.publicJwk)) throw invalidField([], 'is for another key than the one that signs');
  if (typeof exp !== 'number' || exp * 1000 <= parts.now) throw invalidField([], 'has expired');
}

function readAttestation(jwt: string) {
  try {
    return parseJws(jwt, 'The attestation');
  } catch (error) {
    throw isDomainError(error, 'BadRequest') ? invalidField([], error.message) : error;
  }
}
