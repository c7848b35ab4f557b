import { basename, dirname } from 'node:path';
import type { Gates } from '@agent-criteria/analysis';
import { CriteriaError, type Problem } from '@agent-criteria/core';
import type { Plan } from '@agent-criteria/core/host';
import { shortTurns } from '@agent-criteria/formats';
import { readAgentsCliDataset, wouldBeLeftOut } from '@agent-criteria/formats/migration';
import {
  type Parsed,
  parseConversationGenerationConfig,
  parseConversationScenarios,
  parseEvalConfig,
  parseEvalSetResult,
  parseSessionInput,
} from '@agent-criteria/formats/parse';
import { fieldOf } from '@agent-criteria/formats/schema';
import type { Project } from '../config/open-project.ts';
import { loadProjectConfig } from '../config/project-config.ts';
import { mostRepeats } from '../config/settings/repeats-setting.ts';
import { agentsCliConfigText, isYaml, readYamlFile } from '../files/agents-cli-config.ts';
import { collectProblems, uniqueProblems } from '../files/collect-problems.ts';
import { agentsCliText } from '../files/hidden-eval-data.ts';
import type { JsonText } from '../files/parse-json-text.ts';
import { readJsonFile } from '../files/read-json-file.ts';
import { shellWord } from '../files/shell-word.ts';
import { fixedRepeats } from '../plan/auto-repeats.ts';
import { configProblemsWithoutSets } from '../plan/config-problems.ts';
import { hopelessGates } from '../plan/gates/unreachable-gates.ts';
import { planSet } from '../plan/plan-sets.ts';
import { type FileKind, kindOfFile, kindOfOther, skippedByContent, skippedByName } from './file-kind.ts';

/** The result of checking a file. */
export interface CheckedFile {
  readonly file: string;
  /** The kind of the file, or `null` if it is unknown. */
  readonly kind: FileKind | null;
  /** Problems in this file. Problems in other checked files are reported with those files. */
  readonly problems: readonly Problem[];
  readonly warnings: readonly Problem[];
  /** A summary of its content, if it could be read. */
  readonly content?: FileContent | undefined;
}

export interface FileContent {
  /** The number of cases of an eval set or a result. */
  readonly cases?: number | undefined;
  /** The criteria that judge an eval set, or that a config names. */
  readonly criteria?: readonly string[] | undefined;
  /** The number of scenarios in a file, or the number that a user simulation config requests. */
  readonly scenarios?: number | undefined;
  /** The app name in a session input. */
  readonly app?: string | undefined;
}

export interface Against {
  readonly config: string | undefined;
  /** Opens the project that a folder belongs to. */
  projectOf(folder: string): Promise<Project>;
}

/** A file in a folder that is not recognised. */
export interface SkippedFile {
  readonly file: string;
  readonly reason: string;
}

/**
 * Checks one file.
 * @param named Whether the user named the file. If so, an unknown kind is a mistake; otherwise, the file is skipped.
 */
export async function checkFile(
  file: string,
  named: boolean,
  against: Against,
): Promise<{ readonly checked: CheckedFile } | { readonly skipped: SkippedFile }> {
  const found = collectProblems();
  const name = basename(file);
  const byName = named ? null : skippedByName(name);
  if (byName !== null) return { skipped: { file, reason: byName } };
  const other = kindOfOther(name);
  const read = other === null ? await found.attempt(() => readAny(file)) : undefined;
  const kind = other ?? kindOfFile(name, read?.value, !named);
  if (kind === null && !named) {
    const unread = found.problems[0]?.message;
    return { skipped: { file, reason: unread ?? skippedByContent(file, read?.value) } };
  }
  if (kind === null && read !== undefined) {
    const message =
      'this is not an eval set, config, result, session input, scenarios file or user simulation config that agent-criteria knows';
    const problems: readonly Problem[] = [{ code: 'UNKNOWN_FORMAT', file, path: '$', message }];
    return { checked: { file, kind, problems, warnings: [] } };
  }
  if (kind === null || (read === undefined && other === null)) {
    return { checked: { file, kind, problems: found.problems, warnings: [] } };
  }
  const parsed = await found.attempt(() => checkKind(kind, file, read?.value, against, named));
  const content = parsed?.content;
  const checked: CheckedFile = {
    file,
    kind,
    problems: withFile(found.problems, file).filter(isOfFile),
    warnings: [
      // Loading a plan reads the file again and repeats these warnings.
      ...uniqueProblems([...withFile(read?.warnings ?? [], file), ...(parsed?.warnings ?? found.warnings)]),
      ...found.problems.filter((problem) => !isOfFile(problem)),
    ],
    content,
  };
  return { checked };
}

/** Reads a JSON or YAML file. The latter may be an agents-cli config. */
async function readAny(file: string): Promise<JsonText> {
  return isYaml(file) ? { value: await readYamlFile(file), warnings: [] } : readJsonFile(file);
}

/** Whether a problem lies in the file itself. A missing variable does not: it may be set where the run takes place. */
function isOfFile({ code }: Problem): boolean {
  return code !== 'MISSING_ENVIRONMENT';
}

