import { styleText } from 'node:util';
import { encodeQR } from 'qr';
import { type Colors, plain } from '../adapters/cli/colors.ts';
import type { KeyBackends } from '../domain/keys/key-backends.ts';
import {
  degree,
  degreeData,
  eventsOf,
  type Issuer,
  type KeyRequest,
  OWN_KEY,
  offerLink,
  offerProfile,
  onboard,
} from './actors/issuer.ts';
import { claimsOf, forge, type LoginClient, loginToken, shorten } from './actors/jws.ts';
import { DemoPhone, withholdable } from './actors/phone.ts';
import { serveStatusList, statusEntry } from './actors/status-list.ts';
import { DEGREE_REQUEST, policiesOf, presentForged, sessionOf, startVerification, stateOf } from './actors/verifier.ts';
import { type WalletCredential, WalletUser } from './actors/wallet-user.ts';
import { eventsUntil, member, textOf } from './http-client.ts';
import { Narrator } from './narrator.ts';
import { perform, type Services } from './services.ts';
import { IDENTITY_PROFILE, presentEveryFormat } from './stories/formats.ts';
import { withdrawCard } from './stories/revocation.ts';

/** The services, the client that logs in and where the output goes. */
interface DemoOptions {
  services: Services;
  client: LoginClient;
  /** The key that the issuer asks for; without it one that it keeps itself. */
  issuerKey?: KeyRequest;
  /** Signs the issuer's status list with its key, wherever that is. */
  keys: Pick<KeyBackends, 'read' | 'signer'>;
  /** Takes one line without its line break. */
  print(line: string): void;
  colors?: Colors;
  /** Prints commands to continue with, for a server that keeps running. */
  keep?: boolean;
  /** Whether a person reads this, who gets the offer to the phone as QR code too. */
  isTerminal?: boolean;
}

/** The documented answer for a credential without a status. */
const NO_STATUS = 'Verifiable credential has no credential-status property';
const FRESH = 7;
const REVOKED = 11;

/**
 * Runs the scenario against running services: log in with a certificate, onboard an issuer, issue, accept,
 * present, verify, reject a forged presentation, check statuses, issue over OpenID4VCI 1.0, present every format over both
 * generations of OpenID4VP, suspend, restore and revoke.
 * @throws Error at the first answer that is not the expected one
 */
export async function runDemo(options: DemoOptions): Promise<void> {
  const scenario = new DemoScenario(options);
  const wallet = await scenario.logIn();
  const issuer = await scenario.onboard();
  const degree = await scenario.issue(issuer, wallet);
  const session = await scenario.verify(wallet);
  await scenario.tamper(session);
  await scenario.checkStatus({ issuer, wallet, degree });
  await scenario.issueToPhone(issuer);
  await scenario.presentAndWithdraw(issuer, wallet);
  scenario.end(wallet);
}

class DemoScenario {
  readonly #colors: Colors;
  readonly #narrator: Narrator;

  constructor(private readonly options: DemoOptions) {
    this.#colors = options.colors ?? plain;
    this.#narrator = new Narrator({ print: options.print, colors: this.#colors });
  }

  async logIn(): Promise<WalletUser> {
    const { services, client } = this.options;
    this.#narrator.title('A wallet user registers and logs in with a client certificate (x5c)');
    const json = { type: 'x5c', token: loginToken(client) };
    const registered = await perform(services, 'registerWithCertificate', { json, expect: 201 });
    this.#narrator.say(`register  ${textOf(registered)}`);
    const body = await perform(services, 'loginWithCertificate', { json });
    const token = textOf(body, 'token');
    this.#narrator.say(`login     account ${textOf(body, 'id')}, token ${shorten(token)}`);
    const user = await WalletUser.open(services, token);
    this.#narrator.say(`wallet    ${this.#placeOf(user)}, DID ${shorten(user.did)}`);
    return user;
  }

