import { ask, member, textOf } from '../http-client.ts';

/** A verification request and how it is answered. */
export interface NewVerification {
  responseMode: string;
  json: object;
}

const DEGREE: NewVerification = {
  responseMode: 'direct_post',
  json: {
    request_credentials: [{ type: 'UniversityDegree', format: 'jwt_vc_json' }],
    vp_policies: ['signature', 'presentation-definition'],
    vc_policies: ['signature', 'expired', 'not-before'],
  },
};

/** A verifier with one verification session. */
export class DemoVerification {
  readonly url: URL;
  readonly state: string;
  readonly #verifierUrl: string;

  private constructor(verifierUrl: string, requestUrl: string) {
    this.url = new URL(requestUrl);
    this.state = textOf(this.url.searchParams.get('state'));
    this.#verifierUrl = verifierUrl;
  }

  static async start(verifierUrl: string, { json, responseMode }: NewVerification = DEGREE): Promise<DemoVerification> {
    const headers = { authorizeBaseUrl: 'openid4vp://authorize', responseMode };
    return new DemoVerification(
      verifierUrl,
      textOf((await ask(`${verifierUrl}/openid4vc/verify`, { headers, json })).body),
    );
  }

  async session(): Promise<unknown> {
    return (await ask(`${this.#verifierUrl}/openid4vc/session/${encodeURIComponent(this.state)}`)).body;
  }

  /** What was presented and verified; otherwise the answer is an error. */
  async presented(): Promise<unknown> {
    const { body } = await ask(
      `${this.#verifierUrl}/openid4vc/session/${encodeURIComponent(this.state)}/presented-credentials`,
    );
    return body;
  }

  /** Sends a presentation that the wallet service did not create; the verifier must reject it. */
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

/** Every policy of a session's result: `policy ✓` when it passed, `policy ✗` when it failed. */
export function policiesOf(session: unknown): string {
  const results = member(session, 'policyResults', 'results');
  const lines = (Array.isArray(results) ? results : []).map((result) => {
    const policies = member(result, 'policies');
    const each = (Array.isArray(policies) ? policies : []).map(
      (policy) => `${textOf(policy, 'policy')} ${member(policy, 'is_success') === true ? '✓' : '✗'}`,
    );
    return `${textOf(result, 'credential')}: ${each.join(', ')}`;
  });
  return lines.join('; ');
}
