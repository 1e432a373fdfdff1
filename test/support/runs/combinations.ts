/** A list of choices for each name. */
type Choices = Record<string, readonly string[]>;

/** One choice for each name. */
export type Combination<T extends Choices> = { [K in keyof T]: T[K][number] };

/** Every combination of one choice for each name. */
export const combinationsOf = <T extends Choices>(choices: T): Combination<T>[] =>
  Object.entries(choices).reduce<object[]>(
    (all, [name, values]) => all.flatMap((one) => values.map((value) => ({ ...one, [name]: value }))),
    [{}],
  ) as Combination<T>[];

/** The choices, for the output of a test. */
export const shownChoices = (choices: Choices): string =>
  Object.values(choices)
    .map((all) => all.join(' | '))
    .join(' × ');
