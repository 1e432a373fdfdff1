import type { forms as english } from '../en/forms.ts';

export const forms: typeof english = {
  views: {
    label: 'Ansicht',
    form: 'Formular',
    json: 'JSON',
    text: 'Dasselbe als JSON',
    broken: (line, column) => `Das ist kein JSON: Zeile ${line}, Spalte ${column}.`,
  },
  picture: {
    hint: 'PNG, JPEG, GIF oder WebP, höchstens 64 kB.',
    kind: 'Diese Datei ist kein PNG, JPEG, GIF oder WebP.',
    large: (kilobytes) => `Dieses Bild hat ${kilobytes} kB. Höchstens 64 kB sind möglich.`,
    alt: (label) => `${label}, wie gewählt`,
    remove: (label) => `Entfernen: ${label}`,
  },
  values: {
    none: 'Keine Angabe',
    yes: 'Ja',
    no: 'Nein',
    json: 'Die JSON-Ansicht ändert es.',
    element: (name: string, at: number) => `${name} ${at}`,
    addElement: (name: string) => `Zu ${name} hinzufügen`,
    removeElement: (name: string) => `${name} entfernen`,
    content: 'Was auf der Karte steht',
    needed: 'Auf jeder Karte',
    optional: 'Soweit bekannt',
  },
};
