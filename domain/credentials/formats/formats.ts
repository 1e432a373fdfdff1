import type { CredentialFormat, ParsedCredential, PresentationFormat } from '../../../ports/credential-formats.ts';
import { DomainError, isDomainError } from '../../foundation/errors.ts';
import type { FormatFacts, NamedFormat, PresentationFacts, V1Presentation } from './facts.ts';
import { UNSUPPORTED } from './table.ts';

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

/** A format that OpenID4VP 1.0 can ask for. */
export type RequestableFormat = PresentableFormat & { presentation: { v1: V1Presentation } };

/** The formats of an installation by their names and aliases. */
export class CredentialFormats {
  /** In the order of their rows; the first is used where a request names none. */
  readonly all: readonly [PresentableFormat, ...SupportedFormat[]];
  readonly #known: ReadonlyMap<string, NamedFormat>;
  readonly #supported: ReadonlyMap<string, SupportedFormat>;
  /** Those whose credentials can be presented. */
  readonly presented: readonly PresentableFormat[];
  readonly #presentations: ReadonlyMap<string, PresentableFormat>;

  constructor(first: PresentableFormat, ...others: SupportedFormat[]) {
    this.all = [first, ...others];
    this.#supported = byNames(this.all, namesOf);
    this.#known = new Map<string, NamedFormat>([...byNames(UNSUPPORTED, namesOf), ...this.#supported]);
    this.presented = this.all.filter(isPresentable);
    this.#presentations = byNames(this.presented, ({ presentation }) => presentation.names);
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

  /** The formats that OpenID4VP 1.0 can ask for. */
  get requestable(): readonly RequestableFormat[] {
    return this.presented.filter(isRequestable);
  }

  /** The format that OpenID4VP 1.0 calls so. */
  requestableAs(name: string): RequestableFormat | undefined {
    return this.requestable.find((format) => format.name === name);
  }

  /** The format whose presentations have this name. */
  ofPresentation(name: string): PresentableFormat | undefined {
    return this.#presentations.get(name);
  }

  /** The format of a name of credentials or of their presentations. */
  formatOf(name: string): SupportedFormat | undefined {
    return this.supported(name) ?? this.ofPresentation(name);
  }

  /** The format that a text is a presentation of, by its outer form; the standard one when no form fits. */
  presentedIn(text: string): PresentableFormat {
    return this.presented.find(({ presentations }) => presentations.isPresentation(text)) ?? this.standard;
  }

  /** One name for all names of one credential or presentation format; an unknown name stands for itself. */
  canonicalName(name: string): string {
    return this.known(name)?.name ?? this.ofPresentation(name)?.presentation.names[0] ?? name;
  }
}

const isPresentable = (format: SupportedFormat): format is PresentableFormat =>
  format.presentation !== undefined && format.presentations !== undefined;

const isRequestable = (format: PresentableFormat): format is RequestableFormat => format.presentation.v1 !== undefined;

const namesOf = ({ name, aliases = [] }: NamedFormat): readonly string[] => [name, ...aliases];

const byNames = <T>(rows: readonly T[], names: (row: T) => readonly string[]): Map<string, T> =>
  new Map(rows.flatMap((row) => names(row).map((name): [string, T] => [name, row])));
