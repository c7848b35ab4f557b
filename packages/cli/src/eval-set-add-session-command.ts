import { stat } from 'node:fs/promises';
import { basename, resolve } from 'node:path';
import { CriteriaError, type EvalCase, type Invocation, type State, toolCalls } from '@agent-criteria/core';
import { parseEvalConfig, type UnitResult } from '@agent-criteria/core/host';
import {
  addCases,
  agentFolder,
  appName,
  type EvalSetFile,
  existingEvalSet,
  findConfig,
  findRun,
  type Matchers,
  readEvalSetFile,
  readJsonFile,
  readSession,
  referenceTurn,
  type Settings,
  type Suggestion,
  settingsOfFlags,
  suggestMatchers,
  withSuggestions,
} from '@agent-criteria/project';
import { oneLine, safe, table } from '@agent-criteria/report/terminal';
import type { RunCase, RunInference } from '@agent-criteria/results';
import { listRuns, type OpenedRun, openRun } from '@agent-criteria/runner';
import { atMost, parseFlags, usage } from './arguments.ts';
import { commandFlags } from './command-flags.ts';
import type { Io } from './io.ts';
import { printJson } from './print-json.ts';
import { count, printWarnings } from './print-problems.ts';
import { openProject } from './project.ts';
import { shellWord } from './shell-word.ts';

const FORM = 'agent-criteria eval_set add_session AGENT SET_ID SESSION_FILE|RUN [CASE [REPEAT]]';
const TRAJECTORY = 'tool_trajectory_avg_score';

/** A conversation that took place, as a case that expects it to go the same way. */
interface Taken {
  readonly evalCase: EvalCase;
  /** What whoever adds it should know. */
  readonly notes: readonly string[];
}

/** `agent-criteria eval_set add_session`: what an agent did once becomes what is expected of it. */
export async function evalSetAddSessionCommand(args: readonly string[], io: Io): Promise<number> {
  const { flags, positionals } = parseFlags(args, commandFlags['eval_set add_session']);
  const [agent, id, source, ...ofRun] = positionals;
  if (agent === undefined || id === undefined) throw usage(`name an agent and the id of a set: ${FORM}`);
  if (source === undefined) throw usage(`name a session file, or a run and a case of it: ${FORM}`);
  atMost(5, positionals, FORM);
  if (flags.eval_id?.trim() === '') throw usage('--eval_id needs the id of the new case');

  const set = await readEvalSetFile(await existingEvalSet(await agentFolder(agent), id));
  const isFile = await isSessionFile(source);
  if (isFile && ofRun.length > 0)
    throw usage(`"${ofRun[0]}" is one argument too many: a session file is one conversation`);
  const taken = isFile
    ? await fromSession(source, appName(await agentFolder(agent)))
    : await fromRun([source, ...ofRun], { agent, set, given: settingsOfFlags(flags), setId: flags.eval_set }, io);
  const evalId = flags.eval_id ?? taken.evalCase.evalId;
  if (set.value.evalCases.some((one) => one.evalId === evalId)) {
    const message = `the eval set has a case "${evalId}" already, and it was left as it is; name the new one with --eval_id`;
    throw new CriteriaError({ code: 'DUPLICATE_ID', file: set.file, message });
  }
  printWarnings(set.warnings, io);

  const plain = { ...taken.evalCase, evalId, creationTimestamp: Date.now() / 1000 };
  const { evalCase, suggestions } = flags.no_matchers === true ? bare(plain) : await withMatchers(plain, set);
  await addCases(set, [evalCase]);
  const matchers = withSuggestions({}, suggestions);
  if (flags.json === true) {
    printJson({ file: set.file, added: evalId, matchers, notes: taken.notes }, io);
    return 0;
  }
  const turns = evalCase.conversation ?? [];
  const size = `${count(turns.length, 'turn')}, ${count(turns.flatMap(toolCalls).length, 'tool call')}`;
  io.out(`Case "${safe(evalId)}" added to ${safe(set.file)}: ${size}\n`);
  for (const note of taken.notes) io.out(`${safe(note)}\n`);
  if (suggestions.length > 0) io.out(suggestionText(suggestions));
  const shown = ['eval_set', 'show', agent, id, evalId].map((word) => shellWord(word)).join(' ');
  const run = `eval ${shellWord(agent)} ${shellWord(set.file)} --case ${shellWord(evalId)}`;
  io.out(
    `\nNext: look over what it expects, and run it:\n  agent-criteria ${safe(shown)}\n  agent-criteria ${safe(run)}\n`,
  );
  return 0;
}

