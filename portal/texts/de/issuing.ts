import type { issuing as english } from '../en/issuing.ts';

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
