import { contentText, type EvalCase, type EvalSet, type Json } from '@agent-criteria/core';
import type { Preset } from './presets.ts';

/** A preset that fits existing eval sets, and the criteria that were left out of it. */
export interface FittedPreset {
  readonly preset: Preset;
  /** Criteria that apply to no case in a set, and so would be a mistake. */
  readonly leftOut: readonly { readonly criterion: string; readonly setId: string }[];
}

/**
 * Proposes criteria that judge every case in these sets: calls and answers in fixed conversations; hallucinations and
 * the user in simulated ones.
 */
export function proposePreset(sets: readonly EvalSet[]): FittedPreset {
  const simulated = sets.some(({ evalCases }) => evalCases.some(isSimulated));
  const fixed = { tool_trajectory_avg_score: 1, response_match_score: 0.8 };
  const led = { hallucinations_v1: { threshold: 0.8 }, per_turn_user_simulator_quality_v1: { threshold: 0.8 } };
  const isFixed = sets.every(({ evalCases }) => !evalCases.some(isSimulated));
  const isLed = sets.every(({ evalCases }) => evalCases.every(isSimulated));
  const criteria = isFixed ? fixed : isLed ? led : { ...fixed, ...led };
  return fitPreset({ name: 'proposed', criteria, simulatedUsers: simulated }, sets);
}

/**
 * Removes criteria that apply to no case in one of the sets. A case that a criterion does not fit is judged by the
 * others.
 */
export function fitPreset(preset: Preset, sets: readonly EvalSet[]): FittedPreset {
  const criteria: { [name: string]: Json } = {};
  const leftOut: { criterion: string; setId: string }[] = [];
  for (const [name, entry] of Object.entries(preset.criteria)) {
    const misfit = sets.find(({ evalCases }) => !evalCases.some((evalCase) => applies(name, evalCase)));
    if (misfit !== undefined) leftOut.push({ criterion: name, setId: misfit.evalSetId });
    else if (sets.every(({ evalCases }) => evalCases.every((evalCase) => applies(name, evalCase))))
      criteria[name] = entry;
    else criteria[name] = { ...(typeof entry === 'number' ? { threshold: entry } : (entry as object)), ...skip };
  }
  return { preset: { ...preset, criteria }, leftOut };
}

const skip = { when_not_applicable: 'skip' };

/** Whether a criterion applies to a case, judging by its declared needs. The preset provides the rubrics. */
function applies(name: string, evalCase: EvalCase): boolean {
  switch (name) {
    case 'tool_trajectory_avg_score':
      return !isSimulated(evalCase);
    case 'response_match_score':
    case 'final_response_match_v2':
      return (evalCase.conversation ?? []).some(({ finalResponse }) => contentText(finalResponse).trim() !== '');
    case 'per_turn_user_simulator_quality_v1':
      return isSimulated(evalCase);
    default:
      return true;
  }
}

function isSimulated({ conversationScenario }: EvalCase): boolean {
  return Boolean(conversationScenario);
}
