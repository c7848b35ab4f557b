import { mkdir, readdir, stat, writeFile } from 'node:fs/promises';
import { basename, join, resolve } from 'node:path';
import { CriteriaError, type EvalSet, type Json } from '@agent-criteria/core';
import { DEFAULT_JUDGE_MODEL } from '@agent-criteria/core/host';
import {
  agentSource,
  asksModel,
  collectProblems,
  configOf,
  EVAL_SET,
  evalSetText,
  type FittedPreset,
  fitPreset,
  jsonText,
  loadEvalSet,
  mistake,
  type Preset,
  packagesOf,
  presets,
  proposePreset,
  readmeText,
  resolveFrom,
} from '@agent-criteria/project';
import { safe } from '@agent-criteria/report/terminal';
import { installLine } from '@agent-criteria/runner';
import manifest from '../package.json' with { type: 'json' };
import { atMost, oneOf, parseFlags, usage } from './arguments.ts';
import { commandFlags } from './command-flags.ts';
import type { Io } from './io.ts';

const CONFIG = 'test_config.json';
/** What a folder may have in it and still be without code of its own. */
const BEGINNINGS =
  /^(\..*|node_modules|package\.json|package-lock\.json|npm-shrinkwrap\.json|pnpm-lock\.yaml|pnpm-workspace\.yaml|yarn\.lock|bun\.lockb?|tsconfig\.json|readme(\..*)?|licen[cs]e(\..*)?)$/i;

/** `agent-criteria init [FOLDER]`: what a first run needs, and nothing that is there already is touched. */
export async function initCommand(args: readonly string[], io: Io): Promise<number> {
  const { flags, positionals } = parseFlags(args, commandFlags.init);
  atMost(1, positionals, 'agent-criteria init [FOLDER]');
  const folder = positionals[0] ?? '.';
  const names = presets.map(({ name }) => name);
  const preset = presets.find(({ name }) => name === (oneOf('preset', flags.preset, names) ?? 'ci'));
  if (preset === undefined) throw usage(`--preset knows only ${names.join(', ')}`);

  const own = (await entriesOf(folder)).filter((name) => !BEGINNINGS.test(name));
  if (own.length === 0) return await writeProject(folder, preset, io);
  const sets = await setsBeside(folder, own);
  if (flags.preset === undefined && sets.length === 0) {
    const message = `the folder is not empty (it has ${own.slice(0, 3).join(', ')}): name a new one (agent-criteria init my-agent), or write only a ${CONFIG} with --preset ${names.join('|')}`;
    throw new CriteriaError({ code: 'USAGE', file: folder, message });
  }
  return await writeConfig(folder, flags.preset === undefined ? proposePreset(sets) : fitPreset(preset, sets), io);
}

/** The eval sets that a config in the folder would judge. @throws CriteriaError with their mistakes. */
async function setsBeside(folder: string, names: readonly string[]): Promise<readonly EvalSet[]> {
  const found = collectProblems();
  const sets: EvalSet[] = [];
  for (const name of names.filter((one) => /\.(evalset|test)\.jsonl?$/.test(one)).toSorted()) {
    const set = await found.attempt(() => loadEvalSet(join(folder, name)));
    if (set !== undefined && set.value.evalCases.length > 0) sets.push(set.value);
  }
  found.throwIfAny();
  return sets;
}

async function entriesOf(folder: string): Promise<string[]> {
  try {
    return await readdir(folder);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return [];
    const message = `cannot look into this folder: ${(error as Error).message}`;
    throw new CriteriaError({ code: 'FILE_UNREADABLE', file: folder, message }, { cause: error });
  }
}

