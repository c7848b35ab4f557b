import { stat } from 'node:fs/promises';
import { CriteriaError, toolCalls } from '@agent-criteria/core';
import { counted } from '@agent-criteria/core/host';
import { secretMask } from '@agent-criteria/masking';
import { loadEnvironment, settingsOfFlags } from '@agent-criteria/project/config';
import {
  addCases,
  addMatchers,
  type CaseFromSessionOptions,
  caseFromRun,
  caseFromSession,
  type RecordedCase,
  readEvalSetFile,
  type Suggestion,
} from '@agent-criteria/project/editing';
import { findEvalSet, shellWord } from '@agent-criteria/project/files';
import { findRun } from '@agent-criteria/project/runs';
import { oneLine, safe, table } from '@agent-criteria/report/terminal';
import { usage } from './arguments.ts';
import type { Given } from './command-flags.ts';
import type { Io } from './io.ts';
import { printJson, printWarnings } from './print.ts';
import { openProject } from './project.ts';

/** Adds a recorded conversation to an eval set, as a case that expects the same behaviour again. */
export async function evalSetAddSessionCommand(
  { flags, positionals, form }: Given<'eval_set add_session'>,
  io: Io,
): Promise<number> {
  const [agent, id, source, ...ofRun] = positionals;
  if (agent === undefined || id === undefined) throw usage(`name an agent and the id of a set: ${form}`);
  if (source === undefined) throw usage(`name a session file, or a run and a case of it: ${form}`);
  const { eval_id: evalId } = flags;

  const set = await readEvalSetFile(await findEvalSet(agent, id));
  const fromRun = async ([caseId, repeat]: readonly string[]): Promise<RecordedCase> => {
    const { runsFolder } = await openProject(agent, settingsOfFlags(flags), io);
    const run = findRun(source, runsFolder);
    if (caseId === undefined) throw usage(`name the case of the run: ${form}`);
    const number = repeat === undefined ? 1 : Number(repeat);
    if (!Number.isSafeInteger(number) || number < 1) {
      throw usage(`"${repeat}" is not a repeat; repeats count from 1: ${form}`);
    }
    const sets = { setId: flags.eval_set, preferredSetId: set.value.evalSetId };
    return caseFromRun({ run, caseId, repeat: number - 1, evalId, runsFolder, ...sets });
  };
  const isFile = await isSessionFile(source);
  if (isFile && ofRun.length > 0)
    throw usage(`"${ofRun[0]}" is an unexpected argument: a session file has only one conversation`);
  const recorded = isFile ? await sessionCase({ file: source, agent, evalId }, io) : await fromRun(ofRun);
  const { notes } = recorded;
  const bare = { evalCase: recorded.evalCase, suggestions: [], matchers: {} };
  const { evalCase, suggestions, matchers } =
    flags.no_matchers === true ? bare : await addMatchers(recorded.evalCase, set.file);
  await addCases(set, [evalCase]);
  printWarnings(set.warnings, io);
  if (flags.json === true) {
    printJson({ file: set.file, added: evalCase.evalId, matchers, notes }, io);
    return 0;
  }
  const turns = evalCase.conversation ?? [];
  const size = `${counted(turns.length, 'turn')}, ${counted(turns.flatMap(toolCalls).length, 'tool call')}`;
  io.out(`Case "${safe(evalCase.evalId)}" added to ${safe(set.file)}: ${size}\n`);
  for (const note of notes) io.out(`${safe(note)}\n`);
  if (suggestions.length > 0) io.out(suggestionText(suggestions));
  const shown = ['eval_set', 'show', agent, id, evalCase.evalId].map((word) => shellWord(word)).join(' ');
  const run = `eval ${shellWord(agent)} ${shellWord(set.file)} --case ${shellWord(evalCase.evalId)}`;
  io.out(
    `\nNext: check what it expects, and run it:\n  agent-criteria ${safe(shown)}\n  agent-criteria ${safe(run)}\n`,
  );
  return 0;
}

/**
 * Makes a case from a session file and masks its secrets, because ADK saves sessions as they are, and an eval set is
 * committed.
 */
async function sessionCase(options: CaseFromSessionOptions, io: Io): Promise<RecordedCase> {
  const { variables, inFiles } = await loadEnvironment({ agent: options.agent, environment: io.environment });
  const recorded = await caseFromSession(options);
  const { evalCase, notes } = secretMask({ environment: () => [variables, ...inFiles] }).json(recorded);
  return evalCase === recorded.evalCase ? recorded : { evalCase, notes: [...notes, MASKED] };
}

const MASKED =
  'Secrets in this conversation are masked in the case. Look for “[masked: …]” in it, and write what may be expected in its place.';

async function isSessionFile(source: string): Promise<boolean> {
  try {
    return (await stat(source)).isFile();
  } catch {
    if (!source.endsWith('.json')) return false;
    const message = 'there is no such file; name a session file, or a run and a case of it';
    throw new CriteriaError({ code: 'FILE_NOT_FOUND', file: source, message });
  }
}

function suggestionText(suggestions: readonly Suggestion[]): string {
  const rows = suggestions.map(({ tool, path, kind, matcher }) => [
    { text: `  ${oneLine(tool, 40)}` },
    { text: oneLine(path, 40) },
    { text: kind },
    { text: oneLine(JSON.stringify(matcher), 60) },
  ]);
  const where = 'agent_criteria.tool_trajectory_avg_score.matchers of the case';
  return `Arguments that may differ in every run; ${where} accepts others there (--no-matchers: none):\n${table(rows)}\n`;
}
