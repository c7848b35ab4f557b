import type { Agent, Tools, Unit } from '@agent-criteria/core';
import { type CallPolicies, type Plan, plainTools } from '@agent-criteria/core/host';
import type { RunInference } from '@agent-criteria/results';
import pLimit from 'p-limit';
import { withOwnSignal } from './abort.ts';
import { type AgentInput, toAgent } from './agent-input.ts';
import { checkAgent } from './check-agent.ts';
import { checkStubs } from './check-stubs.ts';
import { converse } from './converse.ts';
import { checkPositive } from './settings.ts';
import { keyOf } from './unit.ts';
import { userCaller } from './user.ts';

export interface GenerateOptions {
  /** What to run: the cases of its eval set, with the simulated user where they need one. */
  readonly plan: Plan;
  readonly agent: AgentInput;
  /** How often each case runs, each time in a session of its own. Default 1. */
  readonly repeats?: number | undefined;
  /** How many sessions are open at once. Default 4. */
  readonly concurrency?: number | undefined;
  /** Milliseconds that one turn may take. Default 300,000. */
  readonly turnTimeout?: number | undefined;
  /** What stands before the models of simulated users. Default: nothing. */
  readonly policies?: CallPolicies | undefined;
  /** Aborting ends open sessions and starts no more; what was done is kept. */
  readonly signal?: AbortSignal | undefined;
}

/**
 * Runs the agent on every case: one inference for each case and repeat, in that order whatever ends first. One that
 * fails is an inference that ended by error; the others go on.
 *
 * @throws CriteriaError when the agent cannot be loaded, or says that no session of it can begin, or a number is out of
 *   range. Never for what the agent does.
 */
export async function generate(options: GenerateOptions): Promise<RunInference[]> {
  const { plan, repeats = 1, concurrency = 4, turnTimeout = 300_000, policies } = options;
  checkPositive({ repeats, concurrency, turnTimeout });
  const agent: Agent = await toAgent(options.agent);
  await checkStubs([plan], agent, options.signal);
  await checkAgent(agent, options.signal);
  const limit = pLimit(concurrency);
  return withOwnSignal(options.signal, (signal) => {
    const tools = (unit: Unit, turn: () => number): Tools => {
      const plain = plainTools(plan, signal);
      const by = plan.simulator?.simulator.name ?? 'user';
      return policies?.apply(plain, userCaller(keyOf(unit), by, turn)) ?? plain;
    };
    const run = (unit: Unit) =>
      converse(plan, agent, unit, { turnTimeout, signal, tools: (turn) => tools(unit, turn) });
    return Promise.all(
      unitsOf(plan, repeats).map((unit) => limit(async () => ({ key: keyOf(unit), inference: await run(unit) }))),
    );
  });
}

/** Every case and repeat of a plan, the repeats of a case together. */
function unitsOf(plan: Plan, repeats: number): Unit[] {
  const { evalSetId, evalCases } = plan.evalSet;
  return evalCases.flatMap((evalCase) =>
    Array.from({ length: repeats }, (_, repeat) => ({ setId: evalSetId, case: evalCase, repeat })),
  );
}
