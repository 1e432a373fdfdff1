import type { Signer } from '../../../ports/key-service.ts';
import { JWT_VC } from '../../credentials/formats/jwt-vc.ts';
import type { JsonObject } from '../../foundation/json.ts';
import { epochSeconds } from '../../foundation/time.ts';
import { thumbprint } from '../../jose/jwk.ts';
import { signJws } from '../../jose/jws.ts';
import { SUBJECT_SYNTAX_TYPES } from '../../oauth/self-issued-tokens.ts';
import { descriptorOfType, type PresentationDefinition } from '../../presentation/exchange/definition.ts';
import type { CredentialIssuer } from '../credential-issuer.ts';

/** What the wallet of a holder is asked for before an offer is redeemed. */
export interface AskedOfWallet {
  method: 'ID_TOKEN' | 'VP_TOKEN';
  /** With VP_TOKEN: the type of the credential that is to be presented. */
  presentedType?: string;
  isSigned: boolean;
}

/** A request to a wallet. */
interface NewWalletRequest {
  issuer: CredentialIssuer;
  asked: AskedOfWallet;
  state: string;
  nonce: string;
  /** Where the wallet takes requests; the scheme of SIOPv2 and EBSI wallets when absent. */
  walletUrl?: string;
}

/** What a signed request is made with. */
export interface RequestSigning {
  signer(): Promise<Signer>;
  /** Milliseconds since the epoch. */
  now: number;
}

const DEFAULT_WALLET = 'openid://';
/** Whom a request object for any wallet is for (SIOPv2 draft 13 §9.1). */
const ANY_WALLET = 'https://self-issued.me/v2';
const REQUEST_SECONDS = 600;

/** Where wallets post their answers. */
const answerUrl = ({ identifier }: CredentialIssuer): string => `${identifier}/direct_post`;

/** The client that asks, and for whom answers are meant: unsigned requests are named by where their answers go (OpenID4VP draft 20 §5.7). */
export const clientIdOf = (issuer: CredentialIssuer, { isSigned }: AskedOfWallet): string =>
  isSigned ? issuer.identifier : answerUrl(issuer);

/** The credential that a holder presents, as wallets are asked for it. */
export const definitionOf = ({ presentedType = '' }: AskedOfWallet): PresentationDefinition => ({
  id: 'login',
  input_descriptors: [descriptorOfType(presentedType, presentedType)],
});

/** The URL that opens a wallet with a request for an ID token (SIOPv2 draft 13 §9) or a presentation (OpenID4VP draft 20 §5). */
export async function walletRequestUrl(request: NewWalletRequest, signing: RequestSigning): Promise<string> {
  const members = requestMembers(request);
  const parameters = Object.entries(members).map(([name, value]) => [name, textOf(value)]);
  if (request.asked.isSigned) parameters.push(['request', await signed(members, signing)]);
  return `${request.walletUrl ?? DEFAULT_WALLET}?${new URLSearchParams(parameters as [string, string][])}`;
}

const textOf = (value: unknown): string => (typeof value === 'string' ? value : JSON.stringify(value));

function requestMembers({ issuer, asked, state, nonce }: NewWalletRequest): JsonObject {
  const common = { client_id: clientIdOf(issuer, asked), response_mode: 'direct_post', state, nonce };
  if (asked.method === 'ID_TOKEN')
    return {
      ...common,
      response_type: 'id_token',
      scope: 'openid',
      redirect_uri: answerUrl(issuer),
      client_metadata: { subject_syntax_types_supported: SUBJECT_SYNTAX_TYPES },
    };
  return {
    ...common,
    response_type: 'vp_token',
    response_uri: answerUrl(issuer),
    ...(!asked.isSigned && { client_id_scheme: 'redirect_uri' }),
    presentation_definition: definitionOf(asked),
    client_metadata: { vp_formats: JWT_VC.presentation.draftMetadata },
  };
}

/** A request object (RFC 9101), signed with a key that the issuer publishes. */
async function signed(members: JsonObject, { signer: find, now }: RequestSigning): Promise<string> {
  const signer = await find();
  const issuedAt = epochSeconds(now);
  const claims = { iss: members.client_id, aud: ANY_WALLET, iat: issuedAt, exp: issuedAt + REQUEST_SECONDS };
  return signJws({ typ: 'oauth-authz-req+jwt', kid: thumbprint(signer.publicJwk) }, { ...claims, ...members }, signer);
}
