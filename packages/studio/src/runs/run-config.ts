import { mkdir, writeFile } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import { sha256 } from '@agent-criteria/calls';
import type { State } from '@agent-criteria/core';
import { fieldOf, isObject } from '@agent-criteria/core/host';
import { findConfig, jsonText, readJsonFile, writeWhole } from '@agent-criteria/project';
import { refusal } from '../http/refusal.ts';
import type { Studio } from '../studio.ts';

/** A criterion as ADK's client asks for it. */
interface AskedMetric {
  readonly name: string;
  readonly threshold: number | null;
  /** Its options, where a client sends them. */
  readonly criterion: Readonly<Record<string, unknown>>;
}

/**
 * The file of a config with these criteria and thresholds, and everything else (rubrics, judges, plugins, the simulated user) as the
 * config beside the set has it. It lies beside the runs, named by its content, so that a run can be resumed.
 *
 * @throws A refusal, 400 or 422.
 */
export async function runConfig(
  { runsFolder }: Studio,
  setFile: string,
  metrics: unknown,
): Promise<string | undefined> {
  const beside = await findConfig(setFile);
  const config = await mergedConfig(beside, metrics, (rest, folder) => absolute(rest, folder) as object);
  const text = jsonText(config);
  const name = sha256(text).slice(0, 16);
  const file = join(resolve(runsFolder), '..', 'studio', `${name}.config.json`);
  await mkdir(dirname(file), { recursive: true });
  // What a dialog chose belongs to a run, not to the repository.
  await writeFile(join(dirname(file), '.gitignore'), '*\n');
  await writeWhole(file, text);
  return file;
}

/**
 * The config at a path (`undefined`: there is none) with these criteria in place of its own, and everything else as it was.
 *
 * @param move What becomes of everything else, which may name files beside the config. Default: it stays.
 * @throws A refusal, 400 or 422.
 */
export async function mergedConfig(
  beside: string | undefined,
  metrics: unknown,
  move: (rest: object, folder: string) => object = (rest) => rest,
): Promise<State> {
  const asked = readMetrics(metrics);
  if (asked.length === 0) throw refusal(400, 'Choose at least one metric: a run without criteria says nothing.');
  const base = beside === undefined ? {} : (await readJsonFile(beside)).value;
  const { criteria, agent_criteria: own, ...rest } = isObject(base) ? base : {};
  const before = isObject(criteria) ? criteria : {};
  const deciding = asked.filter(({ threshold }) => threshold !== null);
  const measured = asked.filter(({ threshold }) => threshold === null).map(({ name }) => name);
  return {
    ...(beside === undefined ? rest : move(rest, dirname(beside))),
    criteria: Object.fromEntries(deciding.map((one) => [one.name, optionsOf(one, before[one.name])])),
    ...(isObject(own) || measured.length > 0
      ? { agent_criteria: { ...(isObject(own) ? own : {}), ...measure(measured) } }
      : {}),
  } as State;
}

function measure(names: readonly string[]): object {
  return names.length === 0 ? {} : { measure: names };
}

function optionsOf({ threshold, criterion }: AskedMetric, before: unknown): unknown {
  const options = { ...(isObject(before) ? before : {}), ...criterion };
  return Object.keys(options).length === 0 ? threshold : { ...options, threshold };
}

function readMetrics(metrics: unknown): readonly AskedMetric[] {
  const wrong = (msg: string) => refusal(422, [{ type: 'value_error', loc: ['body', 'evalMetrics'], msg }]);
  if (!Array.isArray(metrics)) throw wrong('Send a list of { "metricName", "threshold" }.');
  return metrics.map((metric) => {
    const name = fieldOf(metric, 'metricName');
    const criterion = fieldOf(metric, 'criterion') ?? {};
    const threshold = fieldOf(metric, 'threshold') ?? fieldOf(criterion, 'threshold') ?? null;
    if (typeof name !== 'string') throw wrong('Each metric needs a "metricName".');
    if (threshold !== null && typeof threshold !== 'number')
      throw wrong(`The threshold of "${name}" must be a number.`);
    return { name, threshold, criterion: isObject(criterion) ? criterion : {} };
  });
}

/** Paths that began where the config lies: `./my-criterion.ts`. */
function absolute(value: unknown, folder: string): unknown {
  if (typeof value === 'string') return /^\.\.?\//.test(value) ? resolve(folder, value) : value;
  if (Array.isArray(value)) return value.map((item) => absolute(item, folder));
  if (!isObject(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, absolute(item, folder)]));
}
