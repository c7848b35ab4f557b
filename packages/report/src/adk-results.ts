import { mkdir, stat } from 'node:fs/promises';
import { basename, dirname, join, resolve } from 'node:path';
import { CriteriaError, type Json, type UnitKey } from '@agent-criteria/core';
import type { EvalCaseResult } from '@agent-criteria/formats';
import { writeEvalSetResult } from '@agent-criteria/formats/parse';
import { type RunCase, type RunInfo, type RunRecord, type RunSet, usageOf } from '@agent-criteria/results';
import { evalCaseResults } from '@agent-criteria/results/adk';
import { snakeUsage } from './format-usage.ts';
import { indentedJson } from './json-text.ts';
import { isFinished } from './run-notes.ts';
import { writeAtomically } from './write-atomically.ts';

const EXTENSION = '.evalset_result.json';
/** The maximum size in bytes of each part of a result's id, so that file systems accept the name. */
const LONGEST_PART = 90;

/** Selects the result to write. */
export interface AdkOptions {
  /** The eval set. Required if a run has several, because each of ADK's files holds one. */
  readonly setId?: string | undefined;
  /** The variant. Required if a run has several, because each has its own file. */
  readonly variant?: string | undefined;
  /** ADK's name for the agent. Default: the name of its folder. */
  readonly appName?: string | undefined;
}

/**
 * Generates ADK's `.evalset_result.json` for one eval set of a run, entry by entry. ADK for Python can read it. True
 * verdicts, coverage, reasons and usage are under `agent_criteria` in each entry.
 *
 * @throws CriteriaError USAGE if there are several sets or variants and none is named, or the named one is not in the
 *   run.
 */
export async function* adkResults(run: RunRecord, options: AdkOptions = {}): AsyncGenerator<string> {
  const set = chosenSet(run, options.setId);
  const variant = chosenVariant(run, options.variant);
  yield* adkResult(run, { set, variant, id: adkResultId(run, set, { ...options, variant }) });
}

/**
 * Creates ADK's id for a result: `{app}_{set}_{seconds}`, or `{app}_{set}_{variant}_{seconds}` for one of several
 * agents. It also serves as the result's name and file name, so it is a single path segment, whatever the ids contain.
 */
