import { type KeyObject, randomBytes, sign } from 'node:crypto';
import { AsnConvert, OctetString } from '@peculiar/asn1-schema';
import {
  AlgorithmIdentifier,
  BasicConstraints,
  Certificate,
  Extension,
  Extensions,
  GeneralName,
  GeneralNames,
  GeneralSubtree,
  GeneralSubtrees,
  KeyUsage,
  KeyUsageFlags,
  Name,
  NameConstraints,
  SubjectPublicKeyInfo,
  TBSCertificate,
  Validity,
} from '@peculiar/asn1-x509';
import { Name as NamedText } from '@peculiar/x509';
import { keyPair } from '../../../demo/actors/key-pairs.ts';

export type KeyName = 'RSA' | 'RSA1024' | 'RSA3072' | 'P-224' | 'P-256' | 'P-384' | 'P-521' | 'secp256k1' | 'Ed25519';
export type HashName = 'md5' | 'sha1' | 'sha256' | 'sha384' | 'sha512';
export interface TestKeys {
  publicKey: KeyObject;
  privateKey: KeyObject;
}

/** A certificate with the keys of its subject. */
export interface TestCertificate {
  der: Uint8Array;
  pem: string;
  subject: string | Name;
  keys: TestKeys;
}

/** One name, such as `{ dNSName: 'a.example' }`. */
export type TestName = Partial<GeneralName>;

/** An extension of the certificate, DER encoded. */
export interface TestExtension {
  oid: string;
  critical?: boolean;
  value: Uint8Array;
}

/** The certificate to make; absent members have ordinary values. */
export interface CertificateSpec {
  subject?: string | Name;
  keys?: TestKeys;
  /** Signs and names the issuer; without one the certificate signs itself. */
  issuer?: TestCertificate;
  /** Another issuer name than that of `issuer`. */
  issuerName?: string | Name;
  notBefore?: Date;
  notAfter?: Date;
  ca?: boolean;
  pathLength?: number;
  /** KeyUsageFlags; `null` leaves the extension out. */
  keyUsage?: number | null;
  permitted?: TestName[];
  excluded?: TestName[];
  altNames?: TestName[];
  extensions?: TestExtension[];
  /** Version 1 has no extensions. */
  version?: 1 | 3;
  hash?: HashName;
}

export const DAY = 86_400_000;

const kept = new Map<string, TestKeys>();

/** The key pair of this kind and number; made once per process, because RSA keys take long to generate. */
export function testKeys(name: KeyName = 'RSA', number = 0): TestKeys {
  const id = `${name}/${number}`;
  const keys = kept.get(id) ?? generate(name);
  kept.set(id, keys);
  return keys;
}

const CURVES: Partial<Record<KeyName, string>> = { 'P-224': 'secp224r1', 'P-256': 'prime256v1' };

function generate(name: KeyName): TestKeys {
  if (name === 'Ed25519') return keyPair('ed25519');
  if (name.startsWith('RSA')) return keyPair({ modulusLength: Number(name.slice(3)) || 2048 });
  return keyPair({ namedCurve: CURVES[name] ?? name });
}

const nameOf = (name: string | Name): Name =>
  typeof name === 'string' ? AsnConvert.parse(new NamedText(name).toArrayBuffer(), Name) : name;

const RSA_SIGNATURES: Record<HashName, string> = {
  md5: '1.2.840.113549.1.1.4',
  sha1: '1.2.840.113549.1.1.5',
  sha256: '1.2.840.113549.1.1.11',
  sha384: '1.2.840.113549.1.1.12',
  sha512: '1.2.840.113549.1.1.13',
};

const EC_SIGNATURES: Record<HashName, string> = {
  md5: '1.2.840.10045.4.3.0',
  sha1: '1.2.840.10045.4.1',
  sha256: '1.2.840.10045.4.3.2',
  sha384: '1.2.840.10045.4.3.3',
  sha512: '1.2.840.10045.4.3.4',
};

function signatureAlgorithm(key: KeyObject, hash: HashName): AlgorithmIdentifier {
  if (key.asymmetricKeyType === 'ed25519') return new AlgorithmIdentifier({ algorithm: '1.3.101.112' });
  return key.asymmetricKeyType === 'rsa'
    ? new AlgorithmIdentifier({ algorithm: RSA_SIGNATURES[hash], parameters: null })
    : new AlgorithmIdentifier({ algorithm: EC_SIGNATURES[hash] });
}

