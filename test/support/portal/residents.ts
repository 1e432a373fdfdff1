import { KMS } from '../../actors/tenant.ts';
import { ok } from '../../actors/tenant-certificates.ts';
import { createIssuer, ISSUER } from '../../actors/tenant-issuer.ts';
import { newWalletUser, type WalletUser } from '../../actors/wallet-user.ts';
import type { OfficeWorld } from './office.ts';

export const STATUS = 'acme.t1.status1';

/** A PNG of one pixel. */
export const PORTRAIT =
  'data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==';

const label = (en: string, de: string) => [
  { locale: 'en', name: en },
  { locale: 'de', name: de },
];

/** A type with a picture, a group, a list and two languages. */
const RESIDENT = {
  id: 'resident-card',
  display: label('Resident card', 'Meldekarte'),
  claims: [
    { path: ['family_name'], type: 'text', mandatory: true, label: label('Family name', 'Nachname') },
    { path: ['birth_date'], type: 'date', label: label('Date of birth', 'Geburtstag') },
    { path: ['portrait'], type: 'picture', label: label('Portrait', 'Bild') },
    { path: ['address'], type: 'object', label: label('Address', 'Anschrift') },
    { path: ['address', 'street'], type: 'text', label: label('Street', 'Straße') },
    { path: ['languages'], type: 'list', items: 'text', label: label('Languages', 'Sprachen') },
  ],
  formats: ['dc+sd-jwt', 'jwt_vc_json'],
  card: { backgroundColor: '#0b4f8a', textColor: '#ffffff' },
  revocable: true,
};

const VALUES = {
  family_name: 'Lovelace',
  birth_date: '1990-12-10',
  portrait: PORTRAIT,
  address: { street: 'High Street 1' },
  languages: ['en', 'fr'],
};

/** A person whose wallet has a resident card. */
export interface Resident {
  wallet: WalletUser;
  /** The card in the wallet. */
  card: string;
  /** Answers the request of a link with the card; returns the status of the answer. */
  answer(link: string): Promise<number>;
}

/** Makes an issuer of the unit with the type. */
export async function makeIssuer(world: OfficeWorld): Promise<void> {
  await ok(world.post('createService', STATUS, { type: 'credential-status', dependencies: [KMS] }), 201);
  await ok(createIssuer(world, { supportedCredentialTypes: {}, profiles: {}, dependencies: [KMS, STATUS] }), 201);
  await ok(world.post('createCredentialType', ISSUER, RESIDENT), 201);
}

/** Issues a resident card, with the file number of the office, to a new wallet. */
export async function newResident(
  world: OfficeWorld,
  reference: string,
  more: { recipient?: string } = {},
): Promise<Resident> {
  const wallet = await newWalletUser(world.server);
  const { credentialOffer } = await ok(
    world.post('tenantCreateCredentialOffer', ISSUER, {
      profileId: 'resident-card_dc-sd-jwt',
      authMethod: 'PRE_AUTHORIZED',
      reference,
      ...more,
      runtimeOverrides: { credentialData: VALUES },
    }),
    201,
  );
  const [card] = await ok(wallet.call('acceptCredentialOffer', { text: credentialOffer }));
  const answer = async (link: string): Promise<number> => {
    const json = { presentationRequest: link, selectedCredentials: [card.id] };
    return (await wallet.call('presentCredentials', { json })).status;
  };
  return { wallet, card: card.id, answer };
}

/** Revokes the card with a file number, as the list of issued cards does. */
export async function revoke(world: OfficeWorld, reference: string): Promise<void> {
  const path = { target: ISSUER };
  const call = { path, token: world.root };
  const [found] = await ok(world.server.call('listIssuedCredentials', { ...call, query: { reference } }));
  const change = { path: { ...path, issuedId: found.id }, token: world.root, json: { action: 'revoke' } };
  await ok(world.server.call('changeIssuedCredential', change));
}
