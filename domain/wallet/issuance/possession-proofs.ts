import { OPENID4VCI } from '../../credentials/openid4vci.ts';
import { asList, isText, type JsonObject } from '../../foundation/json.ts';
import { epochSeconds } from '../../foundation/time.ts';
import type { SigningDid } from '../../holdings/dids.ts';
import { configurationOf } from './issuer-directory.ts';

/** The header and claims of a proof of possession; its signer adds `alg`. */
export interface UnsignedProof {
  header: JsonObject;
  payload: JsonObject;
}

/** What a proof is for. */
interface ProofPurpose {
  /** Of the issuer. */
  metadata: JsonObject;
  configurationId: string;
  holder: SigningDid;
  nonce?: string;
  /** Absent where a pre-authorized code was redeemed without a name. */
  clientId?: string;
  /** Milliseconds since the epoch. */
  now: number;
}

/** The binding methods that name a key (OpenID4VCI draft 13 §11.2.3). */
const KEY_METHODS = ['jwk', 'cose_key'];

/** A proof of possession (OpenID4VCI §8.2.1.1); without a client id it has no `iss`. */
export function createProof(purpose: ProofPurpose): UnsignedProof {
  const { metadata, configurationId, holder, nonce, clientId, now } = purpose;
  const methods = asList(configurationOf(metadata, configurationId).cryptographic_binding_methods_supported).filter(
    isText,
  );
  const byKey =
    methods.some((method) => KEY_METHODS.includes(method)) && !methods.some((method) => method.startsWith('did'));
  const key = byKey ? { jwk: holder.signer.publicJwk } : { kid: holder.kid };
  const payload = {
    ...(clientId !== undefined && { iss: clientId }),
    aud: metadata.credential_issuer,
    iat: epochSeconds(now),
    ...(nonce !== undefined && { nonce }),
  };
  return { header: { typ: OPENID4VCI.PROOF_TYPE, ...key }, payload };
}
