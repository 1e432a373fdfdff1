import { plurals } from '../plurals.ts';

const count = plurals('en');

/** The wallet of this browser. */
export const wallet = {
  wallet: {
    title: 'Your wallet',
    empty: 'No credentials yet. Take one from the demo issuer, or open an offer that you were given.',
    takeOne: 'Offer a card',
    logOut: 'Log out',
    issuedBy: (issuer: string) => `Issued by ${issuer}`,
    validUntil: (date: string) => `Valid until ${date}`,
    expiredOn: (date: string) => `Expired on ${date}`,
    login: 'Log in to your wallet',
    register: 'Make an account for your wallet',
    name: 'Name',
    email: 'E-mail address',
    password: 'Password',
    logIn: 'Log in',
    create: 'Make the account',
    haveNone: 'No account yet?',
    haveOne: 'Already an account?',
    wrongLogin: 'E-mail address or password is not right.',
    receive: 'A credential is offered to you',
    offeredBy: 'Offered by',
    offered: 'You would get',
    claims: 'With',
    code: 'Code from the issuer',
    codeHint: (length: number | undefined) =>
      length === undefined
        ? 'You got it apart from the offer.'
        : `${count(length, 'character', 'characters')}; you got it apart from the offer.`,
    accept: 'Accept',
    received: 'The credential is in your wallet',
    next: 'Continue: show it to a shop',
    toWallet: 'Go to the wallet',
    noOffer: 'This page needs an offer. Open one that you were given.',
    present: 'You are asked for a credential',
    whoAsks: 'Who asks',
    why: 'Why',
    unproven: 'Nothing proves who this is.',
    proven: {
      'redirect-uri': (host: string) =>
        `The answer goes to ${host} and to no other address. A name beside it is not proven.`,
      did: (did: string) => `Signed by the owner of ${did}.`,
      certificate: (name: string, issuer: string) => `Signed by ${name}, with a certificate of ${issuer}.`,
      untrusted: 'This server does not know the issuer of that certificate.',
      federation: (entity: string, anchor: string) => `Signed by ${entity}, a member of ${anchor}.`,
    },
    choose: 'Which one do you share?',
    cannot: 'You have nothing that answers this',
    missing: (name: string) => `No credential in your wallet is what is asked for as ${name}.`,
    share: 'Share',
    decline: 'Decline',
    shares: 'You share',
    keeps: 'You keep',
    keepsNothing: 'Nothing: this credential can only be shown whole.',
    shared: 'You shared it',
    sharedText: 'The verifier took your answer.',
    seeResult: 'See what the shop sees',
    notShared: 'Nothing was shared',
    declinedText: 'The verifier knows that you declined, and nothing else.',
    leads: (host: string) => `Continue at ${host}`,
    noRequest: 'This page needs a request. Open one that you were given.',
  },
};
