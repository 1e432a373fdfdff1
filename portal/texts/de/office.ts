import type { office as english } from '../en/office.ts';

export const office: typeof english = {
  office: {
    label: 'Büro',
    overview: 'Übersicht',
    logOut: 'Abmelden',
    elsewhere: 'Anderswo arbeiten',
    service: 'Dienst',
    areas: {
      types: { name: 'Arten', text: 'Wie Ihre Ausweise heißen, was darauf steht und wie sie aussehen.' },
      checks: { name: 'Prüfen', text: 'Am Schalter nach Ausweisen fragen und sofort sehen, ob sie gelten.' },
      trust: { name: 'Vertrauen', text: 'Welchen Ausstellern Ihre Prüfungen glauben.' },
      people: { name: 'Personen', text: 'Wer hier arbeitet und was jede und jeder darf.' },
      audit: { name: 'Wer hat was getan', text: 'Jeder Vorgang, der etwas geändert hat, mit Zeit und Konto.' },
      domains: { name: 'Domains', text: 'Unter welchen Adressen man Ihre Dienste kennt.' },
      keys: { name: 'Schlüssel', text: 'Womit Ihre Dienste unterschreiben, hier oder in einer Cloud.' },
    },
    choose: {
      title: 'Wo arbeiten Sie?',
      none: 'Ihr Konto hat noch keine Rolle. Wer Ihre Organisation verwaltet, kann Ihnen eine geben.',
      empty: 'Es gibt noch keine Organisation. Legen Sie die erste an.',
      create: 'Eine Organisation anlegen',
      health: 'Zustand des Servers',
      audit: 'Anmeldungen, Konten und Organisationen: wer hat was getan',
    },
    organization: {
      title: 'Eine Organisation anlegen',
      name: 'Name',
      id: 'Kurzname',
      idHint: 'Er steht in Adressen und ändert sich nie: Buchstaben, Ziffern, - und _.',
      button: 'Anlegen',
      taken: 'Es gibt schon eine mit diesem Kurznamen. Wählen Sie einen anderen.',
    },
    home: {
      nothing: 'Ihr Konto darf hier keine dieser Seiten verwenden. Wer Ihre Organisation verwaltet, kann es erlauben.',
      units: 'Stellen',
      setUpText:
        'Hier ist noch nichts eingerichtet. Eine Stelle stellt aus und prüft: ein Amt, eine Abteilung, eine Schule.',
      setUp: 'Eine Stelle einrichten',
      finish: 'Hier fehlen einige Dienste.',
    },
    setUp: {
      title: 'Eine Stelle einrichten',
      text: 'Das legt alles an, was eine Stelle braucht, um Ausweise auszustellen und zu prüfen.',
      name: 'Name der Stelle',
      nameHint: 'Zum Beispiel Einwohnermeldeamt.',
      button: 'Einrichten',
      done: (name) => `${name} ist bereit`,
      made: 'Das wurde angelegt',
      services: {
        kms: 'Schlüssel, die dieser Server aufbewahrt',
        'credential-status': 'Statuslisten, damit Ausweise widerrufen werden können',
        issuer2: 'Ein Aussteller',
        verifier2: 'Ein Prüfer',
        'trust-registry': 'Eine Liste der Aussteller, denen Sie glauben',
      },
      next: 'Die erste Art von Ausweis anlegen',
      toOverview: 'Zur Übersicht',
    },
  },
};
