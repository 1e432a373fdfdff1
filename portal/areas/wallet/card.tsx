import type { Schemas } from '../../../client/client.ts';
import { CardFace } from '../../parts/cards/card-face.tsx';
import { shortName, shortType } from '../../parts/cards/claims.ts';
import { StateWord } from '../../parts/cards/state-word.tsx';
import { to } from '../../shell/place.ts';
import { day, inLanguage, texts } from '../../texts/texts.ts';
import { type Asked, useCredentialState } from './state.ts';

type Credential = Schemas['WalletCredential'];

/** The name of a credential in the reader's language, else its type. */
export const nameOf = ({ display, type, format }: Credential): string =>
  inLanguage(display?.credential ?? [])?.name ?? shortType(type ?? format);

/** The name of the issuer in the reader's language, else its id. */
export const issuerOf = ({ display, issuer = '' }: Credential): string =>
  inLanguage(display?.issuer ?? [])?.name ?? shortName(issuer);

/** Until when a credential is valid, or since when no more. */
export function validityOf({ validUntil }: Credential): string {
  const t = texts().wallet;
  if (validUntil === undefined) return t.noEnd;
  return Date.parse(validUntil) <= Date.now() ? t.expiredOn(day(validUntil)) : t.validUntil(day(validUntil));
}

/** The page of a credential. */
export const pageOf = ({ id }: Pick<Credential, 'id'>): string => to(`/wallet/credentials/${encodeURIComponent(id)}`);

/** A credential as a card that leads to its page, and the same facts in words below it. */
export const CredentialCard = ({ credential, asked }: { credential: Credential; asked?: Asked }) => {
  const t = texts().wallet;
  const shown = inLanguage(credential.display?.credential ?? []);
  const state = useCredentialState(credential, asked);
  return (
    <>
      <CardFace
        name={nameOf(credential)}
        issuer={issuerOf(credential)}
        logo={shown?.logo?.uri}
        background={shown?.backgroundImage?.uri}
        ground={shown?.backgroundColor}
        text={shown?.textColor}
        href={pageOf(credential)}
      >
        {state === 'good' ? null : (
          <span class="chip">
            <StateWord state={state} word={texts().wallet.status[state]} />
          </span>
        )}
      </CardFace>
      <p class="quiet">
        {t.issuedBy(issuerOf(credential))}
        <span class="check-text">{validityOf(credential)}</span>
        <StateWord state={state} word={texts().wallet.status[state]} />
      </p>
    </>
  );
};
