import type { Cluster } from './clusters.ts';
import type { Interval } from './interval.ts';
import { normalCdf, normalQuantile } from './normal.ts';

/**
 * Computes a confidence interval for a mean between 0 and 1 that allows for unseen values: for each end, one more value
 * at that limit, with the weight `unseen`, is added, and all values are weighted at random (by a Dirichlet
 * distribution). With a weight of 1 it is Gaffke's interval (2005; Learned-Miller and Thomas 2020, arXiv 1905.06208),
 * which for values of 0 and 1 is Clopper and Pearson's. Each cluster is one value weighted by its size, and the unseen
 * one has the average size.
 *
 * The weighted mean lies below c if a sum of exponential variables, each multiplied by its distance from c, lies below
 * 0. Uses the saddlepoint approximation of Lugannani and Rice (1980), which is wider than the exact interval by at most
 * 0.7 points with 3 or more values.
 */
export function unseenInterval(clusters: readonly Cluster[], unseen: number, level: number): Interval {
  const total = clusters.reduce((sum, { size }) => sum + size, 0);
  const extra = total / clusters.length;
  const z = normalQuantile((1 - level) / 2);
  const sizes = clusters.map(({ size }) => size);
  const end = (values: readonly number[]) => lowerEnd(values, sizes, unseen, extra, z);
  return { low: end(clusters.map(({ mean }) => mean)), high: 1 - end(clusters.map(({ mean }) => 1 - mean)) };
}

function lowerEnd(
  values: readonly number[],
  sizes: readonly number[],
  unseen: number,
  extra: number,
  z: number,
): number {
  let [sum, weight, most] = [0, extra * unseen, 0];
  for (const [index, value] of values.entries()) {
    sum += sizes[index]! * value;
    weight += sizes[index]!;
    most = Math.max(most, value);
  }
  if (most < 1e-12) return 0;
  const terms = new Float64Array(values.length + 1);
  const at = (c: number) => {
    for (let index = 0; index < values.length; index++) terms[index] = sizes[index]! * (values[index]! - c);
    terms[values.length] = -extra * c;
    return normalDistance(terms, unseen);
  };
  // Expressed as a distance in standard deviations, the probability is nearly linear in c.
  let [low, high] = [0, sum / weight];
  let [lowDistance, highDistance] = [Number.NEGATIVE_INFINITY, 0];
  let c = high * 0.9;
  for (let step = 0; step < 100; step++) {
    const distance = at(c);
    if (distance < z) [low, lowDistance] = [c, distance];
    else [high, highDistance] = [c, distance];
    const slope = (highDistance - lowDistance) / (high - low);
    const secant = low + (z - lowDistance) / slope;
    const next = step % 4 !== 3 && secant > low && secant < high ? secant : (low + high) / 2;
    if (Math.abs(next - c) < 1e-13 || high - low < 1e-13) return next;
    c = next;
  }
  return c;
}

/**
 * Computes the probability that a sum of exponential variables, each multiplied by its term, lies below 0, as the
 * quantile of a normal distribution. The last term has a gamma variable of shape `last`.
 */
function normalDistance(terms: Float64Array, last: number): number {
  const end = terms.length - 1;
  let [least, most] = [0, 0];
  for (const term of terms) {
    least = Math.min(least, term);
    most = Math.max(most, term);
  }
  if (most <= 0) return Number.POSITIVE_INFINITY;
  let [low, high] = [1 / least, 1 / most];
  let s = 0;
  let curvature = 0;
  for (let step = 0; step < 200; step++) {
    let slope = 0;
    curvature = 0;
    for (let index = 0; index <= end; index++) {
      const ratio = terms[index]! / (1 - s * terms[index]!);
      const shape = index === end ? last : 1;
      slope += shape * ratio;
      curvature += shape * ratio * ratio;
    }
    if (slope > 0) high = s;
    else low = s;
    const newton = s - slope / curvature;
    if (Math.abs(newton - s) <= 1e-13 * Math.abs(s)) break;
    s = newton > low && newton < high ? newton : (low + high) / 2;
  }
  let cumulant = 0;
  for (let index = 0; index <= end; index++) {
    cumulant -= (index === end ? last : 1) * Math.log1p(-s * terms[index]!);
  }
  const r = Math.sign(s) * Math.sqrt(Math.max(0, -2 * cumulant));
  const u = s * Math.sqrt(curvature);
  // Near the mean the correction loses precision; no end lies there.
  if (Math.abs(r) < 1e-3) return r;
  const chance = normalCdf(r) + (Math.exp((-r * r) / 2) / Math.sqrt(2 * Math.PI)) * (1 / r - 1 / u);
  return chance > 0 && chance < 1 ? normalQuantile(chance) : r;
}
