import type { RefusalReason } from '../../../domain/sign-in/refusals.ts';
import { weightsOf } from '../messages/negotiation.ts';

/** The texts of the pages of sign-ins, in English. */
const EN = {
  language: 'en',
  title: (client: string) => `Sign in to ${client}`,
  states: {
    waiting: 'Waiting for your wallet.',
    opened: 'Your wallet has the request. Decide there.',
    checking: 'What you showed is being checked.',
    refused: 'You were not signed in.',
  },
  reasons: {
    declined: 'Your wallet declined. Nothing was shown.',
    incomplete: 'Your wallet did not show everything that is needed.',
    expired: 'What you showed is not valid today. Ask its issuer for a new one.',
    revoked: 'What you showed was revoked or suspended. Ask its issuer why.',
    untrusted: 'What you showed is from an issuer that is not accepted here.',
    invalid: 'What you showed could not be confirmed. Try again, or use another credential.',
  } satisfies Record<RefusalReason, string>,
  scan: 'Scan this code with your wallet on another device.',
  picture: 'QR code for your wallet',
  sameDevice: 'Open the wallet on this device',
  digital: 'Use the wallet of this browser',
  noWallet: 'No wallet answered. Try again, or use another way.',
  claims: (client: string) => `${client} gets`,
  names: {
    given_name: 'given name',
    family_name: 'family name',
    name: 'name',
    birthdate: 'date of birth',
    email: 'e-mail address',
    address: 'address',
    nationality: 'nationality',
    age_over_18: 'whether you are 18 or older',
  } as Readonly<Record<string, string>>,
  minutes: (minutes: number) => (minutes === 1 ? 'One minute is left.' : `${minutes} minutes are left.`),
  again: 'Try again',
  cancel: 'Cancel and go back',
  over: 'This sign-in is over',
  overText: 'It took too long, or it began in another browser. Go back to the application and begin again.',
  down: 'This does not work right now',
  downText: 'Nothing is lost. Load this page again in a moment.',
  failed: 'The sign-in cannot go on',
  failedText: 'The application asked for something that cannot be done. Show those who run it what is below.',
  logout: (client: string | undefined) => (client ? `Log out of ${client}?` : 'Log out?'),
  confirmLogout: 'Log out',
  stay: 'Stay logged in',
  loggedOut: 'You are logged out',
  loggedOutText: 'You can close this page.',
};

/** The texts of the pages in one language. */
export type SignInTexts = typeof EN;

const DE: SignInTexts = {
  language: 'de',
  title: (client) => `Bei ${client} anmelden`,
  states: {
    waiting: 'Warten auf Ihre Wallet.',
    opened: 'Ihre Wallet hat die Anfrage. Entscheiden Sie dort.',
    checking: 'Was Sie gezeigt haben, wird geprüft.',
    refused: 'Sie wurden nicht angemeldet.',
  },
  reasons: {
    declined: 'Ihre Wallet hat abgelehnt. Nichts wurde gezeigt.',
    incomplete: 'Ihre Wallet hat nicht alles gezeigt, was nötig ist.',
    expired: 'Was Sie gezeigt haben, gilt heute nicht. Fragen Sie beim Aussteller nach einem neuen.',
    revoked: 'Was Sie gezeigt haben, wurde widerrufen oder ausgesetzt. Fragen Sie beim Aussteller nach.',
    untrusted: 'Was Sie gezeigt haben, ist von einem Aussteller, der hier nicht anerkannt ist.',
    invalid:
      'Was Sie gezeigt haben, ließ sich nicht bestätigen. Versuchen Sie es erneut oder mit einem anderen Nachweis.',
  },
  scan: 'Scannen Sie diesen Code mit Ihrer Wallet auf einem anderen Gerät.',
  picture: 'QR-Code für Ihre Wallet',
  sameDevice: 'Wallet auf diesem Gerät öffnen',
  digital: 'Wallet dieses Browsers nutzen',
  noWallet: 'Keine Wallet hat geantwortet. Versuchen Sie es erneut oder auf einem anderen Weg.',
  claims: (client) => `${client} erhält`,
  names: {
    given_name: 'Vorname',
    family_name: 'Nachname',
    name: 'Name',
    birthdate: 'Geburtsdatum',
    email: 'E-Mail-Adresse',
    address: 'Anschrift',
    nationality: 'Staatsangehörigkeit',
    age_over_18: 'ob Sie mindestens 18 sind',
  },
  minutes: (minutes) => (minutes === 1 ? 'Noch eine Minute.' : `Noch ${minutes} Minuten.`),
  again: 'Noch einmal versuchen',
  cancel: 'Abbrechen und zurück',
  over: 'Diese Anmeldung ist vorbei',
  overText:
    'Sie hat zu lange gedauert oder begann in einem anderen Browser. Gehen Sie zurück zur Anwendung und beginnen Sie neu.',
  down: 'Das geht gerade nicht',
  downText: 'Nichts ist verloren. Laden Sie diese Seite gleich noch einmal.',
  failed: 'Die Anmeldung kann nicht weitergehen',
  failedText: 'Die Anwendung hat etwas verlangt, das nicht geht. Sagen Sie denen, die sie betreiben, was unten steht.',
  logout: (client) => (client ? `Bei ${client} abmelden?` : 'Abmelden?'),
  confirmLogout: 'Abmelden',
  stay: 'Angemeldet bleiben',
  loggedOut: 'Sie sind abgemeldet',
  loggedOutText: 'Sie können diese Seite schließen.',
};

const LANGUAGES: Readonly<Record<string, SignInTexts>> = { en: EN, de: DE };

/** What a page knows of its reader. */
export interface Reader {
  /** The languages that the client asked for, the preferred one first (`ui_locales`). */
  locales?: string;
  acceptLanguage?: string;
}

/** The texts in the reader's language; in the one of the installation where it has none of theirs. */
export function textsFor({ locales = '', acceptLanguage = '' }: Reader, usual: string): SignInTexts {
  const accepted = [...weightsOf(acceptLanguage)].sort(([, one], [, other]) => other - one).map(([name]) => name);
  const [first] = [...locales.toLowerCase().split(' '), ...accepted]
    .map((tag) => LANGUAGES[tag.split('-')[0] ?? ''])
    .filter((texts) => texts !== undefined);
  return first ?? LANGUAGES[usual] ?? EN;
}
