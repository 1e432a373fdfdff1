import type { CredentialFormats } from '../../credentials/formats/formats.ts';
import { OPENID4VCI } from '../../credentials/openid4vci.ts';
import { at, DomainError, invalidField } from '../../foundation/errors.ts';
import { asList, isText } from '../../foundation/json.ts';
import type { HolderChoice } from '../../holdings/dids.ts';
import type { HolderDids } from '../../holdings/holder.ts';
import type { CredentialRecord } from '../../holdings/records.ts';
import type { AuthorizationServer } from '../issuance/authorization-server.ts';
import type { ClientOptions } from '../issuance/client-authentication.ts';
import type { IssuanceClient, PendingAuthorization } from '../issuance/issuance-client.ts';
import type { IssuerDirectory } from '../issuance/issuer-directory.ts';
import type { OauthClient } from '../issuance/oauth-client.ts';
import type { OfferAuthorizations } from '../issuance/offer-authorizations.ts';
import type { OfferRedemption, OfferSelection, ReceivedOffer } from '../issuance/offer-redemption.ts';
import { MAX_CREDENTIALS, narrowed, parseIdentifiers } from '../issuance/openid4vci.ts';
import { type OfferFacts, offerFacts } from './offer-facts.ts';
import type { StepToken, StepTokens } from './step-tokens.ts';

/** A pre-authorized code to redeem. */
interface CodeRequest extends ClientOptions {
  tokenEndpoint: string;
  preAuthorizedCode: string;
  credentialIssuer?: string;
  txCode?: string;
  isAnonymous?: boolean;
}

/** The code of a login, with what names the login. */
interface CodeAnswer {
  code: string;
  issuer: string;
  state?: string;
  verifier?: string;
  iss?: string;
  /** What the login was begun with, when the caller says so. */
  clientId?: string;
  redirectUri?: string;
}

/** A code whose credentials are stored at once. */
export interface AuthorizedAnswer extends CodeAnswer, HolderChoice {
  credentialEndpoint: string;
  /** One that the login is for. */
  configurationId?: string;
  /** What is received of it; all when absent. */
  selection?: OfferSelection;
  nonceEndpoint?: string;
  isBound: boolean;
  notes?: Pick<CredentialRecord, 'label' | 'metadata'>;
}

/** An access token, as it is shown. */
interface ShownToken {
  accessToken: string;
  tokenType: 'DPoP' | 'Bearer';
  /** Seconds. */
  expiresIn?: number;
}

/** An issuer may have several authorization servers; so many are asked for the one with an endpoint. */
const MAX_SERVERS = 4;

/** Offers and the tokens for them, step by step (OpenID4VCI 1.0 §4 to §6). */
export class TokenSteps {
  constructor(
    private readonly parts: {
      dids: HolderDids;
      formats: CredentialFormats;
      directory: IssuerDirectory;
      client: IssuanceClient;
      oauth: OauthClient;
      offers: OfferRedemption;
      authorizations: OfferAuthorizations;
      tokens: StepTokens;
    },
  ) {}

  /** @throws DomainError as `OfferRedemption.resolve`, and `BadRequest` for an offer that its issuer does not have */
  async resolve(walletId: string, link: string): Promise<OfferFacts> {
    const { offers, directory, formats } = this.parts;
    const offer = await offers.resolve(walletId, link);
    const { metadata, proof } = await directory.read(offer.issuer);
    const server = await directory.authorizationServer(metadata, offer.authorizationServer);
    return offerFacts({ offer, metadata, proof, server, formats });
  }

  /** @throws DomainError `BadRequest` naming `tokenEndpoint`, or with the server's code, `UpstreamFailed`, `UpstreamTimeout` */
  async requestToken(walletId: string, request: CodeRequest): Promise<ShownToken> {
    const { oauth, tokens } = this.parts;
    const { credentialIssuer: issuer, tokenEndpoint, preAuthorizedCode, txCode, ...options } = request;
    const server = issuer === undefined ? bareServer(tokenEndpoint) : await this.#serverAt(issuer, tokenEndpoint);
    const session = await oauth.openForCode(server, options);
    const { grant, expiresIn, details } = await oauth.redeem(session, {
      grant_type: OPENID4VCI.PRE_AUTHORIZED,
      'pre-authorized_code': preAuthorizedCode,
      ...(txCode !== undefined && { tx_code: txCode }),
    });
    await tokens.keep(walletId, { ...grant, issuer, wanted: namedIn(details) });
    return shownToken(grant, expiresIn);
  }

  /** Redeems the code of a login. @throws DomainError as `OfferAuthorizations.take`, and with the server's code */
  async exchangeCode(walletId: string, answer: CodeAnswer): Promise<ShownToken> {
    const { authorizations, client, tokens } = this.parts;
    const { code, ...login } = await authorizations.take(walletId, loginAnswer(answer));
    const { issuer } = login.offer;
    if (issuer !== answer.issuer) throw invalidField(['credentialIssuerBaseUrl'], 'is not the issuer of the login');
    requireSame(clientMembers(answer, login));
    const { accessToken, dpop, wanted, expiresIn } = await client.openAuthorized(login, code);
    const token = { accessToken, ...(dpop && { dpop }), wanted };
    await tokens.keep(walletId, { ...token, issuer });
    return shownToken(token, expiresIn);
  }

