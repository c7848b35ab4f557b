import { CriteriaError, type EvalCase, type State } from '@agent-criteria/core';
import { isObject } from '@agent-criteria/formats';
import { parseEvalConfig } from '@agent-criteria/formats/parse';
import { fieldOf } from '@agent-criteria/formats/schema';
import { findEvalConfig } from '../files/find-eval-config.ts';
import { readJsonFile } from '../files/read-json-file.ts';
import { type Matchers, type Suggestion, suggestMatchers, withSuggestions } from './suggest-matchers.ts';

const TRAJECTORY = 'tool_trajectory_avg_score';

export interface CaseWithMatchers {
  readonly evalCase: EvalCase;
  /** The suggested matchers, in the order of the calls. */
  readonly suggestions: readonly Suggestion[];
  /** The same matchers by tool and path, as written in the case. */
  readonly matchers: Matchers;
}

/**
 * Adds matchers of tool_trajectory_avg_score to a case for arguments that may differ in every run: dates, times and ids
 * that the user did not mention. Copies the config's matchers if the case has none of its own, because a case's
 * matchers replace them. Adds none if arguments are not compared.
 * @param evalSetFile The file of the case's set, by which its config is found. The case's own options take precedence.
 */
export async function addMatchers(evalCase: EvalCase, evalSetFile: string): Promise<CaseWithMatchers> {
  const bare: CaseWithMatchers = { evalCase, suggestions: [], matchers: {} };
  const ofCase = evalCase.agentCriteria?.[TRAJECTORY];
  const own = isObject(ofCase) ? ofCase : {};
  const options = { ...(await configured(evalSetFile)), ...own };
  if (fieldOf(options, 'ignore_args') === true) return bare;
  const present = fieldOf(options, 'matchers');
  const known = isObject(present) ? (present as Matchers) : {};
  const suggestions = suggestMatchers(evalCase.conversation ?? [], known);
  if (suggestions.length === 0) return bare;
  const all = JSON.parse(JSON.stringify(withSuggestions(known, suggestions)));
  const agentCriteria: State = { ...evalCase.agentCriteria, [TRAJECTORY]: { ...own, matchers: all } };
  return { evalCase: { ...evalCase, agentCriteria }, suggestions, matchers: withSuggestions({}, suggestions) };
}

/** Reads the options of the criterion from the set's config. Mistakes in the config are left for a run to report. */
async function configured(file: string): Promise<Readonly<Record<string, unknown>>> {
  try {
    const { file: config } = await findEvalConfig(file);
    if (config === null) return {};
    const { value } = parseEvalConfig((await readJsonFile(config)).value, { file: config });
    const entry = value.criteria?.[TRAJECTORY];
    return isObject(entry) ? entry : {};
  } catch (error) {
    if (CriteriaError.is(error)) return {};
    throw error;
  }
}
