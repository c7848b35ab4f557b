import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import { sha256 } from '@agent-criteria/calls';
import type { State } from '@agent-criteria/core';
import { isObject } from '@agent-criteria/formats';
import { fieldOf } from '@agent-criteria/formats/schema';
import type { Project } from '@agent-criteria/project';
import { type ReadEvalConfig, readEvalConfig } from '@agent-criteria/project/config';
import { jsonText, writeWhole } from '@agent-criteria/project/files';
import type { AskedMetric } from '../api.ts';
import { mistake, refusal } from '../http/refusal.ts';
import { versionOf } from '../http/version.ts';
import type { Studio } from '../studio.ts';

/** The criteria and simulated user in a request. */
export interface AskedConfig {
  /** `[{ metricName, threshold, criterion }]`. */
  readonly metrics: unknown;
  /** Default: the one in the config. */
  readonly userSimulator?: unknown;
  /**
   * Whether the metrics also replace informational criteria. Default `false`, because ADK's clients do not know about
   * informational criteria.
   */
  readonly isWhole?: boolean;
}

/**
 * Writes a config with these criteria and thresholds; everything else (judges, plugins, the simulated user) comes from
 * the set's config. The file is next to the runs and named after its content, so that a run can be resumed.
 *
 * @throws A refusal with status 400 or 422.
 */
export async function runConfig(
  { runsFolder }: Studio,
  project: Project,
  setFile: string,
  asked: AskedConfig,
): Promise<string> {
  const before = await readEvalConfig(setFile, { project: project.config });
  const text = jsonText(mergedConfig(before, asked, (path, folder) => resolve(folder, path)));
  const name = sha256(text).slice(0, 16);
  const file = join(resolve(runsFolder), '..', 'studio', `${name}.config.json`);
  await mkdir(dirname(file), { recursive: true });
  // Generated configs do not belong in the repository.
  await writeFile(join(dirname(file), '.gitignore'), '*\n');
  await writeWhole(file, text);
  return file;
}

/**
 * Replaces the criteria of a config and keeps everything else.
 *
 * @param move Rebases relative paths such as `./my-criterion.ts`.
 * @throws A refusal with status 400 or 422.
 */
export function mergedConfig(
  { value, file, folder = file === undefined ? '.' : dirname(file) }: ReadEvalConfig,
  { metrics, userSimulator, isWhole = false }: AskedConfig,
  move: (path: string, folder: string) => string,
): State {
  const asked = readMetrics(metrics);
  if (asked.length === 0) throw refusal(400, 'Choose at least one metric: a run without criteria says nothing.');
  if (userSimulator !== undefined && !isObject(userSimulator)) {
    throw mistake(['body', 'userSimulator'], 'This must be an object of a type and options.');
  }
  const base = isObject(value) ? moved(value, (path) => move(path, folder)) : {};
  const { criteria, agent_criteria, agentCriteria, user_simulator_config, userSimulatorConfig, ...rest } =
    base as Readonly<Record<string, unknown>>;
  checkPlain(rest);
  const before = isObject(criteria) ? criteria : {};
  const deciding = asked.filter(({ threshold }) => threshold !== null);
  const measure = asked.filter(({ threshold }) => threshold === null).map(({ metricName }) => metricName);
  const written = agent_criteria ?? agentCriteria;
  const own: Record<string, unknown> = isObject(written) ? { ...written } : {};
  if (measure.length > 0) own.measure = measure;
  else if (isWhole) delete own.measure;
  const simulator = userSimulator ?? user_simulator_config ?? userSimulatorConfig;
  return {
    ...rest,
    criteria: Object.fromEntries(deciding.map((one) => [one.metricName, optionsOf(one, before[one.metricName])])),
    ...(simulator === undefined ? {} : { user_simulator_config: simulator }),
    ...(Object.keys(own).length === 0 ? {} : { agent_criteria: own }),
  } as State;
}

/** Rejects values that only a config in code can contain. @throws A 400 refusal. */
function checkPlain({ plugins }: Readonly<Record<string, unknown>>): void {
  if (!Array.isArray(plugins) || plugins.every((one) => typeof one === 'string')) return;
  throw refusal(
    400,
    'The eval config in agent-criteria.config has plugins as values, which a file cannot hold: name them by package or path there, or run without choosing criteria.',
  );
}

function optionsOf({ threshold, criterion }: AskedMetric, before: unknown): unknown {
  const { threshold: _, ...options } = criterion ?? (isObject(before) ? before : {});
  return Object.keys(options).length === 0 ? threshold : { ...options, threshold };
}

function readMetrics(metrics: unknown): readonly AskedMetric[] {
  const wrong = (msg: string) => mistake(['body', 'evalMetrics'], msg);
  if (!Array.isArray(metrics)) throw wrong('Send a list of { "metricName", "threshold" }.');
  return metrics.map((metric) => {
    const metricName = fieldOf(metric, 'metricName');
    const criterion = fieldOf(metric, 'criterion');
    const threshold = fieldOf(metric, 'threshold') ?? fieldOf(criterion, 'threshold') ?? null;
    if (typeof metricName !== 'string') throw wrong('Each metric needs a "metricName".');
    if (threshold !== null && typeof threshold !== 'number')
      throw wrong(`The threshold of "${metricName}" must be a number.`);
    return { metricName, threshold, criterion: isObject(criterion) ? criterion : undefined };
  });
}

/** Rebases every relative path in a value. */
function moved(value: unknown, move: (path: string) => string): unknown {
  if (typeof value === 'string') return /^\.\.?\//.test(value) ? move(value) : value;
  if (Array.isArray(value)) return value.map((item) => moved(item, move));
  if (!isObject(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, moved(item, move)]));
}

export type VersionedConfig = Awaited<ReturnType<typeof versionedConfig>>;

/**
 * Reads the config of a set, the text of its file (or `null`), and its version, which is an entity tag of the file name
 * and text.
 * @throws CriteriaError if the file cannot be read.
 */
export async function versionedConfig(project: Project, setFile: string) {
  const { file } = await readEvalConfig(setFile, { project: project.config });
  const text = await textOf(file);
  // Read after its text, so that a change in between is at worst reported as a conflict.
  const read = await readEvalConfig(setFile, { project: project.config });
  return { read, text, version: versionOf({ file: file ?? null, text }) };
}

export async function textOf(file: string | undefined): Promise<string | null> {
  return file === undefined ? null : readFile(file, 'utf8').catch(() => null);
}