function withFile(problems: readonly Problem[], file: string): readonly Problem[] {
  return problems.map(({ file: own = file, ...rest }) => ({ file: own, ...rest }));
}

interface Contents {
  readonly warnings: readonly Problem[];
  readonly content?: FileContent | undefined;
}

async function checkKind(
  kind: FileKind,
  file: string,
  value: unknown,
  against: Against,
  named: boolean,
): Promise<Contents> {
  const contents = <T>({ value: parsed, warnings }: Parsed<T>, content: (value: T) => FileContent): Contents => ({
    warnings: withFile(warnings, file),
    content: content(parsed),
  });
  switch (kind) {
    case 'eval set': {
      const { plan, gates, warnings, repeats } = await plannedSet(file, against);
      const criteria = plan.criteria.flatMap(({ name, byDefault }) => (byDefault === true ? [] : [name]));
      const all = [
        ...warnings,
        ...noteOfShortTurns(file, value),
        ...(gates === undefined || repeats === null ? [] : notesOfGates(file, gates.gates, plan, repeats)),
      ];
      return { warnings: all, content: { cases: plan.evalSet.evalCases.length, criteria } };
    }
    case 'config':
      return checkConfig(file, value, against);
    case 'agents-cli dataset':
      return checkDataset(file, value, named ? against : null);
    case 'agents-cli config': {
      const message = agentsCliConfigText(file, value);
      return { warnings: [{ code: 'UNKNOWN_FORMAT', file, message }] };
    }
    case 'project config':
      return { warnings: (await loadProjectConfig(file)).warnings };
    case 'result':
      return contents(parseEvalSetResult(value, { file }), ({ evalCaseResults = [] }) => ({
        cases: evalCaseResults.length,
      }));
    case 'scenarios':
      return contents(parseConversationScenarios(value, { file }), ({ scenarios = [] }) => ({
        scenarios: scenarios.length,
      }));
    case 'session input':
      return contents(parseSessionInput(value, { file }), ({ appName }) => ({ app: appName }));
    case 'user simulation config':
      return contents(parseConversationGenerationConfig(value, { file }), ({ count }) => ({ scenarios: count }));
  }
}

/** Notes short turns, which are valid here but which ADK rejects. */
function noteOfShortTurns(file: string, value: unknown): readonly Problem[] {
  const [first, ...more] = shortTurns(value);
  if (first === undefined) return [];
  const what = more.length === 0 ? 'this turn is written' : `this turn and ${more.length} more are written`;
  const message = `${what} in short, which ADK Python does not read: agent-criteria migrate ${shellWord(file)} rewrites the file in ADK's form`;
  return [{ code: 'UNKNOWN_FORMAT', file, path: first, message }];
}

/**
 * Checks a dataset. If the user named it and it converts without loss, plans it as a run would. Otherwise, returns the
 * warnings of `migrate`.
 */
async function checkDataset(file: string, value: unknown, against: Against | null): Promise<Contents> {
  const { value: set, warnings, leftOut } = readAgentsCliDataset(value, { file });
  if (against !== null && leftOut.length === 0) {
    const { plan, warnings: planned } = await plannedSet(file, against);
    const criteria = plan.criteria.flatMap(({ name, byDefault }) => (byDefault === true ? [] : [name]));
    return { warnings: planned, content: { cases: set.evalCases.length, criteria } };
  }
  const what: Problem = { code: 'UNKNOWN_FORMAT', file, message: `this is ${agentsCliText(file, value)}` };
  return {
    warnings: [what, ...withFile(warnings.map(wouldBeLeftOut), file)],
    content: { cases: set.evalCases.length },
  };
}

/** Notes gates that a run of this set alone cannot pass. A run that includes other sets has more cases. */
function notesOfGates(file: string, gates: Gates, plan: Plan, repeats: number): readonly Problem[] {
  return hopelessGates(gates, [{ plan }], repeats).map(({ code, message }) => {
    return { code, file, message: `in a run of this set alone, ${message}` };
  });
}

async function plannedSet(file: string, { config, projectOf }: Against) {
  const project = await projectOf(dirname(file));
  const setting = project.config.settings.repeats;
  // The number is `null` for `auto`, where it is not known in advance.
  const repeats = mostRepeats(setting) === undefined ? fixedRepeats(setting, 1) : null;
  return { ...(await planSet(file, [], { config, project })), repeats };
}

/** Checks a config without eval sets. Rules about cases are checked with each eval set that the config judges. */
async function checkConfig(file: string, value: unknown, { projectOf }: Against): Promise<Contents> {
  const found = collectProblems();
  // Without criteria, it may be the config of another program.
  const isForeign = isYaml(file) && fieldOf(value, 'criteria') === undefined;
  const parsed = isForeign ? undefined : await found.attempt(() => parseEvalConfig(value, { file }));
  const project = await projectOf(dirname(file));
  const problems = uniqueProblems([...found.problems, ...(await configProblemsWithoutSets(file, project))]);
  if (problems.length > 0) throw new CriteriaError(problems);
  const criteria = Object.keys(parsed?.value.criteria ?? {});
  return { warnings: parsed?.warnings ?? [], content: { criteria } };
}
