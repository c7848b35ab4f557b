// Runs an evaluation in its own process, for a test to kill: `node killed-run.ts FOLDER LOG [BYTES [GATE LEASE]]`. Each
// unit that the agent starts adds a line to LOG. Once the inferences exceed BYTES, the agent stops answering until the
// file GATE exists, so the run cannot end before it is killed. If BYTES is `files`, the run is stored in a journal with
// one file per unit. LEASE is in milliseconds.
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
