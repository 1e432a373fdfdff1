import type { wallet as english } from '../en/wallet.ts';
import { plurals } from '../plurals.ts';

const count = plurals('de');

export const wallet: typeof english = {
  wallet: {
    title: 'Ihre Wallet',
    empty:
      'Noch keine Nachweise. Nehmen Sie einen vom Beispiel-Aussteller, oder öffnen Sie ein Angebot, das Sie haben.',
    takeOne: 'Einen Ausweis anbieten',
    logOut: 'Abmelden',
    issuedBy: (issuer) => `Ausgestellt von ${issuer}`,
    validUntil: (date) => `Gültig bis ${date}`,
    expiredOn: (date) => `Abgelaufen am ${date}`,
    login: 'Bei Ihrer Wallet anmelden',
    register: 'Ein Konto für Ihre Wallet anlegen',
    name: 'Name',
    email: 'E-Mail-Adresse',
    password: 'Passwort',
    logIn: 'Anmelden',
    create: 'Konto anlegen',
    haveNone: 'Noch kein Konto?',
    haveOne: 'Schon ein Konto?',
    wrongLogin: 'E-Mail-Adresse oder Passwort stimmt nicht.',
    receive: 'Ihnen wird ein Nachweis angeboten',
    offeredBy: 'Angeboten von',
    offered: 'Sie bekämen',
    claims: 'Mit',
    code: 'Code des Ausstellers',
    codeHint: (length) =>
      length === undefined
        ? 'Sie haben ihn getrennt vom Angebot bekommen.'
        : `${count(length, 'Zeichen', 'Zeichen')}; Sie haben ihn getrennt vom Angebot bekommen.`,
    accept: 'Annehmen',
    received: 'Der Nachweis ist in Ihrer Wallet',
    next: 'Weiter: einem Geschäft zeigen',
    toWallet: 'Zur Wallet',
    noOffer: 'Diese Seite braucht ein Angebot. Öffnen Sie eines, das Sie bekommen haben.',
    present: 'Sie werden nach einem Nachweis gefragt',
    whoAsks: 'Wer fragt',
    why: 'Wozu',
    unproven: 'Nichts beweist, wer das ist.',
    proven: {
      'redirect-uri': (host) =>
        `Die Antwort geht an ${host} und an keine andere Adresse. Ein Name daneben ist nicht bewiesen.`,
      did: (did) => `Unterschrieben vom Inhaber von ${did}.`,
      certificate: (name, issuer) => `Unterschrieben von ${name}, mit einem Zertifikat von ${issuer}.`,
      untrusted: 'Dieser Server kennt den Aussteller dieses Zertifikats nicht.',
      federation: (entity, anchor) => `Unterschrieben von ${entity}, einem Mitglied von ${anchor}.`,
    },
    choose: 'Welchen teilen Sie?',
    cannot: 'Sie haben nichts, was darauf antwortet',
    missing: (name) => `Kein Nachweis in Ihrer Wallet ist das, was als ${name} verlangt wird.`,
    share: 'Teilen',
    decline: 'Ablehnen',
    shares: 'Das teilen Sie',
    keeps: 'Das behalten Sie',
    keepsNothing: 'Nichts: Dieser Nachweis lässt sich nur ganz teilen.',
    shared: 'Sie haben es geteilt',
    sharedText: 'Der Prüfer hat Ihre Antwort angenommen.',
    seeResult: 'Sehen, was das Geschäft sieht',
    notShared: 'Es wurde nichts geteilt',
    declinedText: 'Der Prüfer weiß, dass Sie abgelehnt haben, und sonst nichts.',
    leads: (host) => `Weiter zu ${host}`,
    noRequest: 'Diese Seite braucht eine Anfrage. Öffnen Sie eine, die Sie bekommen haben.',
  },
};
