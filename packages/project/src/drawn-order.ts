import { createHash } from 'node:crypto';
import { type Labelled, labelledKey } from '@agent-criteria/results';

/**
 * Things in a random order that is always the same for one run: a person who labels the first thirty has
 * labelled thirty drawn at random, which is what corrected rates rest on.
 */
export function inDrawnOrder<T extends Labelled>(things: readonly T[], seed: string): readonly T[] {
  const place = (thing: T) =>
    createHash('sha256')
      .update(`${seed} ${labelledKey(thing)}`)
      .digest('hex');
  return things
    .map((thing) => ({ thing, place: place(thing) }))
    .sort((a, b) => (a.place < b.place ? -1 : 1))
    .map(({ thing }) => thing);
}
