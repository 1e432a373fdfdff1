import type { KeyObject } from 'node:crypto';
import { at, invalidField } from '../../../domain/foundation/errors.ts';
import { endpointUrl, spellingOf } from '../../../domain/keys/backends/kmsc.ts';
import type { Outbound } from '../../../ports/outbound.ts';
import { checkAddress } from '../remote/transport.ts';
import { fingerprintOf, readSigningKey } from './signing-key.ts';

/** The two endpoints of a vault, by the member that names them. */
const ENDPOINTS = ['managementEndpoint', 'cryptoEndpoint'] as const;
export type Endpoint = (typeof ENDPOINTS)[number];

/** How a vault is called with one set of credentials. */
export interface OciAccess {
  /** Who signs the requests. */
  keyId: string;
  key: KeyObject;
  endpoints: Readonly<Record<Endpoint, URL>>;
  compartmentId: string;
}

/** What decides whether a vault may be called. */
interface AccessRules {
  allowHttp: boolean;
  outbound: Outbound;
}

type Config = Record<string, unknown>;

/** @throws DomainError `BadRequest`, `AddressRefused` naming the member below `config` */
export function readAccess(config: Config, rules: AccessRules): OciAccess {
  const { tenancyId, userId, fingerprint, compartmentId, signingKeyPem } = config as Record<string, string>;
  const key = at(['config', 'signingKeyPem'], () => readSigningKey(String(signingKeyPem)));
  const stated = String(fingerprint).toLowerCase();
  if (stated !== fingerprintOf(key))
    throw invalidField(['config', 'fingerprint'], 'is not the fingerprint of signingKeyPem');
  const endpoints = Object.fromEntries(ENDPOINTS.map((name) => [name, readEndpoint(config, name, rules)]));
  return {
    keyId: `${tenancyId}/${userId}/${stated}`,
    key,
    endpoints: endpoints as OciAccess['endpoints'],
    compartmentId: String(compartmentId),
  };
}

function readEndpoint(config: Config, name: Endpoint, { allowHttp, outbound }: AccessRules): URL {
  const url = new URL(endpointUrl(String(config[name])));
  const field = ['config', name];
  if (url.protocol !== 'https:' && !allowHttp) throw invalidField(field, 'must be an https URL');
  checkAddress(url.href, { outbound, field });
  return url;
}

/** The position of the compartment in the caller's request. */
export const compartmentField = (config: Config) => ['config', spellingOf(config, 'compartmentId')];
