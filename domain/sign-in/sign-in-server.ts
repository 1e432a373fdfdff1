import type { PublicJwk, Signer } from '../../ports/key-service.ts';
import type { JsonObject } from '../foundation/json.ts';
import type { Verifier } from '../verifier/verifier.ts';
import type { WrittenClient, WrittenLoginProfile, WrittenSignIn } from './written-sign-in.ts';

/** What a sign-in asks for and what becomes of it. */
export interface LoginProfile extends WrittenLoginProfile {
  id: string;
  acr: string;
}

/** A client of the provider. */
export interface SignInClient extends Omit<WrittenClient, 'profiles' | 'sector'> {
  id: string;
  sector: string;
  /** At least one. */
  profiles: readonly LoginProfile[];
}

/** A key of the provider: the current ones sign, the others are published until their last token has ended. */
export interface ProviderKey {
  publicJwk: PublicJwk & JsonObject;
  /** Absent for one that was replaced. */
  signer?: Signer;
}

/** An OpenID Provider: a value that is passed to the services with each call. */
export interface SignInServer {
  /** Unique in a store. What belongs to one is unknown to all others. */
  id: string;
  /** Another one for each configuration. */
  version: string;
  /** Its issuer identifier: the URL above its endpoints, without a trailing slash. */
  issuer: string;
  clients: ReadonlyMap<string, SignInClient>;
  profiles: readonly LoginProfile[];
  lifetimes: WrittenSignIn['lifetimes'];
  /** Whether browsers send its cookies over https only. */
  secure: boolean;
  /** The keys of its tokens. @throws DomainError `StoreUnavailable`, and as `KeyBackends.read` */
  keys(): Promise<ProviderKey[]>;
  /** Who asks wallets. @throws DomainError `Conflict` where there is none */
  verifier(): Promise<Verifier>;
}
