import encodeQR from 'qr';

/** The quiet zone, in modules (ISO/IEC 18004 §6.3.8). */
const BORDER = 4;

interface QrCodeProps {
  text: string;
  label: string;
  /** Whether it is for paper, which gets stains and folds: with error correction Q instead of M. */
  isPrinted?: boolean;
}

/** A QR code, black on white in every theme. */
export const QrCode = ({ text, label, isPrinted = false }: QrCodeProps) => {
  const rows = encodeQR(text, 'raw', { ecc: isPrinted ? 'quartile' : 'medium', border: BORDER });
  const path = rows.flatMap((row, y) => row.flatMap((isDark, x) => (isDark ? [`M${x} ${y}h1v1h-1z`] : []))).join('');
  return (
    <svg
      class="qr"
      role="img"
      aria-label={label}
      viewBox={`0 0 ${rows.length} ${rows.length}`}
      shape-rendering="crispEdges"
    >
      <rect width="100%" height="100%" fill="#fff" />
      <path d={path} fill="#000" />
    </svg>
  );
};
