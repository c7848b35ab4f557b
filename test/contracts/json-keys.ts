import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { copyFolder, root } from '../corpus/folder.ts';
import { openOldFiles } from '../corpus/old-files.ts';
import { inProcess } from '../corpus/perform.ts';
import { linesOf } from './recorded-runs.ts';

/** A command whose output is JSON, or a file that commands have written. */
interface Output {
  readonly folder: 'runs' | 'led' | 'files';
  readonly args: readonly string[];
  /** A command to run beforehand. */
  readonly before?: readonly string[];
  readonly environment?: Readonly<Record<string, string>>;
  /** Files to read in addition to the output, by the names that they get here. */
  readonly files?: Readonly<Record<string, string>>;
}

const everyRun = ['plain', 'with-an-error', 'variants', 'groups', 'groups-worse', 'stopped-early', 'masked', 'judged'];
const led = ['--scenarios-file', 'scenarios.json', '--session-input-file', 'session_input.json'];
const judgedFiles = {
  'plan.json': 'kept/RUN/plan.json',
  'inferences.jsonl': 'kept/RUN/inferences.jsonl',
  'calls.jsonl': 'kept/RUN/calls.jsonl',
  'texts.jsonl': 'kept/RUN/texts.jsonl',
  'scorings/1/plan.json': 'kept/RUN/scorings/1/plan.json',
  'scorings/1/scores.jsonl': 'kept/RUN/scorings/1/scores.jsonl',
  'scorings/1/summary.json': 'kept/RUN/scorings/1/summary.json',
};
const kept = ['--runs-folder', 'kept'];
const both = ['--variant', 'good=agent.mjs', '--variant', 'worse=agent.mjs#worse'];
const everything = ['plain.evalset.json', 'secret.evalset.json', '--config-file-path', 'secret.json'];

const outputs: readonly Output[] = [
  { folder: 'runs', args: ['runs', '--runs-folder', 'runs', '--json'] },
  ...everyRun.map((run): Output => ({ folder: 'runs', args: ['show', `runs/${run}`, '--json'] })),
  { folder: 'runs', args: ['show', 'runs/judged', 'two_turns', '--json'] },
  { folder: 'runs', args: ['show', 'runs/judged', 'two_turns', '--judge-prompt', '--json'] },
  { folder: 'runs', args: ['report', 'runs/judged', '--format', 'json'] },
  { folder: 'runs', args: ['report', 'runs/judged', '--format', 'adk'] },
  {
    folder: 'runs',
    args: [
      'eval',
      '.',
      'groups.evalset.json',
      '--config-file-path',
      'strict.json',
      '--baseline',
      'groups.base.json',
      '--gate',
      'pass_rate=0.5',
      '--gate',
      'flaky_share=0.5',
      '--gate',
      'means.response_match_score=0.5',
      '--gate',
      'quantiles.response_match_score=0.5:0',
      '--gate',
      'pass_hat_k=1:0.1',
      '--gate',
      'cost=9',
      '--json',
      ...kept,
    ],
  },
  {
    folder: 'runs',
    args: ['eval', '.', ...everything, '--repeats', '2', '--json', ...kept],
    environment: { BROKEN: '1', SHOP_API_KEY: 'correct-horse-battery' },
    files: judgedFiles,
  },
  {
    folder: 'runs',
    args: ['eval', '.', 'desk.evalset.json', '--json', ...kept],
    environment: { WITH_INSTRUMENT: '1' },
  },
  {
    folder: 'runs',
    args: ['eval', '.', 'auto/auto.evalset.json', '--repeats', 'auto:12', '--json', ...kept],
    files: { 'plan.json': 'kept/RUN/plan.json', 'scorings/1/plan.json': 'kept/RUN/scorings/1/plan.json' },
  },
  {
    folder: 'runs',
    args: ['eval', 'plain.evalset.json', ...both, '--config-file-path', 'plain.json', '--json', ...kept],
    files: { 'plan.json': 'kept/RUN/plan.json' },
  },
  {
    folder: 'runs',
    args: ['eval', '.', 'plain.evalset.json', '--config-file-path', 'plain.json', '--compat', 'adk', '--json', ...kept],
  },
  { folder: 'runs', args: ['eval', '.', 'desk.evalset.json', '--dry-run', '--json'] },
  { folder: 'runs', args: ['generate', '.', 'plain.evalset.json', '--json', ...kept] },
  { folder: 'runs', args: ['resume', 'runs/killed', '--json'] },
  { folder: 'runs', args: ['score', 'runs/plain', '--config-file-path', 'strict.json', '--json'] },
  {
    folder: 'runs',
    args: ['score', '--from', 'r.evalset_result.json', '--json'],
    before: ['report', 'runs/plain', '--output', 'r.evalset_result.json'],
  },
  { folder: 'runs', args: ['compare', 'runs/groups', 'runs/groups-worse', '--json'] },
  { folder: 'runs', args: ['compare', 'runs/plain', 'runs/with-an-error', '--json'] },
  { folder: 'runs', args: ['power', 'runs/plain', '--json'] },
  {
    folder: 'runs',
    args: ['calibrate', 'runs/judged', '--output', 'agreement.json', '--json'],
    files: { 'instrument of labels': 'agreement.json', 'labels.jsonl': 'runs/judged/scorings/1/labels.jsonl' },
  },
  {
    folder: 'runs',
    args: ['noise', 'runs/judged', '--repeats', '2', '--output', 'noise.json', '--json'],
    files: { 'instrument of noise': 'noise.json' },
  },
  {
    folder: 'runs',
    args: ['baseline', 'set', 'runs/groups', '--output', 'base.json', '--json'],
    files: { baseline: 'base.json' },
  },
  {
    folder: 'runs',
    args: ['eval', '.', 'desk.evalset.json', '--recording', 'new.jsonl:record', '--no-cache', '--json', ...kept],
    files: { recording: 'new.jsonl' },
  },
  { folder: 'runs', args: ['validate', '.', '--json'] },
  { folder: 'files', args: ['validate', '.', '--json'] },
  { folder: 'files', args: ['migrate', '.', 'new', '--json'] },
  { folder: 'runs', args: ['criteria', '--json'] },
  { folder: 'runs', args: ['doctor', '.', '--json'] },
  { folder: 'led', args: ['eval_set', 'create', '.', 'made', '--json'] },
  { folder: 'led', args: ['eval_set', 'add_eval_case', '.', 'visits', ...led, '--json'] },
  {
    folder: 'led',
    args: ['eval_set', 'add_session', '.', 'visits', 'visit.session.json', '--eval-id', 'x', '--json'],
    files: { 'eval set': 'visits.evalset.json' },
  },
  { folder: 'led', args: ['eval_set', 'list', '.', '--json'] },
  { folder: 'led', args: ['eval_set', 'show', '.', 'visits.evalset.json', '--json'] },
];

