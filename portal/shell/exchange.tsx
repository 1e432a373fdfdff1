import { CopyButton } from '../parts/copy-button.tsx';
import { Countdown } from '../parts/countdown.tsx';
import { QrCode } from '../parts/qr.tsx';
import { texts } from '../texts/texts.ts';
import { LoopbackNotice } from './loopback.tsx';
import { hasWallet } from './settings.ts';

interface LinkForWalletProps {
  link: string;
  /** The page of this browser's wallet that takes the link. */
  here: string;
  until: number;
  /** Called when the time is over. */
  over: () => void;
}

/** A link that a wallet takes: as a QR code, as text, and for the wallet of this browser. */
export const LinkForWallet = ({ link, here, until, over }: LinkForWalletProps) => {
  const t = texts();
  return (
    <>
      <LoopbackNotice />
      <div class="panel">
        <QrCode text={link} label={t.exchange.qr} />
        <div class="actions">
          {hasWallet() ? (
            <a class="button first" href={here}>
              {t.exchange.openHere}
            </a>
          ) : null}
          <a class="button" href={link}>
            {t.exchange.openApp}
          </a>
          <CopyButton text={link} />
        </div>
        <h2>{t.exchange.link}</h2>
        <code class="link">{link}</code>
        <Countdown until={until} over={over} />
      </div>
    </>
  );
};
