import { type ActiveSession, created, type NewSession } from '../../../domain/issuer/sessions/issuance-session.ts';
import { planItems } from '../../../domain/issuer/sessions/item-plan.ts';

/** A session of OpenID4VCI 1.0 without a webhook; each of its secrets contains `secret`. */
export const managedSession = (id: string, more: Pick<NewSession, 'expiresAt' | 'managed'>): ActiveSession =>
  created({
    id,
    issuerId: 'openid4vci',
    grant: { kind: 'pre-authorized', code: 'secret-code' },
    isBatch: false,
    plan: planItems([
      {
        configurationId: 'Degree',
        format: 'jwt_vc_json',
        types: [['VerifiableCredential']],
        issuerKey: { backend: 'jwk', id: 'k', keyType: 'Ed25519', publicJwk: { kty: 'OKP' }, config: { d: 'secret' } },
        issuer: 'did:web:a.example',
        credentialData: {},
        mapping: {},
      },
    ]).plan,
    content: { credentialData: { name: 'secret' }, terms: 'secret' },
    managed: { profileId: 'Degree', authMethod: 'PRE_AUTHORIZED', request: 'digest' },
    ...more,
  });
