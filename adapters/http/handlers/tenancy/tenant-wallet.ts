import { at, fieldErrors, invalidField, isDomainError } from '../../../../domain/foundation/errors.ts';
import type { FieldPath } from '../../../../domain/foundation/field-paths.ts';
import type { TenantWallets, WalletOptions } from '../../../../domain/tenancy/services/wallets/tenant-wallets.ts';
import type { components } from '../../../../openapi/types.ts';
import { type AnyHandler, type Handlers, replyUncached } from '../../messages/operations.ts';
import { presentingHandlers } from '../wallet2/presenting.ts';
import { receivingHandlers } from '../wallet2/receiving.ts';
import type { StepServices } from '../wallet2/step.ts';
import { type MountedRequest, mountedName } from './mounted.ts';

/** The exchange of the wallet of a tenant during one call. */
export interface TenantExchange extends StepServices {
  /** What its records are stored under. */
  owner: string;
}

/** What the handlers of the document `tenant-wallet` need. */
export interface TenantWalletServices {
  wallets: TenantWallets;
  /** As of `Resources`. */
  credentialGone(target: string): void;
  /** @throws DomainError `NotFound` */
  exchange(target: string, options: WalletOptions): Promise<TenantExchange>;
}

type Schemas = components['schemas'];

/** The wallets of tenants: each call is one to a wallet of an account. */
export const tenantWalletHandlers = (services: TenantWalletServices) => ({
  ...stepHandlers(services),
  ...wholeHandlers(services),
});

/** What receives and presents in one call, in other words than at a wallet of an account. */
const wholeHandlers = ({ exchange, wallets }: TenantWalletServices) => {
  const receive: Handlers<'tenant-wallet'>['receiveTenantCredentials'] = async (input) => {
    const { credentials, ...written } = input.body;
    const { body: offer, isUnattended } = translated(written);
    const body = { ...offer, ...(credentials && { credentials: credentials.map(translatedSelection) }) };
    const { owner: walletId, ...services } = await exchange(input.path.target, { isUnattended });
    return inWordsOf(input, receivingHandlers(services).receiveCredentials({ ...input, ...callOf(walletId), body }));
  };
  return {
    receiveTenantCredentials: receive,
    receiveTenantPreAuthorized: receive,
    presentTenantCredentials: async (input) => {
      const { body, isUnattended } = translated(input.body);
      const { owner: walletId, ...services } = await exchange(input.path.target, { isUnattended });
      return inWordsOf(input, presentingHandlers(services).presentToVerifier({ ...input, ...callOf(walletId), body }));
    },
    obtainClientAttestation: replyUncached(200, ({ path, body }) =>
      at(['body'], () => wallets.obtainAttestation(path.target, body)),
    ),
  } satisfies Partial<Handlers<'tenant-wallet'>>;
};

/** The steps, by the names of the operations that are mounted. */
const STEPS = [
  'resolveOffer',
  'resolveOfferBatch',
  'listPendingCredentials',
  'resumePendingCredential',
  'requestToken',
  'requestNonce',
  'signProof',
  'fetchCredential',
  'collectDeferred',
  'createAuthorizationUrl',
  'createAuthorizationUrlBatch',
  'exchangeCode',
  'receiveAuthorized',
  'receiveAuthorizedBatch',
  'presentGivenCredentials',
  'resolveRequest',
  'matchGivenCredentials',
  'matchStoredCredentials',
  'previewRequest',
  'buildVpToken',
  'sendResponse',
  'rejectRequest',
] as const satisfies (keyof Handlers<'wallet2-exchange'>)[];

/** Each step is taken by a person, for whom the policies of the wallet count too. */
function stepHandlers({ exchange }: TenantWalletServices): Record<string, AnyHandler> {
  const mounted = STEPS.map((step) => {
    const handler: AnyHandler = async (input) => {
      const { path } = input as unknown as MountedRequest;
      const { owner: walletId, ...services } = await exchange(path.target, { isUnattended: false });
      const { [step]: taken } = { ...receivingHandlers(services), ...presentingHandlers(services) };
      const call = { walletId, path: { ...path, wallet: walletId } };
      return (taken as unknown as AnyHandler)(Object.assign({}, input, call));
    };
    return [mountedName(step), handler] as const;
  });
  return Object.fromEntries(mounted);
}

/** The members of a body that have other names at wallets of accounts, or none. */
type WrittenCall = Pick<Schemas['TenantOfferToReceive'], 'keyId' | 'keyReference' | 'runPolicies'>;

/** The other names of members, by those that wallets of accounts have. */
const OTHER_NAMES: Readonly<Record<string, string>> = { keyId: 'keyReference', did: 'didReference' };

/** A body as a wallet of an account takes it. */
function translated<B extends WrittenCall>({ runPolicies: isUnattended = false, ...written }: B) {
  return { body: at(['body'], () => underOneName(written)), isUnattended };
}

/** A selection of an offer as a wallet of an account takes it. */
const translatedSelection = (
  { holderBindings, ...one }: NonNullable<Schemas['TenantOfferToReceive']['credentials']>[number],
  index: number,
) => {
  const place = (binding: number) => ['body', 'credentials', index, 'holderBindings', binding];
  const bindings = holderBindings?.map((binding, position) => at(place(position), () => underOneName(binding)));
  return { ...one, ...(bindings && { holderBindings: bindings }) };
};

/** @throws DomainError `BadRequest` naming a member that is given by both of its names */
function underOneName<W extends Schemas['TenantHolderBinding']>({ keyReference, didReference, ...written }: W) {
  const renamed = { keyId: keyReference, did: didReference };
  for (const [name, value] of Object.entries(renamed))
    if (value !== undefined && name in written)
      throw invalidField([OTHER_NAMES[name] ?? ''], `is another name of ${name}: only one of them may be given`);
  return { ...written, ...(keyReference && { keyId: keyReference }), ...(didReference && { did: didReference }) };
}

/** Errors name the members as the caller wrote them. */
function inWordsOf<T>(written: { body: object }, answer: Promise<T>): Promise<T> {
  const isWritten = (parents: FieldPath, name: string): boolean => {
    const parent = parents.reduce<unknown>((value, part) => Object(value)[part], written);
    return Object.hasOwn(Object(parent), name);
  };
  const nameAt = (path: FieldPath, place: number) => {
    const part = path[place] ?? '';
    const other = OTHER_NAMES[part];
    return other !== undefined && isWritten(path.slice(0, place), other) ? other : part;
  };
  return answer.catch((error: unknown) => {
    if (!isDomainError(error) || !error.details) throw error;
    const named = (path: FieldPath) => path.map((_, place) => nameAt(path, place));
    const details = error.details.map(({ path, message }) => ({ path: named(path), message }));
    throw fieldErrors(details, { ...error, cause: error });
  });
}

/** Where the call is one to a wallet of an account. */
const callOf = (walletId: string) => ({ walletId, path: { wallet: walletId } });
