import type { EvalSet } from '@agent-criteria/core';

const CRITERIA = ['criteria'];
const OWN = ['agent_criteria', 'agentCriteria'];
const OPTIONS = ['judge_model_options', 'judgeModelOptions'];
const MODEL = ['judge_model', 'judgeModel'];

/** Replaces the judge models that a config names. Its keys may be in either spelling. */
export function withJudgeModel(config: unknown, judgeModel: string): unknown {
  return changed(config, CRITERIA, (criteria) => changed(criteria, 'all', (entry) => inEntry(entry, judgeModel)));
}

/** Replaces the judge models that the cases of an eval set name. */
export function withJudgeModelInCases(evalSet: EvalSet, judgeModel: string): EvalSet {
  const evalCases = evalSet.evalCases.map((evalCase) => {
    const options = changed(evalCase, OWN, (own) => changed(own, 'all', (entry) => inEntry(entry, judgeModel)));
    return options as typeof evalCase;
  });
  return { ...evalSet, evalCases };
}

/** Replaces the judge in the options of one criterion. Options that ADK does not know are nested one level deeper. */
function inEntry(entry: unknown, judgeModel: string): unknown {
  const inOptions = (options: unknown): unknown =>
    // A value of any other type is a mistake, which resolving reports.
    changed(options, MODEL, (name) => (typeof name === 'string' ? judgeModel : name));
  const own = changed(entry, OWN, (more) => changed(more, OPTIONS, inOptions));
  return changed(own, OPTIONS, inOptions);
}

/** Copies an object, changing the values of these keys and keeping the key order. Returns other values unchanged. */
function changed(value: unknown, keys: readonly string[] | 'all', change: (inner: unknown) => unknown): unknown {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, inner]) => [key, keys === 'all' || keys.includes(key) ? change(inner) : inner]),
  );
}
