import type { issued as english } from '../en/issued.ts';
import { plurals } from '../plurals.ts';

const count = plurals('de');

export const issued: typeof english = {
  issued: {
    title: 'Ausgestellte Karten',
    one: 'Ausgestellte Karte',
    caption: 'Ausgestellte Karten, die neuesten zuerst',
    empty: 'Hier wurde noch nichts ausgestellt.',
    nothing: 'Nichts Ausgestelltes passt dazu. Prüfen Sie, wie Aktenzeichen oder Empfänger geschrieben wurden.',
    tooMany: 'Das ist zu viel, um es auf einmal zu durchsuchen. Nennen Sie Tage, zwischen denen ausgestellt wurde.',
    when: 'Ausgestellt',
    changed: 'Letzte Änderung',
    card: 'Karte',
    anyCard: 'Alle Karten',
    reference: 'Aktenzeichen',
    recipient: 'Empfänger',
    state: 'Zustand',
    anyState: 'Jeder Zustand',
    typeVersion: 'Version der Karte',
    copies: 'Nachweise in der Wallet',
    id: 'Nummer',
    noStatus: 'Sie hat keinen Status: Sie kann nicht widerrufen oder ausgesetzt werden und endet mit ihrer Gültigkeit.',
    entries: (number: number) => count(number, 'Nachweis', 'Nachweise'),
    forget: 'Empfänger vergessen',
    forgetAsk: (name: string) => `${name} vergessen?`,
    forgetText:
      'Nur der Empfänger wird entfernt. Die Karte bleibt, wie sie ist, und lässt sich weiter finden und widerrufen.',
    again: 'Noch einmal ausstellen',
    export: 'Als Tabelle (CSV)',
    exported: (number: number) => count(number, 'Karte geschrieben.', 'Karten geschrieben.'),
    toList: 'Alle ausgestellten Karten',
  },
};
