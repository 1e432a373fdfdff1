import type { Certificates, ParsedCertificate } from '../../../ports/certificates.ts';
import type { Signatures } from '../../../ports/signatures.ts';
import type { Clock } from '../../../ports/system.ts';
import type { CredentialStatuses } from '../../credentials/credential-status.ts';
import { fromBase64url, utf8Text } from '../../foundation/bytes.ts';
import { catching, DomainError, replacing } from '../../foundation/errors.ts';
import { asList, isObject, isText, type JsonObject } from '../../foundation/json.ts';
import { lineOf } from '../../foundation/texts.ts';
import { type ParsedJws, parseJws, verifyJws } from '../../jose/jws.ts';
import { HOLDER_SKEW_MS, timeProblems } from '../../jose/jwt-claims.ts';
import { decideChain } from '../../trust/chain-trust.ts';
import type { TrustAnchor } from '../../trust/trust-anchors.ts';
import { parseX5c } from '../../x509/x5c.ts';
import { attributesOf } from '../certificate-name.ts';

/** What a registrar states of an issuer (ETSI TS 119 475 §5.2.4). */
export interface IssuerRegistration {
  /** The name under which it is registered. */
  name: string;
  /** By which the registrar knows it, and which its access certificate has. */
  identifier: string;
  /** The ids of the configurations that it is not registered to issue. */
  unregistered: string[];
}

/** The format of registration certificates in `issuer_info` (ETSI TS 119 472-3 §4.2.3), and their type (TS 119 475 §5.2.2). */
const FORMAT = 'registration_cert';
const TYP = 'rc-wrp+jwt';
const MAX_NAME = 200;

/** organizationIdentifier of legal persons and serialNumber of natural ones, which hold the identifier (ETSI TS 119 475 §5.1). */
const IDENTIFIERS = ['2.5.4.97', '2.5.4.5'];

/** Those who may issue (ETSI TS 119 475 annex A.2). */
const PROVIDERS: readonly unknown[] = ['PID', 'QEAA', 'PUB_EAA', 'Non_Q_EAA'].map(
  (kind) => `https://uri.etsi.org/19475/Entitlement/${kind}_Provider`,
);

/** Verifies the registration certificates of issuers. */
export class IssuerRegistrations {
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
   * Returns the registration of who signed the metadata; undefined when the metadata has none.
   * @throws DomainError `UpstreamFailed` naming what is wrong
   */
  async of(metadata: JsonObject, signer: ParsedCertificate): Promise<IssuerRegistration | undefined> {
    const entries = asList(metadata.issuer_info).filter((entry) => isObject(entry) && entry.format === FORMAT);
    if (this.parts.registrars.length === 0 || entries.length === 0) return undefined;
    const [entry] = entries;
    if (entries.length > 1 || !isObject(entry)) throw refused('is not the only one');
    const jws = catching(asUpstreamFailure, () => parseJws(textOf(entry.data), 'The registration certificate'));
    const { sub, name, entitlements, provides_attestations: provides } = await this.#verified(jws);
    const isOwn = attributesOf(signer.subject).some(
      ({ type, value }) => IDENTIFIERS.includes(type) && isText(sub) && value === sub.toLowerCase(),
    );
    if (!isOwn) throw refused('is that of another party than the one that signed the metadata');
    const mayIssue = asList(entitlements).some((entitlement) => PROVIDERS.includes(entitlement));
    const unregistered = unregisteredConfigurations(metadata, mayIssue ? provides : []);
    return { name: lineOf(String(name ?? sub), MAX_NAME), identifier: lineOf(String(sub), MAX_NAME), unregistered };
  }

  /** The claims of a certificate that a registrar signed and did not revoke. */
  async #verified(jws: ParsedJws): Promise<JsonObject> {
    const { certificates, signatures, clock, registrars } = this.parts;
    if (jws.header.typ !== TYP) throw refused(`is not of the type ${TYP}`);
    const chain = catching(asUpstreamFailure, () => parseX5c(jws.header.x5c, certificates));
    const jwk = chain[0]?.publicKey.jwk;
    if (!jwk || !(await verifyJws(jws, jwk, signatures))) throw refused('has a signature that is not valid');
    const now = clock.now();
    const ders = chain.map(({ der }) => der);
    const decision = decideChain({ chain: ders, anchors: registrars, now, purpose: 'registration' }, certificates);
    if (!decision.trusted) throw refused(`is not that of a registrar: ${decision.reason}`);
    const [problem] = Object.entries(timeProblems(jws.payload, { now, skewMs: HOLDER_SKEW_MS, required: ['iat'] }));
    if (problem) throw refused(`has an ${problem[0]} that is not acceptable (${problem[1]})`);
    await this.#checkStatus(jws.payload, ders);
    return jws.payload;
  }

  /** A status that cannot be determined is no valid one. */
  async #checkStatus({ status }: JsonObject, chain: readonly Uint8Array[]): Promise<void> {
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

/** The configurations of an issuer that none of its registered attestations names (ETSI TS 119 475 table 8). */
export function unregisteredConfigurations(
  { credential_configurations_supported: all }: JsonObject,
  provides: unknown,
): string[] {
  const registered = asList(provides).filter(isObject);
  const isRegistered = (configuration: JsonObject) => registered.some((one) => isOf(configuration, one));
  return Object.entries(isObject(all) ? all : {}).flatMap(([id, configuration]) =>
    isObject(configuration) && isRegistered(configuration) ? [] : [id],
  );
}

function isOf({ format, vct, doctype }: JsonObject, registered: JsonObject): boolean {
  const { vct_values: types, doctype_value: document } = isObject(registered.meta) ? registered.meta : {};
  const isOfType = isText(vct) ? asList(types).includes(vct) : isText(doctype) && document === doctype;
  return registered.format === format && isOfType;
}

/** A compact JWS, as it is or in base64url, as both are published. */
function textOf(data: unknown): string {
  const text = isText(data) ? data : '';
  return text.includes('.') ? text : (utf8Text(fromBase64url(text) ?? new Uint8Array()) ?? '');
}

const asUpstreamFailure = replacing('BadRequest', ({ message }) => new DomainError('UpstreamFailed', message));

const refused = (why: string): Error =>
  new DomainError('UpstreamFailed', `The registration certificate of the issuer ${why}`);
