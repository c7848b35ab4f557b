import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { copyFolder, root } from '../corpus/folder.ts';
import { openOldFiles } from '../corpus/old-files.ts';
import { inProcess } from '../corpus/perform.ts';
import { pretty } from '../corpus/pretty.ts';
import { type Json, linesOf, openProject, type RecordedRun } from './recorded-runs.ts';

// Records the keys by which a saved run, a recording or a cache entry is found, and the cases that a selection yields.
// Code may move, but these must not change, or earlier inferences, answers and labels are lost.

/** Eval sets in every format that is read. */
const forms: readonly (readonly [name: string, folder: string, set: string])[] = [
  ['snake_case', 'examples/dice', 'dice.evalset.json'],
  ['camelCase and tags', 'examples/tiny-workbench', 'tickets.evalset.json'],
  ['state, tools and final state', 'examples/home-automation', 'home-automation.evalset.json'],
  ['rubrics', 'examples/museum-desk', 'museum.evalset.json'],
  ['turns in short', 'examples/labelled-answers', 'tickets.evalset.jsonl'],
  ['sessions', 'examples/adk-docs/evals', 'two_sessions.evalset.json'],
  ['a test file', 'examples/adk-docs/evals', 'kitchen.test.json'],
  ['forms of calls and answers', 'examples/adk-docs/evals', 'forms.evalset.json'],
  ['the format before', 'examples/adk-docs/old-format', 'rooms.evalset.json'],
  ['a list of turns', 'examples/adk-docs/old-format', 'light.test.json'],
];

/** Ways to select cases from this project. */
const selections: readonly (readonly string[])[] = [
  ['judged.evalset.json'],
  ['judged.evalset.json:plain,hostile'],
  ['judged.evalset.json', '--case', 'two turns & tools'],
  ['judged.evalset.json', '--tag', 'short'],
  ['judged.evalset.json', '--tag', 'opening', '--tag', 'tools'],
  ['judged.evalset.json', '--grep', 'PLAIN', '--grep', 'judged:h'],
  ['judged.evalset.json', '--repeats', '2', '--case', 'plain'],
];

export async function identities(runs: readonly RecordedRun[], newFolder: () => string): Promise<string> {
  const parts = [
    ...runs.map((run) =>
      section(run.name, {
        sets: setsOf(run.plan),
        seen: seenOf(run.inferences),
        judgedBy: run.scoring.sets.map(judgedBy),
      }),
    ),
  ];
  for (const [name, from, set] of forms) {
    const folder = newFolder();
    copyFolder(join(root, from), folder);
    // Only sets, without the configs that would judge them.
    for (const file of readdirSync(folder)) if (/config/.test(file)) rmSync(join(folder, file), { recursive: true });
    parts.push(section(`${name}: ${from}/${set}`, await generated(folder, [set])));
  }
  for (const args of selections) {
    const folder = newFolder();
    openProject(folder);
    const { selection, units } = await generated(folder, args);
    parts.push(section(`generate ${args.join(' ')}`, { selection, units }));
  }
  parts.push(section('scenarios that become cases', await scenarioIds(newFolder())));
  parts.push(section('the order in which answers are labelled', await labelOrder(newFolder())));
  return parts.join('\n');
}

function section(name: string, value: unknown): string {
  return `== ${name}\n${pretty(value)}\n`;
}

/** Returns the part of its eval sets that a run without scores stores. */
async function generated(folder: string, args: readonly string[]) {
  mkdirSync(join(folder, 'runs'), { recursive: true });
  const agent = join(folder, 'echo.mjs');
  writeFileSync(agent, 'export const agent = (text) => text;\n');
  const ended = await inProcess(['generate', 'echo.mjs', ...args, '--runs-folder', 'runs'], folder, {}, false);
  const [id] = readdirSync(join(folder, 'runs')).filter((name) => /^\d/.test(name));
  if (id === undefined) throw new Error(`${args.join(' ')}: ${ended.code} ${ended.err}`);
  const plan: Json = JSON.parse(readFileSync(join(folder, 'runs', id, 'plan.json'), 'utf8'));
  const inferences = linesOf(join(folder, 'runs', id, 'inferences.jsonl'));
  return {
    sets: setsOf(plan),
    seen: seenOf(inferences),
    selection: plan.selection ?? null,
    units: inferences.map(({ caseId, repeat }) => `${caseId} ${repeat}`).sort(),
  };
}

function setsOf(plan: Json): readonly string[] {
  return plan.sets.map(({ id, hash, content, cases }: Json) => `${id}: ${cases} cases, ${hash} ${content}`);
}

function seenOf(inferences: readonly Json[]): readonly string[] {
  return [...new Set(inferences.map(({ caseId, seen }) => `${caseId}: ${seen}`))].sort();
}

/** Returns the options by which a criterion is recognised in a later run. */
function judgedBy({ criteria }: Json): readonly unknown[] {
  return criteria
    .filter(({ byDefault }: Json) => byDefault !== true)
    .map(({ name, options, models }: Json) => ({ name, options, models }));
}

async function scenarioIds(folder: string): Promise<unknown> {
  copyFolder(join(root, 'test/corpus/projects/led'), folder);
  await inProcess(['eval_set', 'create', '.', 'made'], folder, {}, false);
  const files = ['--scenarios-file', 'scenarios.json', '--session-input-file', 'session_input.json'];
  const { code, err } = await inProcess(['eval_set', 'add_eval_case', '.', 'made', ...files], folder, {}, false);
  if (code !== 0) throw new Error(err);
  const set: Json = JSON.parse(readFileSync(join(folder, 'made.evalset.json'), 'utf8'));
  return set.eval_cases.map(({ eval_id }: Json) => eval_id);
}

async function labelOrder(folder: string): Promise<readonly string[]> {
  openOldFiles('2a0768d7', ['judged'], folder);
  await inProcess(['label', 'runs/judged', '--export', 'labels.csv', '--runs-folder', 'runs'], folder, {}, false);
  const [, ...rows] = readFileSync(join(folder, 'labels.csv'), 'utf8').trimEnd().split('\r\n');
  return rows.map((row) => row.split(',').slice(0, 6).join(','));
}
