import type { JsonObject } from '../../domain/foundation/json.ts';
import { member, textOf } from '../http-client.ts';
import { type Caller, perform } from '../services.ts';

/** What the certificate of an authority says. */
export const IACA_DATA = {
  country: 'ZZ',
  stateOrProvinceName: 'Example State',
  organizationName: 'Example Authority',
  commonName: 'Example IACA',
  issuerAlternativeNameConf: { email: 'authority@example.org', uri: 'https://authority.example.org' },
  crlDistributionPointUri: 'https://authority.example.org/iaca.crl',
};

/** What the certificate of a document signer says. */
export const SIGNER_DATA = {
  country: 'ZZ',
  stateOrProvinceName: 'Example State',
  organizationName: 'Example Authority',
  localityName: 'Example Town',
  commonName: 'Example Document Signer',
  crlDistributionPointUri: 'https://authority.example.org/signers.crl',
};

/** The answer for an authority. */
export interface Iaca {
  iacaKey: JsonObject;
  certificatePEM: string;
  certificateData: JsonObject;
  certificateValidationResult: JsonObject[];
}

/** Creates an authority; `key` is that of the request. */
export async function makeIaca(caller: Caller, key?: JsonObject, changes: JsonObject = {}): Promise<Iaca> {
  const json = { certificateData: { ...IACA_DATA, ...changes }, ecKeyGenRequestParams: key };
  return (await perform(caller, 'onboardIaca', { json })) as Iaca;
}

/** The request for a document signer below an authority; `changes` replaces members. */
export const signerRequest = ({ iacaKey, certificatePEM: iacaPem }: Iaca, changes: JsonObject = {}): JsonObject => ({
  iacaSigner: { iacaKey, iacaPem },
  certificateData: SIGNER_DATA,
  ...changes,
});

/** The document type of a photo ID and the namespace of its elements (ISO 23220). */
export const PHOTO_ID = { docType: 'org.iso.23220.photoid.1', namespace: 'org.iso.23220.1' } as const;

/** An offer of a photo ID by a document signer below an authority; returns its URL. */
export async function offerPhotoId(caller: Caller, authority: Iaca): Promise<string> {
  const signer = await perform(caller, 'onboardDocumentSigner', { json: signerRequest(authority) });
  const json = {
    issuerKey: member(signer, 'documentSignerKey'),
    x5Chain: member(signer, 'x5Chain'),
    credentialConfigurationId: PHOTO_ID.docType,
    mdocData: {
      [PHOTO_ID.namespace]: {
        family_name_unicode: 'Example',
        given_name_unicode: 'Alice',
        birth_date: '1990-01-31',
        age_over_18: true,
      },
    },
  };
  return textOf(await perform(caller, 'issueMdoc', { json }));
}
