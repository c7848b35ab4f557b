import { type RunOutcomes, runOutcomes, type Used } from '@agent-criteria/analysis';
import { CriteriaError, didYouMean } from '@agent-criteria/core';
import { isObject } from '@agent-criteria/formats';
import type { RunRecord } from '@agent-criteria/results';
import { type OpenedRun, openRun, type ScoredSetRecord } from '@agent-criteria/runner';
import type { Project } from '../config/open-project.ts';
import { findRun, nameOfRun } from './find-run.ts';
import { isResultFile, openResultFile } from './recorded/read-recorded-result.ts';

/** The parts of a project needed to find its runs and read ADK result files. */
export type RunsProject = Pick<Project, 'builtIn' | 'config' | 'knowsIds' | 'runsFolder'>;

/** A run, or one of its variants, with the outcomes that comparisons and gates use. */
export interface OpenedOutcomes {
  /** Its name in a command: `2026-11-22-a1b2`, `2026-11-22-a1b2#fast`. */
  readonly name: string;
  readonly outcomes: RunOutcomes;
  /** The run itself, with all its variants. */
  readonly record: RunRecord;
}

/**
 * Opens the outcomes of a finished run, by its id, an id prefix, its folder, an ADK result file, or `last`. `RUN#NAME`
 * is one of its variants.
 *
 * @throws CriteriaError RUN_NOT_FOUND; USAGE if a run with several variants is named without one, and if units are
 *   missing or nothing was judged.
 */
export async function openOutcomes(word: string | undefined, project: RunsProject): Promise<OpenedOutcomes> {
  const { run: named, variant } = splitVariant(word);
  const { name, record, used } = await recordOf(named, project);
  const { units, variants } = record.info;
  if (record.info.scoring === 0) {
    throw unfinished(`the run ${name} was never judged; judge it with agent-criteria score ${name}`);
  }
  if (units.finished < units.total) {
    const message = `the run ${name} is not finished: ${units.finished} of ${units.total} results are there; continue it with agent-criteria resume ${name}`;
    throw unfinished(message);
  }
  const names = variants?.map((one) => one.name) ?? [];
  if (variant === undefined && names.length > 1) {
    const message = `the run ${name} has several variants: name one, such as ${names.map((one) => `${name}#${one}`).join(' or ')}`;
    throw new CriteriaError({ code: 'USAGE', message });
  }
  if (variant !== undefined && !names.includes(variant)) {
    const known = names.length === 0 ? '; it has none' : didYouMean(variant, names) || `; it has ${names.join(', ')}`;
    throw new CriteriaError({ code: 'USAGE', message: `the run ${name} has no variant "${variant}"${known}` });
  }
  const all = await runOutcomes(record, { used });
  const outcomes = all.find((one) => variant === undefined || one.variant === variant) as RunOutcomes;
  return { name: variant === undefined ? name : `${name}#${variant}`, outcomes, record };
}

/** Splits `RUN#NAME` at the last `#`. */
export function splitVariant(word: string | undefined): {
  readonly run: string | undefined;
  readonly variant?: string;
} {
  const at = word?.lastIndexOf('#') ?? -1;
  if (word === undefined || at === -1) return { run: word };
  return { run: word.slice(0, at) || undefined, variant: word.slice(at + 1) };
}

interface Named {
  readonly name: string;
  readonly record: RunRecord;
  readonly used?: (setId: string, criterion: string) => Used | undefined;
}

async function recordOf(word: string | undefined, project: RunsProject): Promise<Named> {
  if (word !== undefined && isResultFile(word)) return { name: word, record: await openResultFile(word, project) };
  const folder = findRun(word, project.runsFolder);
  const record = openRun(folder);
  return { name: nameOfRun(folder, project), record, used: usedBy(record) };
}

/** Returns the outcomes of an opened run, one per variant, or a single one if there are no variants. */
export function outcomesOf(run: OpenedRun): Promise<readonly RunOutcomes[]> {
  return runOutcomes(run, { used: usedBy(run) });
}

/** Returns the options with which criteria were used, and the ids of their models. */
export function usedBy({
  scoringPlan,
}: {
  readonly scoringPlan: { readonly sets: readonly Pick<ScoredSetRecord, 'id' | 'criteria'>[] } | null;
}): NonNullable<Named['used']> {
  return (setId, name) => {
    const set = scoringPlan?.sets.find(({ id }) => id === setId);
    const found = set?.criteria.find((criterion) => criterion.name === name);
    if (found === undefined) return undefined;
    const models = isObject(found.models) ? (found.models as Used['models']) : {};
    return { options: found.options, models };
  };
}

function unfinished(message: string): CriteriaError {
  return new CriteriaError({ code: 'USAGE', message });
}
