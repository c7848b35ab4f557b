import { CriteriaError } from '@agent-criteria/core';
import { counted } from '@agent-criteria/core/host';
import { type PreparedRun, prepareRun } from '@agent-criteria/project';
import { asks, type Estimate, estimateCalls } from '@agent-criteria/project/plan';
import { checkRunName } from '@agent-criteria/project/runs';
import { limitsLeft, type SessionLimits } from '@agent-criteria/project/watch';
import { formatWarnings } from '@agent-criteria/report/console';
import { shownPath } from '@agent-criteria/runner';
import { z } from 'zod';
import { pathInside } from '../project/path-inside.ts';
import type { Workspace } from '../project/workspace.ts';
import { defineTool } from '../tool.ts';
import { setFile } from './inputs.ts';

const limit = z.number().positive().optional();

export const startRun = defineTool({
  name: 'start_run',
  title: 'Start a run',
  description:
    "Starts a run of an agent on eval sets, and answers as soon as it runs; wait_for_run waits for it. This executes the agent's code, which may call paid services by itself. The budget limits the calls of judges and simulated users: one limit is needed if there are any, and no limit of the project or of this server can be raised. With dry_run, only the estimate is shown.",
  input: z.object({
    agent: z
      .string()
      .optional()
      .describe(
        "The agent's module or folder, relative to the project. Default: the variants in the project's config.",
      ),
    eval_sets: z.array(setFile).min(1).max(100).optional().describe("Default: all in the agent's folder."),
    cases: z.array(z.string()).min(1).max(1000).optional().describe('Only the cases with these ids. Default: all.'),
    only_failed: z.boolean().default(false).describe('Only the cases that did not pass in the last run of this agent.'),
    repeats: z.int().min(1).max(100).optional().describe('How often each case runs. Default: as configured.'),
    max_calls: limit.describe('The most calls of judges and simulated users.'),
    max_tokens: limit.describe('The most tokens of judges and simulated users.'),
    max_cost: limit.describe('The most that judges and simulated users may cost, at the prices in the config.'),
    name: z.string().optional().describe('A name for the run. Default: none.'),
    dry_run: z.boolean().default(false).describe('Only estimate the calls. Default false.'),
  }),
  changes: 'runs',
  async call(given, workspace) {
    const { root, projectOptions, runs } = workspace;
    if (given.name !== undefined) checkRunName(given.name, (await workspace.open()).runsFolder);
    const limits = await limitsOf(given, workspace);
    const [agent, evalSets] = await Promise.all([
      given.agent === undefined ? undefined : pathInside(root, given.agent).then(own),
      given.eval_sets === undefined
        ? undefined
        : Promise.all(given.eval_sets.map((set) => pathInside(root, set).then(own))),
    ]);
    const { repeats } = given;
    const prepared = await prepareRun({
      ...projectOptions,
      settings: { ...projectOptions.settings, ...limits, ...(repeats !== undefined && { repeats }) },
      agent,
      evalSets,
      cases: given.cases,
      filter: given.only_failed ? { failedIn: 'last' } : {},
    });
    for (const one of prepared.agents) if (one.agent !== null) await workspace.alsoMask(one.agent.file);
    const estimate = await estimateCalls(prepared);
    const planned = plannedText(prepared, estimate);
    const data = [formatWarnings(prepared.warnings, { width: Number.POSITIVE_INFINITY })].filter((text) => text !== '');
    if (given.dry_run) return { says: `Nothing was run. ${planned}`, ...(data.length > 0 && { data }) };
    checkBudget(estimate, planned);
    const run = await runs.start(prepared, given.name);
    // Failures are shown by wait_for_run.
    run.done.catch(() => undefined);
    return {
      says: `The run ${run.id} is under way. ${planned}`,
      ...(data.length > 0 && { data }),
      advice: `Wait for it with wait_for_run, "run": "${run.id}".`,
    };
  },
});

/** Names a path as a command in the project would, which is how runs record it. */
function own(path: string): string {
  return shownPath(path);
}

/** Returns the smallest limits of those asked for, those of the project, and what is left of those of this server. */
async function limitsOf(
  {
    max_calls: maxCalls,
    max_tokens: maxTokens,
    max_cost: maxCost,
  }: {
    readonly max_calls?: number | undefined;
    readonly max_tokens?: number | undefined;
    readonly max_cost?: number | undefined;
  },
  { open, limits, runs }: Workspace,
): Promise<SessionLimits> {
  const { settings } = (await open()).config;
  const left = limitsLeft(limits, runs.spent());
  const smallest = (name: keyof SessionLimits, asked: number | undefined): SessionLimits => {
    const all = [asked, settings[name], left[name]].filter((one) => one !== undefined);
    return all.length === 0 ? {} : { [name]: Math.min(...all) };
  };
  return {
    ...smallest('maxCalls', maxCalls === undefined ? undefined : Math.max(1, Math.floor(maxCalls))),
    ...smallest('maxTokens', maxTokens === undefined ? undefined : Math.max(1, Math.floor(maxTokens))),
    ...smallest('maxCost', maxCost),
  };
}

function plannedText({ sets, repeats, agents }: PreparedRun, { rows, total }: Estimate): string {
  const cases = sets.reduce((sum, { plan }) => sum + plan.evalSet.evalCases.length, 0);
  const often = repeats === 1 ? '' : `, ${repeats} times each`;
  const by = agents.length === 1 ? '' : `, with ${agents.length} variants`;
  const { calls } = total;
  const most = calls === null ? 'an unknown number of calls' : `up to ${counted(calls.max, 'call')}`;
  const asked = rows.some(asks) ? ` Judges and simulated users make ${most}.` : ' No judge or simulated user is asked.';
  return `${counted(cases, 'case')}${often}${by}.${asked}`;
}

/** @throws CriteriaError USAGE if a run could ask models without any limit. */
function checkBudget({ rows, budget }: Estimate, planned: string): void {
  if (!rows.some(asks) || Object.values(budget).some((one) => one !== undefined)) return;
  const message = `this run asks models and has no budget: call start_run again with max_calls, max_tokens or max_cost. ${planned}`;
  throw new CriteriaError({ code: 'USAGE', message });
}
