import type { PublicJwk, Signer } from '../../../ports/key-service.ts';
import type { Outbound } from '../../../ports/outbound.ts';
import type { Clock } from '../../../ports/system.ts';
import { DomainError } from '../../foundation/errors.ts';
import { isText, type JsonObject } from '../../foundation/json.ts';
import { epochSeconds } from '../../foundation/time.ts';
import { signJws } from '../../jose/jws.ts';
import { CLIENT_ATTESTATION } from '../../oauth/client-attestations.ts';
import { KEY_ATTESTATION } from '../../oauth/key-attestations.ts';
import { ProtocolClient } from '../protocol-client.ts';

/** A wallet instance for which an issuer is to believe that it is a client. */
interface WalletInstance {
  clientId: string;
  /** The key that the instance proves possession of. */
  jwk: PublicJwk;
}

/** Keys that an issuer is to believe to be protected. */
interface AttestedKeys {
  keys: PublicJwk[];
  /** Of the issuer. */
  nonce?: string;
}

/** States to issuers who the wallet is, and how its keys are protected. */
export interface WalletAttester {
  /** A client attestation (attestation-based client authentication, draft -11 §5.1). @throws DomainError `UpstreamFailed`, `UpstreamTimeout` */
  attestClient(instance: WalletInstance): Promise<string>;
  /** A key attestation (OpenID4VCI 1.0 appendix D.1); absent where only clients are attested. */
  attestKeys?(keys: AttestedKeys): Promise<string>;
}

/** An attester whose key this server uses. */
export interface LocalAttesterSettings {
  /** The `iss` of its statements. */
  issuer: string;
  validitySeconds: number;
  /** How keys of wallets are protected (OpenID4VCI 1.0 appendix D.2). */
  keyStorage?: string[];
  userAuthentication?: string[];
}

/** Signs statements with a key of this server. */
export class LocalAttester implements WalletAttester {
  constructor(
    private readonly parts: {
      settings: LocalAttesterSettings;
      signer: () => Promise<Signer>;
      /** The certificates of the key as `x5c` has them, its own first; none when empty. */
      x5c: readonly string[];
      clock: Clock;
    },
  ) {}

  attestClient({ clientId, jwk }: WalletInstance): Promise<string> {
    return this.#sign(CLIENT_ATTESTATION.TYPE, { sub: clientId, cnf: { jwk } });
  }

  attestKeys({ keys, nonce }: AttestedKeys): Promise<string> {
    const { keyStorage, userAuthentication } = this.parts.settings;
    return this.#sign(KEY_ATTESTATION.TYPE, {
      attested_keys: keys,
      ...(keyStorage && { key_storage: keyStorage }),
      ...(userAuthentication && { user_authentication: userAuthentication }),
      ...(nonce !== undefined && { nonce }),
    });
  }

  async #sign(typ: string, claims: JsonObject): Promise<string> {
    const { settings, clock, x5c, signer } = this.parts;
    const iat = epochSeconds(clock.now());
    const times = { iat, exp: iat + settings.validitySeconds };
    const header = { typ, ...(x5c.length > 0 && { x5c }) };
    return signJws(header, { iss: settings.issuer, ...claims, ...times }, await signer());
  }
}

/** An attester that is asked over HTTP. */
export interface RemoteAttesterSettings {
  attesterUrl: string;
  /** The JSON body, where the texts `{{public_jwk}}` and `{{client_id}}` stand for the key and the name of the wallet. */
  requestBody: JsonObject;
  /** A secret. */
  bearerToken?: string;
}

/** The members of an answer that the attestation may be in; of attesters of tenants, and of older ones. */
const ANSWERS = ['clientAttestationJwt', 'walletInstanceAttestation', 'client_attestation'] as const;

/** Asks another server for client attestations. */
export class RemoteAttester implements WalletAttester {
  readonly #client: ProtocolClient;

  constructor(
    private readonly settings: RemoteAttesterSettings,
    outbound: Outbound,
  ) {
    this.#client = new ProtocolClient(outbound, 'client attester');
  }

  async attestClient({ clientId, jwk }: WalletInstance): Promise<string> {
    const { attesterUrl: url, requestBody, bearerToken } = this.settings;
    const values = { '{{public_jwk}}': jwk, '{{client_id}}': clientId };
    const reply = await this.#client.send({
      method: 'POST',
      url,
      expects: 'client-attestation',
      headers: {
        'content-type': 'application/json',
        accept: 'application/json',
        ...(bearerToken !== undefined && { authorization: `Bearer ${bearerToken}` }),
      },
      body: JSON.stringify(requestBody, (_, value) => filled(value, values)),
    });
    // Users of the wallet cannot change what the attester refuses.
    if (reply.status >= 400)
      throw new DomainError('UpstreamFailed', `The client attester answered with ${reply.status}`);
    const answer = this.#client.objectOf(reply);
    const attestation = ANSWERS.map((name) => answer[name]).find(isText);
    if (attestation !== undefined) return attestation;
    throw new DomainError('UpstreamFailed', 'The client attester gave no attestation');
  }
}

const filled = (value: unknown, values: JsonObject): unknown =>
  isText(value) && Object.hasOwn(values, value) ? values[value] : value;
