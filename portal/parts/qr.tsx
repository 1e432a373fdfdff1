import { correction, generate } from 'lean-qr';

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
  const code = generate(text, { minCorrectionLevel: isPrinted ? correction.Q : correction.M });
  const side = code.size + 2 * BORDER;
  const places = Array.from({ length: code.size }, (_, at) => at);
  const dark = places.flatMap((y) => places.filter((x) => code.get(x, y)).map((x) => [x + BORDER, y + BORDER]));
  const path = dark.map(([x, y]) => `M${x} ${y}h1v1h-1z`).join('');
  return (
    <svg class="qr" role="img" aria-label={label} viewBox={`0 0 ${side} ${side}`} shape-rendering="crispEdges">
      <rect width="100%" height="100%" fill="#fff" />
      <path d={path} fill="#000" />
    </svg>
  );
};
