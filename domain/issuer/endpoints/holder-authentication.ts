import type { Clock } from '../../../ports/system.ts';
import { DomainError, isDomainError, oauthError } from '../../foundation/errors.ts';
import type { ExternalLogin, UserClaims } from '../../oauth/external-login.ts';
import type { PendingLogin, PendingLogins } from '../../oauth/pending-logins.ts';
import type { SelfIssuedTokens } from '../../oauth/self-issued-tokens.ts';
import type { PresentationQuery } from '../../presentation/query.ts';
import type { CredentialIssuer } from '../credential-issuer.ts';
import type { AuthorizationCodeGrant } from '../issuance-grant.ts';
import {
  type AskedOfWallet,
  clientIdOf,
  definitionOf,
  type RequestSigning,
  walletRequestUrl,
} from './wallet-requests.ts';

/** What a holder is asked for: a login at another server, or an answer of the wallet. */
export type AskedOfHolder = AskedOfWallet | { method: 'PWD' };

/** The login of a holder. */
export type HolderLogin = PendingLogin<AskedOfHolder>;

/** What comes back from a login, in the parameters of its protocol. */
export interface HolderAnswer {
  state?: string;
  code?: string;
  id_token?: string;
  vp_token?: string;
  presentation_submission?: string;
  error?: string;
}

/** A presentation and what it must satisfy. */
export interface PresentedLogin {
  query: PresentationQuery<'presentation-exchange'>;
  nonce: string;
  audience: string;
  vpToken: string;
  submission: string;
}

/** Authenticates the holders of offers that demand it, before their wallets get a code. */
export class HolderAuthentication {
  constructor(
    private readonly parts: {
      logins: PendingLogins<AskedOfHolder>;
      /** Absent when the operator names no server. */
      external?: ExternalLogin;
      tokens: Pick<SelfIssuedTokens, 'check'>;
      /** Checks a presentation with the policies of a login. @throws DomainError `BadRequest` */
      checkPresentation(presented: PresentedLogin): Promise<void>;
      signer: RequestSigning['signer'];
      clock: Clock;
    },
  ) {}

  /** Stores the login that an offer demands; returns the URL that the user is sent to. */
  async begin(
    issuer: CredentialIssuer,
    { grant, request, reference }: Pick<HolderLogin, 'request' | 'reference'> & { grant: AuthorizationCodeGrant },
  ): Promise<string> {
    const { logins, clock, signer } = this.parts;
    const asked = askedBy(grant);
    const { state, nonce } = await logins.start(issuer.id, { request, reference, asked });
    if (asked.method === 'PWD')
      return this.#external().url({ state, verifier: nonce, issuerState: request.issuerState });
    return walletRequestUrl(
      { issuer, asked, state, nonce, walletUrl: request.walletUrl },
      { signer, now: clock.now() },
    );
  }

  /** Ends the login that an answer names; undefined for one that is unknown or over. */
  take(issuer: CredentialIssuer, { state = '' }: HolderAnswer): Promise<HolderLogin | undefined> {
    return this.parts.logins.take(issuer.id, state);
  }

  /**
   * Checks the answer to a login that was taken; returns how the claims about a user of the login server are read.
   * @throws DomainError with a code of RFC 6749 §4.1.2.1
   */
  async check(issuer: CredentialIssuer, { asked, nonce }: HolderLogin, answer: HolderAnswer): Promise<UserClaims> {
    try {
      if (asked.method === 'PWD') return await this.#external().check(answer, nonce);
      if (answer.error !== undefined) throw oauthError('access_denied', 'The wallet refused');
      const expected = { audience: clientIdOf(issuer, asked), nonce };
      if (asked.method === 'ID_TOKEN') await this.parts.tokens.check(answer.id_token, expected);
      else await this.#checkPresentation(asked, expected, answer);
      return () => ({});
    } catch (error) {
      throw deniedBy(error);
    }
  }

  async #checkPresentation(
    asked: AskedOfWallet,
    expected: { audience: string; nonce: string },
    { vp_token: vpToken, presentation_submission: submission }: HolderAnswer,
  ): Promise<void> {
    if (vpToken === undefined || submission === undefined)
      throw oauthError('access_denied', 'vp_token and presentation_submission are required');
    const query = { language: 'presentation-exchange', definition: definitionOf(asked) } as const;
    await this.parts.checkPresentation({ query, ...expected, vpToken, submission });
  }

  #external(): ExternalLogin {
    const { external } = this.parts;
    if (external) return external;
    throw oauthError('server_error', 'This issuer has no login server (any more)');
  }
}

function askedBy({ method, presentedType, isSigned = false }: AuthorizationCodeGrant): AskedOfHolder {
  if (method === 'NONE') throw new Error('The method NONE asks for nothing');
  return method === 'PWD' ? { method } : { method, presentedType, isSigned };
}

/** Any fault of an answer makes its login fail; a failure of the store is ours. */
function deniedBy(cause: unknown): unknown {
  if (!isDomainError(cause) || cause.code === 'StoreUnavailable' || cause.oauthError !== undefined) return cause;
  return new DomainError('BadRequest', cause.message, { cause, oauthError: 'access_denied' });
}
