import type { Clock } from '../../ports/system.ts';
import { fingerprint } from '../foundation/bytes.ts';
import { DomainError, oauthError } from '../foundation/errors.ts';
import { busy, isLeased } from '../foundation/lease.ts';
import type { AccessTokens } from '../oauth/access-tokens.ts';
import type { CredentialBuilder } from './credential-builder.ts';
import type { CredentialIssuer } from './credential-issuer.ts';
import type { HolderProofs, Proven } from './holder-proofs.ts';
import type { IssuanceEvents } from './issuance-events.ts';
import type { IssuanceItem } from './issuance-session.ts';
import { type Access, type ItemLeases, nonceChoices } from './item-leases.ts';
import type { CredentialRequest, IssuedCredential } from './protocol.ts';

/** What issuing needs. */
export interface CredentialEndpointParts {
  tokens: AccessTokens;
  leases: ItemLeases;
  proofs: HolderProofs;
  builder: CredentialBuilder;
  events: IssuanceEvents;
  clock: Clock;
}

/** The credential endpoint of issuers. */
export class CredentialEndpoint {
  readonly #parts: CredentialEndpointParts;

  constructor(parts: CredentialEndpointParts) {
    this.#parts = parts;
  }

  /**
   * Issues the credential that the request asks for, once (see `ItemLeases`). A failure that no other attempt can mend
   * ends the session.
   * @throws DomainError with a code of OpenID4VCI draft 13 §7.3.1.2, `Busy` while another request makes the credential
   */
  async issue(issuer: CredentialIssuer, request: CredentialRequest): Promise<IssuedCredential> {
    const { tokens, leases, builder, events, clock } = this.#parts;
    const grant = await tokens.grantOf(issuer.id, request.accessToken);
    const access = grant && (await leases.access(issuer, grant));
    if (!access) throw oauthError('invalid_token', 'The access token is unknown or expired, or its session is over');
    const { id: itemId, content } = freeItem(request.select(access.session.value.items), clock.now());
    const { holder, nonce } = await this.#prove(access, request.proof);
    const { format } = content;
    const step = `credential ${itemId} ${fingerprint(JSON.stringify([nonce, holder]))}`;
    const issued = await leases.issue(access, { itemId, nonce }, (session) =>
      events.issued(session, { format, step }, () => builder.build(content, holder)),
    );
    return { format, ...issued };
  }

  async #prove(access: Access, proof: unknown): Promise<Proven> {
    const { proofs, leases } = this.#parts;
    try {
      return await proofs.verify(proof, { audience: access.issuer.identifier, nonces: nonceChoices(access) });
    } catch (error) {
      // A key that cannot be fetched leaves the proof unproven: the wallet's matter, not a gateway's.
      if (error instanceof DomainError && error.code !== 'StoreUnavailable')
        throw await leases.invalidProof(access, error);
      throw error;
    }
  }
}

/** The first item that no other request is making. @throws DomainError `Busy` when all of them are being made */
function freeItem(items: IssuanceItem[], now: number): IssuanceItem {
  const free = items.find(({ lease }) => !isLeased(lease, now));
  if (free) return free;
  throw busy({ until: Math.min(...items.map(({ lease }) => lease?.until ?? now)) }, now);
}
