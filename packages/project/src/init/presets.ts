import type { Json } from '@agent-criteria/core';
import { DEFAULT_JUDGE_MODEL } from '@agent-criteria/core/host';
import { type KnownCriterion, knownCriteria, knownSimulators } from '@agent-criteria/runner';

/** A combination of criteria that the documentation recommends. */
export interface Preset {
  readonly name: string;
  /** When to choose it. */
  readonly description?: string | undefined;
  readonly criteria: { readonly [name: string]: Json };
  /** Whether simulated users lead the conversations. Default `false`. */
  readonly simulatedUsers?: boolean | undefined;
}

/** The defaults of ADK's simulated user, written out for editing. */
const userSimulator: Json = { type: 'llm_backed', model: DEFAULT_JUDGE_MODEL, max_allowed_invocations: 20 };

/** Returns the content of the config file. */
export function configOf({ criteria, simulatedUsers = false }: Preset): { readonly [key: string]: Json } {
  return { criteria, ...(simulatedUsers ? { user_simulator_config: userSimulator } : {}) };
}

function rubric(id: string, text: string): Json {
  return { rubric_id: id, rubric_content: { text_property: text } };
}

/** Sample rubrics, for users to replace with their own. */
const answerRubrics = [
  rubric('answers_the_question', 'The answer addresses everything that the user asked for.'),
  rubric('plain_and_short', 'The answer is in plain words and no longer than the question calls for.'),
];
const toolRubrics = [
  rubric('serves_the_request', 'Every tool call serves what the user asked for.'),
  rubric(
    'arguments_are_known',
    'Every argument of a tool call comes from the user or from the result of an earlier call.',
  ),
];

export const presets: readonly Preset[] = [
  {
    name: 'ci',
    description: 'Regressions in CI: exact calls and words. It asks no model, and comes to the same every time.',
    criteria: { tool_trajectory_avg_score: 1, response_match_score: 0.8 },
  },
  {
    name: 'correctness',
    description:
      'Applications that must be right: answers that mean the same as the expected ones, and invent nothing.',
    criteria: { final_response_match_v2: { threshold: 0.8 }, hallucinations_v1: { threshold: 0.8 } },
  },
  {
    name: 'quality',
    description: 'Public answers, customer service, assistants: answers with properties that you name, and harmless.',
    criteria: {
      rubric_based_final_response_quality_v1: { threshold: 0.8, rubrics: answerRubrics },
      safety_v1: { threshold: 0.8 },
    },
  },
  {
    name: 'tools',
    description: 'Agents that work mostly through tools: which calls they make, and whether those make sense.',
    criteria: {
      rubric_based_tool_use_quality_v1: { threshold: 0.8, rubrics: toolRubrics },
      tool_trajectory_avg_score: 1,
    },
  },
  {
    name: 'public-facing',
    description: 'Agents that strangers use, or where mistakes are costly: nothing invented, and nothing harmful.',
    criteria: { hallucinations_v1: { threshold: 0.8 }, safety_v1: { threshold: 0.8 } },
  },
  {
    name: 'simulated-users',
    description: 'Scenarios that a simulated user leads: the agent invents nothing, and the user plays its part.',
    criteria: { hallucinations_v1: { threshold: 0.8 }, per_turn_user_simulator_quality_v1: { threshold: 0.8 } },
    simulatedUsers: true,
  },
];

/**
 * Returns the packages to install for a preset: those of its criteria (unless the command includes them), of its judge
 * and of its simulated user.
 */
export function packagesOf(preset: Preset): string[] {
  const names = needed(preset).map((known) => known.package);
  const simulator = preset.simulatedUsers === true ? [...knownSimulators.values()] : [];
  return [...new Set([...names, ...simulator, ...(asksModel(preset) ? [JUDGE] : [])])];
}

/** The package of the default judge. */
const JUDGE = '@agent-criteria/model-gemini';
/** The packages whose criteria call a Vertex AI service instead of a named model. */
const OF_A_SERVICE = ['@agent-criteria/criteria-safety', '@agent-criteria/criteria-vertex'];

/** Whether the criteria or the simulated user of a preset call a language model, which the user has to choose. */
export function asksModel(preset: Preset): boolean {
  if (preset.simulatedUsers === true) return true;
  return needed(preset).some((known) => known.judgedByModel && !OF_A_SERVICE.includes(known.package));
}

function needed({ criteria }: Preset): readonly KnownCriterion[] {
  return knownCriteria.filter(
    ({ name, defaultThreshold }) => Object.hasOwn(criteria, name) && defaultThreshold === undefined,
  );
}
