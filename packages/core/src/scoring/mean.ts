/**
 * Computes the exact rational mean of doubles, rounded once, like Python's `statistics.mean`. Returns `NaN` if there
 * are no values, and an infinity if a value is infinite.
 */
export function exactMean(values: readonly number[]): number {
  if (values.length === 0) return Number.NaN;
  let sum = 0;
  let exact = true;
  for (const value of values) {
    const before = sum;
    sum += value;
    // The rounding error, which is itself exact (Knuth, TAOCP 2, 4.2.2, theorem B).
    const rest = sum - before;
    if (before - (sum - rest) + (value - rest) !== 0) exact = false;
  }
  if (!values.every(Number.isFinite)) return sum;
  // Dividing an exact sum rounds once (a sum that overflowed is not exact), and halving a rounded sum does not round
  // again.
  if (exact || (values.length === 2 && Number.isFinite(sum))) return sum / values.length;

  let exponent = 0;
  const terms = values.map(decompose);
  for (const term of terms) exponent = Math.min(exponent, term.exponent);
  let numerator = 0n;
  for (const term of terms) numerator += term.mantissa << BigInt(term.exponent - exponent);
  return ratio(numerator, BigInt(values.length), exponent);
}

/** Computes the exact mean of finite values plus `times` copies of `more`, rounded once. */
export function exactMeanWith(values: readonly number[], more: number, times: number): number {
  const terms = [...values, more].map(decompose);
  const exponent = Math.min(0, ...terms.map((term) => term.exponent));
  const numerators = terms.map((term) => term.mantissa << BigInt(term.exponent - exponent));
  const last = numerators.pop() ?? 0n;
  const numerator = numerators.reduce((sum, one) => sum + one, last * BigInt(times));
  return ratio(numerator, BigInt(values.length + times), exponent);
}

/**
 * Computes the mean as ADK's simpler metrics do: a left-to-right sum, then one division. Returns `NaN` if there are no
 * values.
 */
export function sumMean(values: readonly number[]): number {
  let sum = 0;
  for (const value of values) sum += value;
  return sum / values.length;
}

const view = new DataView(new ArrayBuffer(8));

/** Splits a finite double into an integer and a power of two. */
function decompose(value: number): { mantissa: bigint; exponent: number } {
  view.setFloat64(0, value);
  const bits = view.getBigUint64(0);
  const fraction = bits & 0xfffffffffffffn;
  const biased = Number((bits >> 52n) & 0x7ffn);
  const mantissa = biased === 0 ? fraction : fraction | 0x10000000000000n;
  return { mantissa: value < 0 ? -mantissa : mantissa, exponent: Math.max(biased, 1) - 1075 };
}

/** Computes numerator * 2^exponent / denominator, rounded once to the nearest double, ties to even. */
function ratio(numerator: bigint, denominator: bigint, exponent: number): number {
  const magnitude = numerator < 0n ? -numerator : numerator;
  if (magnitude === 0n) return 0;
  // Scale for a quotient of 53 bits (the estimate may be one too high), but never finer than the smallest subnormal.
  let shift = Math.min(54 - (bitLength(magnitude) - bitLength(denominator)), exponent + 1074);
  let division = divide(magnitude, denominator, shift);
  while (division.quotient >= 1n << 53n) {
    shift -= 1;
    division = divide(magnitude, denominator, shift);
  }
  const { quotient, remainder, divisor } = division;
  const up = remainder * 2n > divisor || (remainder * 2n === divisor && (quotient & 1n) === 1n);
  const value = scale(Number(up ? quotient + 1n : quotient), exponent - shift);
  return numerator < 0n ? -value : value;
}

function divide(numerator: bigint, denominator: bigint, shift: number) {
  const dividend = shift >= 0 ? numerator << BigInt(shift) : numerator;
  const divisor = shift >= 0 ? denominator : denominator << BigInt(-shift);
  return { quotient: dividend / divisor, remainder: dividend % divisor, divisor };
}

function bitLength(value: bigint): number {
  return value.toString(2).length;
}

/** Computes value * 2^exponent in two steps, because 2^exponent can overflow even if the product does not. */
function scale(value: number, exponent: number): number {
  return exponent > 900 ? value * 2 ** 900 * 2 ** (exponent - 900) : value * 2 ** exponent;
}
