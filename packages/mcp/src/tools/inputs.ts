import { z } from 'zod';

/** The position from which a long answer is shown. */
export const from = z
  .int()
  .min(0)
  .default(0)
  .describe('Position in a long answer from which to show it, as the answer before says. Default 0.');

export const run = z
  .string()
  .min(1)
  .max(200)
  .default('last')
  .describe(
    'The run: its id or the start of it, its name, a commit, "last" (the last run of all cases) or "last~1". Default "last".',
  );

export const setFile = z
  .string()
  .describe('The file of the eval set, relative to the project, with forward slashes, as list_eval_sets shows it.');

export const evalCase = z
  .record(z.string(), z.unknown())
  .describe(
    'The eval case as JSON, as in an .evalset.json file: eval_id, and conversation with turns of user_content, final_response and intermediate_data, or in short {"user", "answer", "calls"}; or conversation_scenario.',
  );
