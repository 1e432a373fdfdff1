import { DomainError } from '../../foundation/errors.ts';
import type { Holder } from '../protocol.ts';
import type { Access } from '../sessions/item-leases.ts';
import { proofDemands } from './attested-keys.ts';
import type { HolderProofs, Proven } from './holder-proofs.ts';
import { holdersOf, setViolation } from './holders.ts';
import type { ChosenItem } from './item-choice.ts';

/** One part of a credential request: the item it gets, and the proofs as the wallet sent them. */
export interface RequestedItem {
  chosen: ChosenItem;
  proofs: readonly unknown[];
}

/** One part of a credential request: the item, and its holders as the proofs state them. */
export interface ProvenItem {
  chosen: ChosenItem;
  holders: Holder[];
}

/** A credential request whose proofs are good, with the nonce of all of them. */
interface ProvenRequest {
  items: ProvenItem[];
  nonce: string;
}

/** Verifies the proofs of a request in their order. @throws DomainError with the code that the version has for proofs */
export async function proveItems(
  verifier: HolderProofs,
  access: Access,
  requested: readonly RequestedItem[],
): Promise<ProvenRequest> {
  const { issuer, session, nonces: known } = access;
  const [items, nonces]: [ProvenItem[], Set<string>] = [[], new Set()];
  for (const { chosen, proofs } of requested) {
    const proven: Proven[] = [];
    for (const proof of proofs) proven.push(await verified(verifier, access, { chosen, proof }));
    for (const { nonce } of proven) nonces.add(nonce);
    const refusal = setViolation(proven, { batchSize: issuer.batchSize, holderKey: session.value.holderKey });
    if (refusal) throw await known.refused(refusal);
    items.push({ chosen, holders: holdersOf(proven) });
  }
  const [nonce, ...others] = nonces;
  if (nonce !== undefined && others.length === 0) return { items, nonce };
  throw await known.refused(new DomainError('BadRequest', 'proof: all proofs must carry one nonce'));
}

async function verified(
  verifier: HolderProofs,
  { issuer, nonces }: Access,
  { chosen: { configurationId }, proof }: { chosen: ChosenItem; proof: unknown },
): Promise<Proven> {
  const accepts = (nonce: string) => nonces.accept(nonce);
  try {
    const demands = proofDemands(issuer, configurationId);
    return await verifier.verify(proof, { audience: issuer.identifier, accepts, demands });
  } catch (error) {
    // A key that cannot be fetched leaves the proof unproven: the wallet's matter, not a gateway's.
    if (error instanceof DomainError && error.code !== 'StoreUnavailable') throw await nonces.refused(error);
    await nonces.restore().catch(() => undefined);
    throw error;
  }
}
