import { plurals } from '../plurals.ts';

const count = plurals('en');

/** The pages that offer cards, and offers on paper. */
export const issuing = {
  issuing: {
    title: 'Issue a card',
    offerTitle: 'Offer of a card',
    find: 'Find a card by a part of its name',
    none: 'No card can be issued here yet. Make a type of card first.',
    noMatch: (part: string) => `No card is called ‘${part}’.`,
    otherCard: 'Issue another kind of card',
    forWhom: 'For your office',
    reference: 'File number',
    referenceHint: 'By it you find the card again.',
    recipient: 'Recipient',
    recipientHint: 'A name or an e-mail address. It is kept encrypted and can be deleted while the card stays.',
    mapped: 'Filled in when the wallet takes the card',
    options: 'How the holder gets it',
    lifetime: 'The offer is valid for',
    lifetimeHint: 'Who has its code can take the card during this time.',
    lifetimes: {
      300: '5 minutes',
      3600: '1 hour',
      86400: '1 day',
      604800: '7 days',
      2592000: '30 days',
    },
    code: 'The holder also types a transaction code, which you hand over another way',
    offer: 'Offer this card',
    another: 'Issue another',
    toIssued: 'Show the issued card',
    print: 'Print the offer',
  },
  many: {
    title: 'Issue many cards',
    table: 'Table',
    tableText: 'One row for each card, with a first row that names the columns. Some that are known:',
    file: 'File (CSV)',
    fileHint: 'Separated by commas, semicolons or tabs; 10,000 rows at most. It is read in this browser.',
    paste: 'Or paste a table here',
    read: 'Read the pasted table',
    faults: {
      empty: 'It has no row below the first one, which names the columns.',
      large: 'The file has more than 4 MB.',
      many: 'It has more than 10,000 rows. Divide it.',
    },
    unreachable: (names: string) =>
      `No table can fill in what every card of this type has: ${names}. Issue it one by one.`,
    columns: 'Which column is what',
    noColumn: 'In no column',
    needed: 'On every card',
    checking: 'The rows are checked',
    checked: (good: number, bad: number) =>
      bad === 0
        ? `${count(good, 'row is', 'rows are')} good. Nothing is issued yet.`
        : `${count(good, 'row is', 'rows are')} good, ${count(bad, 'is', 'are')} wrong. Nothing is issued yet.`,
    wrongRows: 'Rows that are wrong',
    moreWrong: (number: number) => `${count(number, 'more row is', 'more rows are')} wrong.`,
    row: 'Row',
    wrong: 'What is wrong',
    fault: {
      missing: (name: string) => `${name} is missing`,
      text: (name: string) => `${name} is too long`,
      date: (name: string) => `${name} is no day, such as 1990-12-31`,
      number: (name: string) => `${name} is no number`,
      boolean: (name: string) => `${name} is neither yes nor no`,
      picture: (name: string) => `${name} is no picture as data URL`,
      list: (name: string) => `${name} is no list`,
      object: (name: string) => `${name} is no group`,
      json: (name: string) => `${name} cannot be read`,
    },
    leaveOut: (number: number) => `Leave out ${count(number, 'row that is', 'rows that are')} wrong`,
    begin: (number: number) => `Offer ${count(number, 'card', 'cards')}`,
    progress: (made: number, all: number) => `${made} of ${count(all, 'offer', 'offers')} made`,
    stopped: 'What was made stays. Going on makes the rest, and nothing twice.',
    goOn: 'Go on',
    done: (made: number, refused: number) =>
      refused === 0
        ? `${count(made, 'offer is', 'offers are')} made.`
        : `${count(made, 'offer is', 'offers are')} made, ${count(refused, 'row was', 'rows were')} refused.`,
    refusedRows: 'Rows that were refused',
    csv: 'All offers as a table (CSV)',
    letters: 'Letters',
    fromTo: (from: number, to: number) => `${from} to ${to}`,
    print: 'Print letters',
    drawing: (drawn: number, all: number) => `${drawn} of ${count(all, 'letter', 'letters')} drawn`,
  },
  sheet: {
    reference: 'File number:',
    qr: 'QR code of the offer',
    open: 'Open the wallet app on your phone.',
    scan: 'Scan this code with it.',
    type: 'Type the transaction code, which you get on another sheet.',
    until: (time: string) => `This offer is valid until ${time}.`,
    code: 'Your transaction code:',
    keep: 'Keep it apart from the sheet with the QR code until your card is in your wallet.',
  },
};
