import type { KeyReference } from '../../ports/key-service.ts';
import type { PemKeys } from '../../ports/pem-keys.ts';
import { invalidField } from '../foundation/errors.ts';
import type { JsonObject } from '../foundation/json.ts';
import { withKid } from '../jose/jwk.ts';
import { privateJwkOf } from '../keys/backends/jwk.ts';
import { BACKENDS } from '../keys/key-reference.ts';
import type { Keys } from './keys.ts';
import type { OwnedKey } from './stored-keys.ts';

/** The form of an exported key. */
interface ExportForm {
  format: 'JWK' | 'PEM';
  loadPrivateKey: boolean;
}

/** Gives keys to the user of their wallet. The private part of a key in a key management service is never here. */
export class KeyExports {
  constructor(
    private readonly parts: {
      keys: Keys;
      pems: PemKeys;
    },
  ) {}

  /** The public part as JWK, which is no export: the log of the wallet does not have it. @throws DomainError `NotFound` */
  async show(key: OwnedKey): Promise<JsonObject> {
    return publicJwkOf(await this.parts.keys.get(key));
  }

  /** @throws DomainError `NotFound`, `BadRequest` naming `loadPrivateKey` when the private key is not here */
  async write(key: OwnedKey, { format, loadPrivateKey }: ExportForm): Promise<string> {
    const reference = await this.parts.keys.get(key);
    const jwk = loadPrivateKey ? requirePrivate(reference) : publicJwkOf(reference);
    const { kid: _, ...members } = jwk;
    const text = format === 'JWK' ? JSON.stringify(jwk) : this.parts.pems.create(members);
    await this.parts.keys.record({ ...key, action: 'Export', reference });
    return text;
  }
}

const publicJwkOf = ({ publicJwk }: KeyReference): JsonObject => ({ ...withKid(publicJwk) });

function requirePrivate(reference: KeyReference): JsonObject {
  const jwk = privateJwkOf(reference);
  if (jwk) return jwk;
  const { title } = BACKENDS[reference.backend];
  throw invalidField(['loadPrivateKey'], `the private key never leaves ${title}; only its public part can be exported`);
}
