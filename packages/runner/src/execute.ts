import { openTimeLimit } from '@agent-criteria/calls';
import { CriteriaError, type Problem } from '@agent-criteria/core';
import { type Summary, summarise, type Verdict } from '@agent-criteria/core/host';
import type { AutoRepeats } from './auto-repeats.ts';
import { runEngine } from './engine/engine.ts';
import { type EventSink, eventSink } from './engine/events.ts';
import type { Rerun } from './engine/plan-case.ts';
import { type Redaction, redactionOf } from './engine/redact.ts';
import type { EngineOptions } from './engine/work.ts';
import type { Journal } from './journal/journal.ts';
import { countCases, type PlannedSet } from './planned-set.ts';
import { type RunSettings, settingsOf } from './settings.ts';
import { type EngineVariant, variantNames } from './variants.ts';

export interface ExecuteOptions {
  readonly sets: readonly PlannedSet[];
  /** The agents that every case runs with: one without a name, or several side by side. */
  readonly variants: readonly EngineVariant[];
  readonly repeats: number;
  /** Which repeats of a case there are. Default: all of them. */
  readonly repeatsOf?: EngineOptions['repeatsOf'] | undefined;
  /** A case stops once it has run often enough. Default: each runs as often as it says. */
  readonly auto?: AutoRepeats | undefined;
  readonly settings: RunSettings;
  readonly judge: boolean;
  readonly rerun?: Rerun | undefined;
  /** Closed at the end. */
  readonly journal: Journal;
  readonly folder: string | null;
  /** Whether somebody may read later what the journal has. Default true. */
  readonly isLasting?: boolean | undefined;
  /** Default: as the settings say, for these sets. */
  readonly redaction?: Redaction | undefined;
}

/** What a run came to. */
export interface Executed {
  /** Over all sets. A case that the run did not come to is an error. */
  readonly summary: Summary;
  readonly sets: readonly { readonly id: string; readonly summary: Summary }[];
  /** Of each agent, where several ran side by side. */
  readonly variants?: readonly { readonly variant: string; readonly summary: Summary }[] | undefined;
  /** Whether everything was done. */
  readonly finished: boolean;
  /** What ended it early, if something did. */
  readonly problems: readonly Problem[];
  /** What was kept by an earlier start, and was changed since. */
  readonly warnings: readonly Problem[];
}

/** Runs what is left, and sums up. */
export async function execute(options: ExecuteOptions): Promise<Executed> {
  const { sets, variants, repeats, judge, rerun, journal, folder, settings } = options;
  const redaction = options.redaction ?? redactionOf(settings, sets);
  const { agents, scoring, turnTimeout, caseTimeout, runTimeout, criterionTimeout } = settingsOf(settings);
  const { policies, prices, drain } = settings;
  const verdicts = new Map<string, Verdict[]>(sets.map(({ plan }) => [plan.evalSet.evalSetId, []]));
  const names = variantNames(variants);
  const byVariant = new Map<string, Verdict[]>(names.map((name) => [name, []]));
  const note: EventSink = (event) => {
    if (event.type !== 'case-known' && event.type !== 'case-finished') return;
    const { setId, variant, verdict } = event.type === 'case-known' ? event : event.result;
    verdicts.get(setId)?.push(verdict);
    if (variant !== undefined) byVariant.get(variant)?.push(verdict);
  };
  const sink = eventSink(settings.onEvent, note);
  const all = Array.from({ length: repeats }, (_, repeat) => repeat);
  const { repeatsOf = () => all } = options;
  const problems: Problem[] = [];
  const warnings: Problem[] = [];
  const late: Problem = { code: 'TIMEOUT', message: `the run took longer than ${runTimeout} ms` };
  const tooLate = () => new CriteriaError(late);
  const stop = openTimeLimit({ signal: settings.signal, milliseconds: runTimeout, tooLate });
  const each = countCases(sets);
  const total = each * variants.length;
  sink({ type: 'run-started', folder, units: total * repeats, repeats });
  let complete = false;
  try {
    const done = await runEngine({
      sets,
      variants,
      repeatsOf,
      auto: options.auto,
      agents,
      scoring,
      turnTimeout,
      caseTimeout,
      criterionTimeout,
      judge,
      rerun,
      journal,
      isLasting: options.isLasting ?? true,
      sink,
      // A store across a network would be asked once for every case.
      recheck: judge && folder !== null,
      policies,
      redaction,
      prices,
      drain,
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
    problems.push(...(await closing(journal)));
  }
  const bySet = sets.map(({ plan }) => {
    const { evalSetId, evalCases } = plan.evalSet;
    const own = verdicts.get(evalSetId) ?? [];
    const missing = Array.from({ length: evalCases.length * variants.length - own.length }, (): Verdict => 'error');
    return { id: evalSetId, verdicts: [...own, ...missing], done: own.length };
  });
  const summary = summaryOf(
    bySet.flatMap((set) => set.verdicts.map((verdict) => ofVerdict[verdict])),
    problems,
  );
  const isScored = bySet.reduce((sum, { done }) => sum + done, 0) === total;
  const finished = problems.length === 0 && (judge ? isScored : complete);
  sink({ type: 'run-finished', summary, finished });
  const ofSets = bySet.map((set) => ({
    id: set.id,
    summary: summarise(set.verdicts.map((verdict) => ofVerdict[verdict])),
  }));
  const done = { summary, finished, problems, warnings, sets: ofSets };
  if (names.length === 0) return done;
  const ofVariants = names.map((variant) => {
    const own = byVariant.get(variant) ?? [];
    const missing = Array.from({ length: each - own.length }, (): Verdict => 'error');
    return { variant, summary: summarise([...own, ...missing].map((verdict) => ofVerdict[verdict])) };
  });
  return { ...done, variants: ofVariants };
}

/** A run that something ended early, or that could not be kept, has not passed, whatever its cases say. */
export function summaryOf(cases: readonly { readonly verdict: Verdict }[], problems: readonly Problem[]): Summary {
  const summary = summarise(cases);
  return problems.length > 0 && summary.exitCode === 0 ? { ...summary, verdict: 'error', exitCode: 3 } : summary;
}

/** What goes wrong when the last records are made sure of. */
async function closing(journal: Journal): Promise<readonly Problem[]> {
  try {
    await journal.close();
    return [];
  } catch (error) {
    return CriteriaError.is(error) ? error.problems : [{ code: 'WRITE_FAILED', message: String(error) }];
  }
}

/** One object for each verdict: a hundred thousand cases are a list of these. */
const ofVerdict: Readonly<Record<Verdict, { readonly verdict: Verdict }>> = {
  passed: { verdict: 'passed' },
  failed: { verdict: 'failed' },
  'not-evaluated': { verdict: 'not-evaluated' },
  error: { verdict: 'error' },
  informational: { verdict: 'informational' },
};
