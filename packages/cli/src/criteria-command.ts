import { CriteriaError } from '@agent-criteria/core';
import { type ListedCriterion, listCriteria } from '@agent-criteria/project';
import { fitTable, safe } from '@agent-criteria/report/terminal';
import { installLine } from '@agent-criteria/runner';
import { parseFlags } from './arguments.ts';
import { type Io, painter } from './io.ts';
import { printJson } from './print-json.ts';
import { printWarnings } from './print-problems.ts';
import { projectOptions } from './project.ts';

/** `agent-criteria criteria`: the documentation's table, ours first, then whatever a config's plugins bring. */
export async function criteriaCommand(args: readonly string[], io: Io): Promise<number> {
  const { flags, positionals } = parseFlags(args, { config_file_path: { type: 'string' }, json: { type: 'boolean' } });
  if (positionals.length > 0) {
    const message = `criteria takes no arguments, but got "${positionals[0]}"; for the criteria of a config use --config_file_path`;
    throw new CriteriaError({ code: 'USAGE', message });
  }
  const { builtIn } = projectOptions({}, io);
  const { criteria, warnings } = await listCriteria({ config: flags.config_file_path, builtIn });
  printWarnings(warnings, io);
  if (flags.json === true) printJson(criteria, io);
  else io.out(format(criteria, io));
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
  const lines = [...missing].map((name) => {
    const brought = rows.filter((row) => row.package === name).map((row) => row.name);
    return `  ${installLine(name)}\n${brought.map((criterion) => `    ${criterion}\n`).join('')}`;
  });
  const install = lines.length === 0 ? '' : `\nTo install the others:\n${lines.join('')}`;
  return `${fitTable([header, ...cells.map((row) => row.map((text) => ({ text })))], io.width.out)}\n${install}`;
}
