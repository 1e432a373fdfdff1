import { createHash, randomBytes, randomUUID } from 'node:crypto';
import { CoseKey, DeviceKey, IssuerSignedBuilder, SignatureAlgorithm } from '@owf/mdoc';
import { SDJwtVcInstance } from '@sd-jwt/sd-jwt-vc';
import { DATA, type Issued, MDL, VCT, WITHHOLDABLE } from '../support/issuer.ts';
import { type Party, signBare, signRaw } from '../support/parties.ts';

const YEAR_SECONDS = 31_536_000;

/** Makes the credential of a holder. */
export type MakeCredential = (holder: Pick<Party, 'did' | 'publicJwk'>) => string | Promise<string>;

/** How each format's credential is made by its library, with a key that is kept imported. */
export const LIBRARY_CREDENTIALS: Record<Issued, (own: Party, certificates: readonly Uint8Array[]) => MakeCredential> =
  { jwt_vc_json: jwtVc, 'vc+sd-jwt': sdJwtVc, mso_mdoc: mdoc };

function jwtVc(own: Party): MakeCredential {
  return ({ did }) => {
    const id = `urn:uuid:${randomUUID()}`;
    const vc = { ...DATA.jwt_vc_json, id, issuer: own.did, credentialSubject: { id: did } };
    return signBare({ kid: own.kid, typ: 'JWT' }, { vc, iss: own.did, sub: did }, own.privateKey);
  };
}

function sdJwtVc(own: Party): MakeCredential {
  const library = new SDJwtVcInstance({
    signer: (data) => signature(Buffer.from(data), own).toString('base64url'),
    signAlg: 'ES256',
    hasher: (data) =>
      createHash('sha256')
        .update(typeof data === 'string' ? data : new Uint8Array(data))
        .digest(),
    hashAlg: 'sha-256',
    saltGenerator: () => randomBytes(16).toString('base64url'),
  });
  return ({ publicJwk: jwk }) => {
    const iat = Math.floor(Date.now() / 1000);
    const payload = { ...DATA['vc+sd-jwt'], iss: own.did, iat, vct: VCT, cnf: { jwk } };
    return library.issue(payload, { _sd: [...WITHHOLDABLE] }, { header: { kid: own.kid } });
  };
}

const never = (): never => {
  throw new Error('Issuing does not need this');
};

function mdoc(own: Party, [certificate = new Uint8Array()]: readonly Uint8Array[]): MakeCredential {
  const context = {
    crypto: {
      random: (length: number) => randomBytes(length),
      digest: ({ bytes }: { bytes: Uint8Array }) => createHash('sha256').update(bytes).digest(),
      calculateEphemeralMacKey: never,
    },
    cose: {
      sign1: { sign: ({ toBeSigned }: { toBeSigned: Uint8Array }) => signature(toBeSigned, own), verify: never },
      mac0: { sign: never, verify: never },
    },
  };
  const signingKey = CoseKey.fromJwk({ ...own.publicJwk });
  return async ({ publicJwk }) => {
    const signed = new Date();
    const validUntil = new Date(signed.getTime() + YEAR_SECONDS * 1000);
    const made = await new IssuerSignedBuilder(MDL.docType, context)
      .addIssuerNamespace(MDL.namespace, DATA.mso_mdoc)
      .sign({
        signingKey,
        algorithm: SignatureAlgorithm.ES256,
        digestAlgorithm: 'SHA-256',
        validityInfo: { signed, validFrom: signed, validUntil },
        deviceKeyInfo: { deviceKey: DeviceKey.fromJwk({ ...publicJwk }) },
        certificates: [certificate],
      });
    return Buffer.from(made.encode()).toString('base64url');
  };
}

const signature = (data: Uint8Array, { privateKey }: Party): Buffer => signRaw(data, privateKey);
