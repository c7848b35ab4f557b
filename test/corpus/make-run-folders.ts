// Creates the runs in run-folders/VERSION with the current code, from the project there: once per version, never again.
// node --conditions=@agent-criteria/source test/corpus/make-run-folders.ts VERSION
import { cpSync, mkdirSync, readdirSync, rmSync, statSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import process from 'node:process';
import { asProcess, inFolders, inProcess } from './perform.ts';
import { oldRuns, openProject, resumeOldRun, runWhole, type Totals } from './run-folders.ts';

const [version] = process.argv.slice(2);
if (version === undefined) throw new Error('name the version: the commit whose code this is');
const place = join(import.meta.dirname, 'run-folders', version);

await inFolders(async (newFolder) => {
  const project = newFolder();
  openProject(version, project);
  const record = ['desk.evalset.json', 'guided/led.evalset.json', '--num_runs', '2', '--record', 'judge.jsonl'];
  await inProcess(['eval', '.', ...record, '--no_run_folder'], project, {}, false);
  cpSync(join(project, 'judge.jsonl'), join(place, 'project', 'judge.jsonl'));

  rmSync(join(place, 'runs'), { recursive: true, force: true });
  const expected: Record<string, Totals> = {};
  for (const run of oldRuns) {
    const folder = newFolder();
    openProject(version, folder);
    const { code, err } = await asProcess([...run.begun, '--runs_folder', 'runs'], folder, run.environment);
    if (run.scored !== undefined) await asProcess([...run.scored, '--runs_folder', 'runs'], folder, {});
    const [id] = readdirSync(join(folder, 'runs'));
    if (id === undefined) throw new Error(`${run.name} left no run: ${err}`);
    const kept = join(place, 'runs', run.name);
    mkdirSync(kept, { recursive: true });
    cpSync(join(folder, 'runs', id), kept, { recursive: true });
    // The lock belongs to a process that no longer exists; the .gitignore would make git ignore the whole folder.
    for (const name of ['lock', '.gitignore']) rmSync(join(kept, name), { force: true });
    const inferences = join(kept, 'inferences.jsonl');
    if (run.torn === true) truncateSync(inferences, statSync(inferences).size - 100);
    const whole = await runWhole(version, run, newFolder());
    const resumed = await resumeOldRun(version, run, newFolder());
    console.log(run.name, 'ended with', code, 'asked', resumed.asked.length, 'of', whole.asked.length);
    expected[run.name] = { ...whole, asked: resumed.asked };
  }
  writeFileSync(join(place, 'expected.json'), `${JSON.stringify(expected, null, 2)}\n`);
});
process.exit();
