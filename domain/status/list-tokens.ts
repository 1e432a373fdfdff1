import type { StatusListCwts } from '../../ports/codecs/status-list-cwts.ts';
import type { CredentialFormat } from '../../ports/credential-formats.ts';
import type { Signer } from '../../ports/key-service.ts';
import type { StatusListChoice, StatusListKind } from '../credentials/status-entries.ts';
import { base64, base64url, compress } from '../foundation/bytes.ts';
import type { JsonObject } from '../foundation/json.ts';
import { epochSeconds, isoSeconds } from '../foundation/time.ts';
import { signJws } from '../jose/jws.ts';
import type { IssuedList } from './issued-lists.ts';

/** The place of an entry. */
interface EntryReference {
  /** The URL of the list. */
  url: string;
  index: number;
}

export interface ListTokenParts {
  /** Signs list credentials of the W3C: the format `jwt_vc_json`. */
  credentials: CredentialFormat;
  cwts: StatusListCwts;
}

/** A list as it is to be signed. */
interface ListContent extends Pick<IssuedList, 'choice' | 'size'> {
  issuer: string;
  kid: string;
  x5c?: string[];
  url: string;
  /** The statuses that are not 0, by their indexes. */
  statuses: ReadonlyMap<number, number>;
  /** Milliseconds since the epoch. */
  issuedAt: number;
  lifetimeSeconds: number;
  ttlSeconds: number;
}

/** The encoding of one kind of list and of the entries of it. */
interface ListEncoding {
  mediaType: string;
  entry(choice: StatusListChoice, place: EntryReference): JsonObject;
  sign(list: ListContent, signer: Signer, parts: ListTokenParts): Promise<string | Uint8Array>;
}

/** A list credential of the W3C, with the names of its data model. */
interface W3cNames {
  context: string[];
  from: string;
  until: string;
  mediaType: string;
  entry(choice: StatusListChoice, place: EntryReference): JsonObject;
  /** What its subject says besides the list. */
  subject(list: ListContent): JsonObject;
  /** The text of the bits. */
  encode(bits: Uint8Array): string;
}

/** Bitstring Status List §2.2, StatusList2021 §3.2, Revocation List 2020 §2. */
function w3cList(type: string, { mediaType, entry, ...names }: W3cNames): ListEncoding {
  return {
    mediaType,
    entry: (choice, place) => ({ id: `${place.url}#${place.index}`, ...entry(choice, place) }),
    sign: (list, signer, { credentials }) => {
      const { issuer, kid, x5c, url, issuedAt } = list;
      const document = {
        '@context': names.context,
        id: url,
        type: ['VerifiableCredential', `${type}Credential`],
        [names.from]: isoSeconds(issuedAt),
        [names.until]: isoSeconds(issuedAt + list.lifetimeSeconds * 1000),
        credentialSubject: {
          id: `${url}#list`,
          type,
          ...names.subject(list),
          encodedList: names.encode(packed(list, 'most significant first')),
        },
      };
      return credentials.issue({ document, issuer, holder: {}, claims: {}, issuedAt, kid, x5c }, signer);
    },
  };
}

const V1_CONTEXT = 'https://www.w3.org/2018/credentials/v1';

/** What lists have in common that are credentials of the data model 1.1. */
const FIRST_DATA_MODEL = { from: 'issuanceDate', until: 'expirationDate', mediaType: 'application/jwt' };

/** The entries of a Bitstring Status List (§2.1) and of StatusList2021 (§3.1). */
const statusEntry =
  (type: string): W3cNames['entry'] =>
  ({ purpose }, { url, index }) => ({
    type,
    statusPurpose: purpose,
    statusListIndex: String(index),
    statusListCredential: url,
  });

