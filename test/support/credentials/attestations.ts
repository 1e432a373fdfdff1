import { sign } from 'node:crypto';
import { NodeCertificates } from '../../../adapters/crypto/certificates.ts';
import { readPublicJwk } from '../../../domain/jose/jwk.ts';
import { signJws } from '../../../domain/jose/jws.ts';
import type { TrustedAttesters } from '../../../domain/oauth/attesters.ts';
import { type AttestedRequest, ClientAttestations } from '../../../domain/oauth/client-attestations.ts';
import type { Signer } from '../../../ports/key-service.ts';
import { makeCertificate, type TestCertificate, testKeys } from '../trust/certificates.ts';
import { ISSUER, newSigner, oauthPlatform, outcomeOf } from './oauth.ts';

export const AUDIENCE = 'https://as.example.com';
export const CLIENT = 'https://client.example.com';
export const NOW = Math.floor(Date.now() / 1000) * 1000;
export const SECONDS = NOW / 1000;

/** The authority that attesters are certified by. */
export const ca = makeCertificate({ subject: 'CN=Attester CA', ca: true, keys: testKeys('P-256', 1) });
export const leaf = makeCertificate({ subject: 'CN=Attester', issuer: ca, keys: testKeys('P-256', 2) });

/** Signs as the subject of a certificate. */
export const signerOf = ({ keys }: TestCertificate): Signer => ({
  keyType: 'secp256r1',
  publicJwk: readPublicJwk(keys.publicKey.export({ format: 'jwk' })),
  sign: async (data) => sign('sha256', data, { key: keys.privateKey, dsaEncoding: 'ieee-p1363' }),
});
export const x5cOf = (...chain: TestCertificate[]) => chain.map(({ der }) => Buffer.from(der).toString('base64'));

/** An attester, a wallet instance with its attestations and proofs, and what verifies them. */
export async function attestationWorld() {
  const platform = { ...oauthPlatform(NOW), certificates: new NodeCertificates() };
  const attester = await newSigner();
  const instance = await newSigner();
  const trusted: TrustedAttesters = {
    keys: [{ jwk: attester.publicJwk, kid: '11', issuer: 'https://attester.example' }],
    anchors: [platform.certificates.parse(ca.der)],
  };
  const attestations = new ClientAttestations(platform);
  let proofs = 0;

  /** An attestation (draft -11 §4) with any member changed; one that is undefined is left out. */
  const attestation = (claims: object = {}, header: object = {}, signer: Signer = attester) =>
    signJws(
      { typ: 'oauth-client-attestation+jwt', kid: '11', ...header },
      {
        iss: 'https://attester.example',
        sub: CLIENT,
        iat: SECONDS,
        exp: SECONDS + 3600,
        cnf: { jwk: instance.publicJwk },
        ...claims,
      },
      signer,
    );
  const pop = (claims: object = {}, header: object = {}, signer: Signer = instance) => {
    proofs += 1;
    const payload = { aud: AUDIENCE, jti: `pop-${proofs}`, iat: SECONDS, ...claims };
    return signJws({ typ: 'oauth-client-attestation-pop+jwt', ...header }, payload, signer);
  };
  const authenticate = (request: Pick<AttestedRequest, 'attestation'> & Partial<AttestedRequest>) =>
    attestations.authenticate({
      issuerId: ISSUER,
      audience: AUDIENCE,
      pop: undefined,
      dpopThumbprint: undefined,
      clientId: CLIENT,
      trusted,
      requiresChallenge: false,
      ...request,
    });
  /** The client that was accepted, or the code of the refusal. */
  const outcome = async (request: Pick<AttestedRequest, 'attestation'> & Partial<AttestedRequest>) =>
    outcomeOf(async () => (await authenticate(request)).clientId);
  return { ...platform, attestations, attester, instance, trusted, attestation, pop, authenticate, outcome };
}
