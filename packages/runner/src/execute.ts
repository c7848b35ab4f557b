import { openTimeLimit } from '@agent-criteria/calls';
import { CriteriaError, type Problem } from '@agent-criteria/core';
import { type Summary, summarise, type Verdict } from '@agent-criteria/core/host';
import { variantNames } from './agents.ts';
import { runEngine } from './engine/engine.ts';
import { type EventSink, eventSink } from './engine/events.ts';
import type { Redaction } from './engine/redact.ts';
import type { CasesToRun } from './engine/work.ts';
import type { Journal } from './journal/journal.ts';
import { countCases } from './planned-set.ts';
import type { CheckedSettings } from './settings.ts';

export interface ExecuteOptions {
  readonly cases: Omit<CasesToRun, 'repeatsOf'> & { readonly repeatsOf?: CasesToRun['repeatsOf'] | undefined };
  /** The number of repeats. `repeatsOf` determines which of them each case has. Default: all. */
  readonly repeats: number;
  readonly settings: CheckedSettings;
  readonly redaction: Redaction;
  /** `false` to only run inferences. Default true. */
  readonly judge?: boolean | undefined;
  /** Closed when the run ends. */
  readonly journal: Journal;
  readonly folder?: string | undefined;
  /** Whether the journal can be read later. Default true. */
  readonly isLasting?: boolean | undefined;
}

/** The result of executing a run. */
export interface Executed {
  /** The summary over all sets. A case that the run did not reach counts as an error. */
  readonly summary: Summary;
  readonly sets: readonly { readonly id: string; readonly summary: Summary }[];
  /** One summary per agent, if several ran side by side. */
  readonly variants?: readonly { readonly variant: string; readonly summary: Summary }[] | undefined;
  /** Whether everything was done. */
  readonly finished: boolean;
  /** Why the run ended early. */
  readonly problems: readonly Problem[];
  /** Warnings, such as about results that an earlier start stored and that have since been changed. */
  readonly warnings: readonly Problem[];
}

/** Runs the remaining cases, and summarises all cases. */
export async function execute(options: ExecuteOptions): Promise<Executed> {
  const { cases, repeats, judge = true, journal, folder, settings, redaction, isLasting = true } = options;
  const { sets, variants } = cases;
  const { limits, calls, drain, runTimeout } = settings;
  const verdicts = new Map<string, Verdict[]>(sets.map(({ plan }) => [plan.evalSet.evalSetId, []]));
  const byVariant = new Map<string, Verdict[]>(variantNames(variants).map((name) => [name, []]));
  const note: EventSink = (event) => {
    if (event.type !== 'case-known' && event.type !== 'case-finished') return;
    const { setId, variant, verdict } = event.type === 'case-known' ? event : event.result;
    verdicts.get(setId)?.push(verdict);
    if (variant !== undefined) byVariant.get(variant)?.push(verdict);
  };
  const sink = eventSink(settings.onEvent, note);
  const all = Array.from({ length: repeats }, (_, repeat) => repeat);
  const problems: Problem[] = [];
  const warnings: Problem[] = [];
  const late: Problem = { code: 'TIMEOUT', message: `the run took longer than ${runTimeout} ms` };
  const stop = openTimeLimit({
    signal: settings.signal,
    milliseconds: runTimeout,
    tooLate: () => new CriteriaError(late),
  });
  const perVariant = countCases(sets);
  const total = perVariant * variants.length;
  sink({ type: 'run-started', folder: folder ?? null, units: total * repeats, repeats });
  let complete = false;
  try {
    const done = await runEngine({
      cases: { ...cases, repeatsOf: cases.repeatsOf ?? (() => all) },
      judge,
      limits,
      calls,
      drain,
      redaction,
      journal,
      isLasting,
      // Only for folders: a store across a network would get a request for every case.
      recheck: judge && folder !== undefined,
      sink,
      signal: stop.signal,
    });
    complete = done.complete;
    warnings.push(...done.warnings);
    problems.push(...done.problems);
    if (stop.isOver() && !complete) problems.push(late);
  } catch (error) {
    if (!CriteriaError.is(error)) throw error;
    problems.push(...error.problems);
  } finally {
    stop.end();
    problems.push(...(await closeJournal(journal)));
  }
  const bySet = sets.map(({ plan: { evalSet } }) => {
    const known = verdicts.get(evalSet.evalSetId) ?? [];
    return { id: evalSet.evalSetId, cases: complemented(known, evalSet.evalCases.length * variants.length) };
  });
  const summary = summariseRun(
    bySet.flatMap((set) => set.cases),
    problems,
  );
  const isScored = [...verdicts.values()].reduce((sum, { length }) => sum + length, 0) === total;
  const finished = problems.length === 0 && (judge ? isScored : complete);
  sink({ type: 'run-finished', summary, finished });
  const ofSets = bySet.map((set) => ({ id: set.id, summary: summarise(set.cases) }));
  const done = { summary, finished, problems, warnings, sets: ofSets };
  if (byVariant.size === 0) return done;
  const ofVariants = [...byVariant].map(([variant, known]) => {
    return { variant, summary: summarise(complemented(known, perVariant)) };
  });
  return { ...done, variants: ofVariants };
}

/** Summarises cases. A run that ended early or could not be stored has not passed, even if all its cases have. */
export function summariseRun(cases: readonly { readonly verdict: Verdict }[], problems: readonly Problem[]): Summary {
  const summary = summarise(cases);
  return problems.length > 0 && summary.exitCode === 0 ? { ...summary, verdict: 'error', exitCode: 3 } : summary;
}

/** Adds the cases that the run did not reach to the known verdicts, as errors. */
function complemented(known: readonly Verdict[], count: number): readonly { readonly verdict: Verdict }[] {
  const missing = Array.from({ length: count - known.length }, () => ofVerdict.error);
  return [...known.map((verdict) => ofVerdict[verdict]), ...missing];
}

/** Closes a journal. Returns any problems with flushing the last records. */
async function closeJournal(journal: Journal): Promise<readonly Problem[]> {
  try {
    await journal.close();
    return [];
  } catch (error) {
    return CriteriaError.is(error) ? error.problems : [{ code: 'WRITE_FAILED', message: String(error) }];
  }
}

/** One shared object per verdict, because a run may have a hundred thousand cases. */
const ofVerdict: Readonly<Record<Verdict, { readonly verdict: Verdict }>> = {
  passed: { verdict: 'passed' },
  failed: { verdict: 'failed' },
  'not-evaluated': { verdict: 'not-evaluated' },
  error: { verdict: 'error' },
  informational: { verdict: 'informational' },
};
