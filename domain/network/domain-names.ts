/** One label of a host name (RFC 1123 §2.1). */
const LABEL = /^[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?$/;
const MAX_LENGTH = 253;

/**
 * A domain name of at least two labels in lower case, without the dot of the root; internationalised ones are written in
 * ASCII (RFC 5891 §5.5). Undefined for IP addresses and every other text.
 */
export function domainName(text: string): string | undefined {
  const name = text.toLowerCase().replace(/\.$/, '');
  const labels = name.split('.');
  const isName = name.length <= MAX_LENGTH && labels.length > 1 && labels.every((label) => LABEL.test(label));
  // A name that ends in a number is read as an IPv4 address (URL Standard, "ends in a number").
  return isName && !/^(?:\d+|0x[0-9a-f]*)$/.test(labels.at(-1) ?? '') ? name : undefined;
}
