import { pictureOf, textOf } from './claims.ts';

/** The value of a claim, as a picture where it is one. */
export const ClaimValue = ({ value }: { value: unknown }) => {
  const picture = pictureOf(value);
  return picture === undefined ? <span>{textOf(value)}</span> : <img class="picture" src={picture} alt="" />;
};
