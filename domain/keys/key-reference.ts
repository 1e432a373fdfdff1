import type { Backend } from '../../ports/key-service.ts';

/** Every spelling of a backend that existing clients use, and the name the domain knows (decisions §1). */
export const BACKEND_ALIASES: Record<string, Backend> = {
  jwk: 'jwk',
  'kmsa-rest-api': 'kmsa-rest-api',
  kmsa: 'kmsa-rest-api',
  'aws-rest-api': 'kmsa-rest-api',
  aws: 'kmsa-rest-api',
  'kmsb-rest-api': 'kmsb-rest-api',
  kmsb: 'kmsb-rest-api',
  'azure-rest-api': 'kmsb-rest-api',
  azure: 'kmsb-rest-api',
  'kmsc-rest-api': 'kmsc-rest-api',
  kmsc: 'kmsc-rest-api',
  'oci-rest-api': 'kmsc-rest-api',
  oci: 'kmsc-rest-api',
};

/** The domain's name of a backend, or undefined for a spelling nobody uses. */
export const backendOf = (spelling: string): Backend | undefined =>
  Object.hasOwn(BACKEND_ALIASES, spelling) ? BACKEND_ALIASES[spelling] : undefined;
