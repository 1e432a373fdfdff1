import { type HolderKey, makeHolderKey } from '../../../demo/actors/holder-key.ts';
import { AttestedIssuance, type AttestedWallet, IDENTITY, SIGNER } from '../../actors/attested-wallet.ts';
import { EncryptingWallet, type Encryption } from '../../actors/encrypting-wallet.ts';
import { KeyAttester } from '../../actors/key-attester.ts';
import { proofOf } from '../../actors/wallet.ts';
import type { Answer } from '../../support/servers/server.ts';

type Json = Record<string, unknown>;

/** The variants of the suite's plan for an issuer. */
export interface Variant {
  initiation: 'issuer_initiated' | 'wallet_initiated';
  encryption: 'plain' | 'encrypted';
  format: 'sd_jwt_vc' | 'mdoc';
}

const LICENCE = 'org.iso.18013.5.1.mDL';
const ES256 = { proof_signing_alg_values_supported: ['ES256'] };

/** The profile and the credential configuration of each format. */
const CREDENTIALS = {
  sd_jwt_vc: { profileId: 'identity', configuration: IDENTITY },
  mdoc: { profileId: 'licence', configuration: LICENCE },
};

/** All combinations of variants. */
export const VARIANTS: Variant[] = (['plain', 'encrypted'] as const).flatMap((encryption) =>
  (['issuer_initiated', 'wallet_initiated'] as const).flatMap((initiation) =>
    (['sd_jwt_vc', 'mdoc'] as const).map((format) => ({ encryption, initiation, format })),
  ),
);

/** The first of the variants, for modules that look at one thing. */
export const PLAIN: Variant = { encryption: 'plain', initiation: 'issuer_initiated', format: 'sd_jwt_vc' };

export const titleOf = (variant: Variant): string => Object.values(variant).join(', ');

/** An issuer as HAIP wants it: the keys of its credentials are attested, its credentials have an end and a status. */
export async function startHaipIssuer(publicUrl?: string) {
  const attester = new KeyAttester();
  const jwt = { ...ES256, key_attestations_required: { key_storage: ['iso_18045_moderate'] } };
  const mapping = { exp: '<timestamp-in-seconds:90d>' };
  const licence = {
    name: 'Licence',
    credentialConfigurationId: LICENCE,
    credentialData: { 'org.iso.18013.5.1': { family_name: 'Lovelace' } },
    ...SIGNER,
    walletInitiated: true,
  };
  const supportedCredentialTypes = {
    [IDENTITY]: { format: 'dc+sd-jwt', vct: 'urn:example:identity', scope: IDENTITY, proof_types_supported: { jwt } },
    [LICENCE]: { format: 'mso_mdoc', doctype: LICENCE, scope: LICENCE, proof_types_supported: { jwt: ES256 } },
  };
  const selectiveDisclosure = { fields: { given_name: { sd: true } } };
  const issuance = await AttestedIssuance.start(
    'HAIP',
    { walletInitiated: true, mapping, selectiveDisclosure, statusList: {} },
    {
      publicUrl,
      issuerMetadata: { supportedCredentialTypes, keyAttesters: [attester.trusted] },
      issuer2Profiles: { profiles: { licence } },
    },
  );
  return { issuance, attester };
}

export type HaipIssuer = Awaited<ReturnType<typeof startHaipIssuer>>;

/** Where a module changes the flow; what is absent is as the specification says. */
export interface Changes {
  nonce?: string;
  /** Changes the key attestation. */
  attestation?(jwt: string): string;
  /** Changes the proofs. */
  proofs?(jwts: string[]): string[];
  /** Changes the members of the credential request. */
  request?(members: Json): Json;
  encryption?: Encryption;
  headers?: Record<string, string>;
}

/** The suite's wallet: an authorization code by PAR, a token bound by DPoP, a nonce, and the credential. */
export class WalletFlow {
  readonly holders: HolderKey[];
  readonly wallet: AttestedWallet;
  readonly configuration: string;
  readonly #issuer: HaipIssuer;
  readonly #variant: Variant;
  #encrypting: EncryptingWallet | undefined;

  constructor(issuer: HaipIssuer, variant: Variant, { clientId, keys = 1 }: { clientId?: string; keys?: number } = {}) {
    this.#issuer = issuer;
    this.#variant = variant;
    this.wallet = issuer.issuance.wallet(clientId);
    this.holders = Array.from({ length: keys }, makeHolderKey);
    this.configuration = CREDENTIALS[variant.format].configuration;
  }

  /** The parameters of the authorization request that depend on who begins. */
  async parameters(): Promise<Record<string, string>> {
    const scope = { scope: this.configuration };
    if (this.#variant.initiation === 'wallet_initiated') return scope;
    const { profileId } = CREDENTIALS[this.#variant.format];
    const { grants } = await this.#issuer.issuance.offer({ profileId });
    return { ...scope, issuer_state: grants.authorization_code.issuer_state };
  }

  /** An access token. */
  async token(changes: Record<string, string> = {}): Promise<string> {
    return (await this.wallet.tokens({ ...(await this.parameters()), ...changes })).access_token;
  }

  /** The answer of the credential endpoint. */
  async request(token: string, changes: Changes = {}): Promise<Answer> {
    const { server } = this.#issuer.issuance;
    const nonce = changes.nonce ?? (await server.call('requestOpenid4vciNonce')).body.c_nonce;
    const key_attestation = this.#attestation(changes);
    const jwts = this.holders.map((holder) => {
      const header = { kid: undefined, jwk: holder.jwk, key_attestation };
      const claims = { aud: this.wallet.issuer, iss: this.wallet.clientId };
      return proofOf(server, holder, { nonce, header, claims }).jwt;
    });
    const jwt = changes.proofs?.(jwts) ?? jwts;
    const members = { credential_configuration_id: this.configuration, proofs: { jwt } };
    return this.#send(token, changes.request?.(members) ?? members, changes);
  }

  #attestation({ attestation }: Changes): string | undefined {
    if (this.#variant.format === 'mdoc') return undefined;
    const jwt = this.#issuer.attester.attest(this.#issuer.issuance.server, this.holders);
    return attestation?.(jwt) ?? jwt;
  }

  async #send(token: string, members: Json, { encryption, headers }: Changes): Promise<Answer> {
    if (this.#variant.encryption === 'plain')
      return this.wallet.present('credential', token, { json: members, headers });
    this.#encrypting ??= await EncryptingWallet.create(this.#issuer.issuance.server);
    const text = await this.#encrypting.seal(members, encryption);
    return this.wallet.present('credential', token, { text, contentType: 'application/jwt', headers });
  }

  /** The members of a response, decrypted where it must be encrypted. */
  async members(answer: Answer): Promise<Answer['body']> {
    if (answer.status !== 200) throw new Error(`${answer.status} ${JSON.stringify(answer.body)}`);
    if (this.#encrypting) return (await this.#encrypting.open(answer)).members;
    if (!/^application\/json/.test(answer.headers.get('content-type') ?? '')) throw new Error('The answer is not JSON');
    return answer.body;
  }

  /** Reports that the wallet stored the credentials. */
  notify(token: string, notification_id: unknown): Promise<Answer> {
    return this.wallet.present('notification', token, { json: { notification_id, event: 'credential_accepted' } });
  }
}
