import { checkPositive } from './check.ts';
import { HALF_LOG_2PI, logGamma, STIRLING_FROM, stirlingError } from './log-gamma.ts';

/**
 * Computes the logarithm of the beta function, for `a` and `b` above 0. Accurate to about 1e-14 even if one is much
 * larger than the other, where a difference of log-gamma values would cancel (as in Didonato and Morris, TOMS 708).
 *
 * @throws RangeError if `a` or `b` is not a finite number above 0.
 */
export function logBeta(a: number, b: number): number {
  checkPositive(a, 'a');
  checkPositive(b, 'b');
  const [small, large] = a < b ? [a, b] : [b, a];
  if (large < STIRLING_FROM) return logGamma(small) + logGamma(large) - logGamma(small + large);
  const share = small / (small + large);
  const correction = stirlingError(large) - stirlingError(small + large);
  const ofLarge = (large - 0.5) * Math.log1p(-share);
  if (small < STIRLING_FROM) return logGamma(small) + correction + small - small * Math.log(small + large) + ofLarge;
  return (
    HALF_LOG_2PI -
    Math.log(small + large) / 2 +
    stirlingError(small) +
    correction +
    (small - 0.5) * Math.log(share) +
    ofLarge
  );
}