async function isSessionFile(source: string): Promise<boolean> {
  try {
    return (await stat(source)).isFile();
  } catch {
    if (!source.endsWith('.json')) return false;
    const message = 'there is no such file; name a session file, or a run and a case of it';
    throw new CriteriaError({ code: 'FILE_NOT_FOUND', file: source, message });
  }
}

async function fromSession(file: string, app: string): Promise<Taken> {
  const { value } = await readJsonFile(file);
  const { id, turns, sessionInput, changedState, withoutUser } = readSession(value, file, app);
  const left = withoutUser === 1 ? 'One invocation has' : `${withoutUser} invocations have`;
  return {
    evalCase: { evalId: id ?? 'session', conversation: turns.map(referenceTurn), sessionInput },
    notes: [
      ...(withoutUser === 0 ? [] : [`${left} no message of a user, and cannot be asked again: left out.`]),
      ...waitingNotes(turns),
      ...(changedState.length === 0
        ? []
        : [
            `Left out of the state, because the conversation itself set it: ${changedState.join(', ')}. What has to be there at the beginning is yours to add under session_input.`,
          ]),
    ],
  };
}

/** Where a person was asked to confirm, to sign in or to answer: nobody does that in an evaluation, and the case would break. */
function waitingNotes(turns: readonly Invocation[]): readonly string[] {
  const isAsked = (turn: Invocation) => toolCalls(turn).some(({ name }) => name?.startsWith('adk_request_'));
  const asked = turns.flatMap((turn, index) => (isAsked(turn) ? [index + 1] : []));
  if (asked.length === 0) return [];
  const where = asked.length === 1 ? `turn ${asked[0]}` : `the turns ${asked.join(', ')}`;
  return [
    `The agent waited for a person in ${where}, and nobody answers in an evaluation: the case will break there. Stub the tool that asks (agent_criteria.tool_simulation_configs), and take the call of adk_request_… and the turn that answers it out of the case.`,
  ];
}

interface Wanted {
  readonly agent: string;
  readonly set: EvalSetFile;
  /** What flags set. */
  readonly given: Settings;
  /** Of the run, where several of its sets have such a case. */
  readonly setId: string | undefined;
}

