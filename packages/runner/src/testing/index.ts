export { type JournalTest, type JournalTestOptions, journalTests } from './journal-tests.ts';
