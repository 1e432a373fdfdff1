import type { Collection, PageQuery, Store, Stored } from '../../../ports/store.ts';
import type { Ids, Random } from '../../../ports/system.ts';
import { base64url, fingerprint } from '../../foundation/bytes.ts';
import { readAll } from '../../foundation/records.ts';
import { isoMillis } from '../../foundation/time.ts';
import type { RoleReference } from '../access/permissions.ts';
import type { Target } from '../access/targets.ts';

/** An invitation to an account with a role, as callers see it. */
export interface InvitationView {
  _id: string;
  email: string;
  role: Target;
  createdDateTime: string;
  expiresDateTime: string;
}

/** An invitation to create. `expiresAt` is milliseconds since the epoch. */
interface NewInvitation {
  target: Target;
  email: string;
  role: RoleReference;
  expiresAt: number;
}

/** What the holder of a token is invited to. */
export interface OpenInvitation {
  target: Target;
  id: string;
  email: string;
  role: RoleReference;
}

interface ListedInvitation {
  email: string;
  role: RoleReference;
  digest: string;
}

const TOKEN_BYTES = 32;

/**
 * Invitations. The record of the token decides whether an invitation is open; the record by which its target lists it is
 * written before and removed after it.
 */
export class Invitations {
  readonly #open: Collection<OpenInvitation>;
  readonly #listed: Collection<ListedInvitation>;

  constructor(
    private readonly parts: {
      store: Store;
      ids: Ids;
      random: Random;
    },
  ) {
    this.#open = parts.store.collection({ name: 'invitation-tokens', afterRestore: 'void' });
    this.#listed = parts.store.collection({ name: 'invitations', listed: true, afterRestore: 'void' });
  }

  /** Creates an invitation and returns its token, which is shown once. */
  async create({ target, email, role, expiresAt }: NewInvitation): Promise<{ token: string; view: InvitationView }> {
    const { ids, random } = this.parts;
    const id = ids.uuid();
    const token = base64url(random.bytes(TOKEN_BYTES));
    const digest = fingerprint(token);
    const listed = await this.#listed.insert({ parent: target, id, value: { email, role, digest }, expiresAt });
    await this.#open.insert({ id: digest, value: { target, id, email, role }, expiresAt });
    return { token, view: viewOf(listed) };
  }

  /** The open invitation of a token. */
  async find(token: string): Promise<OpenInvitation | undefined> {
    return (await this.#open.get({ id: fingerprint(token) }))?.value;
  }

  /** Uses a token; of many at once one finds the invitation open. */
  async take(token: string): Promise<boolean> {
    const taken = (await this.#open.take({ id: fingerprint(token) }))?.value;
    if (taken) await this.#listed.remove({ parent: taken.target, id: taken.id });
    return taken !== undefined;
  }

  /** The open invitations of one target. */
  async page(query: PageQuery): Promise<InvitationView[]> {
    return (await this.#listed.list(query)).map(viewOf);
  }

  /** Ends an invitation of a target; returns whether there was one. */
  async remove(target: Target, id: string): Promise<boolean> {
    const digest = (await this.#listed.get({ parent: target, id }))?.value.digest;
    if (digest === undefined) return false;
    await this.#open.remove({ id: digest });
    return this.#listed.remove({ parent: target, id });
  }

  /** Ends all invitations of a target. */
  async removeAll(target: Target): Promise<void> {
    for (const { id } of await readAll({ collection: this.#listed, parent: target })) await this.remove(target, id);
  }
}

const viewOf = ({ id, value, createdAt, expiresAt }: Stored<ListedInvitation>): InvitationView => ({
  _id: id,
  email: value.email,
  role: value.role.target,
  createdDateTime: isoMillis(createdAt),
  expiresDateTime: isoMillis(expiresAt ?? createdAt),
});
