import { sign } from 'node:crypto';
import { CoseKey, Curve, cborEncode, KeyType } from '@owf/mdoc';
import { type TestKeys, testKeys } from '../trust/certificates.ts';

/** A proof to make; absent members have ordinary values, undefined ones are left out. */
export interface CwtSpec {
  keys?: TestKeys;
  audience: string;
  /** Seconds since the epoch. */
  now: number;
  nonce?: string;
  /** Members of the protected header and claims by their numbers. */
  header?: Map<unknown, unknown>;
  unprotected?: Map<unknown, unknown>;
  claims?: Map<number, unknown>;
  /** Bytes before the COSE_Sign1. */
  tags?: number[];
  /** Signs instead of the named key. */
  signedBy?: TestKeys;
}

/** The COSE_Key of a P-256 key. */
export function coseKeyOf({ publicKey }: TestKeys, more: Record<string, unknown> = {}): Uint8Array {
  const { x = '', y = '' } = publicKey.export({ format: 'jwk' });
  const [keyType, curve] = [KeyType.Ec, Curve['P-256']];
  const point = { x: Buffer.from(x, 'base64url'), y: Buffer.from(y, 'base64url') };
  return CoseKey.create({ keyType, curve, ...point, ...more }).encode();
}

/** A proof of possession as CWT (OpenID4VCI draft 13 §7.2.1.3), signed with ES256. */
export function cwtProofOf(spec: CwtSpec): { proof_type: 'cwt'; cwt: string } {
  const { keys = testKeys('P-256', 50), audience, now, nonce, tags = [] } = spec;
  const header = present([[1, -7], [3, 'openid4vci-proof+cwt'], ['COSE_Key', coseKeyOf(keys)], ...(spec.header ?? [])]);
  const nonceBytes = nonce === undefined ? undefined : Buffer.from(nonce);
  const claims = present([[3, audience], [6, now], [10, nonceBytes], ...(spec.claims ?? [])]);
  const [protectedHeader, payload] = [cborEncode(header), cborEncode(claims)];
  const data = cborEncode(['Signature1', protectedHeader, new Uint8Array(), payload]);
  const { privateKey } = spec.signedBy ?? keys;
  const signature = sign('sha256', data, { key: privateKey, dsaEncoding: 'ieee-p1363' });
  const sign1 = cborEncode([protectedHeader, spec.unprotected ?? new Map(), payload, Uint8Array.from(signature)]);
  return { proof_type: 'cwt', cwt: Buffer.from([...tags, ...sign1]).toString('base64url') };
}

/** Of several members of one name the last counts; undefined ones are left out. */
const present = (members: [unknown, unknown][]): Map<unknown, unknown> =>
  new Map([...new Map(members)].filter(([, value]) => value !== undefined));
