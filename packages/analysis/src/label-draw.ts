import type { Draw } from '@agent-criteria/results';
import { fisherExact, isUnknown } from '@agent-criteria/statistics';
import type { JudgedThing } from './verdict-strata.ts';

/** A comparison of labelled items with the rest. Plain JSON. */
export interface LabelDraw {
  /** How the labels were drawn, or `null` if this is not recorded for all of them or differs between them. */
  readonly drawn: Draw | null;
  /** The judge's pass rate on labelled items, and on the others, or `null` if there are none. */
  readonly passedOfLabelled: number | null;
  readonly passedOfOthers: number | null;
  /** The probability of such a difference if labels are random, or `null` if everything or nothing is labelled. */
  readonly p: number | null;
  /** Whether labelled items differ from the rest by more than chance would explain. */
  readonly differs: boolean;
}

/** The probability of mistaking a random sample for one chosen by verdict. */
const ALPHA = 0.01;

/**
 * Applies Fisher's exact test to the judge's verdicts, labelled against unlabelled, using one item per case or group.
 */
export function labelDraw(things: readonly JudgedThing[], recorded: Iterable<Draw | undefined>): LabelDraw {
  const [first, ...others] = new Set(recorded);
  const drawn = others.length === 0 ? (first ?? null) : null;
  const judged = things.filter(({ judge }) => judge !== null);
  const passed = (own: readonly JudgedThing[]) =>
    own.length === 0 ? null : own.filter(({ judge }) => judge === true).length / own.length;
  const seen = new Set<string>();
  const table = { labelled: [0, 0] as [number, number], others: [0, 0] as [number, number] };
  for (const { cluster, judge, people } of judged) {
    if (seen.has(cluster)) continue;
    seen.add(cluster);
    table[people === null ? 'others' : 'labelled'][judge ? 0 : 1] += 1;
  }
  const p = fisherExact([table.labelled, table.others]);
  return {
    drawn,
    passedOfLabelled: passed(judged.filter(({ people }) => people !== null)),
    passedOfOthers: passed(judged.filter(({ people }) => people === null)),
    p: isUnknown(p) ? null : p,
    differs: !isUnknown(p) && p < ALPHA,
  };
}
