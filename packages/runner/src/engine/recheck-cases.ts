import type { EvalCase, Range, Score, UnitKey } from '@agent-criteria/core';
import { type CaseResult, type Plan, summariseCase, type UnitScores } from '@agent-criteria/core/host';
import { stringifyJson } from '@agent-criteria/formats';
import type { CompactCaseResult } from '@agent-criteria/results';
import type { AutoRepeats } from '../auto-repeats.ts';
import { caseStanding } from '../journal/case-standing.ts';
import type { ScoreRecord, UnitState } from '../journal/journal.ts';
import { caseText, keyText } from '../key-text.ts';
import type { Doubt } from './doubt.ts';
import { readKept } from './read-kept.ts';
import type { EngineOptions } from './work.ts';
import { pauses } from './yield-to-event-loop.ts';

/** The finished cases whose kept result is not what their kept scores make, by the text of the case. */
export async function recheckCases(
  options: Pick<EngineOptions, 'sets' | 'variants' | 'journal' | 'repeatsOf' | 'auto' | 'signal'>,
  states: ReadonlyMap<string, UnitState>,
): Promise<Map<string, Doubt>> {
  const { sets, variants, journal, repeatsOf, auto, signal } = options;
  const doubts = new Map<string, Doubt>();
  // Of a new run there is nothing to read.
  if (states.size === 0) return doubts;
  const pause = pauses();
  for (const { plan } of sets) {
    const { evalSetId: setId, evalCases } = plan.evalSet;
    for (const evalCase of evalCases) {
      for (const { variant } of variants) {
        if (signal.aborted) return doubts;
        const ids = { setId, caseId: evalCase.evalId, ...(variant !== undefined && { variant }) };
        const all = repeatsOf(setId, evalCase, variant).map((repeat): UnitKey => ({ ...ids, repeat }));
        const { completedBy, units } = caseStanding(
          all.map((key) => states.get(keyText(key))),
          null,
          auto !== undefined,
        );
        if (completedBy === null) continue;
        const keys = all.slice(0, units.length);
        const records: (ScoreRecord | null)[] = [];
        for (const key of keys) records.push(await readKept(() => journal.scores(key)));
        const enough = keys.length < all.length ? auto?.enough : undefined;
        const doubt = doubtOf({ plan, evalCase, variant, records, completedBy, enough });
        if (doubt !== null) doubts.set(caseText(ids), doubt);
        await pause();
      }
    }
  }
  return doubts;
}

interface Recheck {
  readonly plan: Plan;
  readonly evalCase: EvalCase;
  readonly variant: string | undefined;
  readonly records: readonly (ScoreRecord | null)[];
  readonly completedBy: number;
  /** Of a case that stopped early: whether it had run often enough. */
  readonly enough: AutoRepeats['enough'] | undefined;
}

function doubtOf({ plan, evalCase, variant, records, completedBy, enough }: Recheck): Doubt | null {
  const byWhom = variant === undefined ? '' : ` (${variant})`;
  const what = `the case "${evalCase.evalId}" of "${plan.evalSet.evalSetId}"${byWhom}`;
  const doubt = (of: Doubt['of'], message: string): Doubt => ({ of, problem: { code: 'RUN_CHANGED', message } });
  const kept = records[completedBy]?.case?.result;
  const known = records.filter((record) => record !== null);
  if (kept === undefined || known.length < records.length) {
    return doubt('scores', `saved scores of ${what} can no longer be read; the case is scored again`);
  }
  const units = known.map(({ key, scores }): UnitScores => ({ key, ...scores }));
  const now = arePossible(plan, units) ? resultOf(plan, evalCase, units) : null;
  if (now === null) {
    return doubt(
      'scores',
      `scores of ${what} have changed since they were saved and are no longer valid; the case is scored again`,
    );
  }
  if (enough?.(now.units.map(({ verdict }) => verdict)) === false) {
    // The case may also have been scored again, by criteria that leave it open.
    const stopped = `${what} stopped after ${now.units.length} repeats, but its saved scores do not decide it`;
    return doubt('result', `${stopped}: it goes on`);
  }
  if (comparable(now) === comparable(kept)) return null;
  const difference = differenceOf(kept, now);
  return doubt('result', `the result of ${what} has changed since it was saved: ${difference}; the scores decide`);
}

/** `null`: the scores are such that nothing can be made of them. */
function resultOf(plan: Plan, evalCase: EvalCase, units: readonly UnitScores[]): CaseResult | null {
  try {
    return summariseCase(plan, evalCase, units);
  } catch {
    return null;
  }
}

function arePossible(plan: Plan, units: readonly UnitScores[]): boolean {
  const ranges = new Map(plan.criteria.map(({ name, criterion }) => [name, criterion.range]));
  return units.every(({ criteria }) =>
    criteria.every(({ name, scores }) => {
      const range = ranges.get(name);
      return range === undefined || scores.every((score) => isPossible(score, range));
    }),
  );
}

function isPossible(score: Score, range: Range): boolean {
  if ('parts' in score) return score.parts.every((part) => isPossible(part, range));
  if (score.value === null) return typeof score.missing === 'string';
  return typeof score.value === 'number' && score.value >= range.min && score.value <= (range.max ?? Infinity);
}

/** What a result decides and shows, less what redaction may have changed. */
function comparable({ verdict, criteria, units }: CaseResult | CompactCaseResult): string {
  const facts = (all: readonly { readonly name: string; readonly verdict: string; readonly score: number | null }[]) =>
    all.map((one) => [one.name, one.verdict, one.score]);
  return stringifyJson([
    verdict,
    facts(criteria),
    units.map((unit) => [unit.repeat, unit.verdict, facts(unit.criteria)]),
  ]);
}

function differenceOf(kept: CompactCaseResult, now: CaseResult): string {
  if (kept.verdict !== now.verdict) return `it was saved as ${kept.verdict}, but its scores make it ${now.verdict}`;
  const other = now.criteria.find((criterion, index) => {
    const before = kept.criteria[index];
    return before?.name !== criterion.name || before.verdict !== criterion.verdict || before.score !== criterion.score;
  });
  if (other === undefined) return 'the saved verdicts of its repeats do not match their scores';
  const before = kept.criteria.find(({ name }) => name === other.name);
  const was = before === undefined ? 'nothing' : `${textOf(before.verdict)} (${textOf(before.score)})`;
  return `${other.name} was saved as ${was}, but its scores make it ${other.verdict} (${other.score})`;
}

/** The verdict or score of a criterion as it was saved. Only its name was checked on reading, so it can be any JSON. */
function textOf(saved: unknown): string {
  return typeof saved === 'string' ? saved : String(stringifyJson(saved));
}