async function fromRun([word, caseId, repeat]: readonly string[], wanted: Wanted, io: Io): Promise<Taken> {
  const { runsFolder } = await openProject(wanted.agent, wanted.given, io);
  const folder = findRun(word, runsFolder);
  if (caseId === undefined) throw usage(`name the case of the run: ${FORM}`);
  const number = repeat === undefined ? 1 : Number(repeat);
  if (!Number.isSafeInteger(number) || number < 1) throw usage(`"${repeat}" is no repeat; they count from 1: ${FORM}`);
  const opened = openRun(folder);
  const one = await caseOf(opened, caseId, wanted);
  const recorded = one.inferences.find(({ key }) => key.repeat === number - 1);
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
    const why = ending.by === 'error' ? `ended by an error: ${ending.error.message}` : 'was aborted';
    throw refuse(
      `the conversation of "${caseId}" ${why}; what broke is nothing to be expected again${await instead()}`,
    );
  }
  if (invocations.length === 0) throw refuse(`the conversation of "${caseId}" has no turn`);
  const { conversation, conversationScenario: _, creationTimestamp: __, ...kept } = one.evalCase;
  const turns = invocations.map((turn, index): Invocation => {
    const rubrics = conversation?.[index]?.rubrics;
    return referenceTurn(rubrics ? { ...turn, rubrics } : turn);
  });
  const unit = one.result.units.find((candidate) => candidate.repeat === number - 1);
  return {
    evalCase: { ...kept, evalId: `${caseId}_recorded`, conversation: turns },
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

async function caseOf(opened: OpenedRun, caseId: string, { set, setId }: Wanted) {
  const found = [];
  for (const { id } of opened.sets) {
    const one = setId === undefined || setId === id ? await opened.case(id, caseId) : undefined;
    if (one !== undefined) found.push(one);
  }
  const same = found.filter((one) => one.setId === set.value.evalSetId);
  const [first] = found.length > 1 && same.length === 1 ? same : found;
  if (first !== undefined && (found.length === 1 || same.length === 1)) return first;
  const names = found.map((one) => one.setId).join(', ');
  const message =
    first === undefined
      ? `the run has no case "${caseId}"${setId === undefined ? '' : ` in an eval set "${setId}"`}; agent-criteria show lists its cases`
      : `several eval sets of the run have a case "${caseId}": name one of ${names} with --eval_set`;
  throw new CriteriaError({ code: 'UNKNOWN_CASE', file: opened.folder, message });
}

/** How many runs are looked into, from the newest. */
const RUNS_SEEN = 50;

/** Where a conversation of the case stands that came to its end, as the rest of a sentence; empty where there is none. */
async function whereElse(
  { setId, result: { caseId }, inferences }: RunCase,
  { folder, runsFolder }: { readonly folder: string; readonly runsFolder: string },
): Promise<string> {
  const repeat = inferences.find(isWhole)?.key.repeat;
  if (repeat !== undefined) return `; repeat ${repeat + 1} of this run has one that came to its end`;
  for (const run of listRuns(runsFolder).toReversed().slice(0, RUNS_SEEN)) {
    if (run.problem !== undefined || !run.sets.includes(setId) || resolve(run.folder) === resolve(folder)) continue;
    const found = await caseIn(run.folder, setId, caseId);
    const at = found?.inferences.find(isWhole)?.key.repeat;
    if (at === undefined) continue;
    const words = [basename(run.folder), caseId, ...(at === 0 ? [] : [String(at + 1)])].map((word) => shellWord(word));
    return `; another run has one that came to its end: name ${words.join(' ')} in place of this one`;
  }
  return '';
}

function isWhole({ inference: { ending, invocations } }: RunInference): boolean {
  return ending.by !== 'error' && ending.by !== 'abort' && invocations.length > 0;
}

/** Nothing of a run that cannot be read: there are others. */
async function caseIn(folder: string, setId: string, caseId: string): Promise<RunCase | undefined> {
  try {
    return await openRun(folder).case(setId, caseId);
  } catch {
    return undefined;
  }
}

function recordedText(inferences: readonly { readonly key: { readonly repeat: number } }[]): string {
  const repeats = inferences.map(({ key }) => key.repeat + 1);
  return repeats.length === 0 ? 'none is recorded' : `there is ${repeats.join(', ')}`;
}

interface Suggested {
  readonly evalCase: EvalCase;
  readonly suggestions: readonly Suggestion[];
}

function bare(evalCase: EvalCase): Suggested {
  return { evalCase, suggestions: [] };
}

/**
 * The case with matchers for what may differ in every run. They take the place of the config's, which are taken along.
 * Where arguments are not compared, there is nothing to match.
 */
async function withMatchers(evalCase: EvalCase, set: EvalSetFile): Promise<Suggested> {
  const ofCase = evalCase.agentCriteria?.[TRAJECTORY];
  const own = isFields(ofCase) ? ofCase : {};
  const options = { ...(await configured(set)), ...own };
  if (option(options, 'ignore_args') === true) return bare(evalCase);
  const present = option(options, 'matchers');
  const known = isFields(present) ? (present as Matchers) : {};
  const suggestions = suggestMatchers(evalCase.conversation ?? [], known);
  if (suggestions.length === 0) return bare(evalCase);
  const matchers = JSON.parse(JSON.stringify(withSuggestions(known, suggestions)));
  const agentCriteria: State = { ...evalCase.agentCriteria, [TRAJECTORY]: { ...own, matchers } };
  return { evalCase: { ...evalCase, agentCriteria }, suggestions };
}

/** What the config beside the set says of the criterion; its mistakes are for whoever runs it. */
async function configured({ file }: EvalSetFile): Promise<Readonly<Record<string, unknown>>> {
  try {
    const config = await findConfig(file);
    if (config === undefined) return {};
    const { value } = parseEvalConfig((await readJsonFile(config)).value, { file: config });
    const entry = value.criteria?.[TRAJECTORY];
    return isFields(entry) ? entry : {};
  } catch (error) {
    if (CriteriaError.is(error)) return {};
    throw error;
  }
}

/** As it is written, in either spelling. */
function option(options: Readonly<Record<string, unknown>>, name: 'ignore_args' | 'matchers'): unknown {
  return options[name] ?? (name === 'ignore_args' ? options.ignoreArgs : undefined);
}

function isFields(value: unknown): value is State {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function suggestionText(suggestions: readonly Suggestion[]): string {
  const rows = suggestions.map(({ tool, path, kind, matcher }) => [
    { text: `  ${oneLine(tool, 40)}` },
    { text: oneLine(path, 40) },
    { text: kind },
    { text: oneLine(JSON.stringify(matcher), 60) },
  ]);
  const where = `agent_criteria.${TRAJECTORY}.matchers of the case`;
  return `Arguments that may differ in every run; ${where} accepts others there (--no_matchers: none):\n${table(rows)}\n`;
}
