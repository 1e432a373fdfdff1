import { moment, texts } from '../texts/texts.ts';
import { QrCode } from './qr.tsx';

interface OfferSheetProps {
  organization: string;
  /** What the card is called. */
  name: string;
  reference: string | undefined;
  link: string;
  until: string | number;
  /** The transaction code, for a sheet of its own: who finds one sheet cannot take the card. */
  code: string | undefined;
}

/** An offer on paper: a sheet with its QR code, and one with its transaction code. They are seen in print only. */
export const OfferSheet = ({ organization, name, reference, link, until, code }: OfferSheetProps) => {
  const t = texts().sheet;
  const head = (
    <>
      <p translate={false}>{organization}</p>
      <p class="sheet-title" translate={false}>
        {name}
      </p>
      {reference === undefined ? null : (
        <p>
          {t.reference} <span translate={false}>{reference}</span>
        </p>
      )}
    </>
  );
  return (
    <>
      <section class="sheet">
        {head}
        <QrCode text={link} label={t.qr} isPrinted />
        <ol>
          <li>{t.open}</li>
          <li>{t.scan}</li>
          {code === undefined ? null : <li>{t.type}</li>}
        </ol>
        <p>{t.until(moment(until))}</p>
      </section>
      {code === undefined ? null : (
        <section class="sheet">
          {head}
          <p>{t.code}</p>
          <p class="large" translate={false}>
            {code}
          </p>
          <p>{t.keep}</p>
        </section>
      )}
    </>
  );
};
