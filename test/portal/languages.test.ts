import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { expect } from 'chai';
import ts from 'typescript';
import { usePages } from '../support/portal/browser.ts';
import { holderOn } from '../support/portal/holder.ts';
import { showCard, takeCard, Visitor } from '../support/portal/walk.ts';
import { wordsLeft } from '../support/portal/words.ts';
import { useServer } from '../support/servers/server.ts';

/** What a page says that is no text of a language: names, addresses, claims and what the server says. */
const DATA = [/^(– |Credenza – )?Credenza$|^Identity ?Credential$/, /^did:|^http/];

describe('languages of the portal', () => {
  const server = useServer({ settings: { portal: { defaultLanguage: 'de' } } });
  const open = usePages(server);

  it('X7: a page speaks the language of the browser, else that of the operator; a choice lasts, and leaves the focus where it is', async () => {
    const page = await open('/', { locale: 'fr-FR' });
    await page.getByRole('heading', { name: 'In einer Minute sehen, wie es geht' }).waitFor();
    const german = await open('/', { locale: 'de-AT' });
    await german.getByRole('button', { name: 'Anfangen: einen Ausweis anbieten' }).click();
    await german.getByText(/^Gültig bis \d\d:\d\d:\d\d/).waitFor();
    expect(await german.evaluate('document.documentElement.lang')).to.equal('de');
    await german.getByLabel('Sprache').focus();
    await german.getByLabel('Sprache').selectOption('English');
    await german.getByText(/^Valid until \d\d?:\d\d:\d\d/).waitFor();
    expect(await german.evaluate('[document.documentElement.lang, document.activeElement.tagName]')).to.deep.equal([
      'en',
      'SELECT',
    ]);
    await german.reload();
    await german.getByText(/^Valid until/).waitFor();
    expect(await german.evaluate('Object.entries(localStorage)')).to.deep.equal([['language', 'en']]);
  });

  it('X7: a day is written as the language does, and is the same one in every place', async () => {
    const page = await open('/', { locale: 'de-DE', timezoneId: 'America/New_York' });
    const holder = await holderOn(page, server, '/wallet/log');
    const json = { profileId: 'IdentityCredential_dc-sd-jwt', authMethod: 'PRE_AUTHORIZED' };
    const { id } = await holder.accept((await server.call('createCredentialOffer', { json })).body.credentialOffer);
    await page.goto(`${server.url}/#/wallet/credentials/${encodeURIComponent(id)}`);
    await page.getByText('31. Januar 1990').waitFor();
  });

  it('X7: every step of an offer and of a request has words in each language', async () => {
    const [offers, requests] = [
      'domain/issuer/sessions/issuance-event-names.ts',
      'domain/verifier/verification/outcome.ts',
    ].map((file) => readFileSync(file, 'utf8'));
    const written = (text = '', from: RegExp) =>
      [...(from.exec(text)?.[0] ?? '').matchAll(/[`'](.+?)[`']/g)].map(([, name = '']) => name);
    const outcomes = (name: string) => ['succeeded', 'failed'].map((outcome) => name.replace(/\$\{Outcome\}/, outcome));
    const grants = (name: string) =>
      ['authorization_code', 'pre_authorized_code', 'refresh_token'].map((grant) =>
        name.replace(/\$\{GrantName\}/, grant),
      );
    const kinds = (name: string) =>
      ['sd_jwt_vc', 'jwt_vc_json', 'mso_mdoc'].map((kind) => name.replace(/\$\{string\}/, kind));
    const names = {
      issue: written(offers, /type IssuanceEventName =[^;]*/)
        .flatMap(outcomes)
        .flatMap(grants)
        .flatMap(kinds),
      verify: written(requests, /type SessionEvent =[^;]*/),
    };
    for (const sections of [
      await import('../../portal/texts/en/sessions.ts'),
      await import('../../portal/texts/de/sessions.ts'),
    ])
      for (const { issue, verify } of Object.values(sections)) {
        expect(new Set(names.issue).size, 'events of offers').to.equal(20);
        expect(names.issue.filter((name) => !(name in issue.events))).to.deep.equal([]);
        expect(names.verify.filter((name) => !(name in verify.events))).to.deep.equal([]);
      }
  });

  it('X7: with the pseudo-language no word of another one is left in the tour', async () => {
    const page = await open();
    await page.evaluate("localStorage.setItem('language', 'en-XA')");
    await page.reload();
    const visitor = new Visitor(page, async () => {
      const left = (await wordsLeft(page)).filter((text) => !DATA.some((one) => one.test(text)));
      expect(left, await page.title()).to.deep.equal([]);
    });
    await takeCard(visitor, 'x7@example.org');
    await showCard(visitor);
  });

  it('X7: a language without one of the texts does not compile', () => {
    const options = { strict: true, noEmit: true, target: ts.ScriptTarget.ES2023, module: ts.ModuleKind.ESNext };
    const file = resolve('portal/texts/de/wallet.ts');
    const errorsOf = (text: string): string[] => {
      const host = ts.createCompilerHost({ ...options, allowImportingTsExtensions: true });
      const read = host.readFile;
      host.readFile = (name) => (resolve(name) === file ? text : read(name));
      const program = ts.createProgram([file], { ...options, allowImportingTsExtensions: true, types: [] }, host);
      const found = program.getSemanticDiagnostics(program.getSourceFile(file));
      return found.map(({ messageText }) => ts.flattenDiagnosticMessageText(messageText, '\n'));
    };
    const text = readFileSync(file, 'utf8');
    expect(errorsOf(text)).to.deep.equal([]);
    const [error = ''] = errorsOf(text.replace("    share: 'Teilen',\n", ''));
    expect(error).to.include("Property 'share' is missing");
  });
});
