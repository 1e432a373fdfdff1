import type { ParsedCertificate } from '../../../ports/certificates.ts';
import { DomainError, replacing } from '../../foundation/errors.ts';
import { asList, isObject, isText, type JsonObject } from '../../foundation/json.ts';
import { lineOf } from '../../foundation/texts.ts';
import type { RegistrationCertificates } from '../../trust/registration-certificates.ts';

/** What a registrar states of an issuer (ETSI TS 119 475 §5.2.4). */
export interface IssuerRegistration {
  /** The name under which it is registered. */
  name: string;
  /** By which the registrar knows it, and which its access certificate has. */
  identifier: string;
  /** The ids of the configurations that it is not registered to issue. */
  unregistered: string[];
}

const MAX_NAME = 200;

/** Those who may issue (ETSI TS 119 475 annex A.2). */
const PROVIDERS: readonly unknown[] = ['PID', 'QEAA', 'PUB_EAA', 'Non_Q_EAA'].map(
  (kind) => `https://uri.etsi.org/19475/Entitlement/${kind}_Provider`,
);

/** Reads the registration certificates of issuers. */
export class IssuerRegistrations {
  constructor(private readonly parts: { registrations: Pick<RegistrationCertificates, 'of'> }) {}

  /**
   * Returns the registration of who signed the metadata; undefined when the metadata has none.
   * @throws DomainError `UpstreamFailed` naming what is wrong
   */
  async of(metadata: JsonObject, { subject }: ParsedCertificate): Promise<IssuerRegistration | undefined> {
    const stated = { infos: metadata.issuer_info, subject };
    const found = await this.parts.registrations.of('issuer', stated).catch(asUpstreamFailure);
    if (!found) return undefined;
    const { sub, name, entitlements, provides_attestations: provides } = found.claims;
    const mayIssue = asList(entitlements).some((entitlement) => PROVIDERS.includes(entitlement));
    const unregistered = unregisteredConfigurations(metadata, mayIssue ? provides : []);
    return { name: lineOf(String(name ?? sub), MAX_NAME), identifier: lineOf(String(sub), MAX_NAME), unregistered };
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

const asUpstreamFailure = replacing('BadRequest', ({ message }) => new DomainError('UpstreamFailed', message));
