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
    const { body, isUnattended } = translated(input.body);
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
  'requestToken',
  'requestNonce',
  'signProof',
  'fetchCredential',
  'collectDeferred',
  'createAuthorizationUrl',
  'exchangeCode',
  'receiveAuthorized',
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
      const { target } = (input as unknown as MountedRequest).path;
      const { owner: walletId, ...services } = await exchange(target, { isUnattended: false });
      const { [step]: taken } = { ...receivingHandlers(services), ...presentingHandlers(services) };
      return (taken as unknown as AnyHandler)(Object.assign({}, input, callOf(walletId)));
    };
    return [mountedName(step), handler] as const;
  });
  return Object.fromEntries(mounted);
}

/** The members of a body that have other names at wallets of accounts, or none. */
type WrittenCall = Pick<Schemas['TenantOfferToReceive'], 'keyId' | 'keyReference' | 'runPolicies'>;

/** A body as a wallet of an account takes it. */
function translated<B extends WrittenCall>({ keyReference, runPolicies: isUnattended = false, ...body }: B) {
  if (body.keyId !== undefined && keyReference !== undefined)
    throw invalidField(['body', 'keyReference'], 'is another name of keyId: only one of them may be given');
  return { body: keyReference === undefined ? body : { ...body, keyId: keyReference }, isUnattended };
}

/** Errors name the members as the caller wrote them. */
function inWordsOf<T>({ body: { keyReference } }: { body: WrittenCall }, answer: Promise<T>): Promise<T> {
  if (keyReference === undefined) return answer;
  return answer.catch((error: unknown) => {
    if (!isDomainError(error) || !error.details) throw error;
    const named = (path: FieldPath) => path.map((part, at) => (at === 1 && part === 'keyId' ? 'keyReference' : part));
    const details = error.details.map(({ path, message }) => ({ path: named(path), message }));
    throw fieldErrors(details, { ...error, cause: error });
  });
}

/** Where the call is one to a wallet of an account. */
const callOf = (walletId: string) => ({ walletId, path: { wallet: walletId } });
