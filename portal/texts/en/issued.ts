import { plurals } from '../plurals.ts';

const count = plurals('en');

/** The pages of what was issued. */
export const issued = {
  issued: {
    title: 'Issued cards',
    one: 'Issued card',
    caption: 'Issued cards, the latest first',
    empty: 'Nothing was issued here yet.',
    nothing: 'Nothing that was issued matches. Check how the file number or the recipient was written.',
    tooMany: 'That is too much to look through at once. Name days between which it was issued.',
    when: 'Issued',
    changed: 'Last change',
    card: 'Card',
    anyCard: 'Any card',
    reference: 'File number',
    recipient: 'Recipient',
    state: 'State',
    anyState: 'Any state',
    typeVersion: 'Version of the card',
    copies: 'Credentials in the wallet',
    id: 'Number',
    noStatus: 'It has no status: it cannot be revoked or suspended, and ends when its validity does.',
    entries: (number: number) => count(number, 'credential', 'credentials'),
    forget: 'Forget the recipient',
    forgetAsk: (name: string) => `Forget ${name}?`,
    forgetText: 'Only the recipient is removed. The card stays as it is, and can be found and revoked as before.',
    again: 'Issue again',
    export: 'As a table (CSV)',
    exported: (number: number) => count(number, 'card written.', 'cards written.'),
    toList: 'All issued cards',
  },
};
