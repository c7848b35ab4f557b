import { changedJournal } from './changed-journal.ts';
import type { Journal } from './journal.ts';

/**
 * Keeps everything in two places. What is read comes from the first, and so do the tickets: the second may know the units
 * already, and gets higher ones.
 *
 * @param earlier How often the second was asked for these units before.
 * @param skips An inference that the second is not to keep, nor the scores of it.
 */
export function teeJournal(
  first: Journal,
  second: Journal,
  earlier: number,
  skips: (record: Parameters<Journal['keepInference']>[0]) => boolean,
): Journal {
  // Closing closes the first only: the second goes on with the next case.
  return changedJournal(first, {
    async keepInference(record) {
      const kept = await first.keepInference(record);
      if (!skips(record)) await second.keepInference({ ...record, ticket: record.ticket + earlier });
      return kept;
    },
    async keepScores(record) {
      const kept = await first.keepScores(record);
      const later = { ticket: record.ticket + earlier, of: record.of + earlier };
      const completed = record.case && { ...record.case, of: record.case.of.map((ticket) => ticket + earlier) };
      await second.keepScores({ ...record, ...later, case: completed });
      return kept;
    },
    async keepCall(record) {
      const kept = await first.keepCall(record);
      await second.keepCall(record);
      return kept;
    },
  });
}
