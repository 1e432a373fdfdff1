import type { ParsedCertificate } from '../../../ports/certificates.ts';
import type { CredentialFormats } from '../../credentials/formats/formats.ts';
import { asList, isObject, isText, type JsonObject } from '../../foundation/json.ts';
import { lineOf } from '../../foundation/texts.ts';
import { httpUrl } from '../../network/urls.ts';
import type { ClaimsPath } from '../../presentation/dcql/claims-path.ts';
import { readRegistered, surplusOf } from '../../presentation/dcql/registered.ts';
import type { PresentationQuery } from '../../presentation/query.ts';
import type { RegistrationCertificates } from '../../trust/registration-certificates.ts';

/** What a registrar states of a verifier (ETSI TS 119 475 §5.2.4). */
export interface VerifierRegistration {
  /** The name under which it is registered. */
  name: string;
  /** By which the registrar knows it. */
  identifier: string;
  /** Who asks in its place, and has the access certificate (ETSI TS 119 475 table 10). */
  intermediary?: string;
  /** What it asks for data for, in several languages. */
  purposes: { locale: string; text: string }[];
  privacyPolicy?: string;
  /** What it may ask for. */
  credentials: ReturnType<typeof readRegistered>;
  /** What it is, as URIs (ETSI TS 119 475 annex A). */
  entitlements: string[];
  /** The certificates of the registrar and above it, in hexadecimal SHA-256. */
  roots: string[];
}

/** The same with what a request asks for beyond it. */
export interface ShownRegistration extends Omit<VerifierRegistration, 'credentials' | 'entitlements' | 'roots'> {
  credentials: { format: string; types: string[]; claims: ClaimsPath[] }[];
  /** Whole credentials, or single claims of them, by the query that asks for them. */
  surplus: { queryId: string; path?: ClaimsPath }[];
}

const MAX_NAME = 200;
const MAX_PURPOSE = 500;
const MAX_LANGUAGES = 32;
const MAX_ENTITLEMENTS = 64;

/** Reads the registration certificates of verifiers. */
export class VerifierRegistrations {
  constructor(
    private readonly parts: { registrations: Pick<RegistrationCertificates, 'of'>; formats: CredentialFormats },
  ) {}

  /**
   * Returns the registration of the holder of an access certificate among the statements of its request; undefined when
   * there is none, or the wallet knows no registrar. @throws DomainError `BadRequest` naming what is wrong
   */
  async of(infos: unknown, { subject }: ParsedCertificate): Promise<VerifierRegistration | undefined> {
    const found = await this.parts.registrations.of('verifier', { infos, subject });
    if (!found) return undefined;
    const { claims, roots } = found;
    const { sub, name = sub, privacy_policy: policy } = claims;
    return {
      name: lineOf(String(name), MAX_NAME),
      identifier: lineOf(String(sub), MAX_NAME),
      ...intermediaryOf(claims),
      purposes: purposesOf(claims.purpose),
      ...(httpUrl(policy) && { privacyPolicy: String(policy) }),
      credentials: readRegistered(claims.credentials, this.parts.formats),
      entitlements: asList(claims.entitlements).filter(isText).slice(0, MAX_ENTITLEMENTS),
      roots,
    };
  }
}

/** Table 10 calls the name `sname`, the example of annex C `name`. */
function intermediaryOf({ act, intermediary = act }: JsonObject): { intermediary?: string } {
  if (!isObject(intermediary)) return {};
  const { sub, name = sub, sname = name } = intermediary;
  return { intermediary: lineOf(String(sname), MAX_NAME) };
}

const purposesOf = (listed: unknown): VerifierRegistration['purposes'] =>
  asList(listed)
    .slice(0, MAX_LANGUAGES)
    .flatMap((one) => {
      const { lang, value } = isObject(one) ? one : {};
      return isText(lang) && isText(value) ? [{ locale: lineOf(lang, 35), text: lineOf(value, MAX_PURPOSE) }] : [];
    });

/** What a user is shown of a registration for a request. A definition cannot be compared: all of it is beyond. */
export function shownRegistration(
  { credentials, entitlements: _entitlements, roots: _roots, ...registration }: VerifierRegistration,
  asked: PresentationQuery,
): ShownRegistration {
  return {
    ...registration,
    credentials: credentials.map(({ format, types, claims }) => ({
      format,
      types: types.flatMap((names) => names.at(-1) ?? []),
      claims: claims.map(({ path }) => path),
    })),
    surplus:
      asked.language === 'dcql'
        ? surplusOf(asked.query, credentials).map(({ id, claim }) => ({
            queryId: id,
            ...(claim && { path: claim.path }),
          }))
        : asked.definition.input_descriptors.map(({ id }) => ({ queryId: id })),
  };
}
