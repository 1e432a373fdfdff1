import type { Certificates } from '../../../../ports/certificates.ts';
import type { KeyReference, PublicJwk } from '../../../../ports/key-service.ts';
import { base64 } from '../../../foundation/bytes.ts';
import { at, catching, invalidField, replacing } from '../../../foundation/errors.ts';
import type { JsonObject } from '../../../foundation/json.ts';
import { algorithmFits, FAPI_ALGORITHMS, KEY_TYPE_NAMES, KEY_TYPES } from '../../../jose/key-types.ts';
import { readVerificationKey } from '../../../jose/verification-keys.ts';
import { readChain } from '../../../x509/certificate-chain.ts';
import { isSelfIssued } from '../../../x509/name-constraints.ts';
import type { Target } from '../../access/targets.ts';
import type { ResourceTree } from '../../tree/resource-tree.ts';
import { dependencyKey } from '../dependency-keys.ts';
import type { TenantService } from '../tenant-services.ts';

/** The configuration of a service of the type `client-attester`, as its schema has validated it. */
interface AttesterConfiguration {
  /** The target of the key that signs. */
  signingKeyId: Target;
  attestationValiditySeconds?: number;
  clientIds?: string[];
  /** PEM, the certificate of the key first. */
  x5Chain?: string[];
}

export interface AttesterSignerParts {
  tree: ResourceTree;
  certificates: Certificates;
}

/** The key of an attester, with the certificates of its header `x5c`. */
interface AttesterSigner {
  key: KeyReference;
  x5c?: string[];
}

const DAY_SECONDS = 86_400;

const SIGNING_TYPES = KEY_TYPE_NAMES.filter((name) => FAPI_ALGORITHMS.includes(KEY_TYPES[name].alg));

/** What a service attests, and for how long; one of 0.9.0 may have anything in its configuration. */
export function settingsOf(config: JsonObject): {
  clientIds: readonly string[];
  /** Whether no clients are named: wallets under the names that this server gave them are attested then. */
  isForOwnWallets: boolean;
  validitySeconds: number;
} {
  const { clientIds, attestationValiditySeconds = DAY_SECONDS } = readConfiguration(config);
  const validitySeconds = Math.min(attestationValiditySeconds, DAY_SECONDS) || DAY_SECONDS;
  return {
    clientIds: Array.isArray(clientIds) ? clientIds : [],
    isForOwnWallets: clientIds === undefined,
    validitySeconds,
  };
}

/**
 * The key that an attester signs with. @throws DomainError `Conflict` without a key management service, `BadRequest` naming
 * the member that cannot work
 */
export async function attesterSigner(
  { tree, certificates }: AttesterSignerParts,
  { config, ...service }: Pick<TenantService, 'target' | 'dependencies' | 'config'>,
): Promise<AttesterSigner> {
  const { signingKeyId, x5Chain } = readConfiguration(config);
  const key = await at(['signingKeyId'], () => dependencyKey(tree, service, String(signingKeyId)));
  if (!SIGNING_TYPES.includes(key.keyType))
    throw invalidField(['signingKeyId'], `must be of one of the types ${SIGNING_TYPES.join(', ')}`);
  if (!x5Chain) return { key };
  const options = { certificates, jwk: key.publicJwk, keyName: 'signingKeyId' };
  const [leaf, ...above] = at(['x5Chain'], () => readChain(x5Chain, options));
  if (!leaf || isSelfIssued(leaf)) throw invalidField(['x5Chain', 0], 'signs itself: no issuer could trust it');
  return { key, x5c: [leaf, ...above.filter((one) => !isSelfIssued(one))].map(({ der }) => base64(der)) };
}

/** Reads the key of a client instance: it signs its proofs with ES256 or EdDSA. @throws DomainError `BadRequest` */
export function readInstanceKey(value: JsonObject): PublicJwk {
  const jwk = catching(asField, () => readVerificationKey(value));
  if (FAPI_ALGORITHMS.some((alg) => algorithmFits(alg, jwk))) return jwk;
  throw invalidField([], `must be a key for one of ${FAPI_ALGORITHMS.join(', ')}`);
}

const asField = replacing(undefined, ({ message }) => invalidField([], message));

const readConfiguration = (config: JsonObject): AttesterConfiguration => config as unknown as AttesterConfiguration;
