import { createInterface } from 'node:readline';
import { stripVTControlCharacters } from 'node:util';
import { acceptAnswers, listSets, readLastRun, runSet } from './workbench.ts';

const agent = process.argv[2] ?? import.meta.dirname;
// Eval sets and agents may come from anywhere: their text must not steer the terminal.
const print = (line: string): void => console.log(stripVTControlCharacters(line));
const printAll = (lines: readonly string[]): void => lines.forEach(print);

async function obey(command: string, [set = '', evalCase = '']: readonly string[]): Promise<void> {
  if (command === 'sets') printAll(await listSets(agent));
  else if (command === 'run') await runSet(agent, set, print);
  else if (command === 'show') printAll(await readLastRun(agent));
  else if (command === 'accept') await acceptAnswers(agent, set, evalCase);
  else print('sets | run SET | show | accept SET CASE');
}

for await (const line of createInterface({ input: process.stdin })) {
  const [command = '', ...words] = line.trim().split(/\s+/);
  // Every mistake in files, names and configs comes as one error, with a message that says what to do.
  await obey(command, words).catch((error: Error) => print(error.message));
}
