import { basename } from 'node:path';
import { settingsOfFlags } from '@agent-criteria/project/config';
import { criterionRule } from '@agent-criteria/report/console';
import { fitTable, oneLine, safe } from '@agent-criteria/report/terminal';
import { confirmedRun } from '@agent-criteria/results';
import { commitText, gatesText, shownOutcome } from '@agent-criteria/results/text';
import { listRuns, type RunListing } from '@agent-criteria/runner';
import type { Given } from './command-flags.ts';
import { type Io, painter } from './io.ts';
import { printJson } from './print.ts';
import { openProject } from './project.ts';

export async function runsCommand({ flags }: Given<'runs'>, io: Io): Promise<number> {
  const { runsFolder } = await openProject(undefined, settingsOfFlags(flags), io);
  const runs = listRuns(runsFolder);
  if (flags.json === true) {
    printJson(runs, io);
    return 0;
  }
  if (runs.length === 0) {
    io.out(`No runs in ${safe(runsFolder)} yet. Create one with: agent-criteria eval\n`);
    return 0;
  }
  const { dim } = painter(io);
  const hasCommits = runs.some(({ commit }) => commit !== undefined);
  const header = [
    'run',
    'began',
    'agent',
    'eval sets',
    'judged by',
    ...(hasCommits ? ['commit'] : []),
    'cases',
    'state',
  ].map((text) => ({
    text,
    paint: dim,
  }));
  const rows = runs.map((run) => [
    { text: oneLine(`${basename(run.folder)}${run.name === undefined ? '' : ` "${run.name}"`}`, 80) },
    { text: run.problem === undefined ? when(run.startedAt) : '-' },
    { text: oneLine(run.agent, 30) },
    { text: oneLine(run.sets.map(safe).join(', '), 40) },
    { text: oneLine(run.criteria.map(criterionRule).join(', ') || '-', 100) },
    ...(hasCommits ? [{ text: run.commit === undefined ? '-' : safe(commitText(run.commit)) }] : []),
    { text: counts(run) },
    { text: oneLine(state(run), 100) },
  ]);
  io.out(`${fitTable([header, ...rows], io.width.out)}\n`);
  return 0;
}

/** Formats a time as local time, to the minute. */
function when(time: number): string {
  const date = new Date(time);
  const two = (number: number) => String(number).padStart(2, '0');
  const day = [date.getFullYear(), two(date.getMonth() + 1), two(date.getDate())].join('-');
  return `${day} ${two(date.getHours())}:${two(date.getMinutes())}`;
}

function counts({ summary, endedAt }: RunListing): string {
  if (summary === null) return '-';
  const named = Object.entries(summary.verdicts)
    // In an unfinished run, missing cases count as errors.
    .filter(([verdict, number]) => number > 0 && (endedAt !== null || verdict !== 'error'))
    .map(([verdict, number]) => `${number} ${verdict}`);
  return named.join(', ') || '-';
}

function state(run: RunListing): string {
  const { problem, running, endedAt, units, auto, scorings } = run;
  if (problem !== undefined) return `cannot be read: ${problem}`;
  const done = `${units.finished} of ${auto ? 'up to ' : ''}${units.total}`;
  if (running) return `running, ${done} done`;
  if (scorings === 0) return 'not judged';
  if (endedAt === null) return `unfinished, ${done} done`;
  const times = `${run.selection === undefined ? '' : ', of some cases'}${scorings === 1 ? '' : `, judged ${scorings} times`}`;
  return `finished${times}${outcomeText(run)}`;
}

/** Formats the results of the gates and the exit code, or states why they are not known. */
function outcomeText({ summary, outcome, variants }: RunListing): string {
  if (summary === null || outcome === null) return '';
  const shown = shownOutcome({ summary, outcome, info: { variants } });
  if (shown.state === 'not-recorded') return ', gates not recorded';
  if (shown.state === 'missing') return ', outcome not recorded';
  if (shown.state === 'changed') return ', outcome not believed';
  const { gates, exitCode, decided } = shown;
  const confirmed = confirmedRun(gates);
  const purpose = confirmed === undefined ? '' : `, run to confirm ${safe(confirmed)}`;
  const problem = outcome.state === 'recorded' ? outcome.problems[0] : undefined;
  if (gates.length === 0 && problem === undefined) return purpose;
  const ofCases = decided ? undefined : CASES[summary.verdict];
  const ofGates = gates.length === 0 ? undefined : gatesText(gates);
  const isOfGates = ofCases === undefined && gates.some(({ holds }) => holds !== true);
  // Causes come before details.
  const causes = [ofCases, isOfGates ? undefined : problem, ofGates].filter((cause) => cause !== undefined);
  return `${purpose}, exit ${exitCode}: ${causes.join('; ')}`;
}

/** Reasons for an exit code other than 0, by the verdict on the cases. */
const CASES: Readonly<Record<string, string>> = {
  failed: 'cases failed',
  error: 'cases ended in an error',
  'not-evaluated': 'cases could not be judged',
};
