import { createPublicKey, type JsonWebKey, verify } from 'node:crypto';
import { gunzipSync, inflateSync } from 'node:zlib';
import { compactVerify, decodeProtectedHeader, importJWK, type JWK } from 'jose';

type Json = Record<string, unknown>;

/** A published list as the specifications of its kind say it is read, with its signature verified. */
export interface ReadList {
  header: Json;
  claims: Json;
  /** The number of entries. */
  size: number;
  status(index: number): number;
}

/** Reads a Token Status List as a JWT (draft-ietf-oauth-status-list-21 §4.1, §8.3). */
export async function readTokenList(text: string, key: object): Promise<ReadList> {
  const { header, claims } = await readJwt(text, key);
  const { bits, lst } = claims.status_list as { bits: number; lst: string };
  return { header, claims, ...ofToken(inflateSync(Buffer.from(lst, 'base64url')), bits) };
}

/** Reads a Token Status List as a CWT (§5.2): COSE_Sign1 with ES256. */
export function readCwtList(bytes: Uint8Array, key: object): ReadList {
  const { value, tag } = decodeCbor(bytes);
  const [head, unprotected, payload, signature] = value as [Uint8Array, Map<number, unknown>, Uint8Array, Uint8Array];
  const input = Buffer.concat([
    Buffer.from([0x84, 0x6a]),
    Buffer.from('Signature1'),
    bytesItem(head),
    bytesItem(new Uint8Array()),
    bytesItem(payload),
  ]);
  const publicKey = createPublicKey({ key: key as JsonWebKey, format: 'jwk' });
  if (tag !== 18 || !verify('sha256', input, { key: publicKey, dsaEncoding: 'ieee-p1363' }, signature))
    throw new Error('The signature is not that of the key');
  const claims = decodeCbor(payload).value as Map<number, unknown>;
  const list = claims.get(65533) as Map<string, unknown>;
  const header = { protected: decodeCbor(head).value, unprotected };
  return {
    header,
    claims: Object.fromEntries(claims),
    ...ofToken(inflateSync(list.get('lst') as Uint8Array), Number(list.get('bits'))),
  };
}

/** Reads a list credential of the W3C (Bitstring Status List §3.2, StatusList2021 §5.2, Revocation List 2020 §3.2). */
export async function readListCredential(text: string, key: object): Promise<ReadList> {
  const { header, claims } = await readJwt(text, key);
  const { credentialSubject } = (claims.vc ?? claims) as { credentialSubject: { type: string; encodedList: string } };
  const { type, encodedList } = credentialSubject;
  const isMultibase = type === 'BitstringStatusList';
  if (isMultibase && !encodedList.startsWith('u')) throw new Error('The list is not multibase');
  const bits =
    type === 'RevocationList2020'
      ? inflateSync(Buffer.from(encodedList, 'base64'))
      : gunzipSync(Buffer.from(encodedList.slice(isMultibase ? 1 : 0), 'base64url'));
  return {
    header,
    claims,
    size: bits.length * 8,
    status: (index) => ((bits[index >> 3] ?? 0) >> (7 - (index & 7))) & 1,
  };
}

const ofToken = (bytes: Uint8Array, bits: number): Pick<ReadList, 'size' | 'status'> => ({
  size: (bytes.length * 8) / bits,
  status: (index) => ((bytes[(index * bits) >> 3] ?? 0) >> ((index * bits) & 7)) & ((1 << bits) - 1),
});

async function readJwt(text: string, key: object): Promise<{ header: Json; claims: Json }> {
  const { alg } = decodeProtectedHeader(text);
  const { payload, protectedHeader } = await compactVerify(text, await importJWK(key as JWK, alg));
  return { header: { ...protectedHeader }, claims: JSON.parse(Buffer.from(payload).toString('utf8')) };
}

/** A byte string of less than 64 KiB as CBOR. */
function bytesItem(bytes: Uint8Array): Buffer {
  const { length } = bytes;
  const head = length < 24 ? [0x40 + length] : length < 256 ? [0x58, length] : [0x59, length >> 8, length & 255];
  return Buffer.concat([Buffer.from(head), bytes]);
}

/** Decodes one CBOR item of definite length (RFC 8949 §3), with its outermost tag. */
function decodeCbor(bytes: Uint8Array): { value: unknown; tag?: number } {
  const view = Buffer.from(bytes);
  let offset = 0;
  const argument = (info: number): number => {
    if (info < 24) return info;
    const length = 2 ** (info - 24);
    const value = length === 8 ? Number(view.readBigUInt64BE(offset)) : view.readUIntBE(offset, length);
    offset += length;
    return value;
  };
  const item = (): unknown => {
    const initial = view.readUInt8(offset++);
    const [type, count] = [initial >> 5, argument(initial & 31)];
    const many = <T>(read: () => T): T[] => Array.from({ length: count }, read);
    const text = (): Buffer => {
      offset += count;
      return view.subarray(offset - count, offset);
    };
    const readers = [
      () => count,
      () => -1 - count,
      () => new Uint8Array(text()),
      () => text().toString('utf8'),
      () => many(item),
      () => new Map(many(() => [item(), item()] as const)),
      item,
    ];
    const read = readers[type];
    if (!read) throw new Error(`Major type ${type} is not expected`);
    return read();
  };
  const tag = (view[0] ?? 0) >> 5 === 6 ? (view[0] ?? 0) & 31 : undefined;
  const value = item();
  if (offset !== bytes.length) throw new Error('There are bytes after the item');
  return { value, tag };
}
