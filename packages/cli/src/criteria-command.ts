import { dirname } from 'node:path';
import { type Criterion, createRegistry, formatProblem, installLine, knownCriteria } from '@agent-criteria/core';
import { importFrom, loadPlugins, readJsonFile } from '@agent-criteria/runner/load';
import { parseFlags } from './arguments.ts';
import { builtInCriteria } from './built-in-criteria.ts';
import type { Io } from './io.ts';
import { table } from './terminal.ts';

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
  const { flags } = parseFlags(args, { config_file_path: { type: 'string' }, json: { type: 'boolean' } });
  const ours = await Promise.all(
    knownCriteria.map(async (known): Promise<Row> => {
      const { package: packageName, defaultThreshold, ...facts } = known;
      const builtIn = builtInCriteria.some((criterion) => criterion.name === known.name);
      return {
        ...facts,
        package: packageName,
        installed: builtIn || (await isInstalled(packageName)),
        default: defaultThreshold ?? null,
      };
    }),
  );
  const others = (await fromConfig(flags.config_file_path, io))
    .filter((criterion) => !knownCriteria.some((known) => known.name === criterion.name))
    .map(rowOf);
  const rows = [...ours, ...others];
  if (flags.json === true) {
    io.out(`${JSON.stringify(rows, null, 2)}\n`);
    return 0;
  }
  const header = ['criterion', 'reference', 'rubrics', 'model', 'simulated users', 'range', 'default', 'package'];
  const cells = rows.map((row) => [
    row.name,
    row.referenceBased ? 'yes' : 'no',
    row.needsRubrics ? 'yes' : 'no',
    row.judgedByModel ? 'yes' : 'no',
    row.simulatedUsers ? 'yes' : 'no',
    row.range,
    row.default === null ? '-' : String(row.default),
    row.installed ? row.package : `${row.package} (not installed)`,
  ]);
  io.out(`${table([header, ...cells])}\n`);
  const missing = [...new Set(rows.filter((row) => !row.installed).map((row) => row.package))];
  if (missing.length > 0) io.out(`\nTo install one:\n${missing.map((name) => `  ${installLine(name)}`).join('\n')}\n`);
  return 0;
}

async function isInstalled(packageName: string): Promise<boolean> {
  try {
    await importFrom(`${packageName}/pure`, `${process.cwd()}/importer.js`);
    return true;
  } catch {
    return false;
  }
}

async function fromConfig(file: string | boolean | undefined, io: Io): Promise<readonly Criterion[]> {
  if (typeof file !== 'string') return [];
  const { value, warnings } = await readJsonFile(file);
  for (const warning of warnings) io.err(`warning: ${formatProblem(warning)}\n`);
  const names =
    typeof value === 'object' && value !== null && 'plugins' in value && Array.isArray(value.plugins)
      ? value.plugins
      : [];
  const plugins = await loadPlugins(
    names.filter((name) => typeof name === 'string'),
    dirname(file),
  );
  return createRegistry(plugins).list('criterion');
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
