import { type PreparedRun, prepareRun } from '@agent-criteria/project';
import { settingsOfFlags } from '@agent-criteria/project/config';
import { checkRunName, variantsOf } from '@agent-criteria/project/runs';
import { isUrl } from '@agent-criteria/runner';
import { portOf, usage } from './arguments.ts';
import type { Given } from './command-flags.ts';
import { dryRun } from './dry-run.ts';
import { executeAndReport } from './execute-and-report.ts';
import { shownFlag } from './flag-table.ts';
import { askedGates, caseFilter } from './flag-values.ts';
import type { Io } from './io.ts';
import { type Asked, prepareFromArguments, printPrepared } from './prepare.ts';
import { projectOptions } from './project.ts';
import { reportFiles } from './report-file.ts';
import type { EvalHistory } from './report-run.ts';

/** Runs an agent on eval sets and scores it. Everything is checked before anything runs. */
export async function evalCommand({ flags, positionals }: Given<'eval'>, io: Io): Promise<number> {
  const set = settingsOfFlags(flags);
  const reports = reportFiles(flags.output ?? []);
  const leaveNothing = flags.no_run_folder === true;
  const gates = askedGates(flags);
  for (const [flag, value] of Object.entries({ runs_folder: set.runsFolder, cache: set.cache || undefined })) {
    if (leaveNothing && value !== undefined)
      throw usage(`${shownFlag(flag)} and --no-run-folder contradict each other`);
  }
  const asked = {
    config: flags.config_file_path,
    agentName: flags.agent_name,
    cases: flags.case ?? [],
    filter: caseFilter(flags),
    variant: flags.variant,
    gates: gates.gates,
    settings: leaveNothing ? { ...set, cache: false as const } : set,
    estimateOnly: flags.dry_run === true,
  };
  const { name } = flags;
  if (name !== undefined && leaveNothing) throw usage('--name and --no-run-folder contradict each other');
  if (flags.watch === true) return watch({ flags, positionals }, asked, io);
  if (flags.inspect !== undefined) {
    throw usage('--inspect is for agents in processes of their own: add --watch, or use node --inspect');
  }
  const prepared = await prepareFromArguments(positionals, asked, FORM, io);
  const evalHistory = flags.eval_history === true ? histories(prepared, positionals) : undefined;
  const first = reports.find(({ format }) => format === 'adk');
  const { sets } = prepared;
  const variants = variantsOf(prepared) ?? [];
  if (first !== undefined && (sets.length > 1 || variants.length > 1)) {
    const instead = 'use --eval-history, or run agent-criteria report --format adk --output FOLDER afterwards';
    const [what, count] = sets.length > 1 ? ['eval set', sets.length] : ['variant', variants.length];
    throw usage(`"${first.file}" can contain only one ${what}, but there are ${count}: ${instead}`);
  }
  const json = flags.json === true;
  if (flags.dry_run === true) return dryRun(prepared, json, io);
  if (name !== undefined) checkRunName(name, prepared.project.runsFolder);
  const detailed = flags.print_detailed_results === true;
  const confirm = flags.confirm === true;
  return executeAndReport(prepared, { json, detailed, leaveNothing, reports, evalHistory, gates, confirm, name }, io);
}

const FORM = 'agent-criteria eval AGENT EVALSET';

/** Flags that make no sense for runs that are repeated on every change. */
const NOT_WATCHED = ['confirm', 'dry_run', 'eval_history', 'json', 'name', 'no_run_folder', 'output'] as const;

async function watch({ flags, positionals }: Omit<Given<'eval'>, 'form'>, asked: Asked, io: Io): Promise<number> {
  for (const name of NOT_WATCHED) {
    if (flags[name] !== undefined) throw usage(`--watch and ${shownFlag(name)} contradict each other`);
  }
  const { watchEval } = await import('./watch/watch-eval.ts');
  const { maxCalls, maxTokens, maxCost } = asked.settings;
  return watchEval(
    {
      async prepare(todo, settings, own) {
        const all = { ...asked, settings: { ...asked.settings, ...settings } };
        if (todo.kind === 'all') return prepareFromArguments(positionals, all, FORM, own);
        if (todo.kind === 'judge') return prepareRescoring(todo.run, all, own);
        const { evalSets, cases = all.cases } = todo;
        return prepareFromArguments(positionals, { ...all, evalSets, cases }, FORM, own);
      },
      options: { json: false, detailed: flags.print_detailed_results === true, gates: askedGates(flags) },
      limits: { maxCalls, maxTokens, maxCost },
      paths: [...positionals, ...(flags.config_file_path === undefined ? [] : [flags.config_file_path])].filter(
        (path) => !isUrl(path),
      ),
      inspect: portOf('inspect', flags.inspect),
    },
    io,
  );
}

/** Prepares to judge an earlier run again, because only its config has changed. */
async function prepareRescoring(run: string, { settings, config, filter, cases }: Asked, io: Io): Promise<PreparedRun> {
  const source = { kind: 'rescore', run } as const;
  const prepared = await prepareRun({ ...projectOptions(settings, io), source, config, filter, cases });
  printPrepared(prepared, io);
  return prepared;
}

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
  const { name } = flags;
  if (name !== undefined) checkRunName(name, prepared.project.runsFolder);
  return executeAndReport(prepared, { json: flags.json === true, detailed: false, name }, io);
}

/**
 * Returns the agents whose folders get ADK's result files. @throws CriteriaError USAGE for an agent without a folder.
 */
function histories({ agents }: PreparedRun, positionals: readonly string[]): readonly EvalHistory[] {
  const of = agents.flatMap<EvalHistory>(({ variant, agent }) =>
    variant === undefined
      ? positionals.slice(0, 1).map((path) => ({ agent: path }))
      : [{ variant, agent: agent?.file ?? '' }],
  );
  if (of.some(({ agent }) => isUrl(agent))) throw usage('--eval-history needs an agent with a folder');
  return of;
}
