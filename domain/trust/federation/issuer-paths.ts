import type { IssuerReference, KeySources } from '../../../ports/credential-formats.ts';
import { mapBounded } from '../../foundation/concurrency.ts';
import { isDomainError } from '../../foundation/errors.ts';
import { signatureKeys } from '../../jose/key-set.ts';
import type { QueriedCredential } from '../../presentation/matching/compiled-query.ts';
import { refusedStatement } from './entity-statement.ts';
import type { TrustChain } from './trust-chain.ts';
import type { TrustChains } from './trust-chains.ts';

/** A credential whose issuer is looked for in federations; without `verifyIssuer` it is signed with no key that is stated there. */
export type FederatedCredential = Pick<QueriedCredential, 'issuer' | 'verifyIssuer'>;

/** What federations prove of the issuers of credentials. */
export interface IssuerPaths {
  /** For the issuer of each credential, the entities of its trust chains. */
  entities: ReadonlyMap<IssuerReference, ReadonlySet<string>>;
  /** Why nothing is proven of the others, as sentences. */
  missing: readonly string[];
}

/** The most issuers that are looked for, and how many of them at once: each may take several requests. */
const MAX_ISSUERS = 16;
const AT_ONCE = 4;
/** Of a refusal, and of the name of the issuer with it: both can have text of others. */
const MAX_CHARACTERS = 300;

/**
 * Looks for the issuers that are named by a URL alone (OpenID4VP 1.0 §6.1.1.3): each is an `openid_credential_issuer` of a
 * valid chain, and its credential is signed with one of the keys that the chain states for it, if it states any.
 */
export async function findIssuerPaths(
  credentials: readonly FederatedCredential[],
  chains: Pick<TrustChains, 'all'>,
): Promise<IssuerPaths> {
  const named = credentials.filter(({ issuer }) => issuer.kind === 'url');
  const asked = new Set([...new Set(named.map(({ issuer }) => issuer.id))].slice(0, MAX_ISSUERS));
  const entities = new Map<IssuerReference, ReadonlySet<string>>();
  const missing = new Set<string>();
  const find = async (credential: FederatedCredential): Promise<void> => {
    const { issuer } = credential;
    try {
      if (!asked.has(issuer.id)) throw refusedStatement(`more than ${MAX_ISSUERS} issuers are not looked for`);
      const found = await chains.all(issuer.id);
      entities.set(issuer, await provenEntities(found, credential));
    } catch (error) {
      if (!isDomainError(error)) throw error;
      missing.add(`${error.message.slice(0, MAX_CHARACTERS)} (${issuer.id.slice(0, MAX_CHARACTERS)})`);
    }
  };
  await mapBounded(named, AT_ONCE, find);
  return { entities, missing: [...missing] };
}

/** @throws DomainError `BadRequest` for the last chain when none proves the credential */
async function provenEntities(found: readonly TrustChain[], credential: FederatedCredential): Promise<Set<string>> {
  const entities = new Set<string>();
  let refusal: unknown;
  for (const chain of found)
    try {
      await checkSigner(chain, credential);
      for (const entity of chain.path) entities.add(entity);
    } catch (error) {
      if (!isDomainError(error)) throw error;
      refusal = error;
    }
  if (entities.size === 0) throw refusal;
  return entities;
}

const TYPE = 'openid_credential_issuer';

/** Keys count only where the metadata hold them; those of a URI are not fetched, and prove nothing. */
async function checkSigner(chain: TrustChain, { verifyIssuer }: FederatedCredential): Promise<void> {
  const { jwks, jwks_uri: uri, signed_jwks_uri: signedUri } = chain.metadata(TYPE);
  if ([jwks, uri, signedUri].every((member) => member === undefined)) return;
  const keys = signatureKeys(jwks) ?? [];
  const check = await verifyIssuer?.({ dids: NO_DIDS, issuers: { keys: async () => keys } });
  if (!check?.valid) throw refusedStatement(`the credential is not signed with a key of ${chain.entity}`);
}

/** An issuer that is named by a URL has no DID. */
const NO_DIDS: KeySources['dids'] = {
  key: () => {
    throw refusedStatement('the issuer is named by a DID');
  },
};
