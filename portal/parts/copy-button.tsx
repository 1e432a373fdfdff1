import { useState } from 'preact/hooks';
import { texts } from '../texts/texts.ts';

/** Copies a text, and says so. */
export const CopyButton = ({ text }: { text: string }) => {
  const [isCopied, setCopied] = useState(false);
  const t = texts().exchange;
  return (
    <>
      <button type="button" onClick={() => navigator.clipboard.writeText(text).then(() => setCopied(true))}>
        {t.copy}
      </button>
      <span role="status">{isCopied ? t.copied : null}</span>
    </>
  );
};
