import { createRequire } from 'node:module';
import type { Settings } from '../../adapters/config/settings.ts';
import { NodeSignatures } from '../../adapters/crypto/signatures.ts';
import { KmsFailure } from '../../adapters/kms/remote/kms.ts';
import { PrometheusMetrics } from '../../adapters/metrics/prometheus.ts';
import { GuardedOutbound } from '../../adapters/outbound/guarded-outbound.ts';
import { systemClock } from '../../adapters/system/system.ts';
import { isDomainError, reasonOf } from '../../domain/foundation/errors.ts';
import { BACKENDS } from '../../domain/keys/key-reference.ts';
import { defaultConfig } from '../../domain/keys/key-request.ts';
import type { DocumentKind } from '../../ports/documents.ts';
import type { Backend } from '../../ports/key-service.ts';
import { createRemoteKeys, operatorAuthorities, operatorEndpoints } from './keys.ts';

/** Whether a key management service can be used, in words. */
interface KeyFinding {
  title: string;
  state: string;
  isUsable: boolean;
}

const { resolve } = createRequire(import.meta.url);

type RemoteBackend = Exclude<Backend, 'jwk'>;

/** The vendors' libraries; an installation may lack one. Vault is called without one. */
const LIBRARIES: Readonly<Partial<Record<RemoteBackend, string>>> = {
  'kmsa-rest-api': '@aws-sdk/client-kms',
  'kmsb-rest-api': '@azure/keyvault-keys',
  'kmsc-rest-api': 'oci-keymanagement',
  pkcs11: 'pkcs11js',
};

/** The endpoints of the configuration that answer without credentials. */
const FIXED_ENDPOINTS: Readonly<Record<RemoteBackend, readonly DocumentKind[]>> = {
  'kmsa-rest-api': ['kms-reply'],
  // The authority is called with credentials only: the configuration need not name it.
  'kmsb-rest-api': [],
  'kmsc-rest-api': [],
  tse: [],
  pkcs11: [],
};

/**
 * Tries each key management service: its library, the endpoints that kms.conf names, and the credentials that
 * key-generation-defaults.conf has for it. No key is created, and nothing that the configuration does not name is called.
 */
export async function checkKeys(settings: Settings): Promise<KeyFinding[]> {
  const metrics = new PrometheusMetrics();
  const endpoints = operatorEndpoints(settings);
  const { publicUrl } = settings;
  const authorities = operatorAuthorities(settings);
  const outbound = new GuardedOutbound({ allow: settings.outbound.allow, endpoints, authorities, publicUrl, metrics });
  const signatures = new NodeSignatures(metrics);
  const remote = createRemoteKeys({ settings, outbound, clock: systemClock, metrics, signatures });
  const timeoutMs = settings.kms.timeoutSeconds * 1000;
  try {
    return await Promise.all(
      remote.map(async (keys): Promise<KeyFinding> => {
        const backend = keys.backend as RemoteBackend;
        const { title } = BACKENDS[backend];
        const tokens = backend === 'pkcs11' ? settings.kms.pkcs11.tokens : [];
        if (backend === 'pkcs11' && tokens.length === 0) return { title, isUsable: true, state: UNNAMED };
        const config = defaultConfig(settings.keyGenerationDefaults, backend);
        try {
          const library = LIBRARIES[backend];
          if (library !== undefined) resolve(library);
          if (config) await keys.probe(BACKENDS[backend].readConfig(config));
          for (const { name: token, accessKey } of tokens) await keys.probe({ token, auth: { accessKey } });
          if (tokens.length > 0) return { title, isUsable: true, state: OPENED };
          const tried = config
            ? []
            : FIXED_ENDPOINTS[backend].flatMap((kind) => (endpoints[kind] ?? []).map((url) => [kind, url] as const));
          for (const [kind, url] of tried) await outbound.send({ method: 'GET', url, expects: kind, timeoutMs });
          return { title, isUsable: true, state: config ? CONFIGURED : tried.length > 0 ? REACHED : INSTALLED };
        } catch (error) {
          // A library that is not found is followed by who asked for it, in lines of their own.
          const [reason] = reasonFor(error).split('\n', 1);
          return { title, isUsable: false, state: `not usable now: ${reason}` };
        }
      }),
    );
  } finally {
    await Promise.all(remote.map((keys) => keys.close()));
    await outbound.close();
  }
}

/** What the operator is shown: of a service that failed what it said, which has no secrets. */
function reasonFor(error: unknown): string {
  if (!isDomainError(error)) return reasonOf(error);
  return (error.cause instanceof KmsFailure && error.detail) || error.message;
}

const CONFIGURED = 'usable; the credentials of key-generation-defaults.conf are accepted';
const OPENED = 'usable; the tokens of kms.conf are open';
const UNNAMED = 'not used, since kms.conf names no token';
const REACHED = 'usable; credentials come with each request';
const INSTALLED = 'not called, since credentials come with each request';
