import { createHash } from 'node:crypto';
import { type Draw, type Labelled, labelledKey } from '@agent-criteria/results';

/**
 * The share below which a verdict counts as rare, because a random draw would put too few of it among the first labels.
 */
const RARE = 1 / 3;

/**
 * Returns the default way to draw: by verdict if one verdict is rare, because it would hardly occur among the first
 * thirty items of a random draw.
 */
export function usualDraw(things: readonly { readonly passed: boolean | null }[]): Draw {
  const passed = things.filter((one) => one.passed === true).length;
  const rarer = Math.min(passed, things.length - passed);
  return rarer > 0 && rarer < RARE * things.length ? 'by-verdict' : 'random';
}

/**
 * Shuffles items with a seed, so that the order is stable for a run and the first labels, however many, are a random
 * sample. `random` draws all items with equal probability. `by-verdict` draws about equally many items of each verdict
 * of the judge while both are left, in an order that does not reveal which comes next; `calibrate` weights the labels
 * accordingly.
 */
export function inDrawnOrder<T extends Labelled & { readonly passed: boolean | null }>(
  things: readonly T[],
  seed: string,
  draw: Draw,
): readonly T[] {
  const drawn = things
    .map((thing) => ({ thing, place: hash(`${seed} ${labelledKey(thing)}`) }))
    .sort((a, b) => (a.place < b.place ? -1 : 1))
    .map(({ thing }) => thing);
  if (draw === 'random') return drawn;
  const [passed, others] = [drawn.filter((one) => one.passed === true), drawn.filter((one) => one.passed !== true)];
  return drawn.map((_, at) => {
    // Drawn by chance instead of alternating, so that the labeller cannot infer the judge's verdict.
    const isPass =
      others.length === 0 || (passed.length > 0 && Number.parseInt(hash(`${seed} ${at}`)[0] as string, 16) < 8);
    return (isPass ? passed : others).shift() as T;
  });
}

function hash(text: string): string {
  return createHash('sha256').update(text).digest('hex');
}
