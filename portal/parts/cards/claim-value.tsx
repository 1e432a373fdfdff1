import { day, isCalendarDay } from '../../texts/texts.ts';
import { pictureOf, textOf } from './claims.ts';

/** The value of a claim, as a picture or a day where it is one. */
export const ClaimValue = ({ value }: { value: unknown }) => {
  const picture = pictureOf(value);
  if (picture !== undefined) return <img class="picture" src={picture} alt="" />;
  return isCalendarDay(value) ? <time dateTime={value}>{day(value)}</time> : <span>{textOf(value)}</span>;
};