/**
 * Lists the paths in all JSON that commands print and store, each with its types; outputs of the same name are merged.
 */
export async function jsonKeys(newFolder: () => string): Promise<string> {
  const found = new Map<string, unknown[]>();
  const add = (name: string, values: readonly unknown[]) => found.set(name, [...(found.get(name) ?? []), ...values]);
  for (const { args, folder: kind, before, environment = {}, files = {} } of outputs) {
    const folder = newFolder();
    open(kind, folder);
    if (before !== undefined) await inProcess([...before], folder, environment, false);
    const { code, out, err } = await inProcess([...args], folder, environment, false);
    if (out === '') throw new Error(`${args.join(' ')}: ${code} ${err}`);
    add(`agent-criteria ${commandOf(args)}`, [JSON.parse(out)]);
    for (const [label, path] of Object.entries(files)) {
      const run = path.includes('RUN') ? (readdirSync(join(folder, 'kept')).find((one) => /^\d/.test(one)) ?? '') : '';
      const file = join(folder, path.replace('RUN', run));
      add(label, file.endsWith('.jsonl') ? linesOf(file) : [JSON.parse(readFileSync(file, 'utf8'))]);
    }
  }
  return [...found].map(([name, values]) => section(name, values)).join('\n');
}

/** Lists the columns of spreadsheets. */
export async function csvColumns(newFolder: () => string): Promise<string> {
  const folder = newFolder();
  open('runs', folder);
  const { out } = await inProcess(['report', 'runs/judged', '--format', 'csv'], folder, {}, false);
  await inProcess(['label', 'runs/judged', '--export', 'labels.csv'], folder, {}, false);
  const labels = readFileSync(join(folder, 'labels.csv'), 'utf8');
  const columns = (csv: string) => csv.split('\r\n')[0]?.split(',').join('\n');
  return `== agent-criteria report --format csv\n${columns(out)}\n\n== agent-criteria label --export\n${columns(labels)}\n`;
}

/** Returns the command with the flags that change the format of its output. */
function commandOf(args: readonly string[]): string {
  const [command = '', ...rest] = args;
  const words = ['eval_set', 'baseline'].includes(command) ? [command, rest[0]] : [command];
  const form = ['--dry-run', '--from', '--judge-prompt'].filter((flag) => rest.includes(flag));
  const format = rest.includes('--format') ? [`--format ${rest[rest.indexOf('--format') + 1]}`] : [];
  return [...words, ...form, ...format].join(' ');
}

function open(kind: Output['folder'], folder: string): void {
  if (kind === 'led') copyFolder(join(root, 'test/corpus/projects/led'), folder);
  else if (kind === 'files') {
    copyFolder(join(root, 'examples/adk-docs/old-format'), folder);
    writeFileSync(join(folder, 'broken.evalset.json'), '{ "eval_set_id": 1, "eval_cases": [{ "eval_idd": "x" }] }');
  } else {
    openOldFiles('2a0768d7', [...everyRun, 'killed'], folder);
  }
}

function section(name: string, values: readonly unknown[]): string {
  const found = new Map<string, Set<string>>();
  for (const value of values) collect(value, '$', found);
  const lines = [...found].map(([path, types]) => `${path}: ${[...types].sort().join(' | ')}`).sort();
  return `== ${name}\n${lines.join('\n')}\n`;
}

/** Names that come from the data rather than from us. */
const DATA = /^(?:[0-9a-f]{32,}|\d+)$/;

function collect(value: unknown, path: string, found: Map<string, Set<string>>): void {
  const note = (type: string) => found.set(path, (found.get(path) ?? new Set()).add(type));
  if (value === null) note('null');
  else if (Array.isArray(value)) {
    note('array');
    for (const item of value) collect(item, `${path}[]`, found);
  } else if (typeof value === 'object') {
    note('object');
    for (const [key, item] of Object.entries(value)) collect(item, `${path}.${DATA.test(key) ? '*' : key}`, found);
  } else note(typeof value);
}
