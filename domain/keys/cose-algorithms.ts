/**
 * COSE algorithms by their JOSE names: the number that is signed with (RFC 9053 §2, RFC 8812 §2), then that of the
 * algorithm with its curve (RFC 9864 §2).
 */
const NUMBERS: ReadonlyMap<string, readonly number[]> = new Map([
  ['ES256', [-7, -9]],
  ['ES384', [-35, -51]],
  ['ES512', [-36, -52]],
  ['EdDSA', [-8, -19]],
  ['ES256K', [-47]],
  ['PS256', [-37]],
  ['PS384', [-38]],
  ['PS512', [-39]],
  ['RS256', [-257]],
  ['RS384', [-258]],
  ['RS512', [-259]],
]);

/** The JOSE names of what mdocs are signed with (ISO/IEC 18013-5 §9.1.2.4). */
export const MDOC_ALGORITHMS: readonly string[] = ['ES256', 'ES384', 'ES512', 'EdDSA'];

/** The number that is signed with. */
export const coseNumber = (alg: string): number | undefined => NUMBERS.get(alg)?.[0];

/** The numbers of an algorithm in mdocs, the one that is signed with first; none for one that no mdoc is signed with. */
export const mdocNumbers = (alg: string): readonly number[] =>
  (MDOC_ALGORITHMS.includes(alg) && NUMBERS.get(alg)) || [];
