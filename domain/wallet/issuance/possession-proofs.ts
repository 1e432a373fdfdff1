import type { Clock } from '../../../ports/system.ts';
import { OPENID4VCI } from '../../credentials/openid4vci.ts';
import { DomainError } from '../../foundation/errors.ts';
import { asList, isObject, isText, type JsonObject } from '../../foundation/json.ts';
import { epochSeconds } from '../../foundation/time.ts';
import type { SigningDid } from '../../holdings/dids.ts';
import { signJws } from '../../jose/jws.ts';
import { configurationOf } from './issuer-directory.ts';
import type { WalletAttester } from './wallet-attester.ts';

/** The header and claims of a proof of possession; its signer adds `alg`. */
export interface UnsignedProof {
  header: JsonObject;
  payload: JsonObject;
}

/** What a credential request proves possession with: proofs of one type (OpenID4VCI 1.0 §8.2.1, appendix F). */
export interface KeyProofs {
  type: 'jwt' | 'attestation';
  values: string[];
}

/** What a proof is for. */
interface ProofPurpose {
  /** Of the issuer. */
  metadata: JsonObject;
  configurationId: string;
  holder: SigningDid;
  nonce?: string;
  /** Absent where a pre-authorized code was redeemed without a name. */
  clientId?: string;
}

/** What an issuer takes for a configuration. */
interface ProofDemand {
  type: KeyProofs['type'];
  /** How keys must be protected; present where an attestation of the key is demanded. */
  attested?: JsonObject;
}

/** The binding methods that name a key (OpenID4VCI draft 13 §11.2.3). */
const KEY_METHODS = ['jwk', 'cose_key'];

/** Creates the proofs of possession that issuers demand, with key attestations where they demand these. */
export class PossessionProofs {
  constructor(private readonly parts: { clock: Clock; attester?: WalletAttester }) {}

  /** Refuses a configuration whose proofs the wallet cannot create. @throws DomainError `BadRequest` naming what is missing */
  check(configuration: JsonObject): void {
    const { attested } = demandOf(configuration);
    if (!attested || this.parts.attester?.attestKeys) return;
    const levels = Object.entries(attested).map(([name, values]) => `${name}: ${asList(values).join(' or ')}`);
    const demanded = levels.length === 0 ? '' : ` (${levels.join('; ').slice(0, 300)})`;
    throw new DomainError(
      'BadRequest',
      `The issuer demands a key attestation${demanded}, and this wallet has no attester for keys (wallet-service.conf)`,
    );
  }

  /**
   * Proves possession of the keys of all holders: an attestation is about all of them (appendix F.1, F.3), a proof without
   * one about its key. @throws DomainError as `check`
   */
  async create(purpose: Omit<ProofPurpose, 'holder'>, holders: SigningDid[]): Promise<KeyProofs> {
    const { type, attested } = demandOf(configurationOf(purpose.metadata, purpose.configurationId));
    const attestation = attested && (await this.#attestation(purpose, holders));
    if (type === 'attestation') return { type, values: [attestation ?? ''] };
    const values: string[] = [];
    for (const holder of attested ? holders.slice(0, 1) : holders) {
      const { header, payload } = this.#unsigned({ ...purpose, holder }, attestation);
      values.push(await signJws(header, payload, holder.signer));
    }
    return { type, values };
  }

  /** A JWT (OpenID4VCI §8.2.1.1), without `iss` for a client without a name. @throws DomainError as `check` */
  async unsigned(purpose: ProofPurpose): Promise<UnsignedProof> {
    const { type, attested } = demandOf(configurationOf(purpose.metadata, purpose.configurationId));
    if (type !== 'jwt')
      throw new DomainError('BadRequest', 'The issuer takes key attestations in place of signed proofs');
    return this.#unsigned(purpose, attested && (await this.#attestation(purpose, [purpose.holder])));
  }

  #unsigned({ metadata, configurationId, holder, nonce, clientId }: ProofPurpose, attestation?: string): UnsignedProof {
    const payload = {
      ...(clientId !== undefined && { iss: clientId }),
      aud: metadata.credential_issuer,
      iat: epochSeconds(this.parts.clock.now()),
      ...(nonce !== undefined && { nonce }),
    };
    const named = keyMember(configurationOf(metadata, configurationId), holder);
    const statement = attestation === undefined ? {} : { key_attestation: attestation };
    return { header: { typ: OPENID4VCI.PROOF_TYPE, ...named, ...statement }, payload };
  }

  async #attestation(
    { metadata, configurationId, nonce }: Omit<ProofPurpose, 'holder'>,
    holders: SigningDid[],
  ): Promise<string> {
    this.check(configurationOf(metadata, configurationId));
    const statement = { keys: holders.map(({ signer }) => signer.publicJwk), nonce };
    return (await this.parts.attester?.attestKeys?.(statement)) ?? '';
  }
}

/** How the header names the key. */
function keyMember(configuration: JsonObject, { signer, kid }: SigningDid): JsonObject {
  const methods = asList(configuration.cryptographic_binding_methods_supported).filter(isText);
  const byKey =
    methods.some((method) => KEY_METHODS.includes(method)) && !methods.some((method) => method.startsWith('did'));
  return byKey ? { jwk: signer.publicJwk } : { kid };
}

/** A signed proof wherever it is taken (OpenID4VCI 1.0 §12.2.4). */
function demandOf({ proof_types_supported: types }: JsonObject): ProofDemand {
  if (!isObject(types) || isObject(types.jwt) || !isObject(types.attestation)) {
    const { key_attestations_required: attested } = isObject(types) && isObject(types.jwt) ? types.jwt : {};
    return { type: 'jwt', ...(isObject(attested) && { attested }) };
  }
  const { key_attestations_required: attested } = types.attestation;
  return { type: 'attestation', attested: isObject(attested) ? attested : {} };
}
