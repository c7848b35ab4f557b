import { CriteriaError, formatProblem } from '@agent-criteria/core';
import { userStack } from '@agent-criteria/runner/load';
import manifest from '../package.json' with { type: 'json' };
import { criteriaCommand } from './criteria-command.ts';
import { evalCommand } from './eval-command.ts';
import type { Io } from './io.ts';
import { safe } from './terminal.ts';

const HELP = `Usage: agent-criteria <command>

  eval AGENT EVALSET[:case1,case2]...   run an agent on eval sets and judge what it did
  criteria                              list the criteria there are

AGENT is a module (.ts, .js) or a folder with an agent.ts, agent.js or index. EVALSET is a file, or a folder of
*.evalset.json and *.test.json files.

Flags of eval:
  --config_file_path FILE     what to judge by (default: test_config.json beside each eval set, else
                              tool_trajectory_avg_score 1.0 and response_match_score 0.8)
  --print_detailed_results    every case and turn: prompt, expected and actual answer and calls, scores
  --num_runs N                run each case N times (default 1)
  --compat adk                the numbers of ADK Python, its oddities included; verdicts stay honest
  --json                      the whole result as JSON on standard output, and nothing else there
Flags of criteria:
  --config_file_path FILE     also list the criteria of this config's plugins
  --json

Exit codes: 0 all passed, 1 something failed, 2 a mistake in what was asked (nothing ran),
3 nothing failed but something was not evaluated or broke, 130 interrupted.
`;

/** Runs a command line and gives its exit code. Never rejects. */
export async function run(args: readonly string[], io: Io): Promise<number> {
  const [command, ...rest] = args;
  try {
    if (command === undefined || command === 'help' || args.includes('--help') || args.includes('-h')) {
      if (command === undefined) io.err(HELP);
      else io.out(HELP);
      return command === undefined ? 2 : 0;
    }
    if (command === '--version' || command === 'version') {
      io.out(`${manifest.version}\n`);
      return 0;
    }
    if (command === 'eval') return await evalCommand(rest, io);
    if (command === 'criteria') return await criteriaCommand(rest, io);
    throw new CriteriaError({
      code: 'USAGE',
      message: `there is no command "${command}"; the commands are eval and criteria (see --help)`,
    });
  } catch (error) {
    return report(error, io);
  }
}

/** What we throw on purpose was found before anything ran: 2. Anything else is a fault of ours, and judged nothing: 3. */
function report(error: unknown, io: Io): number {
  if (!CriteriaError.is(error)) {
    const stack = error instanceof Error ? (error.stack ?? error.message) : String(error);
    io.err(`This is a mistake in agent-criteria, please report it.\n${safe(stack)}\n`);
    return 3;
  }
  for (const problem of error.problems) io.err(`${safe(formatProblem(problem))}\n`);
  const { cause } = error;
  if (error.code === 'AGENT_FAILED' && cause instanceof Error) {
    // The user's own stack says where their module broke; ours says nothing. Without a frame, all is said above.
    const stack = userStack(cause);
    if (stack !== `${cause.name}: ${cause.message}`.trimEnd()) io.err(`${safe(stack)}\n`);
  }
  return 2;
}
