import { X509Certificate } from 'node:crypto';
import { readFileSync } from 'node:fs';
import type { Settings } from '../../adapters/config/settings.ts';
import { POOL_WORK, WorkQueue } from '../../adapters/crypto/work-queue.ts';
import { awsKms } from '../../adapters/kms/aws/aws-kms.ts';
import { azureKms } from '../../adapters/kms/azure/azure-kms.ts';
import { type LocalKeyParts, LocalKeys } from '../../adapters/kms/local/local-keys.ts';
import { ociKms } from '../../adapters/kms/oci/oci-kms.ts';
import { pkcs11Kms } from '../../adapters/kms/pkcs11/pkcs11-kms.ts';
import type { Kms } from '../../adapters/kms/remote/kms.ts';
import { type RemoteKeyParts, RemoteKeys } from '../../adapters/kms/remote/remote-keys.ts';
import { transitKms } from '../../adapters/kms/vault/transit-kms.ts';
import { explain } from '../../domain/foundation/errors.ts';
import { KeyBackends } from '../../domain/keys/key-backends.ts';
import type { DocumentKind } from '../../ports/documents.ts';
import type { KeyServices } from '../../ports/key-service.ts';
import type { Outbound } from '../../ports/outbound.ts';
import type { System } from './system.ts';

/** What the key management services are created from. */
interface KmsParts extends Pick<System, 'clock'> {
  settings: Settings['kms'];
  outbound: Outbound;
  /** Milliseconds for one operation. */
  timeoutMs: number;
}

/** The key management services of this build; add a row to add one. */
const KMS: readonly ((parts: KmsParts) => Kms)[] = [awsKms, azureKms, ociKms, transitKms, pkcs11Kms];

/** What the key backends are created from. */
interface KeyParts extends Pick<System, 'clock'>, Pick<RemoteKeyParts, 'pausesMs'>, Omit<LocalKeyParts, 'work'> {
  settings: Pick<Settings, 'kms'>;
  outbound: Outbound;
}

/** Creates all key backends. */
export function createKeys(platform: KeyParts): KeyBackends {
  const services: KeyServices = { jwk: new LocalKeys({ ...platform, work: new WorkQueue(POOL_WORK.keys) }) };
  for (const keys of createRemoteKeys(platform)) services[keys.backend] = keys;
  return new KeyBackends(services);
}

/** Creates the backends that are key management services. */
export function createRemoteKeys(platform: KeyParts): RemoteKeys[] {
  const { settings, outbound, clock } = platform;
  const timeoutMs = settings.kms.timeoutSeconds * 1000;
  return KMS.map((create) => {
    const kms = create({ settings: settings.kms, outbound, clock, timeoutMs });
    return new RemoteKeys({ ...platform, kms, timeoutMs });
  });
}

/** The operator's endpoints by what is fetched from them: allowed by being configured, and for nothing else. */
export function operatorEndpoints({
  kms,
  didRegistrar,
  authenticationService,
  wallet,
}: Settings): Partial<Record<DocumentKind, readonly string[]>> {
  const named = (...urls: (string | undefined)[]): string[] => urls.filter((url) => url !== undefined);
  return {
    'kms-reply': named(kms.kmsa.endpoint),
    'kms-token': named(kms.kmsb.authorityHost),
    'instance-metadata': named(kms.kmsa.metadataEndpoint),
    'transit-reply': kms.tse.servers,
    'did-registration': named(didRegistrar.url),
    'did-resolution': named(didRegistrar.resolverUrl),
    'client-attestation': named(wallet.attestationConfig?.attesterUrl),
    'login-token': named(authenticationService.server?.accessTokenUrl),
  };
}

/** The certificates of authorities that the operator names for what is fetched, as PEM. @throws Error naming the file */
export function operatorAuthorities({ kms }: Settings): Partial<Record<DocumentKind, string>> {
  const { caFile } = kms.tse;
  if (caFile === undefined) return {};
  try {
    const pem = readFileSync(caFile, 'utf8');
    new X509Certificate(pem);
    return { 'transit-reply': pem };
  } catch (cause) {
    throw new Error(`kms.conf: tse.caFile ${caFile} has no certificate that can be read: ${explain(cause)}`, { cause });
  }
}
