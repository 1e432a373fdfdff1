/** What the pages of logins say. */
export const account = {
  account: {
    email: 'E-mail address',
    password: 'Password',
    newPassword: 'New password',
    newPasswordHint: 'A whole sentence is long enough and easy to keep in mind.',
    continue: 'Continue',
    toLogin: 'Go to the login',
    login: {
      title: 'Log in to the office',
      ended: 'Your login has ended',
      endedText: 'Log in again, and you go on where you were.',
      button: 'Log in',
      wrong: 'E-mail address or password is not right.',
      first: 'No account here yet at all?',
      firstLink: 'Make the first account',
      invited: 'Were you invited?',
      invitedLink: 'Accept an invitation',
      forgotten: 'Password forgotten?',
      forgottenText: 'An administrator of this server can give you a token for a new one.',
      forgottenLink: 'Set a new password',
    },
    locked: {
      title: 'This account may be locked',
      text:
        'After too many wrong attempts the server refuses an account for a while, also with the right password. ' +
        'It does not say so, because strangers would learn from it which accounts there are.',
      wait: 'Wait a quarter of an hour, then try again.',
      reset: 'Or ask an administrator of this server for a token for a new password: setting one ends the lock.',
      again: 'Try again',
    },
    code: {
      title: 'Enter the code of your app',
      label: 'Code',
      hint: 'Six digits. They change every 30 seconds, and each code is valid once.',
      wrong: 'This code is not right, or was used already. Wait for the next one.',
      toRecovery: 'I do not have my device',
      recoveryTitle: 'Use a recovery code',
      recoveryLabel: 'Recovery code',
      recoveryHint: 'One of the ten that you got with your second factor, such as GEZD-GNBV-GY3T-QOJQ.',
      recoveryWrong: 'This recovery code is not right, or was used already: each is valid once. Take another one.',
      recoveryText:
        'Without a device and without codes: an administrator of this server can remove your second factor.',
      toCode: 'I have my device',
    },
    enrol: {
      title: 'Set up a second factor',
      text: 'This account needs one: an app on your phone that shows a new code every 30 seconds.',
      scan: 'Scan this with the app, or type the key into it.',
      qr: 'QR code of the key below',
      key: 'Key',
      confirm: 'Then enter the code that it shows.',
      codesTitle: 'Keep your recovery codes',
      codesText:
        'Each of them replaces a code of the app once, when you do not have your device. They are shown only now: print them, or write them down.',
      kept: 'I have kept them: go on',
    },
    invitation: {
      title: 'Accept an invitation',
      text: 'You got a token from your organization. If you have an account here, use its password.',
      token: 'Token of the invitation',
      name: 'Your name',
      button: 'Accept',
      wrong: 'Your address has an account already, and its password is another one.',
      usedTitle: 'This invitation is no longer valid',
      usedText:
        'An invitation is valid once and for a limited time, and can be taken back. Perhaps you accepted it already.',
      usedAsk: 'Otherwise ask the person who invited you for another one.',
      accepted: 'You are in',
      acceptedText: 'Log in with your e-mail address and the password.',
    },
    reset: {
      title: 'Set a new password',
      token: 'Token from the administrator',
      button: 'Set it',
      wrong: 'This token is not valid: it is used once, within an hour, and a later one replaces it.',
      done: 'The new password is set',
    },
    first: {
      title: 'Make the first account',
      text:
        'The operator of this server writes the file superadmin-registration.conf: a token, and the e-mail address and ' +
        'password of the account that it makes. The server reads it when it starts.',
      token: 'Token of that file',
      button: 'Make the account',
      wrong: 'This token is not in the file, or its time is over.',
      used: 'This token was used: the account is there. Log in with the address and the password of the file.',
      done: 'The account is there',
      doneText: 'Log in with the e-mail address and the password of the file. Then remove the token from it.',
    },
  },
};