async function writeProject(folder: string, preset: Preset, io: Io): Promise<number> {
  const name = basename(resolve(folder));
  const files: readonly (readonly [string, string])[] = [
    ['agent.ts', agentSource],
    [`${EVAL_SET}.evalset.json`, evalSetText(preset)],
    [CONFIG, configText(preset)],
    ['package.json', packageText(name, preset)],
    ['README.md', readmeText(name, preset)],
    ['.gitignore', 'node_modules/\n.env\n'],
  ];
  const written: string[] = [];
  const kept: string[] = [];
  for (const [file, text] of files) ((await writeNew(join(folder, file), text)) ? written : kept).push(file);
  io.out(`Made in ${safe(folder === '.' ? name : folder)}: ${written.join(', ')}\n`);
  if (kept.length > 0) io.out(`Left as they were: ${kept.join(', ')}\n`);

  const missing = await notInstalled(preset, folder);
  const steps = [
    ...(folder === '.' ? [] : [`cd ${folder}`]),
    // Where package.json is ours it names them all.
    ...(missing.length === 0 ? [] : [kept.includes('package.json') ? installLine(missing.join(' ')) : 'npm install']),
    'npx agent-criteria eval .',
  ];
  io.out(`\nNext:\n${steps.map((step) => `  ${safe(step)}\n`).join('')}`);
  if (packagesOf(preset).length > 0) io.out(`\n${whoJudges(preset)}`);
  else {
    const { file, from, to } = mistake;
    io.out(`\nAll cases pass. To see one fail, change "${from}" to "${to}" in ${file}, and run it again.\n`);
  }
  return 0;
}

function whoJudges(preset: Preset): string {
  const doctor = 'agent-criteria doctor . tells what is missing for that.\n';
  if (!asksModel(preset)) return `Some of these criteria ask a paid service: ${doctor}`;
  const user = preset.simulatedUsers === true ? ', and so does the simulated user (user_simulator_config.model)' : '';
  return `Some of these criteria ask a model${user}: ${DEFAULT_JUDGE_MODEL}, with GEMINI_API_KEY in .env, where nothing else is said.
Another judge, as ollama/qwen3, is named by --judge_model, or by "judgeModel" in agent-criteria.config.ts.
What judging would take: agent-criteria eval . --dry_run; ${doctor}`;
}

async function writeConfig(folder: string, { preset, leftOut }: FittedPreset, io: Io): Promise<number> {
  const file = join(folder, CONFIG);
  if (Object.keys(preset.criteria).length === 0) {
    const message = `the preset ${preset.name} has no criterion that fits every eval set here; without --preset, one is proposed that does`;
    throw new CriteriaError({ code: 'NEEDS_UNMET', file: folder, message });
  }
  if (!(await writeNew(file, configText(preset)))) {
    const message = 'there is such a file already, and nothing was written: move it away to get a new one';
    throw new CriteriaError({ code: 'USAGE', file, message });
  }
  io.out(`Made ${safe(file)}: it judges the eval sets beside it by ${Object.keys(preset.criteria).join(' and ')}.\n`);
  for (const { criterion, setId } of leftOut) {
    io.out(
      `Left out: ${criterion}, which applies to no case of ${safe(setId)}. Sets of one kind go into a folder with a config of their own.\n`,
    );
  }
  const missing = await notInstalled(preset, folder);
  if (missing.length > 0) io.out(`\nNext:\n  ${installLine(missing.join(' '))}\n`);
  if (packagesOf(preset).length > 0) io.out(`\n${whoJudges(preset)}`);
  return 0;
}

function configText(preset: Preset): string {
  return jsonText(configOf(preset));
}

function packageText(folder: string, preset: Preset): string {
  const name =
    folder
      .toLowerCase()
      .replace(/[^a-z0-9._-]+/g, '-')
      .replace(/^[._-]+/, '') || 'agent';
  const packages: { [name: string]: Json } = { 'agent-criteria': `^${manifest.version}` };
  // Criteria go with core, which keeps what it promises up to 1.0.
  for (const needed of packagesOf(preset)) packages[needed] = '>=0.1.0 <1';
  return jsonText({
    name,
    private: true,
    type: 'module',
    scripts: { eval: 'agent-criteria eval .', validate: 'agent-criteria validate .' },
    devDependencies: packages,
  });
}

async function notInstalled(preset: Preset, folder: string): Promise<string[]> {
  const missing: string[] = [];
  for (const name of packagesOf(preset)) {
    if ((await resolveFrom(`${name}/pure`, folder)) === undefined) missing.push(name);
  }
  return missing;
}

/** `false`: there is such a file already, whatever it says. */
async function writeNew(file: string, text: string): Promise<boolean> {
  try {
    await mkdir(resolve(file, '..'), { recursive: true });
    await writeFile(file, text, { flag: 'wx' });
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST' && (await isThere(file))) return false;
    const message = `this file cannot be written: ${(error as Error).message}`;
    throw new CriteriaError({ code: 'WRITE_FAILED', file, message }, { cause: error });
  }
}

async function isThere(file: string): Promise<boolean> {
  try {
    await stat(file);
    return true;
  } catch {
    return false;
  }
}
