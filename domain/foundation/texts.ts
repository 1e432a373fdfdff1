/** Characters that have no place in one line of text: controls, surrogates, line ends, and those that turn its direction. */
const UNSHOWN = /[\p{Cc}\p{Cs}\p{Zl}\p{Zp}\u{061c}\u{200e}\u{200f}\u{202a}-\u{202e}\u{2066}-\u{2069}\u{feff}]+/gu;

/** A text from outside as it can be shown in one line, of at most `most` characters; '' when nothing remains. */
export const lineOf = (text: string, most: number): string =>
  text
    .slice(0, 4 * most)
    .replaceAll(UNSHOWN, ' ')
    .trim()
    .slice(0, most)
    .replace(/\p{Cs}$/u, '')
    .trim();
