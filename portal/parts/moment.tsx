import { moment } from '../texts/texts.ts';

/** A date with its time in the reader's language already, so that no translator changes it. */
export const Moment = ({ at }: { at: string }) => (
  <time dateTime={at} translate={false}>
    {moment(at)}
  </time>
);
