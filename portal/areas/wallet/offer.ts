import type { Schemas } from '../../../client/client.ts';
import { labelOf } from '../../forms/labels.ts';
import { configurationName } from '../../parts/cards/claims.ts';
import { api, ask, type Outcome } from '../../shell/api.ts';
import { note, to } from '../../shell/place.ts';
import { inLanguage } from '../../texts/texts.ts';
import { inWallet, LINK_BODY } from './session.ts';

/** What of an offer the user decides on. */
export interface Offered {
  wallet: string;
  issuer: string;
  /** How far it is proven who that is. */
  proof: Schemas['IssuerProof'];
  credentials: { name: string; claims: string[]; isUnregistered: boolean }[];
  /** Whether the user authorizes the offer at the issuer. */
  needsLogin: boolean;
  /** Absent when no code is asked for. */
  code?: { length?: number; isNumeric: boolean };
}

interface Display {
  name?: string;
  locale?: string;
}

/** What the issuer publishes of a configuration: in OpenID4VCI 1.0 below `credential_metadata`, in the drafts beside it. */
interface Configuration {
  display?: Display[];
  claims?: unknown;
  credential_definition?: { credentialSubject?: unknown };
  credential_metadata?: { display?: Display[]; claims?: unknown };
}

/** What the issuer publishes, and the word of the wallet on who that is. */
interface Metadata {
  issuerProof: Schemas['IssuerProof'];
  credential_configurations_supported?: Record<string, Configuration>;
}

interface Grant {
  tx_code?: { length?: number; input_mode?: string };
}

const PRE_AUTHORIZED = 'urn:ietf:params:oauth:grant-type:pre-authorized_code';

/** Reads an offer and what its issuer publishes; nothing is asked of the issuer that uses the offer. */
export const readOffer = (offer: string): Promise<Outcome<Offered>> =>
  inWallet(async (wallet) => {
    const path = { wallet };
    const place = '/wallet-api/wallet/{wallet}/exchange/resolveCredentialOffer';
    const resolved = await ask(api.POST(place, { params: { path }, body: offer, ...LINK_BODY }));
    if (!resolved.ok) return resolved;
    const {
      credential_issuer: issuer,
      credential_configuration_ids: ids = [],
      grants = {},
    } = resolved.data as {
      credential_issuer: string;
      credential_configuration_ids?: string[];
      grants?: Record<string, Grant>;
    };
    const read = await ask(
      api.GET('/wallet-api/wallet/{wallet}/exchange/resolveIssuerOpenIDMetadata', {
        params: { path, query: { issuer } },
      }),
    );
    if (!read.ok) return read;
    const { issuerProof: proof, credential_configurations_supported: known } = read.data as Metadata;
    const { [PRE_AUTHORIZED]: given } = grants;
    const code = given?.tx_code;
    return {
      ok: true,
      data: {
        wallet,
        issuer: new URL(issuer).host,
        proof,
        credentials: ids.map((id) => ({
          ...describe(id, known?.[id]),
          isUnregistered: proof.registration?.unregistered.includes(id) === true,
        })),
        needsLogin: given === undefined,
        ...(code && { code: { length: code.length, isNumeric: code.input_mode !== 'text' } }),
      },
    };
  });

/** Begins the login at the issuer for an offer. */
export const beginLogin = (wallet: string, offer: string) =>
  ask(
    api.POST('/wallet-api/wallet/{wallet}/exchange/authorizations', { params: { path: { wallet } }, body: { offer } }),
  );

/** With what the login returned. */
export type LoginAnswer = Schemas['OfferAuthorizationResponse'];

/** Receives the offer of a login; a login is answered once, so that a later visit of the address leads to the wallet. */
export const finishLogin = (answer: LoginAnswer) =>
  inWallet(async (wallet) => {
    const place = '/wallet-api/wallet/{wallet}/exchange/authorizations/response';
    const finished = await ask(api.POST(place, { params: { path: { wallet } }, body: answer }));
    if (finished.ok) note(to('/wallet'));
    return finished;
  });

function describe(id: string, configuration: Configuration = {}): { name: string; claims: string[] } {
  const { display, claims = configuration.credential_definition?.credentialSubject } =
    configuration.credential_metadata ?? configuration;
  const named = inLanguage(display ?? [])?.name ?? configurationName(id);
  return { name: named, claims: [...new Set(claimNames(claims))] };
}

/** The names of the claims, of a list of descriptions (1.0) or of a tree (drafts). */
function claimNames(claims: unknown): string[] {
  if (Array.isArray(claims))
    return claims.map(({ path = [], display = [] }) => labelOf(path, [{ path, labels: display }]));
  return Object.entries(Object(claims)).flatMap(([name, described]) =>
    isTree(described) ? claimNames(described) : labelOf([name], [{ path: [name], labels: Object(described).display }]),
  );
}

/** Whether claims are described below a claim or a namespace; what describes one claim has no objects as members. */
const isTree = (described: unknown): boolean =>
  Object.values(Object(described)).some((one) => typeof one === 'object' && one !== null && !Array.isArray(one));
