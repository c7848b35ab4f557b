// A run as a process of its own, to be killed: `node killed-run.ts FOLDER LOG [BYTES]`. Every unit that the agent begins is a line of
// LOG. Once the inferences have so many bytes, the agent answers no more: the run does not end before it is killed. `files` for
// BYTES: the run is kept in a journal of one file for each unit.
import { appendFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import type { AgentFunction } from '@agent-criteria/core';
import { run } from '../run.ts';
import { fileJournal } from './file-journal.ts';
import { manyCases } from './many-cases.ts';

const [folder = '', log = '', bytes = 'Infinity'] = process.argv.slice(2);

const agent: AgentFunction = async (message, { key }) => {
  appendFileSync(log, `${JSON.stringify([key.setId, key.caseId, key.repeat])}\n`);
  const isLate = (statSync(join(folder, 'inferences.jsonl'), { throwIfNoEntry: false })?.size ?? 0) > Number(bytes);
  await new Promise((done) => setTimeout(done, isLate ? 2 ** 30 : 1));
  if (message.endsWith('7')) throw new Error('seven is too many');
  return message.endsWith('3') ? 'wrong' : message;
};

process.stdout.write('begins\n');
const place = bytes === 'files' ? { journal: await fileJournal(folder) } : { folder };
const outcome = await run({ sets: manyCases(), agent, repeats: 2, ...place });
process.stdout.write(`${JSON.stringify(outcome)}\n`);
process.exitCode = outcome.summary.exitCode;
