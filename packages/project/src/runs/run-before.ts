import { askedOf, type JudgedCase, type RunChanges, verdictChanges } from '@agent-criteria/analysis';
import { CriteriaError } from '@agent-criteria/core';
import type { RunInfo } from '@agent-criteria/results';
import { listRun, type OpenedRun, openRun, type RunListing } from '@agent-criteria/runner';
import { headOfPlan, type RunHead, runHeads } from './run-heads.ts';

/** Whether a run is of all cases of its eval sets, finished and judged, so that another one can be compared with it. */
export function isWholeRun(
  listing: Pick<RunListing, 'selection' | 'endedAt' | 'units' | 'scorings' | 'problem'>,
): boolean {
  const { selection, endedAt, units, scorings, problem } = listing;
  return (
    problem === undefined &&
    selection === undefined &&
    scorings > 0 &&
    endedAt !== null &&
    units.finished >= units.total
  );
}

/** Whether the run in a folder is a whole run. */
export function isWholeRunIn(folder: string): boolean {
  const listing = listRun(folder);
  return listing !== null && isWholeRun(listing);
}

/** The number of runs to search, newest first, if the run before was not asked for. */
const SEEN = 1000;

/**
 * Finds the run before a run: the newest earlier one of all cases of the same eval sets with the same agents, finished and judged.
 * For a run of some cases, it may have more eval sets.
 *
 * @param seen How many runs to look at, newest first. Default: all.
 */
export function runBefore(run: OpenedRun, runsFolder: string, seen = Number.POSITIVE_INFINITY): OpenedRun | null {
  let left = seen;
  const own = headOf(run);
  for (const head of runHeads(runsFolder)) {
    left -= 1;
    if (left < 0) return null;
    if (head.id === own.id || head.isOfSelection || !isOfSame(head, own)) continue;
    const listing = listRun(head.folder);
    if (listing === null || !isWholeRun(listing) || !isEarlier(listing, run.info)) continue;
    return openRun(head.folder);
  }
  return null;
}

function isEarlier(listing: RunListing, { id, startedAt }: RunInfo): boolean {
  return listing.startedAt < startedAt || (listing.startedAt === startedAt && listing.id < id);
}

function headOf({ plan, info }: OpenedRun): Pick<RunHead, 'id' | 'isOfSelection' | 'sets' | 'agents'> {
  const { sets, agents } = headOfPlan(plan);
  return { id: plan.id, isOfSelection: info.selection !== undefined, sets, agents };
}

function isOfSame(head: RunHead, own: Pick<RunHead, 'isOfSelection' | 'sets' | 'agents'>): boolean {
  const { sets, agents } = own;
  if (agents.size !== head.agents.size || ![...agents].every((agent) => head.agents.has(agent))) return false;
  return (own.isOfSelection || sets.size === head.sets.size) && [...sets].every((set) => head.sets.has(set));
}

/**
 * Finds the last whole run and the run before it, with the same eval sets and agents.
 * @throws CriteriaError RUN_NOT_FOUND if there are not two such runs.
 */
export function lastTwoRuns(runsFolder: string): { readonly base: OpenedRun; readonly candidate: OpenedRun } {
  const candidate = lastWholeRun(runsFolder);
  const base = candidate === null ? null : runBefore(candidate, runsFolder);
  if (candidate !== null && base !== null) return { base, candidate };
  const advice = 'or name two runs: agent-criteria compare BASE NEW (agent-criteria runs lists them)';
  const message =
    candidate === null
      ? `there is no finished, judged run of all cases yet, and a comparison needs two: run agent-criteria eval before and after a change, ${advice}`
      : `the run ${candidate.info.id} is the only finished, judged run of all cases of its eval sets (${candidate.sets.map(({ id }) => id).join(', ')}) with its agent, and a comparison needs two: run agent-criteria eval again, ${advice}`;
  throw new CriteriaError({ code: 'RUN_NOT_FOUND', file: runsFolder, message });
}

function lastWholeRun(runsFolder: string): OpenedRun | null {
  for (const { folder, isOfSelection } of runHeads(runsFolder)) {
    if (!isOfSelection && isWholeRunIn(folder)) return openRun(folder);
  }
  return null;
}

/**
 * Lists the verdicts of a finished and judged run that differ from those of the run before. Returns `null` if there is no run
 * before, or if the run is not finished.
 */
export async function changesSinceRunBefore(run: OpenedRun, runsFolder: string): Promise<RunChanges | null> {
  const { scoring, units } = run.info;
  if (scoring === 0 || units.finished < units.total) return null;
  const before = runBefore(run, runsFolder, SEEN);
  if (before === null) return null;
  const { id, name, commit, startedAt } = before.info;
  return {
    run: id,
    ...(name === undefined ? {} : { name }),
    ...(commit === undefined ? {} : { commit }),
    startedAt,
    changes: verdictChanges(await judgedCases(before), await judgedCases(run)),
  };
}

async function judgedCases(run: OpenedRun): Promise<readonly JudgedCase[]> {
  const cases: JudgedCase[] = [];
  for await (const { setId, variant, evalCase, result } of run.heads()) {
    cases.push({
      setId,
      caseId: evalCase.evalId,
      ...(variant === undefined ? {} : { variant }),
      asked: askedOf(evalCase),
      verdict: result.verdict,
    });
  }
  return cases;
}
