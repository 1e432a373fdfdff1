import { fromBase64, utf8 } from '../../../domain/foundation/bytes.ts';
import { KEY_TYPES } from '../../../domain/jose/key-types.ts';
import { coseNumber } from '../../../domain/keys/cose-algorithms.ts';
import type { StatusListClaims, StatusListCwts } from '../../../ports/codecs/status-list-cwts.ts';
import type { Signer } from '../../../ports/key-service.ts';

/** COSE header parameters (RFC 9052 §3.1, RFC 9360 §2, RFC 9596). */
export const HEADER = { alg: 1, kid: 4, typ: 16, x5chain: 33 } as const;
/** CWT claims (RFC 8392 §4, draft-ietf-oauth-status-list-21 §14.4, ISO 18013-5 second edition §12.3.6.4). */
export const CLAIM = {
  iss: 1,
  sub: 2,
  exp: 4,
  nbf: 5,
  iat: 6,
  identifierList: 65530,
  statusList: 65533,
  ttl: 65534,
} as const;
/** The types of lists (draft-ietf-oauth-status-list-21 §5, ISO 18013-5 second edition §12.3.6.4). */
export const TYPE = {
  jwt: 'statuslist+jwt',
  cwt: 'application/statuslist+cwt',
  identifiers: 'application/identifierlist+cwt',
} as const;
/** The tag COSE_Sign1 as CBOR (RFC 9052 §2). */
const COSE_SIGN1 = 0xd2;

/** Status lists as CWTs: COSE_Sign1 with the claims of a Token Status List. */
export class StatusListCwt implements StatusListCwts {
  async sign({ kid, x5c, ...claims }: StatusListClaims, signer: Signer): Promise<Uint8Array> {
    const { cborEncode } = await import('@owf/mdoc');
    const alg = coseNumber(KEY_TYPES[signer.keyType].alg);
    const header = cborEncode(
      new Map<number, unknown>([
        [HEADER.alg, alg],
        [HEADER.typ, TYPE.cwt],
      ]),
    );
    const payload = cborEncode(claimSet(claims));
    const signature = await signer.sign(cborEncode(['Signature1', header, new Uint8Array(), payload]));
    const message = cborEncode([header, unprotected(kid, x5c), payload, signature]);
    return Buffer.concat([Uint8Array.of(COSE_SIGN1), message]);
  }
}

const claimSet = ({ iss, sub, iat, exp, ttl, bits, lst }: Omit<StatusListClaims, 'kid' | 'x5c'>) =>
  new Map<number, unknown>([
    [CLAIM.iss, iss],
    [CLAIM.sub, sub],
    [CLAIM.exp, exp],
    [CLAIM.iat, iat],
    [
      CLAIM.statusList,
      new Map<string, unknown>([
        ['bits', bits],
        ['lst', lst],
      ]),
    ],
    [CLAIM.ttl, ttl],
  ]);

/** One certificate stands alone, several are a list (RFC 9360 §2). */
function unprotected(kid: string, x5c: readonly string[] = []): Map<number, unknown> {
  const chain = x5c.map((certificate) => fromBase64(certificate));
  const header = new Map<number, unknown>([[HEADER.kid, utf8(kid)]]);
  if (chain.length > 0) header.set(HEADER.x5chain, chain.length === 1 ? chain[0] : chain);
  return header;
}
