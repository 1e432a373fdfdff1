import { createHash } from 'node:crypto';
import { SDJwtVcInstance } from '@sd-jwt/sd-jwt-vc';
import { decodeProtectedHeader } from 'jose';
import { iaca, MDL } from '../support/credentials/mdoc-issuer.ts';
import { keyOfDid, verified } from './judge.ts';
import { mdlVerdict } from './mdl-verdict.ts';
import type { OutsideWallet } from './outside-wallet.ts';

/** Whether an outside judge accepts a credential, for this holder; the reason when it does not. */
export type Judge = (credential: string, holder: OutsideWallet) => Promise<string | undefined>;

/** A W3C credential as JWT: jose, with the key that the issuer's DID spells out. */
const jwt: Judge = async (credential, holder) => {
  const { sub } = await verified(credential, keyOfDid(decodeProtectedHeader(credential).kid ?? ''));
  return sub === holder.did ? undefined : `the subject is ${sub}`;
};

/** An SD-JWT VC: @sd-jwt, with jose for the signature. */
const sdJwt: Judge = async (credential, holder) => {
  const key = keyOfDid(decodeProtectedHeader(credential.split('~')[0] ?? '').kid ?? '');
  const library = new SDJwtVcInstance({
    hashAlg: 'sha-256',
    hasher: (data) =>
      createHash('sha256')
        .update(typeof data === 'string' ? data : new Uint8Array(data))
        .digest(),
    verifier: async (data, signature) => verified(`${data}.${signature}`, key).then(() => true),
  });
  const { payload } = await library.verify(credential);
  const { given_name: name, cnf } = payload as { given_name?: string; cnf?: { jwk?: { x?: string } } };
  if (name !== 'Ada') return 'the disclosures do not belong to it';
  return cnf?.jwk?.x === holder.publicJwk.x ? undefined : 'the key is not the holder’s';
};

/** An mdoc: @auth0/mdl parses it, presents it with the holder's key and verifies it below the authority. */
const mdoc: Judge = async (text, holder) => {
  const elements = { [MDL.namespace]: ['family_name'] };
  const verdict = await mdlVerdict({ text, elements, authority: iaca.pem, deviceKey: holder.privateJwk });
  if ('refusal' in verdict) return verdict.refusal;
  return verdict.elements[MDL.namespace]?.family_name === 'Lovelace' ? undefined : JSON.stringify(verdict);
};

/** The outside judge of each format. */
export const JUDGES: Readonly<Record<string, Judge>> = {
  jwt_vc_json: jwt,
  'vc+sd-jwt': sdJwt,
  'dc+sd-jwt': sdJwt,
  mso_mdoc: mdoc,
};
