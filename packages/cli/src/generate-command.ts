import { settingsOfFlags } from '@agent-criteria/project/config';
import type { Given } from './command-flags.ts';
import { executeAndReport } from './execute-and-report.ts';
import { caseFilter } from './flag-values.ts';
import type { Io } from './io.ts';
import { prepareFromArguments } from './prepare.ts';

/** Runs and records an agent, without judging it. */
export async function generateCommand({ flags, positionals }: Given<'generate'>, io: Io): Promise<number> {
  const asked = {
    settings: settingsOfFlags(flags),
    config: flags.config_file_path,
    agentName: flags.agent_name,
    cases: flags.case ?? [],
    filter: caseFilter(flags),
    variant: flags.variant,
    only: 'inferences',
  } as const;
  const prepared = await prepareFromArguments(positionals, asked, 'agent-criteria generate AGENT EVALSET', io);
  return executeAndReport(prepared, { json: flags.json === true, detailed: false }, io);
}
