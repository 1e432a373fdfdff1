import { createPublicKey, webcrypto } from 'node:crypto';
import type * as X509 from '@peculiar/x509';
import { hex } from '../../domain/foundation/bytes.ts';
import { KEY_TYPES } from '../../domain/jose/key-types.ts';
import type {
  AlternativeName,
  AuthorityNames,
  CertificateContent,
  CertificateMaker,
  NamePart,
  RevocationListContent,
  SubjectContent,
} from '../../ports/certificate-maker.ts';
import type { ParsedCertificate } from '../../ports/certificates.ts';
import type { PublicJwk, Signer } from '../../ports/key-service.ts';
import { derInteger, encodeRevocationList, octetsOf } from './revocation-list.ts';

type Library = typeof X509;

const ISSUER_ALT_NAME = '2.5.29.18';
const SUBJECT_KEY_IDENTIFIER = '2.5.29.14';
const CRL_NUMBER = '2.5.29.20';
const HASHES = { sha256: 'SHA-256', sha384: 'SHA-384', sha512: 'SHA-512' } as const;

/** Makes certificates with @peculiar/x509, which is loaded when it is first used. */
export class PeculiarCertificates implements CertificateMaker {
  async certificate(content: CertificateContent, signer: Signer): Promise<Uint8Array> {
    const library = await import('@peculiar/x509');
    const { algorithm, crypto, keys } = webCryptoOf(signer);
    const made = await library.X509CertificateGenerator.create(
      {
        serialNumber: hex(content.serialNumber),
        subject: nameOf(content.subject, library),
        issuer: issuerName(content.issuer, library),
        notBefore: new Date(content.notBefore),
        notAfter: new Date(content.notAfter),
        publicKey: spkiOf(content.publicJwk),
        signingKey: keys.privateKey,
        signingAlgorithm: algorithm,
        extensions: await certificateExtensions(content, library),
      },
      crypto,
    );
    return new Uint8Array(made.rawData);
  }

  async request(content: SubjectContent, signer: Signer): Promise<Uint8Array> {
    const library = await import('@peculiar/x509');
    const { algorithm, crypto, keys } = webCryptoOf(signer);
    const made = await library.Pkcs10CertificateRequestGenerator.create(
      {
        name: nameOf(content.subject, library),
        extensions: subjectExtensions(content, library),
        signingAlgorithm: algorithm,
        keys,
      },
      crypto,
    );
    return new Uint8Array(made.rawData);
  }

  async revocationList(content: RevocationListContent, signer: Signer): Promise<Uint8Array> {
    const library = await import('@peculiar/x509');
    const { issuer, number } = content;
    const crlNumber = new library.Extension(CRL_NUMBER, false, derInteger(octetsOf(number.toString(16))));
    const extensions = [await authorityKey(issuer, library), crlNumber].map(({ rawData }) => new Uint8Array(rawData));
    const name = new Uint8Array(issuerName(issuer, library).toArrayBuffer());
    return encodeRevocationList({ ...content, issuer: name, extensions, digest: digestOf(signer) }, signer.sign);
  }

  async authority(certificate: ParsedCertificate, publicJwk: PublicJwk): Promise<AuthorityNames> {
    const library = await import('@peculiar/x509');
    const read = new library.X509Certificate(Uint8Array.from(certificate.der));
    const names = read.getExtension<X509.IssuerAlternativeNameExtension>(ISSUER_ALT_NAME)?.names.items ?? [];
    const name = ATTRIBUTES.flatMap((attribute) =>
      read.subjectName.getField(attribute).map((value) => ({ attribute, value })),
    );
    return { name, altNames: names.flatMap(alternativeName), publicJwk, certificate };
  }
}

const ATTRIBUTES: readonly NamePart['attribute'][] = ['C', 'ST', 'L', 'O', 'CN'];

/** @throws Error for a key of another kind than EC */
function digestOf({ keyType }: Signer): keyof typeof HASHES {
  const { crv, digest } = KEY_TYPES[keyType];
  if (!crv || !digest) throw new Error(`a certificate cannot be signed with a ${keyType} key`);
  return digest;
}

