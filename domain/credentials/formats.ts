import type {
  CredentialFormat,
  FormatName,
  ParsedCredential,
  PresentationFormat,
} from '../../ports/credential-formats.ts';
import { base64url, fromBase64url, fromHex, hex } from '../foundation/bytes.ts';
import { DomainError, isDomainError } from '../foundation/errors.ts';
import { type AlwaysDisclosed, topClaims } from './always-disclosed.ts';

/** The member of a request that names the type of a credential (interface: Requested credential specification). */
export type TypeSelector = 'type' | 'vct' | 'doc_type';

/** A format that requests may name. */
export interface NamedFormat {
  name: FormatName;
  /** Other names of the same format. */
  aliases?: readonly string[];
  selector: TypeSelector;
}

/** What is known of the presentations of a format, without their codec. */
export interface PresentationFacts {
  /** The canonical name first. */
  names: readonly string[];
  /** The name in our submissions. */
  submitted: string;
  /** JSONPaths of the list of credentials, that of our submissions first; none when a presentation is the credential. */
  credentialsAt: readonly string[];
  /** Whether the holder can sign transaction data with it (OpenID4VP 1.0 appendix B). */
  signsTransactions?: boolean;
}

/** How callbacks report an issued credential (interface: Issuance callbacks). */
export interface IssuedEvents {
  single: string;
  /** The event within a batch. */
  batch: string;
  /** The member of its data. */
  member: string;
  /** How the member writes the bytes of a credential in base64url; as the wallet gets them when absent. */
  encoding?: 'hex';
}

/** A credential as the event of its format writes it. */
export const eventText = ({ encoding }: IssuedEvents, credential: string): string =>
  encoding === 'hex' ? hex(fromBase64url(credential) ?? new Uint8Array()) : credential;

/** The credential that an event wrote so. */
export const reportedCredential = ({ encoding }: IssuedEvents, text: string): string =>
  encoding === 'hex' ? base64url(fromHex(text) ?? new Uint8Array()) : text;

/** Everything that is known of a format without its codec. */
export interface FormatFacts extends NamedFormat {
  /** JSONPaths of the type, in order of preference. */
  typePaths: readonly string[];
  /** What follows the name of a credential in the id of its configuration. */
  configurationSuffix: string;
  events: IssuedEvents;
  presentation?: PresentationFacts;
  /** Whether the id of an input descriptor is the type of its credential (ISO/IEC TS 18013-7 B.3.1.2.2). */
  isTypeDescriptorId?: boolean;
  /** Claims of the document that cannot be withheld; absent in a format without selective disclosure. */
  alwaysDisclosed?: AlwaysDisclosed;
  /** Whether the certificates of an issuer's key are published without the trust anchor (HAIP 1.0 §6.1.1). */
  omitsAnchor?: boolean;
}

/** draft-ietf-oauth-sd-jwt-vc-18 §2.2.2.3: neither these claims nor parts of them are in disclosures. */
const SD_JWT_VC_CLAIMS = topClaims(['iss', 'nbf', 'exp', 'cnf', 'vct', 'vct#integrity', 'aka_vcts', 'status']);

/** VC-JOSE-COSE §3.2.1, and the end of the validity; its start is stated again as the claim `nbf`. */
const W3C_CLAIMS = topClaims([
  '@context',
  'type',
  'issuer',
  'credentialStatus',
  'credentialSchema',
  'expirationDate',
  'validUntil',
]);

/** What both generations of SD-JWT VC have in common. */
const SD_JWT_VC = {
  selector: 'vct',
  typePaths: ['$.vct'],
  events: { single: 'sdjwt_issue', batch: 'batch_sdjwt_issue', member: 'sdjwt' },
  alwaysDisclosed: SD_JWT_VC_CLAIMS,
} as const;

/** The table of formats; a format is supported when the registry has a row of these facts and its codec. */
export const FORMATS = {
  jwt_vc_json: {
    name: 'jwt_vc_json',
    aliases: ['jwt_vc'],
    selector: 'type',
    typePaths: ['$.vc.type', '$.type'],
    configurationSuffix: '_jwt_vc_json',
    events: { single: 'jwt_issue', batch: 'batch_jwt_issue', member: 'jwt' },
    presentation: {
      names: ['jwt_vp_json', 'jwt_vp'],
      submitted: 'jwt_vp',
      credentialsAt: ['$.vp.verifiableCredential', '$.verifiableCredential'],
    },
    alwaysDisclosed: W3C_CLAIMS,
  },
  'vc+sd-jwt': {
    ...SD_JWT_VC,
    name: 'vc+sd-jwt',
    configurationSuffix: '_vc+sd-jwt',
    presentation: { names: ['vc+sd-jwt'], submitted: 'vc+sd-jwt', credentialsAt: [], signsTransactions: true },
  },
  'dc+sd-jwt': {
    ...SD_JWT_VC,
    name: 'dc+sd-jwt',
    configurationSuffix: '_dc+sd-jwt',
    presentation: { names: ['dc+sd-jwt'], submitted: 'dc+sd-jwt', credentialsAt: [], signsTransactions: true },
    omitsAnchor: true,
  },
  mso_mdoc: {
    name: 'mso_mdoc',
    selector: 'doc_type',
    typePaths: [],
    isTypeDescriptorId: true,
    configurationSuffix: '_mso_mdoc',
    events: { single: 'generated_mdoc', batch: 'generated_mdoc', member: 'mdoc', encoding: 'hex' },
    presentation: { names: ['mso_mdoc'], submitted: 'mso_mdoc', credentialsAt: [], signsTransactions: true },
  },
} as const satisfies Record<string, FormatFacts>;

