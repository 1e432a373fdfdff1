import { createPublicKey } from 'node:crypto';
import type { CredentialContent } from '../../../ports/credential-formats.ts';
import type { KeyType, PublicJwk, Signer } from '../../../ports/key-service.ts';
import { localKeys } from '../keys/local-keys.ts';
import { type CertificateSpec, DAY, makeCertificate, type TestCertificate, testKeys } from '../trust/certificates.ts';
import { testMdocs } from './formats.ts';

const { backends } = localKeys();

/** The namespace and document type of a driving licence (ISO 18013-5 §7.1). */
export const MDL = { namespace: 'org.iso.18013.5.1', docType: 'org.iso.18013.5.1.mDL' } as const;

/** The authority above document signers; its issuing country is UT. */
export const iaca: TestCertificate = makeCertificate({
  subject: 'CN=Utopia IACA,C=UT',
  ca: true,
  keys: testKeys('P-256', 40),
});

const signers = new Map<KeyType, Promise<Signer>>();

/** A signer with a local key; one for each key type. */
export function mdocSigner(keyType: KeyType = 'secp256r1'): Promise<Signer> {
  const signer = signers.get(keyType) ?? backends.create('jwk', { keyType }).then((key) => backends.signer(key));
  signers.set(keyType, signer);
  return signer;
}

/** The `x5c` of a document signer: its certificate and that of the authority. */
export function documentSignerChain({ publicJwk }: Signer, spec: CertificateSpec = {}): string[] {
  const publicKey = createPublicKey({ key: { ...publicJwk }, format: 'jwk' });
  const keys = { publicKey, privateKey: iaca.keys.privateKey };
  const leaf = makeCertificate({
    subject: 'CN=Utopia Document Signer,C=UT',
    issuer: iaca,
    keys,
    notAfter: new Date(Date.now() + 1000 * DAY),
    ...spec,
  });
  return [leaf, iaca].map(({ der }) => Buffer.from(der).toString('base64'));
}

/** The public key of a holder's device. */
export const deviceKey = (name: 'P-256' | 'P-384' | 'P-521' | 'Ed25519' = 'P-256'): PublicJwk =>
  testKeys(name, 41).publicKey.export({ format: 'jwk' }) as PublicJwk;

/** Everything of an mdoc but its signature; `changes` replaces members. */
export function mdocContent(signer: Signer, changes: Partial<CredentialContent> = {}): CredentialContent {
  return {
    type: MDL.docType,
    document: { [MDL.namespace]: { family_name: 'Doe', age_over_18: true } },
    issuer: 'did:example:issuer',
    holder: { jwk: deviceKey() },
    claims: {},
    issuedAt: Math.floor(Date.now() / 1000) * 1000,
    kid: 'did:example:issuer#0',
    x5c: documentSignerChain(signer),
    ...changes,
  };
}

/** Issues an mdoc with the key of a signer. */
export const issueWith = (signer: Signer, changes: Partial<CredentialContent>): Promise<string> =>
  testMdocs.issue(mdocContent(signer, changes), signer);

/** Issues an mdoc with a local key. */
export async function issueMdoc(changes: Partial<CredentialContent> = {}, keyType?: KeyType): Promise<string> {
  return issueWith(await mdocSigner(keyType), changes);
}
