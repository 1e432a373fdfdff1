import type { PublicJwk } from '../../../../ports/key-service.ts';
import type { Signatures } from '../../../../ports/signatures.ts';
import type { Store, Stored } from '../../../../ports/store.ts';
import type { Clock, Ids } from '../../../../ports/system.ts';
import { asConflict, at, ignoring, invalidField } from '../../../foundation/errors.ts';
import { isText, type JsonObject } from '../../../foundation/json.ts';
import { epochSeconds, isoMillis } from '../../../foundation/time.ts';
import { publish } from '../../../issuer/onboarding/issuer-keys.ts';
import { thumbprint } from '../../../jose/jwk.ts';
import { signJws } from '../../../jose/jws.ts';
import type { KeyBackends } from '../../../keys/key-backends.ts';
import { type AttestationRecord, AttestationRecords } from '../../../oauth/attestation/attestation-records.ts';
import { InstanceProofs } from '../../../oauth/attestation/instance-proofs.ts';
import type { TrustedAttesters } from '../../../oauth/attesters.ts';
import { CLIENT_ATTESTATION } from '../../../oauth/client-attestations.ts';
import { childOf, nothingAt, type Target } from '../../access/targets.ts';
import type { ListQuery } from '../../tree/list-requests.ts';
import { visiblePage } from '../../tree/visible-page.ts';
import type { ClientAttestation } from '../client-attestation.ts';
import type { ServiceDraft } from '../service-configurations.ts';
import { ownerOf, type TenantService, type TenantServices, type TenantUrls } from '../tenant-services.ts';
import { type AttesterSignerParts, attesterSigner, readInstanceKey, settingsOf } from './attester-configuration.ts';

const TYPE = 'client-attester';
const MAX_ID_LENGTH = 64;

/** What is attested: that an instance of a client has a key. */
interface AttestedInstance {
  clientId: string;
  /** On P-256 or Ed25519; its possession was proven. */
  instanceKey: PublicJwk;
  /** Whether the client is a wallet of this server that depends on the service, under the name that the server gave it. */
  isOwnWallet?: boolean;
}

/** A request for an attestation, with the proof of possession. */
interface NewAttestation {
  clientId: string;
  instancePublicKeyJwk: JsonObject;
  proof: string;
}

/** An attestation for the wallet that asked for it. */
interface MadeAttestation {
  clientAttestationJwt: string;
  /** In seconds since the epoch. */
  expiresAt: number;
  attestationId: string;
}

/** Client attesters: services of the type `client-attester`, which attest the keys of wallets to issuers (draft -11). */
export class ClientAttesters {
  readonly #records: AttestationRecords;
  readonly #proofs: InstanceProofs;

  constructor(
    private readonly parts: AttesterSignerParts & {
      services: TenantServices;
      urls: TenantUrls;
      keys: KeyBackends;
      store: Store;
      signatures: Signatures;
      clock: Clock;
      ids: Ids;
    },
  ) {
    this.#records = new AttestationRecords(parts.store);
    this.#proofs = new InstanceProofs(parts);
  }

  /** Checks that a service that has a key management service can sign as it is configured. @throws DomainError `BadRequest` naming the member */
  async check(draft: ServiceDraft): Promise<void> {
    if ((await this.parts.services.firstDependency(draft, 'kms')) !== undefined)
      await attesterSigner(this.parts, draft);
  }

  /**
   * Attests a key for a proof of its possession, which is used up unless signing fails.
   * @throws DomainError `BadRequest` naming the member, and as `attest`
   */
  async attestProven(target: Target, { proof, ...wanted }: NewAttestation): Promise<MadeAttestation> {
    const service = await this.parts.services.at(target, TYPE);
    const { clientId } = wanted;
    requireClient(service, clientId);
    const instanceKey = at(['instancePublicKeyJwk'], () => readInstanceKey(wanted.instancePublicKeyJwk));
    const audience = await this.#identifier(target);
    const expected = { jwk: instanceKey, clientId, audience, attester: ownerOf(service) };
    return at(['proof'], () =>
      this.#proofs.spend(proof, expected, () => this.#attest(service, { clientId, instanceKey })),
    );
  }

  /**
   * Attests a key for a caller who knows that the client has it.
   * @throws DomainError `BadRequest` naming `clientId`, `NotFound`, `Conflict` when the service cannot sign, as `Signer.sign`
   */
  async attest(target: Target, { isOwnWallet = false, ...instance }: AttestedInstance): Promise<MadeAttestation> {
    const service = await this.parts.services.at(target, TYPE);
    if (!isOwnWallet || !settingsOf(service.config).isForOwnWallets) requireClient(service, instance.clientId);
    return this.#attest(service, instance);
  }

