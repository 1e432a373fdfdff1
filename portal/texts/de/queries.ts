import type { queries as en } from '../en/queries.ts';

export const queries: typeof en = {
  queries: {
    query: 'Wonach gefragt wird',
    credential: (at, name) => (name === '' ? `Ausweis ${at}` : `Ausweis ${at}: ${name}`),
    card: 'Ausweis',
    cardIn: (name, format) => (format === undefined ? name : `${name} (${format})`),
    byHand: 'Ein anderer: eintippen, wie er heißt',
    format: 'Format',
    formats: { 'dc+sd-jwt': 'SD-JWT VC', mso_mdoc: 'mdoc', jwt_vc_json: 'W3C' },
    type: 'Typ',
    types: {
      'dc+sd-jwt': 'Typ (vct)',
      mso_mdoc: 'Dokumenttyp (doctype)',
      jwt_vc_json: 'Typ des W3C-Nachweises',
    },
    typeHint: 'Genau so, wie der Aussteller ihn schreibt.',
    claims: 'Was davon gezeigt werden soll',
    noClaims: 'Noch nichts: Dann zeigt die Wallet, was ihr Inhaber nicht zurückhalten kann, und sonst nichts.',
    claim: 'Eine weitere Angabe',
    claimHint:
      'Ihr Name, wie der Aussteller ihn schreibt; was in etwas anderem steht, nach einem Schrägstrich, zum Beispiel address/street.',
    addClaim: 'Diese Angabe hinzufügen',
    add: 'Einen weiteren Ausweis hinzufügen',
    remove: (at, name) => (name === '' ? `Ausweis ${at} entfernen` : `Ausweis ${at} entfernen: ${name}`),
    together: 'Der Inhaber zeigt',
    all: 'Alle diese Ausweise',
    any: 'Einen dieser Ausweise',
    policies: 'Was geprüft wird',
    always:
      'Die Unterschrift des Ausstellers, der Inhaber und dass die Antwort für diese Anfrage gemacht wurde, werden immer geprüft.',
    argument: (policy) => `Argument von ${policy}`,
    example: (example) => `Zum Beispiel ${example}`,
  },
  builder: {
    title: 'Nach etwas fragen',
    lead: 'Sagen Sie, wonach Sie fragen. Die Adresse dieser Seite enthält alles: Wer sie öffnet, sieht dieselbe Anfrage.',
    create: 'Die Anfrage machen',
    lifetime: 'Wie lange die Anfrage gilt',
    lifetimes: { '': 'Wie der Server es hält', PT5M: '5 Minuten', PT1H: '1 Stunde', P1D: '1 Tag', P7D: '7 Tage' },
  },
};
