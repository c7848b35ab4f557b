import type { Tool } from '../tool.ts';
import { addCase } from './add-case.ts';
import { cancelRun } from './cancel-run.ts';
import { compareRuns } from './compare-runs.ts';
import { editCase } from './edit-case.ts';
import { listEvalSets } from './list-eval-sets.ts';
import { listFailures } from './list-failures.ts';
import { listRuns } from './list-runs.ts';
import { showCase } from './show-case.ts';
import { showEvalCase } from './show-eval-case.ts';
import { startRun } from './start-run.ts';
import { validate } from './validate.ts';
import { waitForRun } from './wait-for-run.ts';

/** The tools of the server, in the order in which they are listed. */
export const tools: readonly Tool[] = [
  listEvalSets,
  showEvalCase,
  validate,
  listRuns,
  listFailures,
  showCase,
  compareRuns,
  startRun,
  waitForRun,
  cancelRun,
  addCase,
  editCase,
];
