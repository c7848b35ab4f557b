import { type Json, knownCriteria } from '@agent-criteria/core';

/** A combination of criteria that the documentation recommends. */
export interface Preset {
  readonly name: string;
  readonly criteria: { readonly [name: string]: Json };
}

function rubric(id: string, text: string): Json {
  return { rubric_id: id, rubric_content: { text_property: text } };
}

/** Samples to begin with; whoever uses them writes their own. */
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
  { name: 'ci', criteria: { tool_trajectory_avg_score: 1, response_match_score: 0.8 } },
  {
    name: 'correctness',
    criteria: { final_response_match_v2: { threshold: 0.8 }, hallucinations_v1: { threshold: 0.8 } },
  },
  {
    name: 'quality',
    criteria: {
      rubric_based_final_response_quality_v1: { threshold: 0.8, rubrics: answerRubrics },
      safety_v1: { threshold: 0.8 },
    },
  },
  {
    name: 'tools',
    criteria: {
      rubric_based_tool_use_quality_v1: { threshold: 0.8, rubrics: toolRubrics },
      tool_trajectory_avg_score: 1,
    },
  },
  { name: 'public-facing', criteria: { hallucinations_v1: { threshold: 0.8 }, safety_v1: { threshold: 0.8 } } },
];

/** The packages that bring the criteria of a preset, less those that come with the command. */
export function packagesOf({ criteria }: Preset): string[] {
  const names = knownCriteria
    .filter(({ name, defaultThreshold }) => Object.hasOwn(criteria, name) && defaultThreshold === undefined)
    .map((known) => known.package);
  return [...new Set(names)];
}
