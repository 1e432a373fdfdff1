import type { ParsedCredential } from '../../../../ports/credential-formats.ts';
import type { Clock, Turns } from '../../../../ports/system.ts';
import type { CredentialFormats } from '../../../credentials/formats/formats.ts';
import { fingerprint } from '../../../foundation/bytes.ts';
import { mapInTurns } from '../../../foundation/concurrency.ts';
import { DomainError, ignoring, isDomainError } from '../../../foundation/errors.ts';
import { asList, type JsonObject } from '../../../foundation/json.ts';
import { retried } from '../../../foundation/records.ts';
import type { Credentials, StoredCredential } from '../../../holdings/credentials.ts';
import type { HolderCredentials } from '../../../holdings/holder.ts';
import type { CredentialRecord, IssuedRecord } from '../../../holdings/records.ts';
import { childOf, nothingAt, parentOf, type Target } from '../../access/targets.ts';
import { type HeldCredential, RESOURCE_KINDS } from '../../tree/resource-kinds.ts';
import type { ResourceRepository } from '../../tree/resource-repository.ts';
import type { ResourceTree } from '../../tree/resource-tree.ts';
import { allChildren } from '../stored-children.ts';
import type { TenantService, TenantServices } from '../tenant-services.ts';

export interface WalletCredentialParts {
  tree: ResourceTree;
  repository: ResourceRepository;
  services: Pick<TenantServices, 'dependenciesOf' | 'dependency'>;
  formats: CredentialFormats;
  clock: Clock;
  turns: Turns;
}

/** Credentials with what is not shown of them. */
const { shown: _, ...HELD } = RESOURCE_KINDS.credentials;

/** The most entries of a credential store into which wallets receive, so that a presentation has a bound. */
const MOST = 1000;

/** What a store shows of a credential, by the member that names its type. */
const SHOWN_TYPES = {
  vct: () => 'vc-sd_jwt',
  doc_type: () => 'vc-mdocs',
  type: (document: JsonObject) =>
    asList(document['@context']).includes('https://www.w3.org/ns/credentials/v2') ? 'vc-w3c_2' : 'vc-w3c_1_1',
} as const;

/** The credentials of a wallet of a tenant: entries of the credential stores that it depends on; new ones go into the first. */
export class WalletCredentials implements HolderCredentials, Pick<Credentials, 'get' | 'replace'> {
  constructor(
    private readonly parts: WalletCredentialParts,
    private readonly service: TenantService,
  ) {}

  /** Those that the wallet received, of all stores. @throws DomainError `Conflict` when a store has more than 1,000 */
  async usable(): Promise<StoredCredential[]> {
    const { repository, turns } = this.parts;
    const stores = await this.#stores();
    const each = await Promise.all(stores.map((store) => allChildren(repository, HELD, store)));
    const received = each.flat().flatMap(({ _id: id, held }) => (held ? { id, held } : []));
    return mapInTurns(turns, received, ({ id, held }) => this.#read(id, held));
  }

  /** @throws DomainError `NotFound` for one that is in no store of the wallet */
  async get(_owner: string, id: Target): Promise<StoredCredential> {
    const isOwn = (await this.#stores()).includes(parentOf(id));
    const held = isOwn ? (await this.parts.repository.get(HELD, id))?.held : undefined;
    if (!held) throw nothingAt(id);
    return this.#read(id, held);
  }

  /** As `Credentials.takeCopy`. */
  async takeCopy(_owner: string, credential: StoredCredential): Promise<StoredCredential> {
    const { id, copies } = credential;
    if (copies === undefined || copies.length === 0) return credential;
    const { before } = await this.#change(id, (held) => {
      const [next, ...others] = held.copies ?? [];
      return next ? { ...held, ...next, copies: others } : held;
    });
    return this.#read(id, before);
  }

  /** As `Credentials.replace`. */
  async replace(_owner: string, id: Target, { key, copies, ...renewed }: IssuedRecord): Promise<StoredCredential> {
    const { after } = await this.#change(id, (held) => ({ ...held, ...renewed, key, copies }));
    return this.#read(id, after);
  }

  /** @throws DomainError `Conflict` without a credential store, and for one that is full */
  async requireRoom(): Promise<void> {
    const store = await this.#store();
    if (await this.parts.repository.has(HELD, store, MOST - 1))
      throw new DomainError('Conflict', `${store} has ${MOST} credentials: remove one first`);
  }

  /** Stores credentials that were received together, all or none; one that is there stays. @throws DomainError `Conflict` */
  async addAll(_owner: string, arrived: CredentialRecord[]): Promise<StoredCredential[]> {
    const { tree, repository, clock } = this.parts;
    const store = await this.#store();
    const [all, added]: [StoredCredential[], Target[]] = [[], []];
    try {
      for (const { pending: _, ...issued } of arrived) {
        const target = childOf(store, fingerprint(issued.document));
        const held: HeldCredential = { ...issued, addedAt: clock.now() };
        const credential = await this.#read(target, held);
        const content = { credential: shownCredential(credential, this.parts.formats), held };
        const isNew = await tree
          .add(HELD, target, { content }, MOST)
          .catch((error) => this.#unlessThere(target, error));
        if (isNew) added.push(target);
        all.push(credential);
      }
      return all;
    } catch (error) {
      for (const target of added) await repository.withdraw(HELD, target);
      throw error;
    }
  }

  #stores(): Promise<readonly Target[]> {
    return this.parts.services.dependenciesOf(this.service, 'credential-store');
  }

  /** Changes an entry, of two at once one after the other. @throws DomainError `NotFound` */
  #change(target: Target, change: (held: HeldCredential) => HeldCredential) {
    const { repository, formats } = this.parts;
    return retried(async () => {
      const state = await repository.state(HELD, target);
      const before = state?.resource.held;
      if (!state || !before) throw nothingAt(target);
      const after = change(before);
      if (after === before) return { before, after };
      const content = { credential: shownCredential(await this.#read(target, after), formats), held: after };
      return (await repository.rewrite(HELD, state, { content })) && { before, after };
    });
  }

  #store(): Promise<Target> {
    return this.parts.services.dependency(this.service, 'credential-store');
  }

  /** The entry of a document has its digest as its name. */
  async #unlessThere(target: Target, error: unknown): Promise<undefined> {
    if (!isDomainError(error, 'Conflict') || !(await this.parts.tree.exists(HELD, target))) throw error;
  }

  async #read(id: Target, held: HeldCredential): Promise<StoredCredential> {
    return { id, ...held, pending: false, categories: [], parsed: await this.#parse(held) };
  }

  /** One that cannot be parsed any more matches no request. */
  async #parse({ format, document }: HeldCredential): Promise<ParsedCredential | undefined> {
    const { codec } = this.parts.formats.supported(format) ?? {};
    return codec?.parse(document).catch(ignoring('BadRequest'));
  }
}

function shownCredential(
  { format, document: signed, parsed }: StoredCredential,
  formats: CredentialFormats,
): JsonObject & { type: string } {
  const selector = formats.known(format)?.selector ?? 'type';
  const { document: credentialData = {} } = parsed ?? {};
  return { type: SHOWN_TYPES[selector](credentialData), credentialData, signed };
}
