import type { Invocation, Part } from '@agent-criteria/core';
import { isObject } from '@agent-criteria/formats';
import { type AgentStep, appDetailsOf, invocationOf, toolDeclarations } from '@agent-criteria/formats/messages';
import { AGENT, type Conversation } from '../conversation.ts';
import { type Fields, objectIn, objectsIn } from '../fields.ts';
import { textIn } from '../messages/read-parts.ts';
import { contentParts, openAgentSteps, textSteps } from './agent-steps.ts';

type OnLoss = (what: string, where: string) => void;

/** The keys of a trajectory and of a step that are read. */
const OF_TRAJECTORY = [
  ...['schema_version', 'session_id', 'trajectory_id', 'agent', 'steps', 'subagent_trajectories', 'final_metrics'],
];
const OF_STEP = [
  ...['step_id', 'timestamp', 'source', 'model_name', 'message', 'reasoning_content', 'tool_calls', 'observation'],
  ...['metrics', 'llm_call_count', 'is_copied_context'],
];

/** Whether a value is a trajectory in the Agent Trajectory Interchange Format of Harbor, in any version 1. */
export function isAtif(value: unknown): value is Fields {
  if (!isObject(value) || !Array.isArray(value.steps)) return false;
  return typeof value.schema_version === 'string' && /^ATIF-v1\b/.test(value.schema_version);
}

interface OpenTurn {
  readonly user: Part[];
  readonly steps: AgentStep[];
  /** The parts of the last step of the agent that says something and makes no call, or `null`. */
  answer: readonly Part[] | null;
  isReplied: boolean;
  /** Whether every step was copied from an earlier trajectory. */
  isCopied: boolean;
  readonly at: number | undefined;
}

/**
 * Reads a trajectory: a turn for each message of the user, with what the agent said, called and got back. Steps of other
 * agents whose trajectories are in the file stand between the call to the agent and its result. Copied turns at the
 * start are history.
 *
 * @returns `null` if there is no message of the user.
 */
export function readAtif(trajectory: Fields, where: string, onLoss: OnLoss): Conversation | null {
  const lose = (what: string): void => onLoss(what, where);
  loseOthers(trajectory, OF_TRAJECTORY, 'trajectories', lose);
  const agent = objectIn(trajectory.agent);
  const author = textOf(agent.name) ?? AGENT;
  const steps = objectsIn(trajectory.steps);
  const agentSteps = openAgentSteps(objectsIn(trajectory.subagent_trajectories), lose);
  const turns: OpenTurn[] = [];
  const instructions: string[] = [];
  for (const step of steps) {
    loseOthers(step, OF_STEP, 'steps', lose);
    const isCopied = step.is_copied_context === true;
    const last = turns.at(-1);
    if (step.source === 'system') {
      if (last === undefined) instructions.push(textIn(step.message));
      else lose('steps of the system after the first message of the user, left out');
      continue;
    }
    if (step.source === 'user') {
      const parts = contentParts(step.message, lose);
      if (last !== undefined && !last.isReplied) {
        last.user.push(...parts);
        last.isCopied &&= isCopied;
      } else {
        const at = timeOf(step.timestamp);
        turns.push({ user: [...parts], steps: [], answer: null, isReplied: false, isCopied, at });
      }
      continue;
    }
    if (last === undefined) {
      lose('steps of the agent before the first message of the user, left out');
      continue;
    }
    last.isReplied = true;
    last.isCopied &&= isCopied;
    const { before, said, after } = agentSteps(step, null);
    // The text that seemed to be the answer was a step on the way, because the agent went on.
    last.steps.push(...textSteps(last.answer ?? [], lose));
    last.steps.push(...before);
    last.answer = after.length === 0 && said.length > 0 ? said : null;
    if (last.answer === null) last.steps.push(...textSteps(said, lose), ...after);
  }
  if (turns.length === 0) return null;
  loseTotals(trajectory, steps, lose);
  const tools = objectsIn(agent.tool_definitions);
  const appDetails = appDetailsOf([
    {
      name: author,
      instructions: instructions.filter(Boolean).join('\n\n') || undefined,
      tools: tools.length === 0 ? undefined : toolDeclarations(tools),
    },
  ]);
  const times = steps.flatMap(({ timestamp }) => timeOf(timestamp) ?? []);
  const [first] = times;
  const copied = turns.findIndex(({ isCopied }) => !isCopied);
  return {
    id: textOf(trajectory.trajectory_id) ?? textOf(trajectory.session_id) ?? null,
    where,
    turns: turns.map((turn): Invocation => {
      const { user, steps: own, answer, at } = turn;
      const userContent = { role: 'user', parts: user };
      const said = answer === null ? null : { role: 'model', parts: answer };
      return {
        ...invocationOf({ userContent, answer: said, steps: own, author }),
        ...(appDetails === null ? {} : { appDetails }),
        ...(at === undefined ? {} : { creationTimestamp: at / 1000 }),
      };
    }),
    expected: new Map(),
    ...(copied > 0 ? { history: copied } : {}),
    ...(first === undefined ? {} : { startedAt: first, endedAt: Math.max(...times.slice(-1), first) }),
  };
}

function loseOthers(value: Fields, known: readonly string[], of: string, lose: (what: string) => void): void {
  for (const key of Object.keys(value)) {
    if (!known.includes(key) && value[key] !== null) lose(`the key "${key.slice(0, 60)}" of ${of}, left out`);
  }
}

/** Lists totals that are not the sums of what was read. */
function loseTotals(trajectory: Fields, steps: readonly Fields[], lose: (what: string) => void): void {
  const totals = objectIn(trajectory.final_metrics);
  const hasCounts = steps.some(({ metrics }) => typeof objectIn(metrics).prompt_tokens === 'number');
  if (typeof totals.total_prompt_tokens === 'number' && !hasCounts)
    lose('token counts of whole trajectories, left out');
  if (typeof totals.total_cost_usd === 'number') lose('costs, left out');
}

function textOf(value: unknown): string | undefined {
  return typeof value === 'string' && value !== '' ? value : undefined;
}

function timeOf(value: unknown): number | undefined {
  const time = typeof value === 'string' ? Date.parse(value) : Number.NaN;
  return Number.isNaN(time) ? undefined : time;
}
