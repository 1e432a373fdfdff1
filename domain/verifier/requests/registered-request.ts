import type { Certificates } from '../../../ports/certificates.ts';
import type { Clock } from '../../../ports/system.ts';
import type { CredentialFormats } from '../../credentials/formats/formats.ts';
import { at, catching, type ErrorDetail, fieldErrors, invalidField, replacing } from '../../foundation/errors.ts';
import type { FieldPath } from '../../foundation/field-paths.ts';
import type { JsonObject } from '../../foundation/json.ts';
import { timeProblems } from '../../jose/jwt-claims.ts';
import type { DcqlQuery } from '../../presentation/dcql/query.ts';
import { readRegistered, type Surplus, surplusOf } from '../../presentation/dcql/registered.ts';
import {
  isRegistrationOf,
  parseRegistration,
  REGISTRATION,
  registrationIn,
} from '../../trust/registration-certificates.ts';
import { parseX5c } from '../../x509/x5c.ts';
import type { SessionClient } from '../protocol.ts';

interface RegisteredRequest extends Pick<SessionClient, 'signing'> {
  /** The member of the setup that says what is asked for. */
  member: 'dcql_query' | 'requestedElements' | 'presentation_definition';
  query: DcqlQuery;
  verifierInfo?: readonly JsonObject[];
}

interface RegistrationPorts {
  formats: CredentialFormats;
  certificates: Certificates;
  clock: Clock;
}

/**
 * Reads the registration certificate among statements about a verifier. Whether a registrar signed it is for wallets to
 * decide. @throws DomainError `BadRequest` naming the element
 */
export function registrationOf(
  infos: readonly JsonObject[] | undefined,
): { index: number; claims: JsonObject } | undefined {
  const found = registrationIn(infos);
  if (!found) return undefined;
  const { index, data } = found;
  return at([index, 'data'], () => {
    const { header, payload } = catching(asInvalid, () => parseRegistration(data));
    if (header.typ !== REGISTRATION.TYP) throw invalidField([], `must be a JWT of the type ${REGISTRATION.TYP}`);
    return { index, claims: payload };
  });
}

/**
 * Checks that a request asks for no more than its registration certificate says (ARF 3.0 topic 44, CIR (EU) 2025/848
 * article 8), and that the certificate is that of the party whose access certificate signs the request.
 * @throws DomainError `BadRequest` naming each part that is not registered, or what is wrong with the certificate
 */
export function checkRegistered(
  { verifierInfo, signing, query, member }: RegisteredRequest,
  { formats, certificates, clock }: RegistrationPorts,
): void {
  const found = at(['verifier_info'], () => registrationOf(verifierInfo));
  if (!found) return;
  const place: FieldPath = ['verifier_info', found.index, 'data'];
  const { exp } = timeProblems(found.claims, { now: clock.now() });
  if (exp) throw invalidField(place, 'is a registration certificate that has ended');
  const [leaf] = signing?.header.x5c ? parseX5c(signing.header.x5c, certificates) : [];
  if (leaf && !isRegistrationOf(found.claims, leaf.subject))
    throw invalidField(place, 'is the registration certificate of another party than the certificate of the request');
  if (member === 'presentation_definition')
    throw invalidField([member], 'cannot be compared with the registration certificate; ask with a dcql_query');
  const surplus = surplusOf(query, readRegistered(found.claims.credentials, formats));
  if (surplus.length > 0) throw fieldErrors(surplus.map((one) => surplusError(one, member)));
}

const asInvalid = replacing('BadRequest', ({ message }) => invalidField([], message));

function surplusError({ index, id, format, types, claim }: Surplus, member: RegisteredRequest['member']): ErrorDetail {
  const credential = `${format} ${types.join(' or ') || 'of any type'}`;
  const isDcql = member === 'dcql_query';
  const place: FieldPath = isDcql ? [member, 'credentials', index] : [member, id];
  if (!claim)
    return { path: place, message: `the registration certificate does not name the credential ${credential}` };
  const path: FieldPath = isDcql ? [...place, 'claims', claim.index, 'path'] : [...place, String(claim.path[0])];
  const message = `the registration certificate does not name the claim ${JSON.stringify(claim.path)} of ${credential}`;
  return { path, message };
}
