import { sessionOf, startVerification } from '../../demo/actors/verifier.ts';
import { type Answer, type ServerOptions, startServer, type TestServer } from '../support/servers/server.ts';
import { encryptedResponse, type ResponseSealing } from './encrypted-response.ts';
import { type CredentialContent, issueCredential, jwkParty, keyParty, type Party } from './party.ts';
import {
  makePresentation,
  readRequest,
  requestOfObject,
  responseKeyOf,
  submissionFor,
  type WalletRequest,
} from './wallet.ts';

/** What a test presents; absent members have valid values. */
export interface PresentOptions {
  credentials?: unknown[];
  claims?: Record<string, unknown>;
  holder?: Party;
  /** The position of the credential for each descriptor id; in the order of the descriptors when absent. */
  places?: Record<string, number | string>;
  change?: (vpToken: string) => string;
  sealing?: ResponseSealing;
}

/** One line of a verification result. */
export interface PolicyLine {
  policy: string;
  is_success: boolean;
  // biome-ignore lint/suspicious/noExplicitAny: tests look into any result
  [member: string]: any;
}

/** A server, an issuer and a wallet; registers the hooks that start and stop them. */
export class VerificationFixture {
  server!: TestServer;
  issuer!: Party;
  holder!: Party;

  constructor(options: ServerOptions = {}) {
    before(async () => {
      this.server = await startServer(options);
      this.issuer = await jwkParty('ES256');
      this.holder = await keyParty();
    });
    after(() => this.server.close());
  }

  credential(content: CredentialContent = {}): Promise<string> {
    return issueCredential(this.issuer, this.holder, content);
  }

  async ask(body: object, headers: Record<string, string> = {}): Promise<WalletRequest> {
    return this.resolve(readRequest(await startVerification(this.server, body, headers)));
  }

  /** The request with the parameters of its request object, if it is by reference. */
  async resolve(request: WalletRequest): Promise<WalletRequest> {
    if (!request.params.has('request_uri')) return request;
    const { body } = await this.server.call('getRequestObject', { path: { state: request.state } });
    return requestOfObject(request.url, body);
  }

  async definition(request: WalletRequest) {
    return (await this.server.call('getPresentationDefinition', { path: { state: request.state } })).body;
  }

  async form(request: WalletRequest, options: PresentOptions = {}): Promise<Record<string, string>> {
    const { holder = this.holder, claims, change = (token: string) => token } = options;
    const credentials = options.credentials ?? [await this.credential()];
    const definition = await this.definition(request);
    const ids: string[] = definition.input_descriptors.map(({ id }: { id: string }) => id);
    const places = options.places ?? Object.fromEntries(ids.map((id, index) => [id, index]));
    const vpToken = change(await makePresentation(holder, request, { credentials, claims }));
    return { vp_token: vpToken, presentation_submission: submissionFor(definition.id, places), state: request.state };
  }

  /** Presents, encrypted where the request has a key for it. */
  async present(request: WalletRequest, options: PresentOptions = {}): Promise<Answer> {
    const plain = await this.form(request, options);
    const key = responseKeyOf(request);
    const form = key ? { response: await encryptedResponse(plain, key, options.sealing) } : plain;
    return this.server.call('submitPresentation', { path: { state: request.state }, form });
  }

  session({ state }: WalletRequest): Promise<Answer['body']> {
    return sessionOf(this.server, state);
  }

  /** Starts a verification, presents and returns the session. */
  async outcome(body: object, options: PresentOptions = {}) {
    const request = await this.ask(body);
    await this.present(request, options);
    return this.session(request);
  }

  /** The line of one policy in the results of the presentation (0) or a credential (from 1). */
  async line(
    body: object,
    policy: string,
    { at = 1, ...options }: PresentOptions & { at?: number } = {},
  ): Promise<PolicyLine> {
    const session = await this.outcome(body, options);
    return session.policyResults.results[at].policies.find((line: PolicyLine) => line.policy === policy);
  }
}

/** A request for one degree. */
export const DEGREE_REQUEST = { request_credentials: [{ type: 'UniversityDegreeCredential', format: 'jwt_vc_json' }] };
