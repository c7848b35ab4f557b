import { dirname } from 'node:path';
import { CriteriaError, type Criterion } from '@agent-criteria/core';
import { createRegistry, parseEvalConfig } from '@agent-criteria/core/host';
import { loadPlugins, readJsonFile, resolveFrom } from '@agent-criteria/project';
import { safe, table } from '@agent-criteria/report/terminal';
import { installLine, type KnownCriterion, knownCriteria } from '@agent-criteria/runner';
import { parseFlags } from './arguments.ts';
import { builtInCriteria } from './built-in-criteria.ts';
import { type Io, painter } from './io.ts';
import { printJson } from './print-json.ts';
import { printWarnings } from './print-problems.ts';

interface Row {
  readonly name: string;
  readonly package: string;
  readonly installed: boolean;
  readonly description: string;
  readonly referenceBased: boolean;
  readonly needsRubrics: boolean;
  readonly judgedByModel: boolean;
  readonly simulatedUsers: boolean;
  readonly range: string;
  /** The threshold in force when there is no config. */
  readonly default: number | null;
}

/** `agent-criteria criteria`: the documentation's table, ours first, then whatever a config's plugins bring. */
export async function criteriaCommand(args: readonly string[], io: Io): Promise<number> {
  const { flags, positionals } = parseFlags(args, { config_file_path: { type: 'string' }, json: { type: 'boolean' } });
  if (positionals.length > 0) {
    const message = `criteria takes no argument, and there is "${positionals[0]}"; for a config's criteria give --config_file_path`;
    throw new CriteriaError({ code: 'USAGE', message });
  }
  const ours = await Promise.all(knownCriteria.map(rowOfKnown));
  const registered = await fromConfig(flags.config_file_path, io);
  const others = registered.filter((criterion) => !knownCriteria.some((known) => known.name === criterion.name));
  const rows = [...ours, ...others.map(rowOf)];
  if (flags.json === true) printJson(rows, io);
  else io.out(format(rows, io));
  return 0;
}

const HEADER = ['criterion', 'reference', 'rubrics', 'model', 'simulated users', 'range', 'default', 'installed'];

function format(rows: readonly Row[], io: Io): string {
  const { dim } = painter(io);
  const yes = (value: boolean): string => (value ? 'yes' : 'no');
  const cells = rows.map((row) => [
    safe(row.name),
    ...[row.referenceBased, row.needsRubrics, row.judgedByModel, row.simulatedUsers].map(yes),
    row.range,
    row.default === null ? '-' : String(row.default),
    yes(row.installed),
  ]);
  const header = HEADER.map((text) => ({ text, paint: dim }));
  const missing = new Set(rows.filter((row) => !row.installed).map((row) => row.package));
  const lines = [...missing].map((name) => {
    const brought = rows.filter((row) => row.package === name).map((row) => row.name);
    return `  ${installLine(name)}\n${brought.map((criterion) => `    ${criterion}\n`).join('')}`;
  });
  const install = lines.length === 0 ? '' : `\nTo install the others:\n${lines.join('')}`;
  return `${table([header, ...cells.map((row) => row.map((text) => ({ text })))])}\n${install}`;
}

async function rowOfKnown(known: KnownCriterion): Promise<Row> {
  const { package: packageName, defaultThreshold, ...facts } = known;
  const builtIn = builtInCriteria.some((criterion) => criterion.name === known.name);
  const installed = builtIn || (await resolveFrom(`${packageName}/pure`, '.')) !== undefined;
  return { ...facts, package: packageName, installed, default: defaultThreshold ?? null };
}

async function fromConfig(file: string | boolean | undefined, io: Io): Promise<readonly Criterion[]> {
  if (typeof file !== 'string') return [];
  const { value, warnings } = await readJsonFile(file);
  printWarnings(warnings, io);
  const { plugins = [] } = parseEvalConfig(value, { file }).value;
  return createRegistry(await loadPlugins(plugins, dirname(file), file)).list('criterion');
}

function rowOf(criterion: Criterion): Row {
  const { needs, range } = criterion;
  return {
    name: criterion.name,
    package: criterion.origin.package,
    installed: true,
    description: criterion.description,
    referenceBased: needs?.reference !== undefined,
    needsRubrics: needs?.rubrics !== undefined,
    judgedByModel: criterion.models !== undefined,
    simulatedUsers: needs?.reference === undefined,
    range: range.max === null ? `from ${range.min} up` : `${range.min} to ${range.max}`,
    default: null,
  };
}
