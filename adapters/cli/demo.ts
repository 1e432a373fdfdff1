import { createPrivateKey, type JsonWebKey } from 'node:crypto';
import { type Colors, plain } from './colors.ts';
import { DemoIssuer, DemoVerification, DemoWallet, type HeldCredential, policiesOf } from './demo-actors.ts';
import { ask, member, textOf } from './demo-http.ts';
import { serveStatusList, statusEntry } from './demo-status-list.ts';
import { claimsOf, type DemoClient, forge, loginToken, shorten } from './demo-tokens.ts';

/** Where the services are, who the client is, and where the story goes. */
export interface StoryOptions {
  walletUrl: string;
  issuerUrl: string;
  verifierUrl: string;
  statusUrl: string;
  client: DemoClient;
  /** Takes one line without its line break. */
  print(line: string): void;
  paint?: Colors;
  /** Ends with how to go on, for a server that stays. */
  keep?: boolean;
}

/** What the documented answer is for a credential that has no status. */
const NO_STATUS = 'Verifiable credential has no credential-status property';
const FRESH = 7;
const REVOKED = 11;

/**
 * Tells the whole story against running services, by plain HTTP: log in with a certificate, onboard an issuer, issue,
 * accept, present, verify, be caught tampering, check statuses. True at the happy end.
 * @throws Error at the first answer that is not the expected one
 */
export async function tellStory(options: StoryOptions): Promise<boolean> {
  const story = new Story(options);
  const { token, wallet } = await story.logIn();
  const issuer = await story.onboard();
  const degree = await story.issue(issuer, wallet);
  const session = await story.verify(wallet);
  await story.tamper(session);
  await story.checkStatus({ issuer, wallet, degree });
  story.end(token, wallet);
  return true;
}

class Story {
  readonly #options: StoryOptions;
  readonly #paint: Colors;
  #step = 0;

  constructor(options: StoryOptions) {
    this.#options = options;
    this.#paint = options.paint ?? plain;
  }

  async logIn(): Promise<{ token: string; wallet: DemoWallet }> {
    const { walletUrl, client } = this.#options;
    this.#title('A wallet user registers and logs in with a client certificate (x5c)');
    const json = { type: 'x5c', token: loginToken(client) };
    const registered = await ask(`${walletUrl}/wallet-api/auth/x5c/register`, { json, expect: [201] });
    this.#say(`register  ${textOf(registered.body)}`);
    const { body } = await ask(`${walletUrl}/wallet-api/auth/x5c/login`, { json });
    const token = textOf(body, 'token');
    this.#say(`login     account ${textOf(body, 'id')}, token ${shorten(token)}`);
    const wallet = await DemoWallet.open(walletUrl, token);
    this.#say(`wallet    ${wallet.url}, DID ${shorten(wallet.did)}`);
    return { token, wallet };
  }

