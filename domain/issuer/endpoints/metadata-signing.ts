import type { Clock } from '../../../ports/system.ts';
import { epochSeconds } from '../../foundation/time.ts';
import { thumbprint } from '../../jose/jwk.ts';
import { signJws } from '../../jose/jws.ts';
import type { ServerKeys } from '../../keys/server-keys.ts';
import type { CredentialIssuer } from '../credential-issuer.ts';
import type { IssuerKeys } from '../onboarding/issuer-keys.ts';

/** Signs the metadata of issuers. */
export class MetadataSigning {
  constructor(
    private readonly parts: {
      serverKeys: ServerKeys;
      issuerKeys: Pick<IssuerKeys, 'addOfProfile'>;
      clock: Clock;
    },
  ) {}

  /**
   * The metadata as a JWT (OpenID4VCI 1.0 §12.2.3), with the access certificate of the issuer; without one, signed with a key
   * that its key set has.
   */
  async sign(issuer: CredentialIssuer, document: object): Promise<string> {
    const { serverKeys, issuerKeys, clock } = this.parts;
    const { identifier, keys, metadataX5c: x5c } = issuer;
    const signer = await (issuer.metadataSigner?.() ?? keys?.signer() ?? serverKeys.signer('issuer'));
    if (keys) await issuerKeys.addOfProfile(issuer, signer.publicJwk);
    const payload = { iss: identifier, sub: identifier, iat: epochSeconds(clock.now()) };
    const header = { typ: 'openidvci-issuer-metadata+jwt', ...(x5c ? { x5c } : { kid: thumbprint(signer.publicJwk) }) };
    return signJws(header, { ...document, ...payload }, signer);
  }
}
