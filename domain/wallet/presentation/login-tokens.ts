import type { Clock } from '../../../ports/system.ts';
import { at, DomainError, invalidField } from '../../foundation/errors.ts';
import { asList, isText, type JsonObject } from '../../foundation/json.ts';
import { epochSeconds } from '../../foundation/time.ts';
import type { HolderDids } from '../../holdings/holder.ts';
import { signJws } from '../../jose/jws.ts';
import { KEY_TYPES } from '../../jose/key-types.ts';
import { LOGIN_REQUEST, spaced } from '../../presentation/login-requests.ts';
import { metadataOf } from './response-recipient.ts';

const TOKEN_SECONDS = 300;

/** A self-issued ID token that a verifier asks for beside presentations. */
export interface RequestedLogin {
  /** The JOSE algorithm that it must be signed with. */
  signingAlg?: string;
  /** The kinds of subjects that the verifier accepts, such as `did:key`. */
  subjectTypes?: string[];
}

/**
 * Reads whether a request asks for a self-issued ID token (OpenID4VP 1.0 §8, SIOPv2 draft 13 §9). A request that does
 * not say which type of ID token it wants gets this one, which its client recognises by `iss`.
 * @throws DomainError `BadRequest` for one that asks for an ID token of another issuer
 */
export function requestedLogin(params: ReadonlyMap<string, string>): RequestedLogin | undefined {
  if (!spaced(params.get('response_type')).includes('id_token')) return undefined;
  const types = spaced(params.get('id_token_type') ?? LOGIN_REQUEST.TOKEN_TYPES[0]);
  if (!LOGIN_REQUEST.TOKEN_TYPES.some((type) => types.includes(type)))
    throw new DomainError('BadRequest', 'The request asks for an ID token that the user does not sign');
  if (!spaced(params.get('scope')).includes(LOGIN_REQUEST.SCOPE))
    throw new DomainError('BadRequest', 'The request asks for an ID token without the scope openid');
  const { id_token_signed_response_alg: signingAlg, subject_syntax_types_supported: listed } = metadataOf(params);
  return {
    ...(isText(signingAlg) && { signingAlg }),
    ...(listed !== undefined && { subjectTypes: asList(listed).filter(isText) }),
  };
}

/** Makes self-issued ID tokens. */
export class LoginTokens {
  constructor(
    private readonly parts: {
      dids: HolderDids;
      clock: Clock;
    },
  ) {}

  /**
   * The parameters of a response that log the user in as `did`, which the user chose for this request; none where it asks
   * for no login. @throws DomainError `BadRequest` naming `loginDid`, also when it is given unasked
   */
  async parameters(
    walletId: string,
    { login, params, origin }: { login?: RequestedLogin; params: ReadonlyMap<string, string>; origin?: string },
    did: string | undefined,
  ): Promise<{ id_token?: string }> {
    if (login === undefined) {
      if (did !== undefined) throw invalidField(['loginDid'], 'is for requests that ask for a login');
      return {};
    }
    if (did === undefined) throw invalidField(['loginDid'], 'is required: the request asks for a login');
    const { kid, signer } = await at(['loginDid'], () => this.#signer(walletId, did, login));
    const iat = epochSeconds(this.parts.clock.now());
    const aud = params.get('client_id') ?? `origin:${origin}`;
    const claims: JsonObject = { iss: did, sub: did, aud, nonce: params.get('nonce') };
    return { id_token: await signJws({ typ: 'JWT', kid }, { ...claims, iat, exp: iat + TOKEN_SECONDS }, signer) };
  }

  async #signer(walletId: string, did: string, { signingAlg, subjectTypes }: RequestedLogin) {
    const { dids } = this.parts;
    if (!(await dids.has(walletId, did))) throw invalidField([], 'is no DID of this wallet');
    if (subjectTypes && !subjectTypes.some((type) => did.startsWith(`${methodOf(type)}:`)))
      throw invalidField([], 'is of a method that the verifier does not accept');
    const found = await dids.signingDid(walletId, { did });
    const { alg } = KEY_TYPES[found.signer.keyType];
    if (signingAlg !== undefined && alg !== signingAlg)
      throw invalidField([], `signs with ${alg}, and the verifier asks for ${signingAlg.slice(0, 32)}`);
    return found;
  }
}

/** The DID method of a kind of subject, which may say more than that (`did:key:jwk_jcs-pub`). */
const methodOf = (type: string): string => type.split(':', 2).join(':');
