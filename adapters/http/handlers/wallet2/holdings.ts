import { at, DomainError, invalidField, replacing } from '../../../../domain/foundation/errors.ts';
import { isoMillis } from '../../../../domain/foundation/time.ts';
import type { StoredCredential } from '../../../../domain/holdings/credentials.ts';
import type { KeySummary } from '../../../../domain/holdings/keys.ts';
import { labelOf } from '../../../../domain/holdings/records.ts';
import { KEY_TYPES } from '../../../../domain/jose/key-types.ts';
import { readCredential } from '../../../../domain/wallet/wallets/read-credential.ts';
import { done, type Handlers, originOf, reply, replyToBody } from '../../messages/operations.ts';
import { ownKey } from '../wallet/input.ts';
import type { Wallet2Services } from './services.ts';

type Part = Partial<Handlers<'wallet2'>>;

/** The operations on keys. */
export const keyHandlers = ({ keys }: Wallet2Services) => {
  const shown = async (owner: string, id: string) => {
    const { keyType } = await keys.describe({ owner, id });
    return { keyId: id, keyType };
  };
  return {
    listWallet2Keys: reply(200, async ({ walletId }) => (await keys.list(walletId)).map(keyView)),
    generateWallet2Key: replyToBody(201, async ({ walletId, body, caller }) => {
      const { backend = 'jwk', keyType = 'secp256r1', name, config } = body;
      const wanted = { backend, keyType, name, config, ...originOf(caller) };
      return shown(walletId, await keys.create(walletId, wanted));
    }),
    importWallet2Key: reply(201, async ({ walletId, body }) => {
      const reference = await at({ jwk: ['body', 'key', 'jwk'] }, () => keys.read(body.key.jwk));
      return shown(walletId, await keys.adopt(walletId, { reference }));
    }),
    getWallet2Key: reply(200, ({ walletId, path }) => shown(walletId, path.keyId)),
    deleteWallet2Key: done(204, (input) => keys.remove(ownKey(input))),
    setDefaultWallet2Key: done(204, (input) => at({ keyId: ['path', 'keyId'] }, () => keys.makeDefault(ownKey(input)))),
  } satisfies Part;
};

const keyView = ({ id: keyId, keyType }: KeySummary) => ({ keyId, keyType, algorithm: KEY_TYPES[keyType].alg });

/** The operations on DIDs. */
export const didHandlers = ({ keys, dids, didImports }: Wallet2Services) => {
  const shown = async (walletId: string, did: string) => ({ did, document: await dids.document(walletId, did) });
  return {
    listWallet2Dids: reply(200, async ({ walletId }) =>
      (await dids.list(walletId)).map(({ did, document }) => ({ did, document })),
    ),
    createWallet2Did: reply(201, async ({ walletId, body, caller }) => {
      const { method, options: config } = body;
      const keyId = body.keyId ?? (await keys.defaultKey(walletId));
      if (keyId === undefined) throw new DomainError('BadRequest', 'This wallet has no key');
      const wanted = { method, keyId, config, origin: originOf(caller) };
      const unknown = replacing('NotFound', () => invalidField(['keyId'], 'is no key of this wallet'));
      const place = { method: ['body', 'method'], keyId: ['body', 'keyId'], config: ['body', 'options'] };
      return shown(walletId, await at(place, () => dids.create(walletId, wanted).catch(unknown)));
    }),
    importWallet2Did: replyToBody(201, async ({ walletId, body }) => ({
      did: body.did,
      document: await didImports.importHeld(walletId, body),
    })),
    getWallet2Did: reply(200, ({ walletId, path }) => shown(walletId, path.did)),
    deleteWallet2Did: done(204, ({ walletId, path }) => dids.remove(walletId, path.did)),
    setDefaultWallet2Did: done(204, ({ walletId, path }) => {
      const unknown = replacing('NotFound', () => invalidField(['path', 'did'], 'is no DID of this wallet'));
      return dids.makeDefault(walletId, path.did).catch(unknown);
    }),
  } satisfies Part;
};

/** The operations on credentials. */
export const credentialHandlers = ({ credentials, imports, removals, formats }: Wallet2Services) => {
  const shown = (stored: StoredCredential) => {
    const { id, metadata, addedAt } = stored;
    const label = labelOf(stored);
    return {
      id,
      credential: readCredential(stored, formats),
      ...(label !== undefined && { label }),
      addedAt: isoMillis(addedAt),
      ...(metadata && { metadata }),
    };
  };
  /** What wallet API 1 marked as deleted is gone here, and what is pending has yet to be accepted there. */
  const present = async (walletId: string, id: string): Promise<StoredCredential> => {
    const stored = await credentials.get(walletId, id);
    if (stored.deletedAt === undefined && !stored.pending) return stored;
    throw new DomainError('NotFound', `This wallet has no credential ${id.slice(0, 80)}`);
  };
  return {
    listWallet2Credentials: reply(200, async ({ walletId, query: { limit, offset } }) => {
      const page = { showDeleted: false, showPending: false, descending: false, limit, offset };
      return (await credentials.list(walletId, page)).map(entryView);
    }),
    importWallet2Credential: reply(201, async ({ walletId, body: { rawCredential: jwt, label } }) =>
      shown(await at({ jwt: ['body', 'rawCredential'] }, () => imports.import(walletId, { jwt, label }))),
    ),
    getWallet2Credential: reply(200, async ({ walletId, path }) => shown(await present(walletId, path.credentialId))),
    deleteWallet2Credential: done(204, async ({ walletId, path }) => {
      const { id } = await present(walletId, path.credentialId);
      await removals.remove(walletId, id, true);
    }),
  } satisfies Part;
};

const entryView = ({ id, format, parsed, addedAt, ...stored }: StoredCredential) => {
  const label = labelOf(stored);
  return {
    id,
    format,
    ...(parsed && { issuer: parsed.issuer.id }),
    ...(parsed?.subject !== undefined && { subject: parsed.subject }),
    ...(label !== undefined && { label }),
    addedAt: isoMillis(addedAt),
  };
};