/** Web Crypto as the library calls it, with an ECDSA key that signs elsewhere. */
function webCryptoOf(signer: Signer) {
  const { keyType, publicJwk, sign } = signer;
  const algorithm = { name: 'ECDSA', namedCurve: KEY_TYPES[keyType].crv, hash: HASHES[digestOf(signer)] };
  const subtle = {
    sign: async (_algorithm: unknown, _key: unknown, data: ArrayBuffer) => (await sign(new Uint8Array(data))).slice(),
    exportKey: async () => spkiOf(publicJwk),
  };
  const keys = { publicKey: { algorithm, type: 'public' }, privateKey: { algorithm, type: 'private' } };
  // The library calls these members of Web Crypto and no other.
  return {
    algorithm,
    crypto: { subtle } as unknown as webcrypto.Crypto,
    keys: keys as unknown as webcrypto.CryptoKeyPair,
  };
}

/** The public key as SubjectPublicKeyInfo. */
const spkiOf = (jwk: PublicJwk): Uint8Array<ArrayBuffer> =>
  Uint8Array.from(createPublicKey({ key: { ...jwk }, format: 'jwk' }).export({ type: 'spki', format: 'der' }));

/** A country is a PrintableString (RFC 5280 appendix A.1, ISO 18013-5 Annex B), all other texts are UTF8Strings. */
const nameOf = (parts: readonly NamePart[], { Name }: Library): X509.Name =>
  new Name(
    parts.map(({ attribute, value }) => ({
      [attribute]: [attribute === 'C' ? { printableString: value } : { utf8String: value }],
    })),
  );

/** The name has exactly the bytes of the subject of the authority (ISO 18013-5 Annex B). */
const issuerName = ({ certificate, name }: AuthorityNames, library: Library): X509.Name =>
  certificate ? new library.X509Certificate(Uint8Array.from(certificate.der)).subjectName : nameOf(name, library);

const jsonName = ({ type, value }: AlternativeName): X509.JsonGeneralName => ({
  type: type === 'uri' ? 'url' : type,
  value,
});

const FORMS: Partial<Record<string, AlternativeName['type']>> = { dns: 'dns', email: 'email', url: 'uri' };

function alternativeName({ type, value }: X509.GeneralName): AlternativeName[] {
  const form = FORMS[type];
  return form ? [{ type: form, value }] : [];
}

function subjectExtensions(content: SubjectContent, library: Library): X509.Extension[] {
  const { keyUsage, extendedKeyUsage, altNames, crlUrl } = content;
  const flags = keyUsage.reduce((sum, usage) => sum | library.KeyUsageFlags[flagOf(usage)], 0);
  return [
    new library.KeyUsagesExtension(flags, true),
    ...(extendedKeyUsage.length > 0 ? [new library.ExtendedKeyUsageExtension([...extendedKeyUsage], true)] : []),
    ...(altNames.length > 0 ? [new library.SubjectAlternativeNameExtension(altNames.map(jsonName))] : []),
    ...(crlUrl === undefined ? [] : [new library.CRLDistributionPointsExtension([crlUrl])]),
  ];
}

const flagOf = (usage: string): keyof typeof X509.KeyUsageFlags => usage as keyof typeof X509.KeyUsageFlags;

async function certificateExtensions(content: CertificateContent, library: Library): Promise<X509.Extension[]> {
  const { pathLength, issuer, publicJwk } = content;
  const { BasicConstraintsExtension, IssuerAlternativeNameExtension, SubjectKeyIdentifierExtension } = library;
  return [
    ...(pathLength === undefined
      ? [await authorityKey(issuer, library)]
      : [new BasicConstraintsExtension(true, pathLength, true)]),
    await SubjectKeyIdentifierExtension.create(spkiOf(publicJwk), false, webcrypto),
    ...subjectExtensions(content, library),
    ...(issuer.altNames.length > 0 ? [new IssuerAlternativeNameExtension(issuer.altNames.map(jsonName))] : []),
  ];
}

/** The identifier that the certificate of the authority states, else that of its key (RFC 5280 §4.2.1.1). */
async function authorityKey({ certificate, publicJwk }: AuthorityNames, library: Library): Promise<X509.Extension> {
  const { AuthorityKeyIdentifierExtension, SubjectKeyIdentifierExtension, X509Certificate } = library;
  const stated =
    certificate && new X509Certificate(Uint8Array.from(certificate.der)).getExtension(SUBJECT_KEY_IDENTIFIER);
  return stated instanceof SubjectKeyIdentifierExtension
    ? new AuthorityKeyIdentifierExtension(stated.keyId)
    : AuthorityKeyIdentifierExtension.create(spkiOf(publicJwk), false, webcrypto);
}
