import { sign } from 'node:crypto';
import type { Handover, PresentationContent } from '../../../ports/credential-formats.ts';
import type { Signer } from '../../../ports/key-service.ts';
import { type KeyName, testKeys } from '../trust/certificates.ts';
import { testMdocs } from './formats.ts';
import { deviceKey } from './mdoc-issuer.ts';

/** The key types of devices by curve, with the digests of their signatures. */
const DEVICES = {
  'P-256': { keyType: 'secp256r1', digest: 'sha256' },
  'P-384': { keyType: 'secp384r1', digest: 'sha384' },
  'P-521': { keyType: 'secp521r1', digest: 'sha512' },
  Ed25519: { keyType: 'Ed25519', digest: null },
} as const satisfies Partial<Record<KeyName, object>>;

/** A curve that a device may have a key of. */
export type DeviceCurve = keyof typeof DEVICES;

/** The signer of the device that mdocs of tests are bound to. */
export const deviceSigner = (name: DeviceCurve = 'P-256'): Signer => ({
  keyType: DEVICES[name].keyType,
  publicJwk: deviceKey(name),
  sign: async (data) =>
    sign(DEVICES[name].digest, data, { key: testKeys(name, 41).privateKey, dsaEncoding: 'ieee-p1363' }),
});

/** One exchange of every kind. */
export const HANDOVERS: Handover[] = [
  {
    kind: 'draft',
    clientId: 'example.com',
    responseUri: 'https://example.com/12345/response',
    nonce: 'abcdefgh1234567890',
    mdocNonce: '1234567890abcdefgh',
  },
  {
    kind: 'redirect',
    clientId: 'x509_san_dns:example.com',
    responseUri: 'https://example.com/response',
    nonce: 'exc7gBkxjx1rdc9udRrveKvSsJIq80avlXeLHhGwqtA',
    encryptionKey: Buffer.from('4283ec927ae0f208daaa2d026a814f2b22dca52cf85ffa8f3f8626c6bd669047', 'hex'),
  },
  {
    kind: 'dc-api',
    origin: 'https://example.com',
    nonce: 'exc7gBkxjx1rdc9udRrveKvSsJIq80avlXeLHhGwqtA',
    encryptionKey: Buffer.from('4283ec927ae0f208daaa2d026a814f2b22dca52cf85ffa8f3f8626c6bd669047', 'hex'),
  },
  { kind: 'iso-dc-api', origin: 'https://example.com', encryptionInfo: 'gmVkY2FwaQ' },
];

/** An exchange of OpenID4VP 1.0. */
export const [, HANDOVER] = HANDOVERS as [Handover, Handover];

/** Presents mdocs with the key of the device; `changes` replaces members. */
export const presentMdocs = (
  documents: string[],
  changes: Partial<PresentationContent> = {},
  signer: Signer = deviceSigner(),
): Promise<string> =>
  testMdocs.present(
    {
      id: 'urn:uuid:0',
      credentials: documents.map((document) => ({ document })),
      holder: { did: 'did:example:holder', kid: 'did:example:holder#0' },
      nonce: undefined,
      audience: undefined,
      handover: HANDOVER,
      now: 0,
      ...changes,
    },
    signer,
  );
