import { textOf } from './claims.ts';

/** Whether a text is a picture that was sent as data: of pixels, since others may contain scripts and links. */
export const isPicture = (text: string | undefined): text is string =>
  /^data:image\/(?:png|jpeg|gif|webp);base64,/.test(text ?? '');

/** The value of a claim, as a picture where it is one. */
export const ClaimValue = ({ value }: { value: unknown }) => {
  const text = textOf(value);
  return isPicture(text) ? <img class="picture" src={text} alt="" /> : <span>{text}</span>;
};