  /** Redeems the code of a login and stores all credentials of its offer. @throws DomainError as `OfferRedemption.complete` */
  async receiveAuthorized(walletId: string, answer: AuthorizedAnswer): Promise<ReceivedOffer> {
    const { authorizations, client, offers, dids } = this.parts;
    await offers.requireRoom(walletId);
    const { code, did, link, requireUserInput, ...login } = await authorizations.take(walletId, loginAnswer(answer));
    requireSameIssuance(answer, login);
    const { key, keyId, selection } = answer;
    const offer = narrowed(login.offer, await selection?.of(login.offer));
    const chosen = key || keyId || answer.did ? await dids.signingDid(walletId, answer) : { did };
    const running = await client.openAuthorized({ ...login, offer }, code);
    if (answer.isBound && !running.dpop)
      throw invalidField(['useDpop'], 'was asked for, and the server gave a bearer token');
    const named = selection && { selection: selection.name };
    const begun = { running, did: chosen.did, issuer: offer.issuer, ...named };
    return offers.complete(walletId, begun, { link, requireUserInput, key, notes: answer.notes });
  }

  async #serverAt(issuer: string, tokenEndpoint: string): Promise<AuthorizationServer> {
    const { directory } = this.parts;
    const metadata = await at({ '': ['credentialIssuer'] }, () => directory.metadata(issuer));
    const named = asList(metadata.authorization_servers).filter(isText).slice(0, MAX_SERVERS);
    for (const name of named.length === 0 ? [undefined] : named) {
      const server = await directory.authorizationServer(metadata, name);
      if (server.tokenEndpoint === tokenEndpoint) return server;
    }
    throw invalidField(['tokenEndpoint'], 'is not that of the issuer');
  }
}

/** A server of which nothing is known but its address. */
const bareServer = (tokenEndpoint: string): AuthorizationServer => ({
  issuer: tokenEndpoint,
  tokenEndpoint,
  statesIssuer: false,
  takesDetails: false,
  authMethods: [],
  takesAnonymousCodes: true,
  dpopAlgorithms: [],
});

const shownToken = (
  { accessToken, dpop }: Pick<StepToken, 'accessToken' | 'dpop'>,
  expiresIn?: number,
): ShownToken => ({
  accessToken,
  tokenType: dpop ? 'DPoP' : 'Bearer',
  ...(expiresIn !== undefined && { expiresIn }),
});

/** The credentials that a token is for, as far as the server names them. */
const namedIn = (details: unknown) =>
  [...parseIdentifiers(details)]
    .flatMap(([configurationId, identifiers]) => identifiers.map((identifier) => ({ configurationId, identifier })))
    .slice(0, MAX_CREDENTIALS);

/** @throws DomainError `BadRequest` when nothing names the login */
function loginAnswer({ code, iss, state, verifier, issuer }: CodeAnswer) {
  if (state !== undefined) return { code, iss, state };
  if (verifier !== undefined) return { code, iss, verifier, issuer };
  throw invalidField(['codeVerifier'], 'is required without a state');
}

type Stated = [member: string, isSame: boolean];

/** A login is for one issuer, and its metadata say where requests go. @throws DomainError `BadRequest` naming what differs */
function requireSameIssuance(answer: AuthorizedAnswer, login: PendingAuthorization): void {
  const { issuer, configurationId, credentialEndpoint, nonceEndpoint, isBound } = answer;
  const { offer, metadata, session } = login;
  requireSame([
    ['credentialIssuer', offer.issuer === issuer],
    ['credentialConfigurationId', configurationId === undefined || offer.configurationIds.includes(configurationId)],
    ['credentialEndpoint', metadata.credential_endpoint === credentialEndpoint],
    ['nonceEndpoint', nonceEndpoint === undefined || metadata.nonce_endpoint === nonceEndpoint],
    ...clientMembers(answer, login),
  ]);
  if (isBound && session.dpop === undefined)
    throw new DomainError('BadRequest', 'The server takes no DPoP proofs of this wallet');
}

/** A code is redeemed as it was asked for. */
const clientMembers = (
  { clientId, redirectUri }: CodeAnswer,
  { session, attempt }: Pick<PendingAuthorization, 'session' | 'attempt'>,
): Stated[] => [
  ['clientId', clientId === undefined || clientId === session.clientId],
  ['redirectUri', redirectUri === undefined || redirectUri === attempt.redirectUri],
];

/** @throws DomainError `BadRequest` naming the first that differs */
function requireSame(stated: readonly Stated[]): void {
  const wrong = stated.find(([, isSame]) => !isSame);
  if (wrong) throw invalidField([wrong[0]], 'is not that of the login');
}
