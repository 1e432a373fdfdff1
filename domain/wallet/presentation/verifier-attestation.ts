import type { PublicJwk } from '../../../ports/key-service.ts';
import type { PublishedKey } from '../../../ports/published-keys.ts';
import type { Signatures } from '../../../ports/signatures.ts';
import { badRequest } from '../../foundation/errors.ts';
import { asList, isObject, isText, type JsonObject } from '../../foundation/json.ts';
import { parseJws, verifyJws } from '../../jose/jws.ts';
import { timeProblems } from '../../jose/jwt-claims.ts';
import { checkPublishedSigner } from '../../jose/signer-keys.ts';
import { readVerificationKey } from '../../jose/verification-keys.ts';

/** An issuer of verifier attestations that the wallet believes. */
export interface AttestationIssuer {
  /** The `iss` of its attestations. */
  issuer: string;
  keys: readonly PublishedKey[];
}

/** What a trusted issuer says of a verifier. */
interface AttestedVerifier {
  issuer: string;
  /** The key that signs its requests. */
  key: PublicJwk;
  /** Where its responses may go; anywhere when absent. */
  addresses?: string[];
}

const TYP = 'verifier-attestation+jwt';
const MAX_LENGTH = 32_768;

/**
 * Verifies the attestation of a verifier, which is the header `jwt` of its request objects (OpenID4VP 1.0 §12).
 * @throws DomainError `BadRequest`
 */
export async function verifierAttestation(
  text: unknown,
  clientId: string,
  { attesters, signatures, now }: { attesters: readonly AttestationIssuer[]; signatures: Signatures; now: number },
): Promise<AttestedVerifier> {
  if (!isText(text) || text.length > MAX_LENGTH) throw badRequest('The request object has no verifier attestation');
  const jws = parseJws(text, 'The verifier attestation');
  const { iss, sub, cnf } = jws.payload;
  if (jws.header.typ !== TYP) throw refused(`is not of the type ${TYP}`);
  const attester = attesters.find(({ issuer }) => issuer === iss);
  if (!attester) throw refused('is of an issuer that this wallet does not trust');
  const verify = (jwk: PublicJwk) => verifyJws(jws, jwk, signatures);
  const check = await checkPublishedSigner({ kid: jws.header.kid, verify }, attester.keys);
  if (!check.valid) throw refused('is not signed with a key of its issuer');
  const [problem] = Object.entries(timeProblems(jws.payload, { now, required: ['exp'] }));
  if (problem) throw refused(`has an ${problem[0]} that is not acceptable (${problem[1]})`);
  if (sub !== clientId) throw refused('is about another client_id');
  if (!isObject(cnf) || !isObject(cnf.jwk)) throw refused('has no cnf.jwk');
  return { issuer: attester.issuer, key: readVerificationKey(cnf.jwk), addresses: addressesOf(jws.payload) };
}

/** `redirect_uris` bind the address of the response, under both of its names in requests. */
function addressesOf({ redirect_uris: redirects, response_uris: responses }: JsonObject): string[] | undefined {
  if (redirects === undefined && responses === undefined) return undefined;
  return [redirects ?? [], responses ?? []].flatMap(asList).filter(isText);
}

const refused = (why: string): Error => badRequest(`The verifier attestation ${why}`);
