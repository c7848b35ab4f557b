import { resolve } from 'node:path';
import { CriteriaError } from '@agent-criteria/core';
import { type ListedCriterion, listCriteria } from '@agent-criteria/project/config';
import { type Cell, fitTable, oneLine, safe, table, tableWidth } from '@agent-criteria/report/terminal';
import { installLine } from '@agent-criteria/runner';
import type { Given } from './command-flags.ts';
import { type Io, painter } from './io.ts';
import { printResult, printWarnings } from './print.ts';
import { openProject } from './project.ts';

/** Lists all criteria: ours, then those of the project and of a config's plugins. */
export async function criteriaCommand({ flags, positionals }: Given<'criteria'>, io: Io): Promise<number> {
  if (positionals.length > 0) {
    const message = `criteria takes no arguments, but got "${positionals[0]}"; for the criteria of a config use --config-file-path`;
    throw new CriteriaError({ code: 'USAGE', message });
  }
  const { builtIn, config: project } = await openProject(undefined, {}, io);
  const named = project.settings.config;
  const { criteria, warnings } = await listCriteria({
    config: flags.config_file_path,
    projectConfig: typeof named === 'string' ? resolve(project.folder, named) : undefined,
    builtIn,
    plugins: project.plugins,
  });
  printWarnings(warnings, io);
  printResult(flags.json, criteria, () => format(criteria, io), io);
  return 0;
}

const HEADER = ['criterion', 'reference', 'rubrics', 'model', 'simulated users', 'range', 'default', 'installed'];

function format(rows: readonly ListedCriterion[], io: Io): string {
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
  const installing = [...missing].map((name) => {
    const brought = rows.filter((row) => row.package === name).map((row) => row.name);
    return `  ${installLine(name)}\n${brought.map((criterion) => `    ${criterion}\n`).join('')}`;
  });
  const install = installing.length === 0 ? '' : `\nTo install the others:\n${installing.join('')}`;
  const all = [header, ...cells.map((row) => row.map((text) => ({ text })))];
  const [head, ...lines] =
    tableWidth(all) <= io.width.out ? table(all).split('\n') : [null, ...cellsBelow(all, io.width.out)];
  const explained = lines.map((line, index) => {
    const { description = '', package: from = '' } = rows[index] ?? {};
    // For our own criteria, the name is enough.
    const origin = from.startsWith('@agent-criteria/') ? '' : ` (${from})`;
    return `${line}\n  ${dim(oneLine(`${description}${origin}`, 110))}\n`;
  });
  return `${head === null ? '' : `${head}\n`}${explained.join('')}${install}`;
}

/** Formats each row as `fitTable` would in a narrow terminal, including rows that would fit. */
function cellsBelow([header = [], ...rows]: readonly (readonly Cell[])[], width: number): string[] {
  return rows.map((row) => fitTable([header, row], Math.min(width, tableWidth([header, row]) - 1)));
}
