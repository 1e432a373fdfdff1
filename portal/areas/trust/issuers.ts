import type { Schemas } from '../../../client/client.ts';

type Entry = Schemas['TrustedIssuerElement'];

/** How an issuer is named. */
export interface Named {
  type: Entry['type'];
  issuer: string;
}

const CERTIFICATE = /-----BEGIN CERTIFICATE-----[^-]*-----END CERTIFICATE-----/g;

/** How one line names an issuer; what is no DID and no address is taken for a certificate, on which the server decides. */
const namedBy = (text: string): Named => {
  if (text.startsWith('did:')) return { type: 'did', issuer: text };
  return { type: /^https?:/.test(text) ? 'url' : 'certificate', issuer: text };
};

/** The issuers in a text: certificates in PEM, and DIDs and web addresses one a line. */
export function issuersIn(text: string): Named[] {
  const certificates = text.match(CERTIFICATE) ?? [];
  const lines = text.replaceAll(CERTIFICATE, '\n').split('\n');
  const others = lines.map((line) => line.trim()).filter((line) => line !== '');
  return [...certificates.map((issuer) => ({ type: 'certificate' as const, issuer })), ...others.map(namedBy)];
}

/** A certificate without its line breaks, which differ between programs. */
const bare = (text: string): string => text.replaceAll(/\s/g, '');

/** Whether an entry names this issuer. */
export const names = ({ issuer }: Pick<Entry, 'issuer'>, asked: string): boolean => bare(issuer) === bare(asked);
