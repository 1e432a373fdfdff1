import type { Clock } from '../../../ports/system.ts';
import type { CredentialFormats } from '../../credentials/formats/formats.ts';
import { DomainError, isDomainError } from '../../foundation/errors.ts';
import { epochSeconds } from '../../foundation/time.ts';
import { withKid } from '../../jose/jwk.ts';
import { signJws } from '../../jose/jws.ts';
import type { KeyBackends } from '../../keys/key-backends.ts';
import { signerForOthers } from '../../keys/others-signer.ts';
import { supportedFormats } from '../../presentation/vp-formats.ts';
import { ENTITY_STATEMENT } from '../../trust/federation/entity-statement.ts';
import type { Verifier } from '../verifier.ts';

/** How long a configuration is valid: superiors and wallets fetch it anew. */
const LIFETIME_SECONDS = 86_400;

/** Signs what verifiers publish of themselves in federations (OpenID Federation 1.0 §3, §9). */
export class EntityConfigurations {
  constructor(
    private readonly parts: {
      keys: KeyBackends;
      formats: CredentialFormats;
      clock: Clock;
    },
  ) {}

  /** The configuration of a verifier, signed now. @throws DomainError `NotFound` in no federation, or without its keys; as `Signer.sign` */
  async create({ entity, ...verifier }: Verifier): Promise<string> {
    if (!entity) throw new DomainError('NotFound', 'The verifier is in no federation');
    const { keys, clock, formats } = this.parts;
    const [id, own, { reference }] = await Promise.all([entity.id(), entity.key(), verifier.signer()]).catch(asGone);
    const signer = signerForOthers(keys.signer(own), { message: 'The verifier cannot sign its configuration now' });
    const key = withKid(own.publicJwk);
    const issuedAt = epochSeconds(clock.now());
    const payload = {
      ...{ iss: id, sub: id, iat: issuedAt, exp: issuedAt + LIFETIME_SECONDS },
      jwks: { keys: [key] },
      authority_hints: entity.authorityHints,
      metadata: {
        openid_credential_verifier: {
          vp_formats_supported: supportedFormats(formats.requestable),
          ...verifier.clientMetadata,
          jwks: { keys: [withKid(reference.publicJwk)] },
        },
      },
    };
    return signJws({ typ: ENTITY_STATEMENT.TYP, kid: key.kid }, payload, signer);
  }
}

function asGone(cause: unknown): never {
  if (!isDomainError(cause, 'BadRequest') && !isDomainError(cause, 'Conflict')) throw cause;
  throw new DomainError('NotFound', 'The verifier does not have the keys of its configuration any more', { cause });
}
