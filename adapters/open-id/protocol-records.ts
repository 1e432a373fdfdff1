import { type Adapter, type AdapterPayload, errors } from 'oidc-provider';
import { insertFirst, update, upsert } from '../../domain/foundation/records.ts';
import type { Clock } from '../../ports/system.ts';
import type { ProtocolRecords } from './stored-records.ts';

/** Where what can be used once was used before; by kind. */
const USED: Readonly<Record<string, () => Error>> = {
  AuthorizationCode: () => new errors.InvalidGrant('authorization code already consumed'),
  PushedAuthorizationRequest: () => new errors.InvalidRequestUri('request_uri was already used'),
  ReplayDetection: () => new errors.InvalidClientAuth('client assertion tokens must only be used once'),
};

/**
 * The records of a provider of one kind, as the library asks for them. Of two who use a code or a pushed request at once
 * one does; tokens are gone with the grant that they were made from.
 */
export class ProtocolAdapter implements Adapter {
  constructor(
    private readonly kind: string,
    /** Whose records they are: other providers do not find them. */
    private readonly parts: { server: string; records: ProtocolRecords; clock: Clock },
  ) {}

  async upsert(id: string, payload: AdapterPayload, expiresIn: number): Promise<void> {
    const { records, clock } = this.parts;
    const expiresAt = clock.now() + expiresIn * 1000;
    // Its records say that something was used: one that exists was used before.
    if (this.kind === 'ReplayDetection') {
      if (await insertFirst(records, { id: this.#id(id), value: payload, expiresAt })) return;
      throw this.#used();
    }
    const write = (key: string, value: AdapterPayload) =>
      upsert({ collection: records, key: { id: key }, change: () => value, expiresAt: () => expiresAt });
    await write(this.#id(id), payload);
    // Tokens name their session by an id that stays when that of its cookie changes.
    if (this.kind === 'Session' && payload.uid) await write(this.#id(payload.uid, 'SessionUid'), { uid: id });
  }

  async find(id: string): Promise<AdapterPayload | undefined> {
    const found = (await this.parts.records.get({ id: this.#id(id) }))?.value;
    const grant = this.kind === 'Grant' ? undefined : found?.grantId;
    if (grant === undefined) return found;
    return (await this.parts.records.get({ id: this.#id(grant, 'Grant') })) ? found : undefined;
  }

  async consume(id: string): Promise<void> {
    const { records, clock } = this.parts;
    await update({
      collection: records,
      key: { id: this.#id(id) },
      change: (payload) => {
        if (payload.consumed) throw this.#used();
        return { ...payload, consumed: Math.floor(clock.now() / 1000) };
      },
    });
  }

  async destroy(id: string): Promise<void> {
    await this.parts.records.remove({ id: this.#id(id) });
  }

  async revokeByGrantId(grantId: string): Promise<void> {
    await this.parts.records.remove({ id: this.#id(grantId, 'Grant') });
  }

  async findByUid(uid: string): Promise<AdapterPayload | undefined> {
    const id = (await this.parts.records.get({ id: this.#id(uid, 'SessionUid') }))?.value.uid;
    return id === undefined ? undefined : this.find(id);
  }

  /** There are no codes for devices. */
  async findByUserCode(): Promise<undefined> {}

  #used(): Error {
    return USED[this.kind]?.() ?? new errors.InvalidRequest('it was used already');
  }

  #id(id: string, kind: string = this.kind): string {
    return `${this.parts.server} ${kind} ${id}`;
  }
}