  async onboard(): Promise<Issuer> {
    this.#narrator.title('A university becomes an issuer');
    const { services, issuerKey: key = OWN_KEY } = this.options;
    const issuer = await onboard(services, { key, did: { method: 'jwk' } });
    const { type, id, jwk } = issuer.issuerKey;
    this.#narrator.say(`key       ${textOf(type)}, ${jwk === undefined ? shorten(textOf(id)) : textOf(jwk, 'crv')}`);
    this.#narrator.say(`DID       ${shorten(issuer.issuerDid)}`);
    return issuer;
  }

  async issue(issuer: Issuer, wallet: WalletUser): Promise<WalletCredential> {
    this.#narrator.title('It offers a UniversityDegree, and the wallet accepts');
    const offer = await this.#offerDegree(issuer);
    this.#narrator.say(`offer     ${offer}`);
    this.#narrator.say(
      `wallet    is offered ${textOf(await wallet.resolve(offer), 'credential_configuration_ids', 0)}`,
    );
    const degree = await wallet.accept(offer);
    const subject = member(claimsOf(degree.document), 'vc', 'credentialSubject');
    if (textOf(subject, 'id') !== wallet.did) throw new Error('The credential names another subject');
    this.#narrator.say(`stored    ${shorten(degree.document)}`);
    this.#narrator.say(`about     ${textOf(subject, 'name')}: ${textOf(subject, 'degree', 'name')}`);
    return degree;
  }

  async verify(wallet: WalletUser): Promise<unknown> {
    this.#narrator.title('An employer asks for the degree, and the wallet presents it');
    const { services } = this.options;
    const link = await startVerification(services, DEGREE_REQUEST);
    this.#narrator.say(`request   ${shorten(link)}, state ${stateOf(link)}`);
    this.#narrator.say(`wallet    finds ${await wallet.present(link)} credential to present`);
    const session = await sessionOf(services, stateOf(link));
    const result = member(session, 'verificationResult');
    if (result !== true) throw new Error(`The presentation was not accepted: ${policiesOf(session)}`);
    this.#narrator.say(`policies  ${policiesOf(session)}`);
    this.#narrator.say(`verified  ${this.#colors('good', String(result))}`);
    return session;
  }

  async tamper(session: unknown): Promise<void> {
    this.#narrator.title('An attacker changes the degree in the credential and presents it');
    const forged = forge(textOf(session, 'tokenResponse', 'vp_token'), promote);
    const { services } = this.options;
    const link = await startVerification(services, DEGREE_REQUEST);
    await presentForged(link, forged, Object(member(session, 'tokenResponse', 'presentation_submission')));
    const outcome = await sessionOf(services, stateOf(link));
    const { verificationResult: result, policyResults } = Object(outcome);
    if (result === true) throw new Error('The forged presentation was accepted');
    this.#narrator.say(`answer    400${policyResults === undefined ? '' : `, ${policiesOf(outcome)}`}`);
    this.#narrator.say(`verified  ${this.#colors('bad', String(result ?? false))}`);
  }

  async checkStatus({ issuer, wallet, degree }: StatusCheck): Promise<void> {
    this.#narrator.title('A verifier checks whether credentials are revoked');
    await this.#expectStatus('no status', degree, NO_STATUS);
    const { keys } = this.options;
    const signer = keys.signer(await keys.read(issuer.issuerKey));
    const list = await serveStatusList({ issuerDid: issuer.issuerDid, signer, revoked: [REVOKED] });
    try {
      this.#narrator.say(`list      a signed StatusList2021 at ${list.url}`);
      for (const [label, index] of [['fresh', FRESH] as const, ['revoked', REVOKED] as const]) {
        const credential = await wallet.accept(
          await this.#offerDegree(issuer, { credentialStatus: statusEntry(list.url, index) }),
        );
        await this.#expectStatus(label, credential, { isRevoked: index === REVOKED });
      }
    } finally {
      await list.close();
    }
  }

  async issueToPhone(issuer: Issuer): Promise<void> {
    this.#narrator.title('A phone redeems an SD-JWT VC over OpenID4VCI 1.0, with a code from a letter');
    const { services } = this.options;
    const { url, txCode, session } = await offerProfile(services, issuer, IDENTITY_PROFILE);
    const history = eventsOf(services, session);
    this.#narrator.say(`offer     ${url}`);
    this.#draw(url);
    const phone = new DemoPhone();
    const offer = await phone.read(url);
    this.#narrator.say(`issuer    ${offer.issuer} offers ${offer.configurationId}`);
    this.#narrator.say(`no code   ${this.#colors('bad', textOf(await phone.token(offer), 'error'))}`);
    const token = textOf(await phone.token(offer, txCode), 'access_token');
    this.#narrator.say(`token     ${shorten(token)}, for the code ${txCode}`);
    const document = await phone.claim(offer, token);
    this.#narrator.say(`stored    ${shorten(document)}`);
    this.#narrator.say(`withholds ${withholdable(document).sort().join(', ')}, as the holder likes`);
    await this.#expectStatus('fresh', { document }, { isRevoked: false });
    const events = await eventsUntil(history, (event) => textOf(event, 'event') === 'issuance_status_changed');
    for (const event of events) this.#narrator.say(`event     ${textOf(event, 'event')}`);
    this.#narrator.say(`session   ${this.#colors('good', textOf(events.at(-1), 'session', 'status'))}`);
  }

  async presentAndWithdraw(issuer: Issuer, wallet: WalletUser): Promise<void> {
    const { services } = this.options;
    const cast = { narrator: this.#narrator, services, issuer, wallet };
    await withdrawCard(cast, await presentEveryFormat(cast));
  }

  end(wallet: WalletUser): void {
    const { print, keep, services } = this.options;
    print('');
    print(this.#colors('good', 'The demo succeeded.'));
    if (keep !== true) return;
    print('The server runs until you stop it (Ctrl+C). Next steps:');
    print(`  ${this.#colors('name', `${services.url}/docs`)}   the documentation of every operation`);
    print(`  curl -H 'Authorization: Bearer ${wallet.token}' ${this.#placeOf(wallet)}/credentials`);
    print(`  curl -H 'Content-Type: application/json' -H 'responseMode: direct_post' \\`);
    print(
      `    -d '{"request_credentials":[{"type":"UniversityDegree","format":"jwt_vc_json"}]}' ${services.url}/openid4vc/verify`,
    );
  }

  /** Draws a link for the camera of a phone. */
  #draw(link: string): void {
    const { isTerminal, print } = this.options;
    if (isTerminal !== true) return;
    for (const line of encodeQR(link, 'ascii').trimEnd().split('\n'))
      print(styleText(['whiteBright', 'bgBlack'], line, { validateStream: false }));
  }

  #placeOf({ wallet }: WalletUser): string {
    return `${this.options.services.url}/wallet-api/wallet/${wallet}`;
  }

  #offerDegree(issuer: Issuer, more: object = {}): Promise<string> {
    const subject = { name: 'Alice', degree: { type: 'BachelorDegree', name: 'Bachelor of Science' } };
    return offerLink(this.options.services, degree(issuer, { credentialData: degreeData(subject, more) }));
  }

  async #expectStatus(
    label: string,
    { document }: Pick<WalletCredential, 'document'>,
    expected: unknown,
  ): Promise<void> {
    const body = await perform(this.options.services, 'checkRevocation', { text: document });
    const answer = JSON.stringify(body);
    if (answer !== JSON.stringify(expected))
      throw new Error(`The status check of the credential (${label}) answered ${answer}`);
    this.#narrator.outcome(label, label !== 'revoked', answer);
  }
}

interface StatusCheck {
  issuer: Issuer;
  wallet: WalletUser;
  /** A credential without a status. */
  degree: WalletCredential;
}

/** The claims of a presentation with another degree in its credential; both signatures become invalid. */
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
