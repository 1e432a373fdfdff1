import type { TestServer } from '../support/servers/server.ts';

type Json = Record<string, unknown>;

/** What the certificate of an authority in tests says. */
export const IACA_DATA = {
  country: 'ZZ',
  stateOrProvinceName: 'Example State',
  organizationName: 'Example Authority',
  commonName: 'Example IACA',
  issuerAlternativeNameConf: { email: 'authority@example.org', uri: 'https://authority.example.org' },
  crlDistributionPointUri: 'https://authority.example.org/iaca.crl',
};

/** What the certificate of a document signer in tests says. */
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
  iacaKey: Json;
  certificatePEM: string;
  certificateData: Json;
  certificateValidationResult: Json[];
}

/** Creates an authority; `key` is that of the request. */
export async function makeIaca(server: TestServer, key?: Json, changes: Json = {}): Promise<Iaca> {
  const json = { certificateData: { ...IACA_DATA, ...changes }, ecKeyGenRequestParams: key };
  const { status, body } = await server.call('onboardIaca', { json });
  if (status !== 200) throw new Error(JSON.stringify(body));
  return body;
}

/** The request for a document signer below an authority; `changes` replaces members. */
export const signerRequest = ({ iacaKey, certificatePEM: iacaPem }: Iaca, changes: Json = {}): Json => ({
  iacaSigner: { iacaKey, iacaPem },
  certificateData: SIGNER_DATA,
  ...changes,
});
