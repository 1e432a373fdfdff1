/** The reasons that a user can give for rejecting a credential. */
export const REJECTION_REASONS: readonly string[] = [
  'I did not ask for it',
  'I do not know the issuer',
  'It has wrong data',
  'It has more data than needed',
  'I have it already',
  'Another reason',
];
