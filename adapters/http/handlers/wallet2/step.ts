import { at, DomainError, invalidField } from '../../../../domain/foundation/errors.ts';
import type { HolderChoice } from '../../../../domain/holdings/dids.ts';
import type { ReceivedOffer } from '../../../../domain/wallet/issuance/offer-redemption.ts';
import { UnacceptableCredential } from '../../../../domain/wallet/issuance/received-credential.ts';
import { withoutWords } from '../../../../domain/wallet/protocol-client.ts';
import type { components } from '../../../../openapi/types.ts';
import type { Handlers } from '../../messages/operations.ts';
import type { WalletServices } from '../wallet/services.ts';

/** Some handlers of the exchange. */
export type Part = Partial<Handlers<'wallet2-exchange'>>;

/** What the exchange needs, of the wallets of accounts or of one of a tenant. */
export type StepServices = Pick<
  WalletServices,
  'offers' | 'authorizations' | 'tokenSteps' | 'batchSteps' | 'credentialSteps' | 'presenting'
> & { keys: Pick<WalletServices['keys'], 'read'> };

type Schemas = components['schemas'];
/** An offer by its link or as it is. */
type StatedOffer = Schemas['OfferToResolve'];
/** A key, or the name of one, or a DID. */
type StatedHolder = Pick<Schemas['OfferToReceive'], 'key' | 'keyId' | 'did'>;

/** Runs a step whose errors name members of the body, and quote no counterparty. */
export const step = <T>(work: () => Promise<T>, place: Record<string, string[]> = {}): Promise<T> =>
  at(['body'], () => at(place, work)).catch((error: unknown) => {
    throw error instanceof UnacceptableCredential
      ? new DomainError('UpstreamFailed', error.message, { cause: error })
      : withoutWords(error);
  });

/** The link of an offer. @throws DomainError `BadRequest` unless there is one offer */
export function linkOf({ offerUrl, offerJson }: StatedOffer): string {
  if ((offerUrl === undefined) === (offerJson === undefined))
    throw invalidField(['offerUrl'], 'is required, or offerJson in its place');
  const offer = encodeURIComponent(JSON.stringify(offerJson));
  return offerUrl ?? `openid-credential-offer://?credential_offer=${offer}`;
}

/** Where errors name the link of an offer. */
export const placeOf = ({ offerUrl }: StatedOffer): Record<string, string[]> => ({
  link: [offerUrl === undefined ? 'offerJson' : 'offerUrl'],
});

/** Reads with which key and DID a call is made. */
export const holderReader =
  ({ keys }: Pick<StepServices, 'keys'>) =>
  async ({ key, keyId, did }: StatedHolder): Promise<Pick<HolderChoice, 'key' | 'keyId'> & { did?: string }> => ({
    ...(key && { key: await at({ jwk: ['key', 'jwk'] }, () => keys.read(key.jwk)) }),
    ...(keyId !== undefined && { keyId }),
    ...(did !== undefined && { did }),
  });

const MAX_METADATA = 16 * 1024;

/** What a caller keeps with a credential. @throws DomainError `BadRequest` for too much */
export function notesOf({ label, metadata }: Pick<Schemas['CredentialToFetch'], 'label' | 'metadata'>) {
  if (JSON.stringify(metadata ?? {}).length > MAX_METADATA)
    throw invalidField(['metadata'], `may have at most ${MAX_METADATA} characters as JSON`);
  return { ...(label !== undefined && { label }), ...(metadata && { metadata }) };
}

/** The credentials that were stored, and those that come later. */
export const receivedView = ({ credentials, deferred }: ReceivedOffer) => ({
  credentialIds: credentials.map(({ id }) => id),
  deferredTransactionIds: Object.fromEntries(
    deferred.map(({ configurationId, id, transactionId = id }) => [configurationId, transactionId]),
  ),
});
