/** A criterion of ours, by name: where it comes from, and what the documentation's table says of it. */
export interface KnownCriterion {
  readonly name: string;
  readonly package: string;
  readonly description: string;
  readonly referenceBased: boolean;
  readonly needsRubrics: boolean;
  /** Asks a language model, or a paid service that does. */
  readonly judgedByModel: boolean;
  /** Applies to conversations that a simulated user leads. */
  readonly simulatedUsers: boolean;
  readonly range: string;
  /** The threshold that stands when there is no config, if the criterion is in force then. */
  readonly defaultThreshold?: number | undefined;
  /** Measured in every run; it decides only where a config gives it a threshold. Default `false`. */
  readonly measuredByDefault?: boolean | undefined;
}

/**
 * Every criterion of ours, installed or not, so that a name can be explained before its package is there. A test holds it
 * against what the packages really register.
 */
export const knownCriteria: readonly KnownCriterion[] = [
  {
    name: 'tool_trajectory_avg_score',
    package: '@agent-criteria/criteria-trajectory',
    description: 'The agent calls the expected tools with the expected arguments.',
    referenceBased: true,
    needsRubrics: false,
    judgedByModel: false,
    simulatedUsers: false,
    range: '0 to 1',
    defaultThreshold: 1,
  },
  {
    name: 'response_match_score',
    package: '@agent-criteria/criteria-rouge',
    description: 'The final answer shares its words with the reference (ROUGE).',
    referenceBased: true,
    needsRubrics: false,
    judgedByModel: false,
    simulatedUsers: false,
    range: '0 to 1',
    defaultThreshold: 0.8,
  },
  {
    name: 'tool_parameter_match',
    package: '@agent-criteria/criteria-trajectory',
    description: 'The expected tool calls have the expected values; other calls and arguments are ignored.',
    referenceBased: true,
    needsRubrics: false,
    judgedByModel: false,
    simulatedUsers: false,
    range: '0 to 1',
  },
  measured('tool_call_count_v1', 'Few tool calls in a turn.'),
  measured('inference_call_count_v1', 'Few calls to models in a turn.'),
  measured('token_usage_v1', 'Few tokens in a turn.'),
  measured('invocation_duration_v1', 'Few seconds for a turn.'),
  checks(
    'response_checks',
    'The answer passes its checks: what it contains, matches and states, and how long it is.',
    '0 to 1',
  ),
  checks(
    'tool_checks',
    'The required tools are called, forbidden ones are not, and none is called too often.',
    '0 to 1',
  ),
  checks('final_state_checks', 'After the last turn, the state of the session has the expected values.', '0 to 1'),
  checks('max_turn_seconds', 'No turn takes longer than the threshold, in seconds.', 'from 0 up'),
  checks('max_turn_tokens', 'No turn takes more tokens than the threshold.', 'from 0 up'),
  checks('max_turn_cost', 'No turn costs more than the threshold, by the prices of its models.', 'from 0 up'),
  judged('final_response_match_v2', 'The final answer means the same as the reference.', { referenceBased: true }),
  judged('rubric_based_final_response_quality_v1', 'The final answer has the properties that the rubrics name.', {
    needsRubrics: true,
  }),
  judged('rubric_based_tool_use_quality_v1', 'The tools are used as the rubrics require.', {
    needsRubrics: true,
  }),
  judged(
    'rubric_based_multi_turn_trajectory_quality_v1',
    'The whole conversation has the properties that the rubrics name.',
    {
      needsRubrics: true,
    },
  ),
  judged(
    'hallucinations_v1',
    'Every sentence of the answer is supported by the context of the agent.',
    {},
    'criteria-hallucination',
  ),
  judged('safety_v1', 'The answer is harmless.', {}, 'criteria-safety'),
  judged(
    'per_turn_user_simulator_quality_v1',
    'The simulated user keeps to its plan and persona.',
    {},
    'user-simulator',
  ),
  judged('multi_turn_task_success_v1', 'The conversation achieves what the user wanted.', {}, 'criteria-vertex'),
  judged(
    'multi_turn_trajectory_quality_v1',
    'The conversation reaches its goal by a sensible path.',
    {},
    'criteria-vertex',
  ),
  judged(
    'multi_turn_tool_use_quality_v1',
    'The tools are used well over the whole conversation.',
    {},
    'criteria-vertex',
  ),
  {
    ...judged('response_evaluation_score', 'The answer is coherent.', { referenceBased: true }, 'criteria-vertex'),
    range: '1 to 5',
  },
];

/** Simulator types of ours and the package of each. */
export const knownSimulators: ReadonlyMap<string, string> = new Map([['llm_backed', '@agent-criteria/user-simulator']]);

/** Packages of ours that provide models, with the names that they understand. The entry is what exports the providers. */
export const knownProviders: readonly {
  readonly package: string;
  readonly entry: string;
  /** As people write them. */
  readonly names: string;
  readonly accepts: RegExp;
}[] = [
  {
    package: '@agent-criteria/model-gemini',
    entry: '@agent-criteria/model-gemini/pure',
    names: 'gemini-…',
    accepts: /^(?:models\/|projects\/[^/]+\/locations\/[^/]+\/publishers\/google\/models\/)?gemini-/,
  },
  {
    package: '@agent-criteria/models',
    entry: '@agent-criteria/models/openai-compatible',
    names: 'openai/…, ollama/…, vllm/…, lmstudio/…, openrouter/…',
    accepts: /^(?:openai|ollama|vllm|lmstudio|openrouter)\/./,
  },
];

/** The command that brings a package. */
export function installLine(packageName: string): string {
  return `npm install --save-dev ${packageName}`;
}

function measured(name: string, description: string): KnownCriterion {
  return {
    name,
    package: '@agent-criteria/criteria-efficiency',
    description,
    referenceBased: false,
    needsRubrics: false,
    judgedByModel: false,
    simulatedUsers: true,
    range: 'from 0 up',
    measuredByDefault: true,
  };
}

function checks(name: string, description: string, range: string): KnownCriterion {
  return {
    name,
    package: '@agent-criteria/criteria-checks',
    description,
    referenceBased: false,
    needsRubrics: false,
    judgedByModel: false,
    simulatedUsers: true,
    range,
  };
}

function judged(
  name: string,
  description: string,
  differs: { referenceBased?: boolean; needsRubrics?: boolean },
  packageName = 'criteria-llm-judge',
): KnownCriterion {
  return {
    name,
    package: `@agent-criteria/${packageName}`,
    description,
    referenceBased: differs.referenceBased ?? false,
    needsRubrics: differs.needsRubrics ?? false,
    judgedByModel: true,
    simulatedUsers: differs.referenceBased !== true,
    range: '0 to 1',
  };
}
