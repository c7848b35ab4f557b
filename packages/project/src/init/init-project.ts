import { readdir } from 'node:fs/promises';
import { basename, join, resolve } from 'node:path';
import { CriteriaError, didYouMean, type EvalSet, type Json } from '@agent-criteria/core';
import { collectProblems } from '../files/collect-problems.ts';
import { findEvalConfig } from '../files/find-eval-config.ts';
import { resolveFrom } from '../files/import-module.ts';
import { loadEvalSet } from '../files/load-eval-set.ts';
import { jsonText, writeNew } from '../files/write-file.ts';
import { detectFramework, type UsedFramework } from './detect-framework.ts';
import { findAgentModule } from './find-agent-module.ts';
import { COMMAND, findSchemas, isStudioInstalled, STUDIO, schemasHere } from './find-installed.ts';
import { type FittedPreset, fitPreset, proposePreset } from './fit-preset.ts';
import {
  agentSource,
  EVAL_SET,
  evalSetText,
  FIRST_SET,
  firstPreset,
  firstSetText,
  mistake,
  readmeText,
} from './init-templates.ts';
import { asksModel, configOf, type Preset, packagesOf, presets } from './presets.ts';
import { reexport } from './reexport.ts';

const CONFIG = 'test_config.json';
/** The folder for an agent and its eval sets beside code. */
const EVALS = 'evals';
/** Matches the names of files that a folder may have and still count as empty. */
const BEGINNINGS =
  /^(\..*|node_modules|package\.json|package-lock\.json|npm-shrinkwrap\.json|pnpm-lock\.yaml|pnpm-workspace\.yaml|yarn\.lock|bun\.lockb?|tsconfig\.json|readme(\..*)?|licen[cs]e(\..*)?)$/i;

export interface PlanInitOptions {
  /** The folder, which need not exist yet. Default: the working folder. */
  readonly folder?: string | undefined;
  /** The name of one of `presets`. Default: `ci` for a new project, else criteria that fit the existing eval sets. */
  readonly preset?: string | undefined;
  /** The version of `@agent-criteria/cli`, the command, that a new project's `package.json` requires. */
  readonly commandVersion: string;
}

/** The files planned for a folder. */
export interface InitPlan {
  readonly folder: string;
  /**
   * `project`: everything that a first run needs, for a folder without code of its own. `evals`: the same in a folder of
   * its own, `evals`, beside the code of a project with a known framework. `config`: a `test_config.json` for the
   * folder's eval sets.
   */
  readonly kind: 'project' | 'evals' | 'config';
  /** The folder of the agent within the folder: what the command is called with. */
  readonly target: string;
  /** The module with the project's own agent, which the written one exports again. */
  readonly agentModule: { readonly path: string; readonly name: string } | null;
  readonly preset: Preset;
  /** The preset's criteria that apply to no case in one of the folder's eval sets. */
  readonly leftOut: FittedPreset['leftOut'];
  /** Existing files are never overwritten. */
  readonly files: readonly PlannedFile[];
  /** The packages that the preset and the agent need, besides the command and the studio. */
  readonly packages: readonly string[];
  /** The packages that the written agent imports besides its framework. */
  readonly sourceNeeds: readonly string[];
  /** The access that the preset's criteria need: to a language model, or only to a paid service. */
  readonly asks: 'model' | 'service' | null;
  /** A change to a file of a new project that makes one of its cases fail. */
  readonly mistake: { readonly file: string; readonly from: string; readonly to: string } | null;
}

export interface PlannedFile {
  /** The path within the folder. */
  readonly path: string;
  readonly text: string;
}

export interface InitResult {
  /** The paths of new files within the folder. */
  readonly written: readonly string[];
  /** The paths of existing files, which were left unchanged. */
  readonly kept: readonly string[];
  /**
   * The packages that the preset and the agent need but the folder cannot import; unless only a config was written, also
   * those of the command and of the studio if they are not installed.
   */
  readonly missing: readonly string[];
}

/**
 * Plans the files that a folder needs for its first evaluation. Writes nothing.
 * @throws CriteriaError for an unknown preset; for eval sets with a config under another name, with mistakes, or for
 *   which no criterion of the preset fits; and, if no preset is named, for a folder with other content but no eval set.
 */
