import type { EvalSet } from '@agent-criteria/core';

const CRITERIA = ['criteria'];
const OWN = ['agent_criteria', 'agentCriteria'];
const OPTIONS = ['judge_model_options', 'judgeModelOptions'];
const MODEL = ['judge_model', 'judgeModel'];

/** A config as it was written, in either spelling, with another model wherever it names the one that judges. */
export function withJudgeModel(config: unknown, judgeModel: string): unknown {
  return changed(config, CRITERIA, (criteria) => changed(criteria, 'all', (entry) => inEntry(entry, judgeModel)));
}

/** An eval set with another model wherever a case names the one that judges it. */
export function withJudgeModelInCases(evalSet: EvalSet, judgeModel: string): EvalSet {
  const evalCases = evalSet.evalCases.map((evalCase) => {
    const options = changed(evalCase, OWN, (own) => changed(own, 'all', (entry) => inEntry(entry, judgeModel)));
    return options as typeof evalCase;
  });
  return { ...evalSet, evalCases };
}

/** The options of one criterion; those that ADK does not know stand one level deeper. */
function inEntry(entry: unknown, judgeModel: string): unknown {
  const inOptions = (options: unknown): unknown =>
    // Anything else is a mistake, and is told as one.
    changed(options, MODEL, (name) => (typeof name === 'string' ? judgeModel : name));
  const own = changed(entry, OWN, (more) => changed(more, OPTIONS, inOptions));
  return changed(own, OPTIONS, inOptions);
}

/** A copy with what stands under these keys changed; places and order stay. What is no object is given back as it is. */
function changed(value: unknown, keys: readonly string[] | 'all', change: (inner: unknown) => unknown): unknown {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, inner]) => [key, keys === 'all' || keys.includes(key) ? change(inner) : inner]),
  );
}