  /** A page of what the service at `query.parent` attested and what has not ended. @throws DomainError `NotFound` */
  async page({ hidden, parent: target, type: _, ...page }: ListQuery): Promise<ClientAttestation[]> {
    const parent = await this.#owner(target);
    const rows = {
      read: ({ order, offset, limit }: typeof page) => this.#records.list({ parent, order, offset, limit }),
      placeOf: (row: Stored<AttestationRecord>) => row,
    };
    const collection = { get: ({ id }: { id: string }) => this.#records.get({ parent, id }) };
    const found = await visiblePage({ collection, rows }, { ...page, parent: target }, hidden);
    return found.map((record) => elementOf(target, record));
  }

  /** @throws DomainError `NotFound` */
  async get(target: Target, id: string): Promise<ClientAttestation> {
    const record = await this.#records.get({ parent: await this.#owner(target), id });
    if (record) return elementOf(target, record);
    throw nothingAt(childOf(target, id));
  }

  /** Revokes an attestation for good. @throws DomainError `NotFound` */
  async revoke(target: Target, id: string): Promise<Pick<ClientAttestation, 'id'> & { state: 'revoked' }> {
    const record = await this.#records.revoke({ parent: await this.#owner(target), id }, this.parts.clock.now());
    if (!record) throw nothingAt(childOf(target, id));
    return { id, state: 'revoked' };
  }

  /** The key that signs, if it still exists, and those that signed what has not ended. @throws DomainError `NotFound` */
  async keySet(target: Target) {
    const service = await this.parts.services.at(target, TYPE);
    const current = await attesterSigner(this.parts, service).catch(asConflict).catch(ignoring('Conflict'));
    const signed = await this.#records.keys(ownerOf(service));
    const all = [...(current ? [current.key.publicJwk] : []), ...signed].map(publish);
    return { keys: all.filter(({ kid }, index) => all.findIndex((one) => one.kid === kid) === index) };
  }

  /** Finds the keys of attestations that services made, by their `jti`, for those who depend on the services. */
  async recorded(targets: readonly Target[]): Promise<NonNullable<TrustedAttesters['recorded']>> {
    const owners = await Promise.all(targets.map((target) => this.#owner(target)));
    return async ({ jti: id }) => {
      if (!isText(id) || id.length > MAX_ID_LENGTH) return [];
      const found = await Promise.all(owners.map((parent) => this.#records.get({ parent, id })));
      return found.flatMap((record) =>
        record ? { jwk: record.value.signedBy, isRevoked: record.value.revokedAt !== undefined } : [],
      );
    };
  }

  /** Removes what belongs to the service at a target. */
  async removeOwnData(target: Target): Promise<void> {
    const found = await this.parts.services.found(target, TYPE).catch(ignoring('NotFound'));
    if (found) await this.#records.removeAll(ownerOf({ target, uid: found.uid }));
  }

  async #attest(service: TenantService, { clientId, instanceKey }: AttestedInstance): Promise<MadeAttestation> {
    const { keys, clock, ids } = this.parts;
    const { key, x5c } = await attesterSigner(this.parts, service).catch(asConflict);
    const { validitySeconds } = settingsOf(service.config);
    const iat = epochSeconds(clock.now());
    const [id, exp] = [ids.uuid(), iat + validitySeconds];
    const header = { typ: CLIENT_ATTESTATION.TYPE, kid: thumbprint(key.publicJwk), ...(x5c && { x5c }) };
    const iss = await this.#identifier(service.target);
    const claims = { iss, sub: clientId, iat, exp, jti: id, cnf: { jwk: instanceKey } };
    const clientAttestationJwt = await signJws(header, claims, keys.signer(key));
    const signedBy = key.publicJwk;
    const record = { clientId, instanceThumbprint: thumbprint(instanceKey), signedBy, endsAt: exp * 1000 };
    await this.#records.add({ parent: ownerOf(service), id }, record);
    return { clientAttestationJwt, expiresAt: exp, attestationId: id };
  }

  /** What a service is called in proofs and attestations: the URL that its operations are below. */
  async #identifier(target: Target): Promise<string> {
    return `${await this.parts.urls.baseUrlOf(target)}/v1/${target}/client-attester-api`;
  }

  async #owner(target: Target): Promise<string> {
    const { uid } = await this.parts.services.found(target, TYPE);
    return ownerOf({ target, uid });
  }
}

function requireClient({ config, target }: TenantService, clientId: string): void {
  if (!settingsOf(config).clientIds.includes(clientId))
    throw invalidField(['clientId'], `is not one of the clientIds of ${target}`);
}

function elementOf(parent: Target, { id, value, createdAt, updatedAt }: Stored<AttestationRecord>): ClientAttestation {
  const { clientId, instanceThumbprint, endsAt, revokedAt } = value;
  return {
    _id: childOf(parent, id),
    parent,
    id,
    clientId,
    instanceThumbprint,
    state: revokedAt === undefined ? 'valid' : 'revoked',
    expiresDateTime: isoMillis(endsAt),
    ...(revokedAt !== undefined && { revokedDateTime: isoMillis(revokedAt) }),
    createdDateTime: isoMillis(createdAt),
    updatedDateTime: isoMillis(updatedAt),
  };
}
