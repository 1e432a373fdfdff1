import type { Signatures } from '../../ports/signatures.ts';
import { at, isDomainError } from '../foundation/errors.ts';
import { thumbprint } from '../jose/jwk.ts';
import { parseSignature, verifyJws } from '../jose/jws.ts';
import { keyTypeOf } from '../jose/key-types.ts';
import type { ActivityRecorder } from './activity.ts';
import { named, readCallerJwk, readJson } from './caller-keys.ts';
import type { Dids } from './dids.ts';
import type { Keys } from './keys.ts';
import { signContent } from './signed-content.ts';

/** A key of a wallet under one of its names. */
interface NamedKey {
  keyId: string;
  /** What a JWS names it by. */
  kid: string;
}

/** Signs for the user of a wallet, and verifies. */
export class KeySigning {
  constructor(
    private readonly parts: {
      keys: Keys;
      dids: Pick<Dids, 'keyOf'>;
      signatures: Signatures;
      activity: ActivityRecorder;
    },
  ) {}

  /**
   * Signs any JSON as a compact JWS, or the input of a flattened JWS (RFC 7515 §7.2.2) with its own header. `name` is the
   * id of a key, a DID, or the DID URL of its key. @throws DomainError `NotFound`, `BadRequest` naming the member of the header
   */
  async sign(owner: string, name: string, content: unknown): Promise<string> {
    const { keyId, kid } = await this.#find(owner, name);
    const signer = await this.parts.keys.signer({ owner, id: keyId });
    const isNamed = (stated: string): Promise<boolean> => this.#isNameOf(keyId, owner, stated);
    const token = await signContent(content, { signer, kid, isNamed });
    const reference = await this.parts.keys.get({ owner, id: keyId });
    await this.parts.keys.record({ action: 'Sign', owner, id: keyId, reference });
    return token;
  }

  /** Whether a key signed a compact JWS. @throws DomainError `BadRequest` naming `jwk` or `token` */
  async verify(owner: string, { jwk: text, token }: { jwk: string; token: string }): Promise<boolean> {
    const jwk = at(['jwk'], () => readCallerJwk(readJson(text)));
    const parsed = named(['token'], () => parseSignature(token.trim()));
    const isValid = await verifyJws(parsed, jwk, this.parts.signatures);
    const data = { id: thumbprint(jwk), algorithm: keyTypeOf(jwk) };
    await this.parts.activity.record(owner, { event: 'Key', action: 'Verify', data });
    return isValid;
  }

  #find(owner: string, name: string): Promise<NamedKey> {
    return name.startsWith('did:') ? this.parts.dids.keyOf(owner, name) : Promise.resolve({ keyId: name, kid: name });
  }

  async #isNameOf(keyId: string, owner: string, name: string): Promise<boolean> {
    try {
      return (await this.#find(owner, name)).keyId === keyId;
    } catch (error) {
      if (isDomainError(error, 'NotFound')) return false;
      throw error;
    }
  }
}