export async function planInit(options: PlanInitOptions): Promise<InitPlan> {
  const { folder = '.', preset: name, commandVersion } = options;
  const preset = presetOf(name ?? 'ci');
  const own = (await entriesOf(folder)).filter((entry) => !BEGINNINGS.test(entry));
  const used = await detectFramework(folder);
  if (own.length === 0) return planProject(folder, preset, commandVersion, used);
  await refuseSecondConfig(folder);
  const sets = await setsBeside(folder, own);
  if (name === undefined && sets.length === 0) {
    if (used !== null && !own.includes(EVALS)) return planEvals(folder, preset, used);
    const message = `the folder is not empty (it has ${own.slice(0, 3).join(', ')}): name a new one (agent-criteria init my-agent), or write only a ${CONFIG} with --preset ${presetNames().join('|')}`;
    throw new CriteriaError({ code: 'USAGE', file: folder, message });
  }
  return planConfig(folder, name === undefined ? proposePreset(sets) : fitPreset(preset, sets), used);
}

/**
 * Writes the files of a plan that do not exist yet.
 * @throws CriteriaError WRITE_FAILED, and USAGE if the plan is only a config and one already exists.
 */
export async function initProject({ folder, kind, files, packages, sourceNeeds }: InitPlan): Promise<InitResult> {
  const written: string[] = [];
  const kept: string[] = [];
  for (const { path, text } of files) ((await writeNew(join(folder, path), text)) ? written : kept).push(path);
  const [present] = kept;
  if (kind === 'config' && present !== undefined) {
    const message = 'this file already exists, and nothing was written: move it away to create a new one';
    throw new CriteriaError({ code: 'USAGE', file: join(folder, present), message });
  }
  const missing: string[] = [];
  if (kind !== 'config') {
    if ((await findSchemas(folder)) === undefined) missing.push(COMMAND);
    if (!(await isStudioInstalled(folder))) missing.push(STUDIO);
  }
  const entries = [
    ...packages.map((name) => [name, `${name}/pure`] as const),
    ...sourceNeeds.map((name) => [name, name] as const),
  ];
  return { written, kept, missing: [...missing, ...(await notInstalled(entries, folder))] };
}

function presetOf(name: string): Preset {
  const preset = presets.find((one) => one.name === name);
  if (preset !== undefined) return preset;
  const hint = didYouMean(name, presetNames()) || `; use one of ${presetNames().join(', ')}`;
  throw new CriteriaError({ code: 'USAGE', message: `unknown preset "${name}"${hint}` });
}

function presetNames(): string[] {
  return presets.map(({ name }) => name);
}

/**
 * Rejects a folder with a config under another name, which a new config would override. @throws CriteriaError USAGE.
 */
async function refuseSecondConfig(folder: string): Promise<void> {
  const set = join(folder, `${EVAL_SET}.evalset.json`);
  const { file } = await findEvalConfig(set);
  // A test_config.json is never overwritten.
  if (file === null || basename(file) === CONFIG) return;
  const message = `this config judges the eval sets here already, and nothing was written: a new ${CONFIG} would be used instead of it. Edit it, or move it away first`;
  throw new CriteriaError({ code: 'USAGE', file, message });
}

/** Loads the eval sets that a config in the folder would judge. @throws CriteriaError with their mistakes. */
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

async function planProject(
  folder: string,
  preset: Preset,
  commandVersion: string,
  used: UsedFramework | null,
): Promise<InitPlan> {
  const name = basename(resolve(folder));
  const schemas = (await findSchemas(folder)) ?? schemasHere;
  const packages = [...(used === null ? [] : [used.framework.adapter]), ...packagesOf(preset)];
  const needs = used?.framework.sourceNeeds ?? {};
  const dependencies = used === null ? {} : { [used.framework.dependency]: used.range, ...needs };
  const files = [
    { path: 'agent.ts', text: used?.framework.source ?? agentSource },
    { path: `${EVAL_SET}.evalset.json`, text: evalSetText(preset, schemas) },
    { path: CONFIG, text: configText(preset, schemas) },
    { path: 'package.json', text: packageText(name, commandVersion, packages, dependencies) },
    { path: 'README.md', text: readmeText(name, preset) },
    { path: '.gitignore', text: 'node_modules/\n.env\n' },
  ];
  const head = { folder, kind: 'project', target: '.', agentModule: null } as const;
  return {
    ...head,
    preset,
    leftOut: [],
    files,
    packages,
    sourceNeeds: Object.keys(needs),
    asks: asked(preset),
    mistake,
  };
}

