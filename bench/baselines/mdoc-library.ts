import { createHash, createPublicKey, verify, X509Certificate } from 'node:crypto';
import { type CoseKey, DeviceResponse, type MdocContext, SessionTranscript, type Sign1 } from '@owf/mdoc';

/** The request that a response answers. */
export interface MdocRequest {
  clientId: string;
  responseUri: string;
  nonce: string;
}

/** Verifies responses with @owf/mdoc: the signatures of device and issuer, digests and dates, but no certificate chain. */
export function libraryVerifier(certificate: Uint8Array, request: MdocRequest): (response: string) => Promise<void> {
  const context = contextOf(new X509Certificate(certificate));
  return async (response) => {
    const sessionTranscript = await SessionTranscript.forOid4Vp(request, context);
    const options = { sessionTranscript, trustedCertificates: [], disableCertificateChainValidation: true };
    await DeviceResponse.fromEncodedForOid4Vp(response).verify(options, context);
  };
}

/** The cryptography of node; the certificate of the one issuer is read once. */
function contextOf(leaf: X509Certificate): MdocContext {
  const { publicKey: issuerKey, subject, issuer: issuerName, validFrom, validTo } = leaf;
  const dates = { notBefore: new Date(validFrom), notAfter: new Date(validTo), issuerName };
  const needless = (): never => {
    throw new Error('Not needed to verify');
  };
  const verifySign1 = ({ sign1, key }: { sign1: Sign1; key?: CoseKey }) => {
    const known = key && createPublicKey({ key: { ...key.jwk }, format: 'jwk' });
    const options = { key: known ?? issuerKey, dsaEncoding: 'ieee-p1363' } as const;
    return verify('sha256', sign1.toBeSigned, options, sign1.signature);
  };
  return {
    crypto: {
      digest: ({ bytes }: { bytes: Uint8Array }) => createHash('sha256').update(bytes).digest(),
      random: needless,
      calculateEphemeralMacKey: needless,
    },
    cose: { sign1: { sign: needless, verify: verifySign1 }, mac0: { sign: needless, verify: needless } },
    x509: {
      getIssuerNameField: ({ field }: { field: string }) =>
        subject
          .split('\n')
          .filter((part) => part.startsWith(`${field}=`))
          .map((part) => part.slice(field.length + 1)),
      getPublicKey: () => undefined,
      verifyCertificateChain: needless,
      getCertificateData: () => dates,
    },
  } as unknown as MdocContext;
}