/** draft-ietf-oauth-status-list-21 §5: the claims of both forms. */
function tokenClaims({ issuer, url, issuedAt, lifetimeSeconds, ttlSeconds, ...list }: ListContent) {
  const iat = epochSeconds(issuedAt);
  const times = { iat, exp: iat + lifetimeSeconds, ttl: ttlSeconds };
  return { sub: url, iss: issuer, ...times, lst: compress('zlib', packed(list, 'least significant first')) };
}

const tokenEntry: ListEncoding['entry'] = (_, { url, index }) => ({ status_list: { idx: index, uri: url } });

/** The table of encodings; a kind of list is a row here and one in `STATUS_LIST_KINDS`. */
const ENCODINGS: Readonly<Record<StatusListKind, ListEncoding>> = {
  BitstringStatusList: w3cList('BitstringStatusList', {
    context: ['https://www.w3.org/ns/credentials/v2'],
    from: 'validFrom',
    until: 'validUntil',
    mediaType: 'application/vc+jwt',
    entry: statusEntry('BitstringStatusListEntry'),
    subject: ({ choice, ttlSeconds }) => ({ statusPurpose: choice.purpose, ttl: ttlSeconds * 1000 }),
    encode: (bits) => `u${base64url(compress('gzip', bits))}`,
  }),
  StatusList2021: w3cList('StatusList2021', {
    ...FIRST_DATA_MODEL,
    context: [V1_CONTEXT, 'https://w3id.org/vc/status-list/2021/v1'],
    entry: statusEntry('StatusList2021Entry'),
    subject: ({ choice }) => ({ statusPurpose: choice.purpose }),
    encode: (bits) => base64url(compress('gzip', bits)),
  }),
  RevocationList2020: w3cList('RevocationList2020', {
    ...FIRST_DATA_MODEL,
    context: [V1_CONTEXT, 'https://w3id.org/vc-revocation-list-2020/v1'],
    entry: (_, { url, index }) => ({
      type: 'RevocationList2020Status',
      revocationListIndex: String(index),
      revocationListCredential: url,
    }),
    subject: () => ({}),
    encode: (bits) => base64(compress('zlib', bits)),
  }),
  TokenStatusListJwt: {
    mediaType: 'application/statuslist+jwt',
    entry: tokenEntry,
    sign: (list, signer) => {
      const { lst, ...claims } = tokenClaims(list);
      const header = { typ: 'statuslist+jwt', kid: list.kid, ...(list.x5c && { x5c: list.x5c }) };
      const statuses = { bits: list.choice.bits, lst: base64url(lst) };
      return signJws(header, { ...claims, status_list: statuses }, signer);
    },
  },
  TokenStatusListCwt: {
    mediaType: 'application/statuslist+cwt',
    entry: tokenEntry,
    sign: (list, signer, { cwts }) => {
      const { kid, x5c, choice } = list;
      return cwts.sign({ ...tokenClaims(list), bits: choice.bits, kid, x5c }, signer);
    },
  },
};

/** What a credential says of its entry. */
export const entryAt = (choice: StatusListChoice, place: EntryReference): JsonObject =>
  ENCODINGS[choice.kind].entry(choice, place);

/** Signs a list. @throws DomainError as `Signer.sign` */
export async function signList(list: ListContent, signer: Signer, parts: ListTokenParts) {
  const { mediaType, sign } = ENCODINGS[list.choice.kind];
  return { mediaType, body: await sign(list, signer, parts) };
}

/** The statuses as bytes; within a byte the first one is the most or the least significant. */
function packed(
  { choice: { bits }, size, statuses }: Pick<ListContent, 'choice' | 'size' | 'statuses'>,
  order: 'most significant first' | 'least significant first',
): Uint8Array {
  const bytes = new Uint8Array(Math.ceil((size * bits) / 8));
  for (const [index, status] of statuses) {
    const bit = index * bits;
    const shift = order === 'least significant first' ? bit % 8 : 8 - bits - (bit % 8);
    const place = Math.floor(bit / 8);
    bytes[place] = (bytes[place] ?? 0) | (status << shift);
  }
  return bytes;
}