/** Plans a folder beside the code. */
async function planEvals(folder: string, preset: Preset, { framework }: UsedFramework): Promise<InitPlan> {
  const agentModule = await findAgentModule(folder, framework);
  const { source, sourceNeeds = {}, adapter } = framework;
  const head = {
    folder,
    kind: 'evals',
    target: EVALS,
    agentModule,
    leftOut: [],
    packages: [adapter],
    asks: null,
  } as const;
  const schemas = (await findSchemas(join(folder, EVALS))) ?? `.${schemasHere}`;
  const fileOf = (name: string, text: string): PlannedFile => ({ path: `${EVALS}/${name}`, text });
  if (agentModule !== null) {
    const { file, text } = reexport(agentModule, framework.exports);
    const files = [
      fileOf(file, text),
      fileOf(`${FIRST_SET}.evalset.json`, firstSetText(schemas)),
      fileOf(CONFIG, configText(firstPreset, schemas)),
    ];
    return { ...head, preset: firstPreset, files, sourceNeeds: [], mistake: null };
  }
  const files = [
    fileOf('agent.ts', source),
    fileOf(`${EVAL_SET}.evalset.json`, evalSetText(preset, schemas)),
    fileOf(CONFIG, configText(preset, schemas)),
  ];
  const wrong = { ...mistake, file: `${EVALS}/${mistake.file}` };
  return { ...head, preset, files, sourceNeeds: Object.keys(sourceNeeds), mistake: wrong };
}

async function planConfig(
  folder: string,
  { preset, leftOut }: FittedPreset,
  used: UsedFramework | null,
): Promise<InitPlan> {
  if (Object.keys(preset.criteria).length === 0) {
    const message = `the preset ${preset.name} has no criterion that fits every eval set here; without --preset, one is proposed that does`;
    throw new CriteriaError({ code: 'NEEDS_UNMET', file: folder, message });
  }
  const files = [{ path: CONFIG, text: configText(preset, await findSchemas(folder)) }];
  const packages = [...(used === null ? [] : [used.framework.adapter]), ...packagesOf(preset)];
  const head = { folder, kind: 'config', target: '.', agentModule: null } as const;
  return { ...head, preset, leftOut, files, packages, sourceNeeds: [], asks: asked(preset), mistake: null };
}

function asked(preset: Preset): InitPlan['asks'] {
  if (packagesOf(preset).length === 0) return null;
  return asksModel(preset) ? 'model' : 'service';
}

function configText(preset: Preset, schemas: string | undefined): string {
  const config = configOf(preset);
  return jsonText(schemas === undefined ? config : { $schema: `${schemas}/eval-config.schema.json`, ...config });
}

function packageText(
  folder: string,
  commandVersion: string,
  ofPreset: readonly string[],
  dependencies: { readonly [name: string]: string },
): string {
  const name =
    folder
      .toLowerCase()
      .replace(/[^a-z0-9._-]+/g, '-')
      .replace(/^[._-]+/, '') || 'agent';
  const packages: { [name: string]: Json } = { [COMMAND]: `^${commandVersion}` };
  // The studio and criteria have versions of their own. Criteria follow core, whose contract is stable up to 1.0.
  for (const needed of [STUDIO, ...ofPreset]) packages[needed] = '>=0.1.0 <1';
  return jsonText({
    name,
    private: true,
    type: 'module',
    scripts: {
      eval: 'agent-criteria eval .',
      studio: 'agent-criteria studio .',
      validate: 'agent-criteria validate .',
    },
    ...(Object.keys(dependencies).length === 0 ? {} : { dependencies }),
    devDependencies: packages,
  });
}

async function notInstalled(
  packages: readonly (readonly [name: string, entry: string])[],
  folder: string,
): Promise<string[]> {
  const missing: string[] = [];
  for (const [name, entry] of packages) {
    if ((await resolveFrom(entry, folder)) === undefined) missing.push(name);
  }
  return missing;
}
