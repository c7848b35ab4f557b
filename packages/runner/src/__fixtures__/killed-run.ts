// A run as a process of its own, to be killed: `node killed-run.ts FOLDER LOG [BYTES [GATE LEASE]]`. Every unit that the agent begins
// is a line of LOG. Once the inferences have so many bytes, the agent answers no more, unless there is a file GATE: the run does
// not end before it is killed. `files` for BYTES: the run is kept in a journal of one file for each unit. LEASE: milliseconds.
import { appendFileSync, existsSync, statSync } from 'node:fs';
import { join } from 'node:path';
import type { AgentFunction } from '@agent-criteria/core';
import { run } from '../run.ts';
import { fileJournal } from './file-journal.ts';
import { manyCases } from './many-cases.ts';

const [folder = '', log = '', bytes = 'Infinity', gate = '', lease = '30000'] = process.argv.slice(2);

const agent: AgentFunction = async (message, { key }) => {
  appendFileSync(log, `${JSON.stringify([key.setId, key.caseId, key.repeat])}\n`);
  const isLate = (statSync(join(folder, 'inferences.jsonl'), { throwIfNoEntry: false })?.size ?? 0) > Number(bytes);
  if (isLate) process.stdout.write('at the gate\n');
  do await new Promise((done) => setTimeout(done, 1));
  while (isLate && !existsSync(gate));
  if (message.endsWith('7')) throw new Error('seven is too many');
  return message.endsWith('3') ? 'wrong' : message;
};

process.stdout.write('begins\n');
const place = bytes === 'files' ? { journal: await fileJournal(folder) } : { folder };
const outcome = await run({ sets: manyCases(), agent, repeats: 2, lease: Number(lease), ...place });
process.stdout.write(`${JSON.stringify(outcome)}\n`);
process.exitCode = outcome.summary.exitCode;
