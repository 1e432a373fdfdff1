import { makeHolderKey } from '../../demo/actors/holder-key.ts';
import { degree, type Issuer, onboard } from '../../demo/actors/issuer.ts';
import { makeOffer } from '../actors/issuance.ts';
import { issueCredential, jwkParty, type Party } from '../actors/party.ts';
import {
  credentialRequest,
  makePresentation,
  proofOf,
  readRequest,
  redeem,
  requestCredential,
  submissionFor,
  type WalletRequest,
} from '../actors/wallet.ts';
import { newWalletUser, type WalletUser } from '../actors/wallet-user.ts';
import type { Answer, TestServer } from '../support/servers/server.ts';
import { type Installation, install, type Kind } from './races.ts';

const DEGREE = { request_credentials: ['UniversityDegree'] };

/** An access token with its nonce and the holder of the key. */
export interface Access {
  code: string;
  token: string;
  nonce: string;
}

/** Instances with an issuer, a wallet and a third party; registers the hooks that start and stop them. */
export class OneTimeThings {
  all!: Installation;
  server!: TestServer;
  issuer!: Issuer;
  wallet!: WalletUser;
  readonly #holder = makeHolderKey();
  #party!: Party;

  constructor(kind: Kind) {
    before(async () => {
      this.all = await install(kind);
      this.server = this.all.server;
      this.issuer = await onboard(this.server);
      this.wallet = await newWalletUser(this.server);
      this.#party = await jwkParty();
    });
    after(() => this.all.close());
  }

  /** The link of a new offer. */
  async offer(): Promise<string> {
    return (await this.server.call('issueJwtCredential', { json: degree(this.issuer) })).body;
  }

  async code(): Promise<string> {
    return (await makeOffer(this.server, degree(this.issuer))).code;
  }

  async access(): Promise<Access> {
    const code = await this.code();
    const { body } = await redeem(this.server, code);
    return { code, token: body.access_token, nonce: body.c_nonce };
  }

  redeem(code: string): Promise<Answer> {
    return redeem(this.server, code);
  }

  /** A credential request with a proof for this nonce. */
  proof(nonce: string): object {
    return credentialRequest(proofOf(this.server, this.#holder, { nonce }));
  }

  claim(token: string, request: object): Promise<Answer> {
    return requestCredential(this.server, token, request);
  }

  async ask(): Promise<WalletRequest> {
    return readRequest((await this.server.call('startVerification', { json: DEGREE })).body);
  }

  /** A valid answer to a request. */
  async answerTo(request: WalletRequest): Promise<Record<string, string>> {
    const path = { state: request.state };
    const { body: definition } = await this.server.call('getPresentationDefinition', { path });
    const credential = await issueCredential(this.#party, this.#party, { type: 'UniversityDegree' });
    return {
      vp_token: await makePresentation(this.#party, request, { credentials: [credential] }),
      presentation_submission: submissionFor(definition.id, { [definition.input_descriptors[0].id]: 0 }),
    };
  }

  post({ state }: WalletRequest, form: Record<string, string>): Promise<Answer> {
    return this.server.call('submitPresentation', { path: { state }, form });
  }

  async resultOf({ state }: WalletRequest) {
    return (await this.server.call('getVerificationResult', { path: { state } })).body;
  }
}
