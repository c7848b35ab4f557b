import { contentText, type EvalCase } from '@agent-criteria/core';
import { type CriterionVerdict, endedInError, type Verdict } from '@agent-criteria/core/host';
import { groupOf, stringifyJson } from '@agent-criteria/formats';
import { historyLength } from '@agent-criteria/formats/parse';
import { fieldOf } from '@agent-criteria/formats/schema';
import { agentCost, type Prices, type RunCase } from '@agent-criteria/results';
import type { Unknown } from '@agent-criteria/statistics';
import { isTooLarge } from './estimate.ts';
import { fingerprint } from './fingerprint.ts';

/** The results of a case that statistics need. Plain JSON. */
export interface CaseOutcome {
  readonly setId: string;
  readonly caseId: string;
  /** The case's `agent_criteria.group`, or `null` if it has none. Cases of one group are not independent. */
  readonly group: string | null;
  readonly verdict: Verdict;
  /** One sentence. Absent if the case passed. */
  readonly reason?: string | undefined;
  /** A hash of the agent's input. */
  readonly asked: string;
  /** A hash of the whole case, including references and rubrics. */
  readonly version: string;
  readonly criteria: readonly CriterionOutcome[];
  readonly repeats: readonly RepeatOutcome[];
}

export interface CriterionOutcome {
  readonly name: string;
  readonly verdict: CriterionVerdict;
  /** The reason why it was not evaluated. Absent otherwise, and in a baseline. */
  readonly reason?: string | undefined;
  /** The score over all repeats, or `null` if there is none. */
  readonly score: number | null;
  /** The share of the case that has a score, 0 to 1, or `null` if the criterion does not apply to it. */
  readonly coverage: number | null;
  /** The score of each repeat, in order, or `null` if it has none. */
  readonly scores: readonly (number | null)[];
}

export interface RepeatOutcome {
  /** From 0. */
  readonly repeat: number;
  /** Whether it passed, or `null` if it could not be judged or no criterion decides. */
  readonly passed: boolean | null;
  /** The text of the agent's last answer, truncated, or `null` if no turn is known. */
  readonly answer: string | null;
  /** The cost of the agent's model calls, or the reason why it is unknown. Absent without prices, and in a baseline. */
  readonly cost?: number | Unknown | undefined;
}

/** The maximum length of an answer or a reason, in characters. */
const LONGEST_TEXT = 300;

/**
 * Reduces a case to its results.
 *
 * @param prices Model prices. Default: costs are not computed.
 */
export function caseOutcome({ setId, evalCase, result, inferences }: RunCase, prices?: Prices): CaseOutcome {
  const costs = new Map(inferences.map((one) => [one.key.repeat, prices && costOf(one, prices)]));
  const answers = new Map(inferences.map(({ key, inference }) => [key.repeat, lastAnswer(inference.invocations)]));
  return {
    setId,
    caseId: evalCase.evalId,
    group: groupOf(evalCase),
    verdict: result.verdict,
    ...(result.reason === undefined ? {} : { reason: result.reason }),
    asked: askedOf(evalCase),
    version: fingerprint(stringifyJson(evalCase)),
    criteria: result.criteria.map(({ name, verdict, reason, score, coverage }) => ({
      name,
      verdict,
      ...(verdict === 'not-evaluated' && reason !== undefined ? { reason: shortened(reason) } : {}),
      score,
      coverage,
      scores: result.units.map((unit) => unit.criteria.find((own) => own.name === name)?.score ?? null),
    })),
    repeats: result.units.map(({ repeat, verdict }) => ({
      repeat,
      passed: passedOf(verdict),
      answer: answers.get(repeat) ?? null,
      ...(prices === undefined ? {} : { cost: costs.get(repeat) ?? { unknown: 'the agent did not run' } }),
    })),
  };
}

/** Computes the cost, which is unknown after an error because a call may have been in flight. */
function costOf(one: RunCase['inferences'][number], prices: Prices): number | Unknown {
  if (endedInError(one.inference.ending))
    return { unknown: 'a conversation that ended in an error may have cost more' };
  const cost = agentCost(one, prices);
  return typeof cost === 'number' && isTooLarge(cost) ? { unknown: `it is ${cost}, too large to compute with` } : cost;
}

/** Whether a verdict is a pass, or `null` if it could not be judged or no criterion decides. */
export function passedOf(verdict: Verdict | CriterionVerdict): boolean | null {
  return verdict === 'passed' ? true : verdict === 'failed' ? false : null;
}

/** Returns a hash of the agent's input. Cases with different ones ask different things, whatever their ids. */
export function askedOf(evalCase: EvalCase): string {
  return fingerprint(stringifyJson(asked(evalCase)));
}

/** The keys of a case's environment besides its stubs. */
const ENVIRONMENT = ['simulationModel', 'simulationModelConfiguration', 'environmentData', 'tracing', 'unlistedTools'];

/** Returns the agent's entire input, including its own answers in history turns and what answers in place of its tools. */
function asked(evalCase: EvalCase): unknown {
  const { conversation, conversationScenario, sessionInput, agentCriteria } = evalCase;
  const history = conversation?.slice(0, historyLength(evalCase)) ?? [];
  const stubs = fieldOf(agentCriteria, 'toolSimulationConfigs') ?? null;
  const environment = ENVIRONMENT.map((name) => fieldOf(agentCriteria, name) ?? null);
  return [
    conversation?.map(({ userContent }) => userContent.parts),
    conversationScenario,
    sessionInput,
    ...(history.length === 0 ? [] : [{ history }]),
    ...(stubs === null ? [] : [{ stubs }]),
    ...(environment.every((value) => value === null) ? [] : [{ environment }]),
  ];
}

function lastAnswer(invocations: RunCase['inferences'][number]['inference']['invocations']): string | null {
  const last = invocations.at(-1);
  if (last === undefined) return null;
  return shortened(contentText(last.finalResponse).trim());
}

/** Truncates a string to 300 characters. */
export function shortened(text: string): string {
  return text.length > LONGEST_TEXT ? `${text.slice(0, LONGEST_TEXT - 1)}…` : text;
}
