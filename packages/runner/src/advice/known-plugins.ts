/** A criterion from one of our packages, with the facts in its row of the documentation. */
export interface KnownCriterion {
  readonly name: string;
  readonly package: string;
  readonly description: string;
  readonly referenceBased: boolean;
  readonly needsRubrics: boolean;
  /** Whether it calls a language model, or a paid service that does. */
  readonly judgedByModel: boolean;
  /** Whether it applies to conversations with a simulated user. */
  readonly simulatedUsers: boolean;
  readonly range: string;
  /** The threshold used without a config, for criteria that apply by default. */
  readonly defaultThreshold?: number | undefined;
  /** Whether every run measures it, so that it only decides if a config gives it a threshold. Default `false`. */
  readonly measuredByDefault?: boolean | undefined;
}

type Facts = Omit<KnownCriterion, 'name' | 'package' | 'description'>;

const computed: Facts = {
  referenceBased: false,
  needsRubrics: false,
  judgedByModel: false,
  simulatedUsers: true,
  range: '0 to 1',
};
const compared: Facts = { ...computed, referenceBased: true, simulatedUsers: false };
const counted: Facts = { ...computed, range: 'from 0 up' };
const judged: Facts = { ...computed, judgedByModel: true };

/** Lists criteria of one package that share the same facts, given their descriptions by name. */
function criteriaOf(packageName: string, facts: Facts, descriptions: Readonly<Record<string, string>>) {
  return Object.entries(descriptions).map(
    ([name, description]): KnownCriterion => ({
      name,
      package: `@agent-criteria/${packageName}`,
      description,
      ...facts,
    }),
  );
}

/**
 * Every criterion in our packages, installed or not, so that a name can be explained before its package is installed. A
 * test compares this list with what the packages register.
 */
export const knownCriteria: readonly KnownCriterion[] = [
  ...criteriaOf(
    'criteria-trajectory',
    { ...compared, defaultThreshold: 1 },
    { tool_trajectory_avg_score: 'The agent calls the expected tools with the expected arguments.' },
  ),
  ...criteriaOf(
    'criteria-rouge',
    { ...compared, defaultThreshold: 0.8 },
    { response_match_score: 'The final answer shares its words with the reference (ROUGE).' },
  ),
  ...criteriaOf('criteria-trajectory', compared, {
    tool_parameter_match: 'The expected tool calls have the expected values; other calls and arguments are ignored.',
  }),
  ...criteriaOf(
    'criteria-efficiency',
    { ...counted, measuredByDefault: true },
    {
      tool_call_count_v1: 'Few tool calls in a turn.',
      inference_call_count_v1: 'Few calls to models in a turn.',
      token_usage_v1: 'Few tokens in a turn.',
      invocation_duration_v1: 'Few seconds for a turn.',
    },
  ),
  ...criteriaOf('criteria-checks', computed, {
    response_checks: 'The answer passes its checks: what it contains, matches and states, and how long it is.',
    tool_checks: 'The required tools are called, forbidden ones are not, and none is called too often.',
    path_checks: 'The workflow takes its path: the nodes that run, and their order; and the right skills are loaded.',
    final_state_checks: 'After the last turn, the state of the session has the expected values.',
  }),
  ...criteriaOf('criteria-checks', counted, {
    max_turn_seconds: 'No turn takes longer than the threshold, in seconds.',
    max_turn_tokens: 'No turn takes more tokens than the threshold.',
    max_turn_cost: 'No turn costs more than the threshold, by the prices of its models.',
  }),
  ...criteriaOf(
    'criteria-llm-judge',
    { ...compared, judgedByModel: true },
    { final_response_match_v2: 'The final answer means the same as the reference.' },
  ),
  ...criteriaOf(
    'criteria-llm-judge',
    { ...judged, needsRubrics: true },
    {
      rubric_based_final_response_quality_v1: 'The final answer has the properties that the rubrics name.',
      rubric_based_tool_use_quality_v1: 'The tools are used as the rubrics require.',
      rubric_based_multi_turn_trajectory_quality_v1: 'The whole conversation has the properties that the rubrics name.',
    },
  ),
  ...criteriaOf('criteria-llm-judge', judged, {
    harmlessness: 'Nothing that the agent writes or does is harmful, as decided by any model.',
  }),
  ...criteriaOf('criteria-hallucination', judged, {
    hallucinations_v1: 'Every sentence of the answer is supported by the context of the agent.',
  }),
  ...criteriaOf('criteria-safety', judged, { safety_v1: 'The answer is harmless.' }),
  ...criteriaOf('user-simulator', judged, {
    per_turn_user_simulator_quality_v1: 'The simulated user keeps to its plan and persona.',
  }),
  ...criteriaOf('criteria-vertex', judged, {
    multi_turn_task_success_v1: 'The conversation achieves what the user wanted.',
    multi_turn_trajectory_quality_v1: 'The conversation reaches its goal by a sensible path.',
    multi_turn_tool_use_quality_v1: 'The tools are used well over the whole conversation.',
  }),
  ...criteriaOf(
    'criteria-vertex',
    { ...compared, judgedByModel: true, range: '1 to 5' },
    { response_evaluation_score: 'The answer is coherent.' },
  ),
];

/** The package that provides each simulator type, for our packages. */
export const knownSimulators: ReadonlyMap<string, string> = new Map([['llm_backed', '@agent-criteria/user-simulator']]);

/** The package that provides each tool simulator, for our packages. */
export const knownToolSimulators: ReadonlyMap<string, string> = new Map([
  ['MOCK_STRATEGY_TOOL_SPEC', '@agent-criteria/environment-simulation'],
  ['recorded', '@agent-criteria/environment-simulation'],
]);

/** Our packages that provide models, with the model names that they accept. `entry` exports the providers. */
export const knownProviders: readonly {
  readonly package: string;
  readonly entry: string;
  /** The names, as messages show them. */
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

/** Returns the command that installs a package. */
export function installLine(packageName: string): string {
  return `npm install --save-dev ${packageName}`;
}
