/** In English, which stands in for every language that has no texts here. */
export const EN = {
  qr: 'Show a QR code',
  digital: 'Use the wallet of this browser',
  picture: 'QR code for your wallet',
  begin: 'One moment …',
  scan: 'Scan the QR code with your wallet.',
  choose: 'Choose what to share.',
  opened: 'Decide in your wallet.',
  verified: 'Checked: all is right.',
  declined: 'You declined. Nothing was shared.',
  refused: 'What you shared was not accepted.',
  expired: 'The time is over. Begin again.',
  none: 'No wallet answered. Try again or use the QR code.',
  failed: 'That did not work. Try again.',
};

type Texts = Record<keyof typeof EN, string>;

const DE: Texts = {
  qr: 'QR-Code anzeigen',
  digital: 'Wallet dieses Browsers nutzen',
  picture: 'QR-Code für Ihre Wallet',
  begin: 'Einen Moment …',
  scan: 'Scannen Sie den QR-Code mit Ihrer Wallet.',
  choose: 'Wählen Sie, was Sie teilen.',
  opened: 'Entscheiden Sie in Ihrer Wallet.',
  verified: 'Geprüft: alles in Ordnung.',
  declined: 'Sie haben abgelehnt. Nichts wurde geteilt.',
  refused: 'Was Sie geteilt haben, wurde nicht anerkannt.',
  expired: 'Die Zeit ist um. Beginnen Sie neu.',
  none: 'Keine Wallet hat geantwortet. Versuchen Sie es erneut oder mit dem QR-Code.',
  failed: 'Das hat nicht geklappt. Versuchen Sie es erneut.',
};

/** The texts in other languages. */
export const TEXTS: Record<string, Texts> = { de: DE };

/** The name of a text; the attribute `text-` with this name replaces it. */
export type TextName = keyof Texts;
