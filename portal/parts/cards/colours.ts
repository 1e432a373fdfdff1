const HEX = /^#[0-9a-f]{6}$/i;

/** The least contrast of text (WCAG 2.2, 1.4.3). */
export const LEAST_CONTRAST = 4.5;

/** The relative luminance of `#rrggbb` (WCAG 2.2). */
function luminance(colour: string): number {
  const [red = 0, green = 0, blue = 0] = [1, 3, 5].map((at) => {
    const part = Number.parseInt(colour.slice(at, at + 2), 16) / 255;
    return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}

/** The contrast of two colours, each `#rrggbb`; undefined when one is none. */
export const contrastOf = (one: string, other: string): number | undefined =>
  HEX.test(one) && HEX.test(other) ? contrast(one, other) : undefined;

function contrast(one: string, other: string): number {
  const [dark = 0, light = 0] = [luminance(one), luminance(other)].sort((a, b) => a - b);
  return (light + 0.05) / (dark + 0.05);
}

/** The colours of a card as its issuer wants them, but with a text that can be read; none where the ground is no `#rrggbb`. */
export function readableOn(ground = '', text = ''): { ground?: string; text?: string } {
  if (!HEX.test(ground)) return {};
  if (HEX.test(text) && contrast(ground, text) >= LEAST_CONTRAST) return { ground, text };
  return { ground, text: contrast(ground, '#ffffff') >= contrast(ground, '#000000') ? '#ffffff' : '#000000' };
}
