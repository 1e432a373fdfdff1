/** The weights of the entries of `Accept` or `Accept-Encoding` by their names in lower case (RFC 9110 §12.4.2). */
export const weightsOf = (accepted: string): Map<string, number> =>
  new Map(
    accepted.split(',').map((entry) => {
      const [name = '', ...parameters] = entry.split(';').map((part) => part.trim().toLowerCase());
      const weight = parameters.map((parameter) => /^q=([01](\.\d{0,3})?)$/.exec(parameter)?.[1]).find(Boolean);
      return [name, weight === undefined ? 1 : Number(weight)];
    }),
  );

/**
 * Whether a client asks for one media type rather than for the usual one: it names that type, and weighs it no less. A
 * header that permits neither is answered with the usual one (RFC 9110 §12.4.1).
 */
export function prefers(accept: string | undefined, type: string, usual: string): boolean {
  const weights = weightsOf(accept ?? '');
  const weight = weights.get(type) ?? 0;
  return weight > 0 && weight >= (weights.get(usual) ?? 0);
}
