/** The most digits that a double of the size of a score needs. */
const MOST_DIGITS = 17;

/**
 * A number rounded to so many digits after the point, or, where that would leave nothing of it, to so many that say something.
 * It gets as many more as it takes until `fits` accepts it, so that rounding brings nothing to another side.
 */
export function roundBeside(value: number, digits: number, fits: (rounded: number) => boolean = () => true): number {
  const isSmall = Math.abs(value) < 10 ** -digits;
  for (let more = digits; more <= MOST_DIGITS; more++) {
    const rounded = Number(isSmall ? value.toPrecision(more) : value.toFixed(more));
    if (fits(rounded)) return rounded;
  }
  return value;
}
