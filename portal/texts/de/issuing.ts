import type { issuing as english } from '../en/issuing.ts';
import { plurals } from '../plurals.ts';

const count = plurals('de');

export const issuing: typeof english = {
  issuing: {
    title: 'Eine Karte ausstellen',
    offerTitle: 'Angebot einer Karte',
    find: 'Eine Karte nach einem Teil ihres Namens finden',
    none: 'Hier kann noch keine Karte ausgestellt werden. Legen Sie zuerst eine Art von Karten an.',
    noMatch: (part: string) => `Keine Karte heißt ‚${part}‘.`,
    otherCard: 'Eine andere Karte ausstellen',
    forWhom: 'Für Ihr Amt',
    reference: 'Aktenzeichen',
    referenceHint: 'Damit finden Sie die Karte wieder.',
    recipient: 'Empfänger',
    recipientHint:
      'Ein Name oder eine E-Mail-Adresse. Verschlüsselt aufbewahrt und löschbar, während die Karte bleibt.',
    mapped: 'Wird ausgefüllt, wenn die Wallet die Karte nimmt',
    options: 'Wie man sie bekommt',
    lifetime: 'Das Angebot gilt',
    lifetimeHint: 'Wer seinen Code hat, kann die Karte in dieser Zeit nehmen.',
    lifetimes: {
      300: '5 Minuten',
      3600: '1 Stunde',
      86400: '1 Tag',
      604800: '7 Tage',
      2592000: '30 Tage',
    },
    code: 'Dazu wird ein Transaktionscode getippt, den Sie auf anderem Weg übergeben',
    offer: 'Diese Karte anbieten',
    another: 'Noch eine ausstellen',
    toIssued: 'Die ausgestellte Karte zeigen',
    print: 'Das Angebot drucken',
  },
  many: {
    title: 'Viele Karten ausstellen',
    table: 'Tabelle',
    tableText: 'Eine Zeile für jede Karte, mit einer ersten Zeile, die die Spalten nennt. Bekannt sind:',
    file: 'Datei (CSV)',
    fileHint:
      'Mit Kommas, Strichpunkten oder Tabulatoren; höchstens 10.000 Zeilen. Sie wird in diesem Browser gelesen.',
    paste: 'Oder eine Tabelle hier einfügen',
    read: 'Die eingefügte Tabelle lesen',
    faults: {
      empty: 'Unter der ersten Zeile, die die Spalten nennt, steht keine weitere.',
      large: 'Die Datei hat mehr als 4 MB.',
      many: 'Sie hat mehr als 10.000 Zeilen. Teilen Sie sie auf.',
    },
    unreachable: (names: string) =>
      `Keine Tabelle kann ausfüllen, was jede Karte dieser Art hat: ${names}. Stellen Sie sie einzeln aus.`,
    columns: 'Welche Spalte was ist',
    noColumn: 'In keiner Spalte',
    needed: 'Auf jeder Karte',
    checking: 'Die Zeilen werden geprüft',
    checked: (good: number, bad: number) =>
      bad === 0
        ? `${count(good, 'Zeile ist', 'Zeilen sind')} richtig. Noch ist nichts ausgestellt.`
        : `${count(good, 'Zeile ist', 'Zeilen sind')} richtig, ${count(bad, 'ist', 'sind')} falsch. Noch ist nichts ausgestellt.`,
    wrongRows: 'Falsche Zeilen',
    moreWrong: (number: number) => `${count(number, 'weitere Zeile ist', 'weitere Zeilen sind')} falsch.`,
    row: 'Zeile',
    wrong: 'Was falsch ist',
    fault: {
      missing: (name: string) => `${name} fehlt`,
      text: (name: string) => `${name} ist zu lang`,
      date: (name: string) => `${name} ist kein Tag wie 31.12.1990`,
      number: (name: string) => `${name} ist keine Zahl`,
      boolean: (name: string) => `${name} ist weder ja noch nein`,
      picture: (name: string) => `${name} ist kein Bild als Data-URL`,
      list: (name: string) => `${name} ist keine Liste`,
      object: (name: string) => `${name} ist keine Gruppe`,
      json: (name: string) => `${name} ist nicht lesbar`,
    },
    leaveOut: (number: number) => `${count(number, 'falsche Zeile', 'falsche Zeilen')} auslassen`,
    begin: (number: number) => `${count(number, 'Karte', 'Karten')} anbieten`,
    progress: (made: number, all: number) => `${made} von ${count(all, 'Angebot', 'Angeboten')} gemacht`,
    stopped: 'Was gemacht ist, bleibt. Danach wird der Rest gemacht und nichts doppelt.',
    goOn: 'Weitermachen',
    done: (made: number, refused: number) =>
      refused === 0
        ? `${count(made, 'Angebot ist', 'Angebote sind')} gemacht.`
        : `${count(made, 'Angebot ist', 'Angebote sind')} gemacht, ${count(refused, 'Zeile wurde', 'Zeilen wurden')} abgelehnt.`,
    refusedRows: 'Abgelehnte Zeilen',
    csv: 'Alle Angebote als Tabelle (CSV)',
    letters: 'Briefe',
    fromTo: (from: number, to: number) => `${from} bis ${to}`,
    print: 'Briefe drucken',
    drawing: (drawn: number, all: number) => `${drawn} von ${count(all, 'Brief', 'Briefen')} gezeichnet`,
  },
  sheet: {
    reference: 'Aktenzeichen:',
    qr: 'QR-Code des Angebots',
    open: 'Öffnen Sie die Wallet-App auf Ihrem Telefon.',
    scan: 'Scannen Sie damit diesen Code.',
    type: 'Tippen Sie den Transaktionscode, den Sie auf einem anderen Blatt bekommen.',
    until: (time: string) => `Dieses Angebot gilt bis ${time}.`,
    code: 'Ihr Transaktionscode:',
    keep: 'Bewahren Sie ihn getrennt vom Blatt mit dem QR-Code auf, bis Ihre Karte in der Wallet ist.',
  },
};
