import type { Certificates, DistinguishedName } from '../../ports/certificates.ts';
import type { Signatures } from '../../ports/signatures.ts';
import type { Clock } from '../../ports/system.ts';
import type { CredentialStatuses } from '../credentials/credential-status.ts';
import { fromBase64url, utf8Text } from '../foundation/bytes.ts';
import { badRequest, catching, invalidField, replacing } from '../foundation/errors.ts';
import { asList, isObject, isText, type JsonObject } from '../foundation/json.ts';
import { type ParsedJws, parseJws, verifyJws } from '../jose/jws.ts';
import { HOLDER_SKEW_MS, timeProblems } from '../jose/jwt-claims.ts';
import { isIdentifiedBy } from '../x509/name-attributes.ts';
import { parseX5c } from '../x509/x5c.ts';
import { provenChain } from './chain-trust.ts';
import type { TrustAnchor } from './trust-anchors.ts';

/** Registration certificates of relying parties (ETSI TS 119 475 §5.2.2), and of issuers, which are such parties too. */
export const REGISTRATION = {
  /** The format in `verifier_info` (ETSI TS 119 472-2) and `issuer_info` (ETSI TS 119 472-3 §4.2.3). */
  FORMAT: 'registration_cert',
  TYP: 'rc-wrp+jwt',
} as const;

/** Who states a registration, and what carries it. */
const STATED = {
  issuer: 'metadata',
  verifier: 'request',
} as const;

/** The side that a certificate is about. */
type RegisteredSide = keyof typeof STATED;

/** The only registration certificate of a list of statements, with its place. @throws DomainError `BadRequest` naming a second one */
export function registrationIn(infos: unknown): { index: number; data: unknown } | undefined {
  const found = asList(infos).flatMap((info, index) =>
    isObject(info) && info.format === REGISTRATION.FORMAT ? [{ index, data: info.data }] : [],
  );
  const [only, second] = found;
  if (second) throw invalidField([second.index], 'is a second registration certificate');
  return only;
}

/** Parses a certificate: a compact JWS, as it is or in base64url, as both are published. @throws DomainError `BadRequest` */
export function parseRegistration(data: unknown): ParsedJws {
  const text = isText(data) ? data : '';
  const compact = text.includes('.') ? text : (utf8Text(fromBase64url(text) ?? new Uint8Array()) ?? '');
  return parseJws(compact, 'The registration certificate');
}

/**
 * Whether a certificate is that of the party whose access certificate has this subject. Where another acts for the one that
 * is registered, the access certificate is that of the intermediary (ETSI TS 119 475 table 10, `act` and `intermediary`).
 */
export function isRegistrationOf({ sub, act, intermediary }: JsonObject, subject: DistinguishedName): boolean {
  const acting = act ?? intermediary;
  const identifier = isObject(acting) ? acting.sub : sub;
  return isText(identifier) && isIdentifiedBy(subject, identifier);
}

/** Verifies registration certificates of others. */
export class RegistrationCertificates {
  constructor(
    private readonly parts: {
      certificates: Certificates;
      signatures: Signatures;
      clock: Clock;
      statuses: Pick<CredentialStatuses, 'lookUp'>;
      /** The authorities of registrars; without any, no registration is looked at. */
      registrars: readonly TrustAnchor[];
    },
  ) {}

  /**
   * The claims of the certificate among these statements that a registrar signed for the holder of `subject` and did not
   * revoke, with the certificates that it was signed below; undefined when there is none, or the wallet knows no registrar.
   * @throws DomainError `BadRequest` naming what is wrong
   */
  async of(
    side: RegisteredSide,
    { infos, subject }: { infos: unknown; subject: DistinguishedName },
  ): Promise<{ claims: JsonObject; roots: string[] } | undefined> {
    if (this.parts.registrars.length === 0) return undefined;
    const refused = (why: string): Error => badRequest(`The registration certificate of the ${side} ${why}`);
    const found = catching(
      replacing('BadRequest', () => refused('is not the only one')),
      () => registrationIn(infos),
    );
    if (!found) return undefined;
    const jws = parseRegistration(found.data);
    const roots = await this.#verified(jws, refused);
    if (!isRegistrationOf(jws.payload, subject))
      throw refused(`is that of another party than the one that signed the ${STATED[side]}`);
    return { claims: jws.payload, roots };
  }

  async #verified(jws: ParsedJws, refused: Refusal): Promise<string[]> {
    const { certificates, signatures, clock, registrars } = this.parts;
    if (jws.header.typ !== REGISTRATION.TYP) throw refused(`is not of the type ${REGISTRATION.TYP}`);
    const chain = parseX5c(jws.header.x5c, certificates);
    const jwk = chain[0]?.publicKey.jwk;
    if (!jwk || !(await verifyJws(jws, jwk, signatures))) throw refused('has a signature that is not valid');
    const now = clock.now();
    const ders = chain.map(({ der }) => der);
    const decision = provenChain({ chain: ders, anchors: registrars, now, purpose: 'registration' }, certificates);
    if (!decision.trusted) throw refused(`is not that of a registrar: ${decision.reason}`);
    const [problem] = Object.entries(timeProblems(jws.payload, { now, skewMs: HOLDER_SKEW_MS, required: ['iat'] }));
    if (problem) throw refused(`has an ${problem[0]} that is not acceptable (${problem[1]})`);
    await this.#checkStatus(jws.payload, { chain: ders, refused });
    return decision.certifiedBy;
  }

  /** A status that cannot be determined is no valid one. */
  async #checkStatus({ status }: JsonObject, { chain, refused }: { chain: Uint8Array[]; refused: Refusal }) {
    const { statuses, registrars } = this.parts;
    if (!isObject(status)) throw refused('has no status');
    const anchors = async () => registrars.map(({ certificate }) => certificate);
    const listed = [{ kind: 'status_list', value: status.status_list }] as const;
    const conditions = await statuses
      .lookUp({ issuer: { kind: 'certificates', id: '', chain }, status: listed, anchors })
      .catch(replacing(undefined, ({ message }) => refused(`has a status that is not known: ${message}`)));
    const set = conditions.find(({ isSet }) => isSet);
    if (set) throw refused(`is not valid any more: ${set.purpose}`);
  }
}

type Refusal = (why: string) => Error;
