/** A name for programs made of one for people: letters without marks and digits, with dashes or another sign between. */
export const shortNameOf = (name: string, between = '-'): string =>
  name
    .normalize('NFKD')
    .replaceAll(/\p{M}/gu, '')
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, between)
    .replaceAll(/^[-_]+|[-_]+$/g, '')
    .slice(0, 64);
