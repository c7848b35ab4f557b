import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { folderOf } from '../../../../test/folder.ts';
import { fileJournal } from '../__fixtures__/file-journal.ts';
import { folderJournal } from '../run-folder/folder-journal.ts';
import { journalTests } from '../testing/index.ts';
import { statesByKey } from './journal.ts';
import { type JournalBackend, journalOf } from './journal-of.ts';
import { memoryBackend, memoryJournal } from './memory-journal.ts';

const newFolder = () => join(folderOf({}), 'journal');

describe('the in-memory journal', () => {
  for (const { name, run } of journalTests(async () => memoryJournal, { persistent: false })) it(name, run);
});

describe('the journal of a run folder', () => {
  const place = async () => {
    const folder = newFolder();
    return () => folderJournal(folder);
  };
  for (const { name, run } of journalTests(place)) it(name, run);
});

describe('a journal with one file per unit', () => {
  const place = async () => {
    const folder = newFolder();
    return () => fileJournal(folder);
  };
  for (const { name, run } of journalTests(place)) it(name, run);
});

/** Creates a backend in which everything takes a while, as it would across a network. */
function slowBackend(): JournalBackend {
  const { states, ...others } = memoryBackend();
  const slow = Object.entries(others).map(([name, work]) => {
    return [name, async (...given: never[]) => sleep(1).then(() => (work as (...all: never[]) => unknown)(...given))];
  });
  return { ...Object.fromEntries(slow), states };
}

describe('a journal with a remote backend', () => {
  const place = async () => () => journalOf(slowBackend());
  for (const { name, run } of journalTests(place, { persistent: false })) it(name, run);
});

it("a journal reads its backend's states only once until a record is stored", async () => {
  const backend = memoryBackend();
  let listed = 0;
  const journal = await journalOf({
    ...backend,
    states() {
      listed += 1;
      return backend.states();
    },
  });
  const states = async () =>
    [...(await statesByKey(journal.states())).values()].map(({ inferred }) => inferred?.ticket);
  expect([await states(), await states(), listed]).toEqual([[], [], 1]);
  const key = { setId: 'set', caseId: 'one', repeat: 0 };
  const inference = {
    sessionId: 's',
    invocations: [],
    state: { initial: null, final: null },
    ending: { by: 'end-of-case' },
  } as const;
  await journal.keepInference({ key, ticket: 2, seen: 'seen', inference, startedAt: 1, endedAt: 2 });
  expect(await states()).toEqual([2]);
});
