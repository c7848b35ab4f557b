// Arguments that make no sense are rejected with a RangeError that says what is wrong and what to do.

/** The largest magnitude whose square still leaves room for sums. */
const LARGEST = 1e150;

/** Throws unless the value is a finite number whose square does not overflow in sums. */
export function checkNumber(value: number, name: string): void {
  if (!Number.isFinite(value)) {
    const remedy = 'Leave out what has no value, and count it.';
    throw new RangeError(`${name} is ${value}, but must be a finite number. ${remedy}`);
  }
  if (Math.abs(value) > LARGEST) {
    throw new RangeError(`${name} is ${value}, but must be at most ${LARGEST} in size. Give it in a larger unit.`);
  }
}

export function checkNumbers(values: readonly number[], name: string): void {
  for (let index = 0; index < values.length; index++) checkNumber(values[index]!, `${name}[${index}]`);
}

export function checkPositive(value: number, name: string): void {
  if (Number.isFinite(value) && value > 0) return;
  throw new RangeError(`${name} is ${value}, but must be a finite number above 0.`);
}

export function checkNotNegative(value: number, name: string): void {
  if (Number.isFinite(value) && value >= 0) return;
  throw new RangeError(`${name} is ${value}, but must be a finite number of 0 or more.`);
}

/** Throws unless the value is a whole number of at least `least`. */
export function checkCount(value: number, name: string, least = 0): void {
  if (Number.isInteger(value) && value >= least) return;
  throw new RangeError(`${name} is ${value}, but must be a whole number of ${least} or more: count, do not average.`);
}

/** Throws if the part is larger than its whole, or either is not a count. */
export function checkPart(part: number, whole: number, partName: string, wholeName: string): void {
  checkCount(part, partName);
  checkCount(whole, wholeName);
  if (part <= whole) return;
  throw new RangeError(`${partName} is ${part}, more than ${wholeName}, which is ${whole}. Are the two swapped?`);
}

/** Throws unless the value is a probability from 0 to 1. */
export function checkProbability(value: number, name: string): void {
  if (Number.isFinite(value) && value >= 0 && value <= 1) return;
  throw new RangeError(`${name} is ${value}, but must be a probability from 0 to 1.`);
}

/** Throws unless the value, such as a level, an error rate or a power, lies between 0 and 1. */
export function checkShare(value: number, name: string): void {
  if (value > 0 && value < 1) return;
  throw new RangeError(`${name} is ${value}, but must lie between 0 and 1: write 0.95 for 95%.`);
}

/** Throws unless the value is 0 or 1. */
export function checkBinary(value: number, name: string): void {
  if (value === 0 || value === 1) return;
  throw new RangeError(`${name} is ${value}, but must be 0 or 1. For other scores, use an interval of means.`);
}

/** Throws unless both lists have the same length. */
export function checkSameLength(
  one: readonly unknown[],
  other: readonly unknown[],
  oneName: string,
  otherName: string,
): void {
  if (one.length === other.length) return;
  throw new RangeError(
    `${oneName} has ${one.length} entries and ${otherName} has ${other.length}. Give one of each for every case.`,
  );
}
