import { relative } from 'node:path';
import type { Problem } from '@agent-criteria/core';
import { counted, summarise } from '@agent-criteria/core/host';
import type { PreparedRun, Project, Settings } from '@agent-criteria/project';
import { shellWord } from '@agent-criteria/project/files';
import { makesCalls, type PreparedSet } from '@agent-criteria/project/plan';
import { type ReadyRun, variantsOf } from '@agent-criteria/project/runs';
import { consolePlan, problemText, timesText } from '@agent-criteria/report/console';
import { safe } from '@agent-criteria/report/terminal';
import { runSet } from '@agent-criteria/results';
import { gateTitle } from '@agent-criteria/results/text';
import { type GateName, openRun, type RunEvent, type RunOutcome } from '@agent-criteria/runner';
import type { Io } from './io.ts';

/** Warns of gates that the run was started with but that this command does not repeat, which leaves them undecided. */
export function forgottenGates({ source, judged }: PreparedRun, names: readonly GateName[]): readonly Problem[] {
  if (source.kind !== 'resume' || !judged) return [];
  const asked = new Set(names.map(gateTitle));
  const before = openRun(source.folder).scoringPlan?.gates ?? [];
  const forgotten = before.map(gateTitle).filter((title) => !asked.has(title));
  if (forgotten.length === 0) return [];
  const [gates, they] = forgotten.length === 1 ? ['the gate', 'it'] : ['the gates', 'they'];
  const message = `this run was begun with ${gates} ${forgotten.join(', ')}, and is resumed without, so ${they} cannot tell: repeat the --gate and --baseline flags`;
  return [{ code: 'USAGE', message }];
}

export function awaitedText({ holder, atMost }: Extract<RunEvent, { type: 'folder-awaited' }>): string {
  return `${capital(safe(holder))} may still be writing this run: waiting up to ${atMost / 1000} s to find out.\n`;
}

function capital(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}

/** Warns of model flags if the run uses no models. */
export function idleFlags({ given: { judgeModel, recording } }: Project): readonly Problem[] {
  const idle = [
    ...(judgeModel === undefined ? [] : ['--judge-model']),
    ...(recording === undefined ? [] : ['a recording']),
  ];
  return idle.map((what) => ({ code: 'USAGE', message: `${what} has no effect: no criterion uses a model` }));
}

export function startText(prepared: PreparedRun, recorded: ReadyRun['recorded'], io: Io): string {
  const plans = prepared.sets.map((set) => planText(set, prepared, io)).join('');
  if (recorded === null) return plans;
  const label = recorded.label === null ? '' : ` (${safe(recorded.label)})`;
  const inside = relative('.', recorded.file);
  const file = inside.startsWith('..') ? recorded.file : inside;
  // Inserted before the empty line that ends the plan.
  return `${plans.trimEnd()}\n${whoReplays(prepared)} from the recording ${safe(file)}${label}\n\n`;
}

/** Returns the beginning of a sentence about the recording: who answers from it. */
function whoReplays({ sets, agents, judged }: PreparedRun): string {
  const runs = agents[0]?.agent !== null;
  const isLed = runs && sets.some(({ plan }) => plan.simulator !== null);
  const isSimulated = runs && sets.some(({ plan: { environments } }) => makesCalls({ environments }));
  const who = [
    ...(judged && sets.some(({ plan: { criteria } }) => makesCalls({ criteria })) ? ['judges'] : []),
    ...(isLed ? ['simulated users'] : []),
    ...(isSimulated ? ['simulated tools'] : []),
  ];
  return `${who.length === 0 ? 'judges' : who.join(', ').replace(/, ([^,]+)$/, ' and $1')} answer`;
}

function planText(set: PreparedSet, prepared: PreparedRun, { color, width }: Io): string {
  const { judged, repeats, auto } = prepared;
  const variants = variantsOf(prepared);
  const { compat, evalSet } = set.plan;
  const cases = evalSet.evalCases.length;
  if (judged)
    return consolePlan(
      runSet(set.plan, set, summarise([])),
      { cases, repeats, auto, variants, compat },
      { color, width: width.out },
    );
  const times = timesText({ repeats, variants });
  return `${safe(evalSet.evalSetId)}: ${counted(cases, 'case')}${times}${set.file === null ? '' : `${times === '' ? '' : ','} from ${safe(set.file)}`}\n`;
}

/**
 * The number of missing recorded answers to print. The rest are only counted, because each case reports its own missing
 * answer as its reason.
 */
const MOST_MISSING = 1;

export function problemsText(problems: readonly Problem[]): string {
  const missing = problems.filter(({ code }) => code === 'RECORDING_MISSING');
  const shown = problems.filter((problem) => !missing.slice(MOST_MISSING).includes(problem));
  const more = missing.length - MOST_MISSING;
  const rest = more > 0 ? `The recording lacks ${counted(more, 'more answer')} of this run.\n` : '';
  return shown.map((problem) => `${problemText(problem)}\n`).join('') + rest;
}

export function unfinishedText(
  name: string | null,
  { agents, project }: PreparedRun,
  { problems }: RunOutcome,
  { stopped, gates }: { readonly stopped: boolean; readonly gates: string },
): string {
  if (name === null) return '\nThe run is incomplete, and nothing of it was saved.\n';
  const isSpent = problems.some(({ code }) => code === 'BUDGET_SPENT');
  const lacksAnswers = problems.some(({ code }) => code === 'RECORDING_MISSING');
  if (agents[0]?.agent === null) {
    if (isSpent)
      return '\nNot everything is scored. Run the same command again to continue; it may spend the same budget again.\n';
    return stopped || lacksAnswers
      ? '\nNot everything is scored. Run the same command again to continue.\n'
      : '\nNot everything is scored: see the errored cases above. To run them, start a new run.\n';
  }
  const { judgeModel, recording } = project.given;
  const judge = judgeModel === undefined ? '' : ` --judge-model ${shellWord(judgeModel)}`;
  const budget = isSpent ? '\nIt may spend the same budget again; use the same flags to set a larger one.' : '';
  return `\nRun incomplete. Resume with: agent-criteria resume ${safe(`${name}${judge}${recordingFlags(recording, lacksAnswers)}${gates}`)}${budget}\n`;
}

/**
 * Formats flags that continue with the recording, because without them judges would be called live. Recorded answers
 * are not requested again.
 */
function recordingFlags({ file, mode }: NonNullable<Settings['recording']> = {}, lacksAnswers: boolean): string {
  const next = mode === 'record' || (mode === 'replay' && lacksAnswers) ? 'auto' : mode;
  if (file === undefined && next === undefined) return '';
  return ` --recording ${shellWord(`${file ?? ''}${next === undefined ? '' : `:${next}`}`)}`;
}
