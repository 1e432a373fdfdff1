import { at, fieldErrors, invalidField, isDomainError } from '../../../../domain/foundation/errors.ts';
import type { FieldPath } from '../../../../domain/foundation/field-paths.ts';
import type { TenantWallets, WalletOptions } from '../../../../domain/tenancy/services/wallets/tenant-wallets.ts';
import type { components } from '../../../../openapi/types.ts';
import { type Handlers, replyUncached } from '../../messages/operations.ts';
import { presentingHandlers } from '../wallet2/presenting.ts';
import { receivingHandlers } from '../wallet2/receiving.ts';
import type { StepServices } from '../wallet2/step.ts';

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

/** The wallets of tenants: each call is one to a wallet of an account, in other words. */
export const tenantWalletHandlers = ({ exchange, wallets }: TenantWalletServices): Handlers<'tenant-wallet'> => {
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
  };
};

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
