import { CriteriaError, type EvalCase, type State } from '@agent-criteria/core';
import { isObject } from '@agent-criteria/formats';
import { parseEvalConfig } from '@agent-criteria/formats/parse';
import { fieldOf } from '@agent-criteria/formats/schema';
import { findConfigAbove, findConfigBeside } from '../files/find-eval-config.ts';
import { readJsonFile } from '../files/read-json-file.ts';
import { type Matchers, type Suggestion, suggestMatchers, withSuggestions } from './suggest-matchers.ts';

const TRAJECTORY = 'tool_trajectory_avg_score';

export interface CaseWithMatchers {
  readonly evalCase: EvalCase;
  /** What was found, in the order of the calls. */
  readonly suggestions: readonly Suggestion[];
  /** The same by tool and path, as they stand in the case beside those of the config. */
  readonly matchers: Matchers;
}

/**
 * A case with matchers of tool_trajectory_avg_score for arguments that may differ in every run: dates, times and ids that the
 * user has not said. They take the place of the config's, which are taken along. Where arguments are not compared, there
 * is nothing to match.
 *
 * @param evalSetFile The set that the case is for: the config beside it says how calls are compared.
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

/** What the config beside the set says of the criterion; its mistakes are for whoever runs it. */
async function configured(file: string): Promise<Readonly<Record<string, unknown>>> {
  try {
    const config = (await findConfigBeside(file)).file ?? (await findConfigAbove(file)).file;
    if (config === null) return {};
    const { value } = parseEvalConfig((await readJsonFile(config)).value, { file: config });
    const entry = value.criteria?.[TRAJECTORY];
    return isObject(entry) ? entry : {};
  } catch (error) {
    if (CriteriaError.is(error)) return {};
    throw error;
  }
}
