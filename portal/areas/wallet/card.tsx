import type { Schemas } from '../../../client/client.ts';
import { shortName, shortType } from '../../parts/claims.ts';
import { day, inLanguage, texts } from '../../texts/texts.ts';
import { readableOn } from './colours.ts';

type Credential = Schemas['WalletCredential'];

/** The name of a credential in the reader's language, else its type. */
function nameOf({ display, parsedDocument = {}, format }: Credential): string {
  const { vct, type, docType } = parsedDocument as { vct?: string; type?: string[]; docType?: string };
  return inLanguage(display?.credential ?? [])?.name ?? shortType(vct ?? type?.at(-1) ?? docType ?? format);
}

function issuerOf({ display, parsedDocument = {} }: Credential): string {
  const { iss, issuer } = parsedDocument as { iss?: string; issuer?: string | { id?: string } };
  const id = iss ?? (typeof issuer === 'string' ? issuer : issuer?.id) ?? '';
  return inLanguage(display?.issuer ?? [])?.name ?? shortName(id);
}

/** When a credential ends, in milliseconds. */
function endOf({ parsedDocument = {} }: Credential): number | undefined {
  const { exp, expirationDate, validUntil } = parsedDocument as Record<string, unknown>;
  if (typeof exp === 'number') return exp * 1000;
  const date = validUntil ?? expirationDate;
  const at = typeof date === 'string' ? Date.parse(date) : Number.NaN;
  return Number.isFinite(at) ? at : undefined;
}

/** A credential as a card, and the same facts in words below it. */
export const CredentialCard = ({ credential }: { credential: Credential }) => {
  const t = texts().wallet;
  const shown = inLanguage(credential.display?.credential ?? []);
  const { ground, text } = readableOn(shown?.backgroundColor, shown?.textColor);
  const end = endOf(credential);
  const isOver = end !== undefined && end <= Date.now();
  return (
    <>
      <div class="card" style={{ '--card-ground': ground, '--card-text': text }}>
        {shown?.logo ? <img src={shown.logo.uri} alt="" /> : <span />}
        <strong>{nameOf(credential)}</strong>
        <span>{issuerOf(credential)}</span>
      </div>
      <p class="quiet">
        {t.issuedBy(issuerOf(credential))}
        {end === undefined ? null : `. ${isOver ? t.expiredOn(day(end)) : t.validUntil(day(end))}`}
      </p>
    </>
  );
};
