import { basename, resolve } from 'node:path';
import { CriteriaError, type EvalCase, type Invocation } from '@agent-criteria/core';
import type { UnitResult } from '@agent-criteria/core/host';
import type { RunCase, RunInference } from '@agent-criteria/results';
import { listRuns, type OpenedRun, openRun } from '@agent-criteria/runner';
import { shellWord } from '../files/shell-word.ts';
import { referenceTurn } from './reference-turns.ts';

export interface CaseFromRunOptions {
  /** The run folder. */
  readonly run: string;
  /** The id of the case in the run. */
  readonly caseId: string;
  /** The repeat of the case, counted from 0. Default 0. */
  readonly repeat?: number | undefined;
  /** The eval set in the run. Default: the one that has such a case. */
  readonly setId?: string | undefined;
  /** The eval set to prefer if several have such a case. Default: none, which makes this an error. */
  readonly preferredSetId?: string | undefined;
  /** The id of the new case. Default: `<caseId>_recorded`. */
  readonly evalId?: string | undefined;
  /**
   * The folder for runs. If this conversation is broken, it is searched for a finished one to suggest. Default: no
   * search.
   */
  readonly runsFolder?: string | undefined;
}

/**
 * Makes a case that expects the agent's behaviour in a run: messages, calls and answers. The rubrics, session and
 * options of the case are kept; a scenario is replaced by its conversation.
 * @throws CriteriaError UNKNOWN_CASE if the run has no such case or repeat, or the conversation ended in an error.
 */
export async function caseFromRun(options: CaseFromRunOptions): Promise<RecordedCase> {
  const { run: folder, caseId, repeat = 0, evalId = `${caseId}_recorded`, runsFolder } = options;
  const number = repeat + 1;
  const opened = openRun(folder);
  const one = await caseOf(opened, options);
  const recorded = one.inferences.find(({ key }) => key.repeat === repeat);
  const { inference } = recorded ?? {};
  const refuse = (message: string) => new CriteriaError({ code: 'UNKNOWN_CASE', file: folder, message });
  const instead = () => whereElse(one, { folder, runsFolder });
  if (inference === undefined) {
    const there = recordedText(one.inferences);
    throw refuse(
      `the run has no conversation of the case "${caseId}", repeat ${number}: ${there}${one.inferences.length === 0 ? await instead() : ''}`,
    );
  }
  const { ending, invocations } = inference;
  if (ending.by === 'error' || ending.by === 'abort') {
    const why = ending.by === 'error' ? `ended with an error: ${ending.error.message}` : 'was aborted';
    throw refuse(
      `the conversation of "${caseId}" ${why}; a broken conversation cannot be used as an expectation${await instead()}`,
    );
  }
  if (invocations.length === 0) throw refuse(`the conversation of "${caseId}" has no turn`);
  const { conversation, conversationScenario: _, creationTimestamp: __, ...kept } = one.evalCase;
  const turns = invocations.map((turn, index): Invocation => {
    const rubrics = conversation?.[index]?.rubrics;
    return referenceTurn(rubrics ? { ...turn, rubrics } : turn);
  });
  const unit = one.result.units.find((candidate) => candidate.repeat === repeat);
  return {
    evalCase: { ...kept, evalId, conversation: turns, creationTimestamp: Date.now() / 1000 },
    notes: notesOf(unit, ending.by),
  };
}

function notesOf(unit: UnitResult | undefined, ending: string): readonly string[] {
  return [
    ...(unit?.verdict === 'failed' ? ['It failed in this run: correct what the case expects.'] : []),
    ...(ending === 'turn-limit'
      ? ['It ended at the turn limit: its last turn may not be where a user would stop.']
      : []),
  ];
}

async function caseOf(opened: OpenedRun, { caseId, setId, preferredSetId }: CaseFromRunOptions): Promise<RunCase> {
  const found = [];
  for (const { id } of opened.sets) {
    const one = setId === undefined || setId === id ? await opened.case({ setId: id, caseId }) : undefined;
    if (one !== undefined) found.push(one);
  }
  const same = found.filter((one) => one.setId === preferredSetId);
  const [first] = found.length > 1 && same.length === 1 ? same : found;
  if (first !== undefined && (found.length === 1 || same.length === 1)) return first;
  const names = found.map((one) => one.setId).join(', ');
  const message =
    first === undefined
      ? `the run has no case "${caseId}"${setId === undefined ? '' : ` in an eval set "${setId}"`}; agent-criteria show lists its cases`
      : `several eval sets of the run have a case "${caseId}": name one of ${names} with --eval-set`;
  throw new CriteriaError({ code: 'UNKNOWN_CASE', file: opened.folder, message });
}

/** The number of most recent runs to search. */
const RUNS_SEEN = 50;

/**
 * Suggests a finished conversation of the same case, as the end of a sentence. Returns an empty string if there is
 * none.
 */
async function whereElse(
  { setId, result: { caseId }, inferences }: RunCase,
  { folder, runsFolder }: { readonly folder: string; readonly runsFolder: string | undefined },
): Promise<string> {
  const repeat = inferences.find(isWhole)?.key.repeat;
  if (repeat !== undefined) return `; repeat ${repeat + 1} of this run has one that finished`;
  if (runsFolder === undefined) return '';
  for (const run of listRuns(runsFolder).toReversed().slice(0, RUNS_SEEN)) {
    if (run.problem !== undefined || !run.sets.includes(setId) || resolve(run.folder) === resolve(folder)) continue;
    const found = await caseIn(run.folder, setId, caseId);
    const at = found?.inferences.find(isWhole)?.key.repeat;
    if (at === undefined) continue;
    const words = [basename(run.folder), caseId, ...(at === 0 ? [] : [String(at + 1)])].map((word) => shellWord(word));
    return `; another run has one that finished: name ${words.join(' ')} instead of this one`;
  }
  return '';
}

function isWhole({ inference: { ending, invocations } }: RunInference): boolean {
  return ending.by !== 'error' && ending.by !== 'abort' && invocations.length > 0;
}

/** Reads a case from a run. Returns `undefined` if the run cannot be read. */
async function caseIn(folder: string, setId: string, caseId: string): Promise<RunCase | undefined> {
  try {
    return await openRun(folder).case({ setId, caseId });
  } catch {
    return undefined;
  }
}

function recordedText(inferences: readonly { readonly key: { readonly repeat: number } }[]): string {
  const repeats = inferences.map(({ key }) => key.repeat + 1);
  return repeats.length === 0 ? 'none is recorded' : `there is ${repeats.join(', ')}`;
}

/** A recorded conversation turned into a case that expects the same conversation. */
export interface RecordedCase {
  readonly evalCase: EvalCase;
  /** Notes to read before adding the case to an eval set. */
  readonly notes: readonly string[];
}
