import type { Draw } from '@agent-criteria/results';
import { fisherExact, isUnknown } from '@agent-criteria/statistics';
import type { JudgedThing } from './verdict-strata.ts';

/** How labelled things compare with the rest. Plain JSON. */
export interface LabelDraw {
  /** As recorded with the labels; `null`: not recorded for all of them, or in several ways. */
  readonly drawn: Draw | null;
  /** The share that the judge passes of labelled things, and of the others; `null`: there are none. */
  readonly passedOfLabelled: number | null;
  readonly passedOfOthers: number | null;
  /** How often labels drawn at random would differ that much from the rest; `null`: everything is labelled, or nothing. */
  readonly p: number | null;
  /** Whether labelled things differ from the rest by more than chance would explain. */
  readonly differs: boolean;
}

/** A sample drawn at random is taken for a chosen one this often. */
const ALPHA = 0.01;

/**
 * Fisher's exact test of the judge's verdicts, labelled against not labelled. Things of one case or group go together, so that one of
 * each counts.
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
