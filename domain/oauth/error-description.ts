/** A text as an `error_description` (RFC 6749 §5.2): printable ASCII without quotes and backslashes. */
export const errorDescription = (text: string): string =>
  text.replaceAll(/["\\]/g, "'").replaceAll(/[^\x20-\x7e]/g, '?');