/** Formats that are known by name only; requests for them are refused. */
const UNSUPPORTED: readonly NamedFormat[] = [
  { name: 'jwt', selector: 'type' },
  { name: 'ldp_vc', aliases: ['ldp'], selector: 'type' },
];

/** A format that can be issued and stored. */
export interface SupportedFormat extends FormatFacts {
  codec: CredentialFormat;
  /** Absent when its credentials cannot be presented; a row has it together with `presentation`. */
  presentations?: PresentationFormat;
}

/** A format whose credentials can be presented and verified. */
export type PresentableFormat = SupportedFormat & {
  presentation: PresentationFacts;
  presentations: PresentationFormat;
};

/** The formats of an installation by their names and aliases. */
export class CredentialFormats {
  /** In the order of their rows; the first is used where a request names none. */
  readonly all: readonly [PresentableFormat, ...SupportedFormat[]];
  readonly #known: ReadonlyMap<string, NamedFormat>;
  readonly #supported: ReadonlyMap<string, SupportedFormat>;
  readonly #presentable: readonly PresentableFormat[];
  readonly #presentations: ReadonlyMap<string, PresentableFormat>;

  constructor(first: PresentableFormat, ...others: SupportedFormat[]) {
    this.all = [first, ...others];
    this.#supported = byNames(this.all, namesOf);
    this.#known = new Map<string, NamedFormat>([...byNames(UNSUPPORTED, namesOf), ...this.#supported]);
    this.#presentable = this.all.filter(isPresentable);
    this.#presentations = byNames(this.#presentable, ({ presentation }) => presentation.names);
  }

  /** The format used where none is named. */
  get standard(): PresentableFormat {
    return this.all[0];
  }

  /** Any format that requests may name, supported or not. */
  known(name: string): NamedFormat | undefined {
    return this.#known.get(name);
  }

  supported(name: string): SupportedFormat | undefined {
    return this.#supported.get(name);
  }

  /** @throws DomainError `BadRequest` for a format that this installation does not support */
  get(name: string): SupportedFormat {
    const format = this.supported(name);
    if (format) return format;
    throw new DomainError('BadRequest', `The format ${name.slice(0, 64)} is not available`);
  }

  /** Parses a credential of any supported format. @throws DomainError `BadRequest` of the standard format when it has none */
  async parse(text: string): Promise<ParsedCredential> {
    let refusal: unknown;
    for (const { codec } of this.all) {
      try {
        return await codec.parse(text);
      } catch (error) {
        if (!isDomainError(error, 'BadRequest')) throw error;
        refusal ??= error;
      }
    }
    throw refusal;
  }

  /** @throws DomainError `BadRequest` for a format whose credentials cannot be presented */
  presentable(name: string): PresentableFormat {
    const format = this.get(name);
    if (isPresentable(format)) return format;
    throw new DomainError('BadRequest', `Credentials of the format ${format.name} cannot be presented yet`);
  }

  /** The format whose presentations have this name. */
  ofPresentation(name: string): PresentableFormat | undefined {
    return this.#presentations.get(name);
  }

  /** The format that a text is a presentation of, by its outer form; the standard one when no form fits. */
  presentedIn(text: string): PresentableFormat {
    return this.#presentable.find(({ presentations }) => presentations.isPresentation(text)) ?? this.standard;
  }

  /** One name for all names of one credential or presentation format; an unknown name stands for itself. */
  canonicalName(name: string): string {
    return this.known(name)?.name ?? this.ofPresentation(name)?.presentation.names[0] ?? name;
  }
}

const isPresentable = (format: SupportedFormat): format is PresentableFormat =>
  format.presentation !== undefined && format.presentations !== undefined;

const namesOf = ({ name, aliases = [] }: NamedFormat): readonly string[] => [name, ...aliases];

const byNames = <T>(rows: readonly T[], names: (row: T) => readonly string[]): Map<string, T> =>
  new Map(rows.flatMap((row) => names(row).map((name): [string, T] => [name, row])));
