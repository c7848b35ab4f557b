import { type AgentFunction, type Criterion, defineCriterion, type EvalSet, noOptions } from '@agent-criteria/core';
import { createRegistry, resolveEvalConfig } from '@agent-criteria/core/host';
import { type RunCase, type RunRecord } from '@agent-criteria/results';
import { evalCase, evalSet } from '@agent-criteria/core/testing';
import type { PlannedSet } from '../planned-set.ts';

type Text = string | null | undefined;
type Evaluate = (actual: Text, expected: Text) => number | Promise<number>;

/**
 * Creates a criterion that compares the text of each turn's answer with the expected answer or, if there is none, with
 * the question.
 */
export function textCriterion(evaluate: Evaluate): Criterion {
  return defineCriterion({
    name: 'echoed', origin: { package: 'test', version: '1.0.0' }, description: 'Compares.', decides: true,
    range: { min: 0, max: 1, better: 'higher' as const }, options: noOptions,
    scope: 'turn',
    async evaluate({ actual, expected }) {
      const wanted = expected?.finalResponse?.parts?.[0]?.text ?? actual.userContent.parts?.[0]?.text;
      return { value: await evaluate(actual.finalResponse?.parts?.[0]?.text, wanted) };
    },
  });
}

/** Scores 1 if the answer is the expected one, and 0 otherwise. */
export const echoed = textCriterion((actual, expected) => (actual === expected ? 1 : 0));
export const echo: AgentFunction = (message) => message;

export function casesNamed(names: readonly string[], id = 'set'): EvalSet {
  return evalSet(
    names.map((name) => evalCase(name, [{ user: `I am ${name}` }])),
    id,
  );
}

export function planned(evalSetOf: EvalSet, more: { criterion?: Criterion; file?: string; compat?: 'adk' } = {}): PlannedSet {
  const { criterion = echoed, file = 'set.evalset.json', compat = null } = more;
  const registry = createRegistry([criterion]);
  const plan = resolveEvalConfig({ evalSet: evalSetOf, config: { criteria: { echoed: 1 } }, registry, compat });
  return { plan, file, configFile: null };
}

export async function casesOf(record: RunRecord): Promise<RunCase[]> {
  const all: RunCase[] = [];
  for await (const one of record.cases()) all.push(one);
  return all;
}

/** Creates an agent that records its calls. */
export function counting(answer: AgentFunction = echo) {
  const ran: string[] = [];
  const agent: AgentFunction = (message, session) => {
    ran.push(`${session.key.caseId} ${session.key.repeat}`);
    return answer(message, session);
  };
  return { ran, agent };
}
