import { ask, member, textOf } from './demo-http.ts';

/** An issuer at work: its key and DID are its own, the service only uses them. */
export class DemoIssuer {
  readonly did: string;
  /** The key reference object of the contract; the demo's holds a private JWK. */
  readonly key: unknown;
  readonly #url: string;

  private constructor(url: string, onboarded: unknown) {
    this.#url = url;
    this.did = textOf(onboarded, 'issuerDid');
    this.key = member(onboarded, 'issuerKey');
  }

  static async onboard(url: string): Promise<DemoIssuer> {
    const json = { key: { backend: 'jwk', keyType: 'secp256r1' }, did: { method: 'jwk' } };
    return new DemoIssuer(url, (await ask(`${url}/onboard/issuer`, { json })).body);
  }

  /** Prepares a university degree and gives the offer URL. */
  async offerDegree(credentialStatus?: Record<string, string>): Promise<string> {
    const json = {
      issuerKey: this.key,
      issuerDid: this.did,
      credentialConfigurationId: 'UniversityDegree_jwt_vc_json',
      credentialData: {
        '@context': ['https://www.w3.org/2018/credentials/v1'],
        type: ['VerifiableCredential', 'UniversityDegree'],
        credentialSubject: { name: 'Alice', degree: { type: 'BachelorDegree', name: 'Bachelor of Science' } },
        ...(credentialStatus === undefined ? {} : { credentialStatus }),
      },
      mapping: {
        id: '<uuid>',
        issuer: { id: '<issuerDid>' },
        credentialSubject: { id: '<subjectDid>' },
        issuanceDate: '<timestamp>',
        expirationDate: '<timestamp-in:365d>',
      },
    };
    return textOf((await ask(`${this.#url}/openid4vc/jwt/issue`, { json })).body);
  }
}

/** One credential in the wallet. */
export interface HeldCredential {
  id: string;
  /** The JWT. */
  document: string;
}

/** The first wallet of a logged-in account. */
export class DemoWallet {
  readonly url: string;
  readonly did: string;
  readonly #token: string;

  private constructor(url: string, did: string, token: string) {
    this.url = url;
    this.did = did;
    this.#token = token;
  }

  static async open(walletUrl: string, token: string): Promise<DemoWallet> {
    const wallets = await ask(`${walletUrl}/wallet-api/wallet/accounts/wallets`, { token });
    const url = `${walletUrl}/wallet-api/wallet/${textOf(wallets.body, 'wallets', 0, 'id')}`;
    const dids = await ask(`${url}/dids`, { token });
    return new DemoWallet(url, textOf(dids.body, 0, 'did'), token);
  }

  /** What an offer is about, before it is accepted. */
  async look(offer: string): Promise<unknown> {
    return this.#post('resolveCredentialOffer', { text: offer });
  }

  async accept(offer: string): Promise<HeldCredential> {
    const received = await this.#post(`useOfferRequest?did=${encodeURIComponent(this.did)}`, { text: offer });
    return { id: textOf(received, 0, 'id'), document: textOf(received, 0, 'document') };
  }

  /** Finds what a verifier asks for and shows it. Gives how many credentials were found. */
  async present(request: string): Promise<number> {
    const resolved = textOf(await this.#post('resolvePresentationRequest', { text: request }));
    const definition = JSON.parse(new URL(resolved).searchParams.get('presentation_definition') ?? 'null');
    const matching = await this.#post('matchCredentialsForPresentationDefinition', { json: definition });
    const json = { presentationRequest: resolved, selectedCredentials: [textOf(matching, 0, 'id')] };
    await this.#post('usePresentationRequest', { json });
    return Array.isArray(matching) ? matching.length : 0;
  }

  async #post(operation: string, body: { text?: string; json?: unknown }): Promise<unknown> {
    return (await ask(`${this.url}/exchange/${operation}`, { ...body, token: this.#token })).body;
  }
}

/** One verification session. */
export class DemoVerification {
  readonly url: URL;
  readonly state: string;
  readonly #verifierUrl: string;

  private constructor(verifierUrl: string, requestUrl: string) {
    this.url = new URL(requestUrl);
    this.state = textOf(this.url.searchParams.get('state'));
    this.#verifierUrl = verifierUrl;
  }

  static async start(verifierUrl: string): Promise<DemoVerification> {
    const headers = { authorizeBaseUrl: 'openid4vp://authorize', responseMode: 'direct_post' };
    const json = {
      request_credentials: [{ type: 'UniversityDegree', format: 'jwt_vc_json' }],
      vp_policies: ['signature', 'presentation-definition'],
      vc_policies: ['signature', 'expired', 'not-before'],
    };
    return new DemoVerification(
      verifierUrl,
      textOf((await ask(`${verifierUrl}/openid4vc/verify`, { headers, json })).body),
    );
  }

  async session(): Promise<unknown> {
    return (await ask(`${this.#verifierUrl}/openid4vc/session/${encodeURIComponent(this.state)}`)).body;
  }

  /** Answers the request by hand, as a wallet would, with a presentation from elsewhere. */
  async answer(vpToken: string, submission: object): Promise<void> {
    const { body: definition } = await ask(textOf(this.url.searchParams.get('presentation_definition_uri')));
    const form = {
      vp_token: vpToken,
      presentation_submission: JSON.stringify({ ...submission, definition_id: textOf(definition, 'id') }),
      state: this.state,
    };
    await ask(textOf(this.url.searchParams.get('response_uri')), { form, expect: [400] });
  }
}

/** `policy ✓` for every policy of a session's result, `policy ✗` for those that failed. */
export function policiesOf(session: unknown): string {
  const results = member(session, 'policyResults', 'results');
  const told = (Array.isArray(results) ? results : []).map((result) => {
    const policies = member(result, 'policies');
    const each = (Array.isArray(policies) ? policies : []).map(
      (policy) => `${textOf(policy, 'policy')} ${member(policy, 'is_success') === true ? '✓' : '✗'}`,
    );
    return `${textOf(result, 'credential')}: ${each.join(', ')}`;
  });
  return told.join('; ');
}
