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

  /** The metadata as a JWT (OpenID4VCI 1.0 §12.2.3), signed with the issuer's own key or else the server's, which its key set has. */
  async sign(issuer: CredentialIssuer, document: object): Promise<string> {
    const { serverKeys, issuerKeys, clock } = this.parts;
    const signer = await (issuer.keys?.signer() ?? serverKeys.signer('issuer'));
    if (issuer.keys) await issuerKeys.addOfProfile(issuer, signer.publicJwk);
    const { identifier } = issuer;
    const payload = { iss: identifier, sub: identifier, iat: epochSeconds(clock.now()) };
    const header = { typ: 'openidvci-issuer-metadata+jwt', kid: thumbprint(signer.publicJwk) };
    return signJws(header, { ...document, ...payload }, signer);
  }
}
