import type { KeyType, PublicJwk } from '../../../ports/key-service.ts';
import type { KmsFault } from '../remote/kms.ts';

/** Where a token is, and what opens it: the first message to its process. */
export interface TokenAccess {
  /** The path of the library of the module. */
  library: string;
  /** The label of the token (CK_TOKEN_INFO). */
  label: string;
  pin: string;
}

/** What the process of a token does, by the name of the call. */
export interface TokenCalls {
  create: { wanted: { keyType: KeyType; id: string; label: string; isUnique: boolean }; result: PublicJwk };
  publicKey: { wanted: { id: string }; result: PublicJwk };
  sign: { wanted: { id: string; keyType: KeyType; digest: Uint8Array }; result: Uint8Array };
  remove: { wanted: { id: string }; result: undefined };
}

export type TokenCall = keyof TokenCalls;

/** A call, numbered by its caller. */
export interface CallMessage<C extends TokenCall = TokenCall> {
  number: number;
  call: C;
  wanted: TokenCalls[C]['wanted'];
}

/** Why a call failed; `key-type`: the token has no such keys, `name`: a key has this label, `pin`: the PIN is refused. */
export type TokenFault = KmsFault | 'key-type' | 'name' | 'pin';

/** The answer to a call. `isShut`: the token could not be opened. */
export type AnswerMessage = { number: number } & (
  | { result: unknown }
  | { fault: TokenFault; reason: string; isShut: boolean }
);

/** A refusal of a token. `reason` is for callers: it names what the token said, and no secret. */
export class TokenFailure extends Error {
  constructor(
    readonly fault: TokenFault,
    readonly reason: string,
  ) {
    super(`${fault}: ${reason}`);
    this.name = 'TokenFailure';
  }
}
