/** A text in one language. */
export interface LocalizedText {
  /** BCP 47. */
  locale: string;
  name: string;
  description?: string;
}

/** The kinds of values of claims. */
export type ClaimKind = 'text' | 'date' | 'number' | 'boolean' | 'picture' | 'list' | 'object';

/** A claim of a type. Those of an object stand below its path; those of the objects of a list below null. */
export interface TypeClaim {
  path: (string | null)[];
  type: ClaimKind;
  /** What a list consists of. */
  items?: Exclude<ClaimKind, 'list' | 'picture'>;
  label?: LocalizedText[];
  /** Whether each offer has to have a value of it. */
  mandatory?: boolean;
  /** Whether the holder may withhold it, in formats that leave that to the issuer; `selective` when absent. */
  disclosure?: 'always' | 'selective';
  example?: unknown;
}

/** How wallets show a credential. */
export interface TypeCard {
  /** Raster images as data URLs. */
  logo?: string;
  background?: string;
  /** `#rrggbb`. */
  backgroundColor?: string;
  textColor?: string;
}

/** A type of credentials, from which the configurations and profiles of an issuer follow. */
export interface CredentialType {
  display: LocalizedText[];
  claims: TypeClaim[];
  card?: TypeCard;
  /** The names of formats. */
  formats: string[];
  /** The `vct` of SD-JWT VCs; a URL below the issuer when absent. */
  vct?: string;
  /** The document type of mdocs; the id of the type when absent. */
  doctype?: string;
  /** The namespace of mdocs; the document type when absent. */
  namespace?: string;
  /** How long credentials are valid, from their issuance. */
  validityDays?: number;
  /** Whether credentials have an entry of a status list. */
  revocable?: boolean;
}

/** A claim of versions before the present one. */
export interface EarlierClaim extends Pick<TypeClaim, 'path' | 'type' | 'items'> {
  /** Whether it was mandatory in each of them. */
  mandatory: boolean;
}

/** A version of a type. */
export interface VersionedType extends CredentialType {
  /** Counted from 1. */
  version: number;
  /** What the versions before it had, each once; absent in the first. */
  earlier?: { formats: string[]; claims: EarlierClaim[] };
}

/** An image of a card, under the name by which it is published. */
export interface PublishedImage {
  name: string;
  mediaType: string;
  bytes: Uint8Array;
}

/** A claim with those below it. */
export interface ClaimNode extends TypeClaim {
  name: string;
  /** Its place in the list of claims. */
  index: number;
  members: ClaimNode[];
}

/** How a format writes pictures. */
type PictureForm = 'dataUrl' | 'base64';

/** How values are read. */
export interface ValueReading {
  pictures: PictureForm;
}

/** How the data of an offer becomes that of a credential of a type. */
export interface TypedContent extends ValueReading {
  tree: readonly ClaimNode[];
  /** Where the claims stand in the data of the credential. */
  place: readonly string[];
  /** Whether the issuer decides what the holder may withhold. */
  hasFrame: boolean;
  /** The version of the type. */
  version: number;
}