export function adkResultId(run: RunRecord, set: RunSet, options: AdkOptions = {}): string {
  const { variant } = options;
  const named = run.info.variants?.find(({ name }) => name === variant)?.agent;
  const agent = named?.replace(/#[^#/\\]*$/, '') ?? run.info.agent;
  const app = segment(options.appName ?? appNameOf(agent));
  const ofVariant = variant === undefined ? '' : `_${segment(variant)}`;
  return `${app}_${segment(set.id)}${ofVariant}_${pythonFloat(timeOf(run.info))}`;
}

/**
 * Writes the result files of a run to a folder, one for each set and variant. A missing folder is created. Each file is
 * written atomically.
 *
 * @param options `setId` and `variant` restrict which files are written. Default: all.
 * @returns The paths of the files, in the order of the sets.
 * @throws CriteriaError USAGE if the named set or variant is not in the run; WRITE_FAILED if a file cannot be written.
 */
export async function writeAdkResults(
  run: RunRecord,
  folder: string,
  options: AdkOptions = {},
): Promise<readonly string[]> {
  await mkdir(folder, { recursive: true }).catch((cause: unknown) => {
    const message = `the folder ${folder} cannot be created: ${cause instanceof Error ? cause.message : String(cause)}`;
    throw new CriteriaError({ code: 'WRITE_FAILED', message }, { cause });
  });
  const written: string[] = [];
  const taken = new Set<string>();
  const all = run.info.variants?.map(({ name }) => name) ?? [undefined];
  const variants = options.variant === undefined ? all : [chosenVariant(run, options.variant)];
  const sets = options.setId === undefined ? run.sets : [chosenSet(run, options.setId)];
  for (const set of sets) {
    for (const variant of variants) {
      const first = adkResultId(run, set, { ...options, variant });
      // Different ids may map to the same file name.
      let id = first;
      for (let next = 2; taken.has(id.toLowerCase()); next++) id = `${first}_${next}`;
      taken.add(id.toLowerCase());
      const file = join(folder, id + EXTENSION);
      await writeAtomically(file, adkResult(run, { set, variant, id }));
      written.push(file);
    }
  }
  return written;
}

/**
 * Writes the result files of a run to `.adk/eval_history` in the agent's folder, where ADK and its web page look for
 * them.
 *
 * @param agentPath The agent's folder, or a module in it.
 * @param options `variant` restricts which files are written. Default: all.
 * @returns The paths of the files.
 * @throws CriteriaError WRITE_FAILED if the folder does not exist or a file cannot be written.
 */
export async function saveEvalHistory(
  run: RunRecord,
  agentPath: string,
  options: Pick<AdkOptions, 'variant'> = {},
): Promise<readonly string[]> {
  const found = await stat(agentPath).catch(() => undefined);
  if (found === undefined) {
    const message = `${agentPath}: there is no such folder, so the evaluation history cannot be saved in it`;
    throw new CriteriaError({ code: 'WRITE_FAILED', message });
  }
  const folder = found.isDirectory() ? resolve(agentPath) : resolve(agentPath, '..');
  return writeAdkResults(run, join(folder, '.adk', 'eval_history'), { ...options, appName: basename(folder) });
}

/** Derives the name of the agent's folder from its path, from its module's path, or from its URL. */
function appNameOf(agent: string): string {
  const path = resolve(agent).replaceAll('\\', '/');
  return basename(/\.[cm]?[jt]sx?$/.test(path) ? dirname(path) : path);
}

interface AdkResult {
  readonly set: RunSet;
  readonly variant: string | undefined;
  readonly id: string;
}

async function* adkResult(run: RunRecord, { set, variant, id }: AdkResult): AsyncGenerator<string> {
  const head = { eval_set_result_id: id, eval_set_result_name: id, eval_set_id: set.id };
  yield `${wellFormed(indentedJson(head, 0)).slice(0, -2)},\n  "eval_case_results": [`;
  let separator = '';
  for await (const one of run.cases(set.id)) {
    if (one.variant !== variant) continue;
    for (const entry of evalCaseResults(set, one)) {
      const usage = usageOfEntry(one, entry);
      const agentCriteria = { ...entry.agentCriteria, ...usage, run_finished: isFinished(run.info) };
      const whole = { ...entry, agentCriteria };
      yield `${separator}\n    ${wellFormed(indentedJson(entryOf(whole), 4))}`;
      separator = ',';
    }
  }
  yield `${separator === '' ? '' : '\n  '}],\n  "creation_timestamp": ${pythonFloat(timeOf(run.info))}\n}\n`;
}

/** Returns the usage of the repeat that an entry describes. */
function usageOfEntry({ inferences, calls = [], prices }: RunCase, { agentCriteria }: EvalCaseResult) {
  const isOwn = ({ key }: { readonly key: UnitKey }) => key.repeat === agentCriteria?.repeat;
  const usage = snakeUsage(usageOf({ inferences: inferences.filter(isOwn), calls: calls.filter(isOwn), prices }));
  return Object.keys(usage).length === 0 ? {} : { usage };
}

function entryOf(entry: EvalCaseResult): Json | undefined {
  const written = writeEvalSetResult({ evalSetResultId: '', evalSetId: '', evalCaseResults: [entry] });
  const { eval_case_results: entries } = written as { readonly eval_case_results: readonly Json[] };
  return entries[0];
}

function chosenSet({ sets }: RunRecord, id: string | undefined): RunSet {
  const [first] = sets;
  if (id === undefined && sets.length === 1 && first !== undefined) return first;
  const found = sets.find((set) => set.id === id);
  if (found !== undefined) return found;
  const names = sets.map((set) => `"${set.id}"`).join(', ') || 'none';
  const message =
    id === undefined
      ? `ADK's result files have one eval set each, but the run has ${sets.length} (${names}): choose one, or a folder to write them all to`
      : `the run has no eval set "${id}"; it has ${names}`;
  throw new CriteriaError({ code: 'USAGE', message });
}

/**
 * @throws CriteriaError USAGE if there are several variants and none is named, or the named variant is not in the run.
 */
function chosenVariant({ info }: RunRecord, name: string | undefined): string | undefined {
  const names = info.variants?.map((variant) => variant.name) ?? [];
  if (name === undefined && names.length <= 1) return names[0];
  if (name !== undefined && names.includes(name)) return name;
  const list = names.join(', ');
  const message =
    name === undefined
      ? `ADK's result files have one agent each, but the run has ${names.length} variants (${list}): choose one, or a folder to write them all to`
      : `the run has no variant "${name}"; it has ${list === '' ? 'none' : list}`;
  throw new CriteriaError({ code: 'USAGE', message });
}

/**
 * Turns a string into a single path segment that is valid on any system. ADK rejects slashes, backslashes, NUL and
 * names of only dots; Windows rejects a few more characters.
 */
function segment(text: string): string {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what to look for.
  const plain = text.replace(/[/\\:*?"<>|\u0000-\u001f\u007f]|\p{Surrogate}/gu, '_');
  let short = '';
  let bytes = 0;
  for (const character of plain) {
    bytes += Buffer.byteLength(character);
    if (bytes > LONGEST_PART) break;
    short += character;
  }
  return /^\.*$/.test(short) ? '_'.repeat(Math.max(short.length, 1)) : short;
}

/** Returns the time of the result in Unix seconds. */
function timeOf({ startedAt, endedAt }: RunInfo): number {
  return (endedAt ?? startedAt) / 1000;
}

/** Formats a number like a Python float. */
function pythonFloat(value: number): string {
  return Number.isInteger(value) ? `${value}.0` : String(value);
}

/** Replaces lone surrogates, which Python's reader rejects. */
function wellFormed(json: string): string {
  return json.replace(/\\(?:(u[dD][89a-fA-F][0-9a-fA-F]{2})|.)/g, (kept, half) => (half ? '\ufffd' : kept));
}
