import type { Schemas } from '../../../client/client.ts';

export type Session = Schemas['IssuanceSession'];
export type Profile = Schemas['IssuanceProfile'];
export type Offer = Schemas['CreatedCredentialOffer'];
export type OfferRequest = Omit<Schemas['CredentialOfferRequest'], 'valueMode'>;
export type BulkAnswer = Schemas['BulkOfferLine'];
