// Writes the files of old-files/VERSION with the code of this checkout, and the facts read from them: once per version.
// node --conditions=@agent-criteria/source test/corpus/make-old-files.ts VERSION
import { cpSync, existsSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import process from 'node:process';
import { openOldFiles, read, readingsOf, runsOf, versions } from './old-files.ts';
import { asProcess, inFolders, inProcess } from './perform.ts';
import { pretty } from './pretty.ts';

const [version] = process.argv.slice(2);
if (version === undefined) throw new Error('name the version: the commit whose code this is');
const place = join(import.meta.dirname, 'old-files', version);
for (const name of ['runs', 'cache']) rmSync(join(place, name), { recursive: true, force: true });
if (version === versions[0])
  for (const name of ['judge.jsonl', 'labels.csv', 'instrument.json'])
    rmSync(join(place, 'project', name), { force: true });

/** Runs a command in this process; it must succeed. */
async function must(args: string[], folder: string): Promise<void> {
  const { code, err } = await inProcess([...args, '--runs-folder', 'runs'], folder, {}, false);
  if (code !== 0) throw new Error(`${args.join(' ')}: ${code} ${err}`);
}

await inFolders(async (newFolder) => {
  for (const { name, begun, environment = {}, baselineOnly } of runsOf(version)) {
    const folder = newFolder();
    openOldFiles(version, [], folder);
    const { code, err } = await asProcess([...begun, '--runs-folder', 'runs'], folder, environment);
    const [id] = (existsSync(join(folder, 'runs')) ? readdirSync(join(folder, 'runs')) : []).filter(
      (one) => !one.startsWith('.'),
    );
    if (id === undefined) throw new Error(`${name} left no run: ${err}`);
    console.log(name, 'ended with', code);
    const kept = join(place, 'runs', name);
    if (name === 'judged') {
      const record = ['--no-cache', '--no-run-folder', '--recording', 'judge.jsonl:record'];
      await inProcess(['eval', '.', 'desk.evalset.json', ...record], folder, {}, false);
      cpSync(join(folder, 'judge.jsonl'), join(place, 'project/judge.jsonl'));
      cpSync(join(folder, 'cache'), join(place, 'cache'), { recursive: true });
      rmSync(join(place, 'cache/.gitignore'), { force: true });
      const rows = [
        'agrees,1,pass,',
        'contradicts,1,fail,it is wrong',
        'two_turns,1,pass,',
        'two_turns,2,fail,"too short, ""two"" says nothing"',
      ];
      const lines = rows.map((row) => row.replace(/^(\w+),(\d),/, 'desk,$1,1,$2,final_response_match_v2,'));
      const csv = ['eval_set_id,eval_id,repeat,turn,metric_name,label,reason', ...lines].join('\n');
      writeFileSync(join(place, 'project/labels.csv'), `${csv}\n`);
      writeFileSync(join(folder, 'labels.csv'), `${csv}\n`);
      await must(['label', `runs/${id}`, '--import', 'labels.csv', '--by', 'ada'], folder);
      await inProcess(
        ['calibrate', `runs/${id}`, '--output', 'instrument.json', '--runs-folder', 'runs'],
        folder,
        {},
        false,
      );
      cpSync(join(folder, 'instrument.json'), join(place, 'project/instrument.json'));
    }
    if (['seven', 'three', 'groups'].includes(name)) {
      await must(['baseline', 'set', `runs/${id}`, '--output', `${name}.base.json`], folder);
      cpSync(join(folder, `${name}.base.json`), join(place, `project/${name}.base.json`));
    }
    if (baselineOnly === true) continue;
    cpSync(join(folder, 'runs', id), kept, { recursive: true });
    // The lock belongs to a process that no longer exists; the .gitignore would make git ignore the whole folder.
    for (const file of ['lock', '.gitignore']) rmSync(join(kept, file), { force: true });
  }
  const facts: Record<string, unknown> = {};
  for (const reading of readingsOf(version)) facts[reading.name] = await read(version, reading, newFolder());
  writeFileSync(join(place, 'facts.json'), `${pretty(JSON.parse(JSON.stringify(facts)))}\n`);
});
process.exit();
