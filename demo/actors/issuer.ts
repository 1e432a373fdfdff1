import type { JsonObject } from '../../domain/foundation/json.ts';
import { ask, member, textOf } from '../http-client.ts';

/** The values that issuance sets in a credential (interface: data functions). */
export const DEGREE_MAPPING = {
  id: '<uuid>',
  issuer: { id: '<issuerDid>' },
  credentialSubject: { id: '<subjectDid>' },
  issuanceDate: '<timestamp>',
  expirationDate: '<timestamp-in:365d>',
};

/** The data of a university degree (W3C VC Data Model 1.1) before issuance maps values into it. */
export const degreeData = (subject: object, more: object = {}) => ({
  '@context': ['https://www.w3.org/2018/credentials/v1'],
  type: ['VerifiableCredential', 'UniversityDegree'],
  credentialSubject: subject,
  ...more,
});

/** The key of the issuer when it keeps the private key itself. */
export const OWN_KEY: KeyRequest = { backend: 'jwk', keyType: 'secp256r1' };

/** A key to create (interface: Key creation request). */
export interface KeyRequest {
  backend: string;
  keyType: string;
  config?: object;
}

/** An offer of OpenID4VCI 1.0. */
export interface ProfileOffer {
  url: string;
  /** The transaction code, for the holder only. */
  txCode: string;
  /** The issuance session. */
  session: string;
  /** The URL of the events of its session. */
  history: string;
}

/** An issuer that onboards at the issuance service with a key of its own or in a key management service. */
export class DemoIssuer {
  readonly did: string;
  /** The key reference (interface: Key reference). */
  readonly key: JsonObject;
  readonly #url: string;

  private constructor(url: string, onboarded: unknown) {
    this.#url = url;
    this.did = textOf(onboarded, 'issuerDid');
    this.key = Object(member(onboarded, 'issuerKey'));
  }

  static async onboard(url: string, key: KeyRequest = OWN_KEY): Promise<DemoIssuer> {
    const json = { key, did: { method: 'jwk' } };
    return new DemoIssuer(url, (await ask(`${url}/onboard/issuer`, { json })).body);
  }

  /** Offers the credential of a profile over OpenID4VCI 1.0, with a transaction code and an entry of a status list. */
  async offerProfile(profileId: string): Promise<ProfileOffer> {
    const runtimeOverrides = { issuerKey: this.key, issuerDid: this.did, statusList: {} };
    const json = { profileId, authMethod: 'PRE_AUTHORIZED', txCode: {}, runtimeOverrides };
    const { body } = await ask(`${this.#url}/issuer2/credential-offers`, { json, expect: [201] });
    const [url, txCode] = [textOf(body, 'credentialOffer'), textOf(body, 'txCodeValue')];
    const session = textOf(body, 'offerId');
    return { url, txCode, session, history: `${this.#url}/issuer2/sessions/${session}/events` };
  }

  /** Changes the status of the credentials of an issuance session, and returns the new one. */
  async changeStatus(session: string, action: 'suspend' | 'lift' | 'revoke'): Promise<string> {
    const { body } = await ask(`${this.#url}/issuer2/status-entries/changes`, { json: { session, action } });
    return textOf(body, 0, 'status');
  }

  /** Creates an offer of a university degree and returns its URL. */
  async offerDegree(credentialStatus?: Record<string, string>): Promise<string> {
    const json = {
      issuerKey: this.key,
      issuerDid: this.did,
      credentialConfigurationId: 'UniversityDegree_jwt_vc_json',
      credentialData: degreeData(
        { name: 'Alice', degree: { type: 'BachelorDegree', name: 'Bachelor of Science' } },
        credentialStatus === undefined ? {} : { credentialStatus },
      ),
      mapping: DEGREE_MAPPING,
    };
    return textOf((await ask(`${this.#url}/openid4vc/jwt/issue`, { json })).body);
  }
}