/** Makes a certificate, valid or with any single defect. */
export function makeCertificate(spec: CertificateSpec = {}): TestCertificate {
  const { subject = 'CN=Subject', keys = testKeys(), issuer, hash = 'sha256' } = spec;
  const signing = issuer?.keys.privateKey ?? keys.privateKey;
  const algorithm = signatureAlgorithm(signing, hash);
  const serial = new Uint8Array(randomBytes(9));
  serial[0] = 1;
  const tbs = new TBSCertificate({
    version: spec.version === 1 ? 0 : 2,
    serialNumber: serial.buffer,
    signature: algorithm,
    issuer: nameOf(spec.issuerName ?? issuer?.subject ?? subject),
    subject: nameOf(subject),
    validity: new Validity({
      notBefore: spec.notBefore ?? new Date(Date.now() - DAY),
      notAfter: spec.notAfter ?? new Date(Date.now() + 365 * DAY),
    }),
    subjectPublicKeyInfo: AsnConvert.parse(
      keys.publicKey.export({ format: 'der', type: 'spki' }),
      SubjectPublicKeyInfo,
    ),
    extensions: extensionsOf(spec),
  });
  const data = new Uint8Array(AsnConvert.serialize(tbs));
  const signature = sign(signing.asymmetricKeyType === 'ed25519' ? null : hash, data, signing);
  const certificate = new Certificate({
    tbsCertificate: tbs,
    signatureAlgorithm: algorithm,
    signatureValue: Uint8Array.from(signature).buffer,
  });
  const der = new Uint8Array(AsnConvert.serialize(certificate));
  return { der, pem: pemOf(der), subject, keys };
}

/** The PEM form (RFC 7468). */
export const pemOf = (der: Uint8Array): string =>
  `-----BEGIN CERTIFICATE-----\n${Buffer.from(der)
    .toString('base64')
    .match(/.{1,64}/g)
    ?.join('\n')}\n-----END CERTIFICATE-----\n`;

const bytes = (value: unknown): Uint8Array => new Uint8Array(AsnConvert.serialize(value));
const namesOf = (names: TestName[]): GeneralName[] => names.map((name) => new GeneralName(name));
const subtrees = (names: TestName[] | undefined) =>
  names && new GeneralSubtrees(namesOf(names).map((base) => new GeneralSubtree({ base })));

/** A subject alternative name extension. */
export const altNamesExtension = (names: TestName[]): TestExtension => ({
  oid: '2.5.29.17',
  value: bytes(new GeneralNames(namesOf(names))),
});

function extensionsOf(spec: CertificateSpec): Extensions | undefined {
  if (spec.version === 1) return undefined;
  const { ca = false, pathLength, altNames, permitted, excluded } = spec;
  const { keyUsage = ca ? KeyUsageFlags.keyCertSign : KeyUsageFlags.digitalSignature } = spec;
  const list: TestExtension[] = [];
  const add = (oid: string, value: unknown) => list.push({ oid, critical: true, value: bytes(value) });
  if (ca) add('2.5.29.19', new BasicConstraints({ cA: true, pathLenConstraint: pathLength }));
  if (keyUsage !== null) add('2.5.29.15', new KeyUsage(keyUsage));
  if (permitted ?? excluded)
    add(
      '2.5.29.30',
      new NameConstraints({ permittedSubtrees: subtrees(permitted), excludedSubtrees: subtrees(excluded) }),
    );
  if (altNames) list.push(altNamesExtension(altNames));
  const all = [...list, ...(spec.extensions ?? [])];
  return all.length === 0 ? undefined : new Extensions(all.map(extensionOf));
}

const extensionOf = ({ oid, critical = false, value }: TestExtension): Extension =>
  new Extension({ extnID: oid, critical, extnValue: new OctetString(value) });

let shared: TestCertificate | undefined;

/** The certificate authority that test servers trust: the same one in a whole run. */
export function testCa(): TestCertificate {
  shared ??= makeCertificate({ subject: 'CN=Test CA,O=Credenza', ca: true, keys: testKeys('P-256', 0) });
  return shared;
}

/** A login certificate below the test CA; each `number` has another key and subject. */
export const testLeaf = (number = 0, spec: CertificateSpec = {}): TestCertificate =>
  makeCertificate({
    subject: `CN=User ${number},O=Credenza`,
    issuer: testCa(),
    keys: testKeys('RSA', number + 1),
    ...spec,
  });

const encode = (value: unknown): string => Buffer.from(JSON.stringify(value)).toString('base64url');

/** A compact RS256 JWS with the chain in its `x5c` header (RFC 7515 §4.1.6), signed by `key`, else by the leaf's. */
export function x5cToken({
  chain,
  key = chain[0]?.keys.privateKey,
  payload = {},
  header = {},
}: {
  chain: TestCertificate[];
  key?: KeyObject;
  payload?: Record<string, unknown>;
  header?: Record<string, unknown>;
}): string {
  if (key === undefined) throw new Error('x5cToken needs a key when the chain is empty');
  const x5c = chain.map(({ der }) => Buffer.from(der).toString('base64'));
  const input = `${encode({ alg: 'RS256', x5c, ...header })}.${encode(payload)}`;
  return `${input}.${sign('sha256', Buffer.from(input), key).toString('base64url')}`;
}
