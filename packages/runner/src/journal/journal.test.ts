import { join } from 'node:path';
import { describe, it } from 'vitest';
import { folderOf } from '../../../../test/folder.ts';
import { fileJournal } from '../__fixtures__/file-journal.ts';
import { folderJournal } from '../run-folder/folder-journal.ts';
import { journalTests } from '../testing/index.ts';
import { memoryJournal } from './memory-journal.ts';

const newFolder = () => join(folderOf({}), 'journal');

describe('the journal in memory', () => {
  for (const { name, run } of journalTests(async () => memoryJournal, { persistent: false })) it(name, run);
});

describe('the journal of a run folder', () => {
  const place = async () => {
    const folder = newFolder();
    return () => folderJournal(folder);
  };
  for (const { name, run } of journalTests(place)) it(name, run);
});

describe('a journal of one file for each unit', () => {
  const place = async () => {
    const folder = newFolder();
    return () => fileJournal(folder);
  };
  for (const { name, run } of journalTests(place)) it(name, run);
});
