import type { account as english } from '../en/account.ts';

export const account: typeof english = {
  account: {
    email: 'E-Mail-Adresse',
    password: 'Passwort',
    newPassword: 'Neues Passwort',
    newPasswordHint: 'Ein ganzer Satz ist lang genug und leicht zu merken.',
    continue: 'Weiter',
    toLogin: 'Zur Anmeldung',
    login: {
      title: 'Im Büro anmelden',
      ended: 'Ihre Anmeldung ist abgelaufen',
      endedText: 'Melden Sie sich wieder an, und Sie machen dort weiter, wo Sie waren.',
      button: 'Anmelden',
      wrong: 'E-Mail-Adresse oder Passwort stimmt nicht.',
      first: 'Noch gar kein Konto hier?',
      firstLink: 'Das erste Konto anlegen',
      invited: 'Wurden Sie eingeladen?',
      invitedLink: 'Eine Einladung annehmen',
      forgotten: 'Passwort vergessen?',
      forgottenText: 'Wer diesen Server verwaltet, kann Ihnen ein Token für ein neues geben.',
      forgottenLink: 'Ein neues Passwort setzen',
    },
    locked: {
      title: 'Dieses Konto ist vielleicht gesperrt',
      text:
        'Nach zu vielen falschen Versuchen weist der Server ein Konto eine Weile ab, auch mit dem richtigen Passwort. ' +
        'Er sagt das nicht, weil Fremde daraus erführen, welche Konten es gibt.',
      wait: 'Warten Sie eine Viertelstunde, und versuchen Sie es dann noch einmal.',
      reset:
        'Oder bitten Sie jemanden, der diesen Server verwaltet, um ein Token für ein neues Passwort: Wer eines setzt, beendet die Sperre.',
      again: 'Noch einmal versuchen',
    },
    code: {
      title: 'Geben Sie den Code Ihrer App ein',
      label: 'Code',
      hint: 'Sechs Ziffern. Sie wechseln alle 30 Sekunden, und jeder Code gilt einmal.',
      wrong: 'Dieser Code stimmt nicht oder wurde schon verwendet. Warten Sie auf den nächsten.',
      toRecovery: 'Ich habe mein Gerät nicht',
      recoveryTitle: 'Einen Wiederherstellungscode verwenden',
      recoveryLabel: 'Wiederherstellungscode',
      recoveryHint: 'Einer der zehn, die Sie mit Ihrem zweiten Faktor bekommen haben, etwa GEZD-GNBV-GY3T-QOJQ.',
      recoveryWrong:
        'Dieser Wiederherstellungscode stimmt nicht oder wurde schon verwendet: Jeder gilt einmal. Nehmen Sie einen anderen.',
      recoveryText: 'Ohne Gerät und ohne Codes: Wer diesen Server verwaltet, kann Ihren zweiten Faktor entfernen.',
      toCode: 'Ich habe mein Gerät',
    },
    enrol: {
      title: 'Einen zweiten Faktor einrichten',
      text: 'Dieses Konto braucht einen: eine App auf Ihrem Telefon, die alle 30 Sekunden einen neuen Code zeigt.',
      scan: 'Scannen Sie dies mit der App, oder tippen Sie den Schlüssel dort ein.',
      qr: 'QR-Code des Schlüssels darunter',
      key: 'Schlüssel',
      confirm: 'Geben Sie dann den Code ein, den sie zeigt.',
      codesTitle: 'Bewahren Sie Ihre Wiederherstellungscodes auf',
      codesText:
        'Jeder von ihnen ersetzt einmal einen Code der App, wenn Sie Ihr Gerät nicht haben. ' +
        'Sie werden nur jetzt gezeigt: Drucken Sie sie aus, oder schreiben Sie sie auf.',
      kept: 'Ich habe sie aufbewahrt: weiter',
    },
    invitation: {
      title: 'Eine Einladung annehmen',
      text: 'Sie haben ein Token von Ihrer Organisation bekommen. Wenn Sie hier ein Konto haben, nehmen Sie dessen Passwort.',
      token: 'Token der Einladung',
      name: 'Ihr Name',
      button: 'Annehmen',
      wrong: 'Ihre Adresse hat schon ein Konto, und dessen Passwort ist ein anderes.',
      usedTitle: 'Diese Einladung gilt nicht mehr',
      usedText:
        'Eine Einladung gilt einmal und für begrenzte Zeit und kann zurückgenommen werden. Vielleicht haben Sie sie schon angenommen.',
      usedAsk: 'Sonst bitten Sie die Person, die Sie eingeladen hat, um eine andere.',
      accepted: 'Sie sind dabei',
      acceptedText: 'Melden Sie sich mit Ihrer E-Mail-Adresse und dem Passwort an.',
    },
    reset: {
      title: 'Ein neues Passwort setzen',
      token: 'Token von der Verwaltung',
      button: 'Setzen',
      wrong: 'Dieses Token gilt nicht: Es wird einmal verwendet, innerhalb einer Stunde, und ein späteres ersetzt es.',
      done: 'Das neue Passwort ist gesetzt',
    },
    first: {
      title: 'Das erste Konto anlegen',
      text:
        'Wer diesen Server betreibt, schreibt die Datei superadmin-registration.conf: ein Token sowie E-Mail-Adresse und ' +
        'Passwort des Kontos, das es anlegt. Der Server liest sie beim Start.',
      token: 'Token aus dieser Datei',
      button: 'Konto anlegen',
      wrong: 'Dieses Token steht nicht in der Datei, oder seine Zeit ist vorbei.',
      used: 'Dieses Token wurde verwendet: Das Konto gibt es schon. Melden Sie sich mit Adresse und Passwort aus der Datei an.',
      done: 'Das Konto ist da',
      doneText:
        'Melden Sie sich mit E-Mail-Adresse und Passwort aus der Datei an. Entfernen Sie dann das Token aus ihr.',
    },
  },
};
