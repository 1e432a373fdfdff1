import type { KeyReference, Signer } from '../../../ports/key-service.ts';
import type { OutboundReply } from '../../../ports/outbound.ts';
import type { Clock, Ids } from '../../../ports/system.ts';
import { DomainError } from '../../foundation/errors.ts';
import { isText } from '../../foundation/json.ts';
import { epochSeconds } from '../../foundation/time.ts';
import { thumbprint } from '../../jose/jwk.ts';
import { signJws } from '../../jose/jws.ts';
import type { KeyBackends } from '../../keys/key-backends.ts';
import { CLIENT_ATTESTATION } from '../../oauth/client-attestations.ts';
import { type ProtocolClient, readObject } from '../protocol-client.ts';
import type { AuthorizationServer } from './authorization-server.ts';
import type { WalletAttester } from './wallet-attester.ts';

/** How a client authenticates at one server during one issuance; plain JSON, with a private key. */
export type ClientCredentials =
  | { method: 'none' }
  | { method: 'private_key_jwt' }
  /** Headers that the caller made. */
  | { method: 'given'; headers: Record<string, string> }
  | { method: 'attest_jwt_client_auth'; key: KeyReference; attestation: string; challenge?: string };

/** What is added to a request. */
interface Authenticated {
  headers: Record<string, string>;
  form: Record<string, string>;
}

/** A client of a server. */
interface NamedClient {
  server: AuthorizationServer;
  /** The wallet's own when absent. */
  clientId?: string;
  credentials: ClientCredentials;
}

/** How a caller wants the wallet to appear at a server. */
export interface ClientOptions {
  /** In place of the wallet's own. */
  clientId?: string;
  /** A client attestation with its proof, in the headers of a token request. */
  headers?: Record<string, string>;
}

const ASSERTION_TYPE = 'urn:ietf:params:oauth:client-assertion-type:jwt-bearer';
const ASSERTION_SECONDS = 60;
const MAX_CHALLENGE_LENGTH = 2048;
const NOTHING: Authenticated = { headers: {}, form: {} };

/** Authenticates the wallet at authorization servers: by an attestation, by a key that the server knows, or not at all. */
export class ClientAuthentication {
  constructor(
    private readonly parts: {
      clientId: string;
      attester?: WalletAttester;
      /** The key of `private_key_jwt`. */
      assertionSigner?: () => Promise<Signer>;
      keys: Pick<KeyBackends, 'create' | 'signer'>;
      clock: Clock;
      ids: Ids;
    },
  ) {}

  get clientId(): string {
    return this.parts.clientId;
  }

  /**
   * Chooses the method that says most about the wallet; undefined when the server states methods and the wallet has none
   * of them. @throws DomainError `UpstreamFailed`, `UpstreamTimeout`
   */
  async choose(
    server: AuthorizationServer,
    client: ProtocolClient,
    { clientId = this.clientId, headers }: ClientOptions = {},
  ): Promise<ClientCredentials | undefined> {
    if (headers) return { method: 'given', headers };
    const { attester, assertionSigner, keys } = this.parts;
    const takes = (method: string): boolean => server.authMethods.includes(method);
    if (attester && takes('attest_jwt_client_auth')) {
      const key = await keys.create('jwk', { keyType: 'secp256r1' });
      const attestation = await attester.attestClient({ clientId, jwk: key.publicJwk });
      const challenge = await readChallenge(server, client);
      return { method: 'attest_jwt_client_auth', key, attestation, challenge };
    }
    if (assertionSigner && takes('private_key_jwt')) return { method: 'private_key_jwt' };
    return server.authMethods.length === 0 || takes('none') ? { method: 'none' } : undefined;
  }

  /** As `choose`. @throws DomainError `BadRequest` when there is no method */
  async open(server: AuthorizationServer, client: ProtocolClient, options?: ClientOptions): Promise<ClientCredentials> {
    const credentials = await this.choose(server, client, options);
    if (credentials) return credentials;
    throw new DomainError(
      'BadRequest',
      `The authorization server wants clients to authenticate (${server.authMethods.join(', ').slice(0, 200)}), and ` +
        'this wallet has no attester and no key for that (wallet-service.conf)',
    );
  }

  /** Proofs for one request; each is good once. */
  async prove({ server, credentials, clientId = this.clientId }: NamedClient): Promise<Authenticated> {
    if (credentials.method === 'given') return { headers: credentials.headers, form: {} };
    const { clock, ids, keys, assertionSigner } = this.parts;
    const iat = epochSeconds(clock.now());
    const claims = { iss: clientId, aud: server.issuer, jti: ids.uuid(), iat };
    if (credentials.method === 'attest_jwt_client_auth') {
      const { key, attestation, challenge } = credentials;
      // Servers of drafts up to -05 demand an end.
      const proven = { ...claims, exp: iat + ASSERTION_SECONDS, ...(challenge !== undefined && { challenge }) };
      const pop = await signJws({ typ: CLIENT_ATTESTATION.POP_TYPE }, proven, keys.signer(key));
      return { headers: { 'oauth-client-attestation': attestation, 'oauth-client-attestation-pop': pop }, form: {} };
    }
    if (credentials.method === 'none' || !assertionSigner) return NOTHING;
    const signer = await assertionSigner();
    const header = { typ: 'JWT', kid: thumbprint(signer.publicJwk) };
    const assertion = await signJws(header, { ...claims, sub: clientId, exp: iat + ASSERTION_SECONDS }, signer);
    return { headers: {}, form: { client_assertion_type: ASSERTION_TYPE, client_assertion: assertion } };
  }

  /** Takes the challenge of a reply for the next proof; returns whether the request is to be repeated with it. */
  isChallenged({ credentials }: NamedClient, reply: OutboundReply): boolean {
    const challenge = reply.headers['oauth-client-attestation-challenge'];
    if (credentials.method !== 'attest_jwt_client_auth' || !isChallenge(challenge)) return false;
    credentials.challenge = challenge;
    return reply.status === 400 && readObject(reply)?.error === 'use_attestation_challenge';
  }
}

const isChallenge = (value: unknown): value is string => isText(value) && value.length <= MAX_CHALLENGE_LENGTH;

/** Fetches a challenge where the server has them (draft -11 §6). */
async function readChallenge({ challengeEndpoint: url }: AuthorizationServer, client: ProtocolClient) {
  if (url === undefined) return undefined;
  const { attestation_challenge: challenge } = await client.json({ method: 'POST', url, expects: 'token-response' });
  return isChallenge(challenge) ? challenge : undefined;
}
