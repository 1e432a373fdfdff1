/** A list of choices for each name. */
type Choices = Record<string, readonly string[]>;

/** One choice for each name. */
export type Combination<T extends Choices> = { [K in keyof T]: T[K][number] };

/**
 * One of so many of all combinations: those whose places in the lists have a sum that the number divides. In them some
 * names have every combination of their choices when the lists of the other names make so many different sums.
 */
export const oneOf = <T extends Choices>(many: number, choices: T): Combination<T>[] =>
  Object.entries(choices)
    .reduce<{ places: number; one: object }[]>(
      (all, [name, values]) =>
        all.flatMap(({ places, one }) =>
          values.map((value, place) => ({ places: places + place, one: { ...one, [name]: value } })),
        ),
      [{ places: 0, one: {} }],
    )
    .flatMap(({ places, one }) => (places % many === 0 ? [one as Combination<T>] : []));

/** The choices, for the output of a test. */
export const shownChoices = (choices: Choices): string =>
  Object.values(choices)
    .map((all) => all.join(' | '))
    .join(' × ');