  async onboard(): Promise<DemoIssuer> {
    this.#title('A university becomes an issuer');
    const issuer = await DemoIssuer.onboard(this.#options.issuerUrl);
    this.#say(`key       ${textOf(issuer.key, 'type')}, ${textOf(issuer.key, 'jwk', 'crv')}`);
    this.#say(`DID       ${shorten(issuer.did)}`);
    return issuer;
  }

  async issue(issuer: DemoIssuer, wallet: DemoWallet): Promise<HeldCredential> {
    this.#title('It offers a UniversityDegree, and the wallet accepts');
    const offer = await issuer.offerDegree();
    this.#say(`offer     ${offer}`);
    this.#say(`wallet    is offered ${textOf(await wallet.look(offer), 'credential_configuration_ids', 0)}`);
    const degree = await wallet.accept(offer);
    const subject = member(claimsOf(degree.document), 'vc', 'credentialSubject');
    if (textOf(subject, 'id') !== wallet.did) throw new Error('The credential is about somebody else');
    this.#say(`holds     ${shorten(degree.document)}`);
    this.#say(`about     ${textOf(subject, 'name')}: ${textOf(subject, 'degree', 'name')}`);
    return degree;
  }

  async verify(wallet: DemoWallet): Promise<unknown> {
    this.#title('An employer asks for the degree, and the wallet presents it');
    const verification = await DemoVerification.start(this.#options.verifierUrl);
    this.#say(`request   ${shorten(verification.url.href)}, state ${verification.state}`);
    this.#say(`wallet    finds ${await wallet.present(verification.url.href)} credential to present`);
    const session = await verification.session();
    const result = member(session, 'verificationResult');
    if (result !== true) throw new Error(`The presentation was not accepted: ${policiesOf(session)}`);
    this.#say(`policies  ${policiesOf(session)}`);
    this.#say(`verified  ${this.#paint('good', String(result))}`);
    return session;
  }

  async tamper(session: unknown): Promise<void> {
    this.#title('Somebody turns the bachelor into a doctor and presents that');
    const forged = forge(textOf(session, 'tokenResponse', 'vp_token'), promote);
    const verification = await DemoVerification.start(this.#options.verifierUrl);
    await verification.answer(forged, Object(member(session, 'tokenResponse', 'presentation_submission')));
    const outcome = await verification.session();
    const { verificationResult: result, policyResults } = Object(outcome);
    if (result === true) throw new Error('The forged presentation was accepted');
    this.#say(`answer    400${policyResults === undefined ? '' : `, ${policiesOf(outcome)}`}`);
    this.#say(`verified  ${this.#paint('bad', String(result ?? false))}`);
  }

  async checkStatus({ issuer, wallet, degree }: StatusScene): Promise<void> {
    this.#title('Anybody checks whether credentials are revoked');
    await this.#expectStatus('no status', degree, NO_STATUS);
    const key = createPrivateKey({ key: member(issuer.key, 'jwk') as JsonWebKey, format: 'jwk' });
    const list = await serveStatusList({ issuerDid: issuer.did, key, revoked: [REVOKED] });
    try {
      this.#say(`list      a signed StatusList2021 at ${list.url}`);
      for (const [label, index] of [['fresh', FRESH] as const, ['revoked', REVOKED] as const]) {
        const credential = await wallet.accept(await issuer.offerDegree(statusEntry(list.url, index)));
        await this.#expectStatus(label, credential, { isRevoked: index === REVOKED });
      }
    } finally {
      await list.close();
    }
  }

  end(token: string, wallet: DemoWallet): void {
    const { print, keep, walletUrl, verifierUrl } = this.#options;
    print('');
    print(this.#paint('good', 'The story went as it should.'));
    if (keep !== true) return;
    print('The server stays until you stop it (Ctrl+C). To go on:');
    print(`  ${this.#paint('name', `${walletUrl}/docs`)}   every operation, to try out`);
    print(`  curl -H 'Authorization: Bearer ${token}' ${wallet.url}/credentials`);
    print(`  curl -H 'Content-Type: application/json' -H 'responseMode: direct_post' \\`);
    print(
      `    -d '{"request_credentials":[{"type":"UniversityDegree","format":"jwt_vc_json"}]}' ${verifierUrl}/openid4vc/verify`,
    );
  }

  async #expectStatus(label: string, { document }: HeldCredential, expected: unknown): Promise<void> {
    const { body } = await ask(`${this.#options.statusUrl}/v1/revocations/check`, { text: document });
    const answer = JSON.stringify(body);
    if (answer !== JSON.stringify(expected))
      throw new Error(`The status of the credential (${label}) came as ${answer}`);
    this.#say(`${label.padEnd(9)} ${this.#paint(label === 'revoked' ? 'bad' : 'good', answer)}`);
  }

  #title(text: string): void {
    this.#step += 1;
    this.#options.print('');
    this.#options.print(this.#paint('title', `${this.#step}. ${text}`));
  }

  #say(text: string): void {
    const [label = '', ...rest] = text.split(/(?<=^.{10})/s);
    this.#options.print(`   ${this.#paint('quiet', label)}${rest.join('')}`);
  }
}

interface StatusScene {
  issuer: DemoIssuer;
  wallet: DemoWallet;
  /** A credential without a status. */
  degree: HeldCredential;
}

/** The claims of a presentation with another degree in its credential; neither signature fits any more. */
function promote(claims: Record<string, unknown>): unknown {
  const presentation = Object(member(claims, 'vp'));
  const [credential, ...others] = presentation.verifiableCredential;
  const promoted = forge(textOf(credential), (inner) => {
    const changed = structuredClone(inner);
    Object(member(changed, 'vc', 'credentialSubject', 'degree')).name = 'Doctor of Everything';
    return changed;
  });
  return { ...claims, vp: { ...presentation, verifiableCredential: [promoted, ...others] } };
}
