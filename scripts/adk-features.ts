/** A feature of ADK Python's evaluation, and its place here. */
export interface AdkFeature {
  readonly feature: string;
  /** The release that brought it, if a changelog names it; else it was there before 2.6. */
  readonly since?: string;
  /** Files of this repository that have or describe it. Absent if it is out of scope. */
  readonly see?: readonly string[];
  /** The difference, or the reason why it is out of scope. */
  readonly note?: string;
}

/** The date of the lists below, and the releases that they account for. */
export const adkAsOf = {
  date: '28 November 2026',
  release: '2.11.0',
  released: '1 October 2026',
} as const;

/** Everything that ADK 2.11 has for evaluation. A test checks that each criterion of ADK and each file is there. */
export const adkFeatures: readonly { readonly title: string; readonly features: readonly AdkFeature[] }[] = [
  {
    title: 'Criteria',
    features: [
      { feature: '`tool_trajectory_avg_score`', see: ['packages/criteria-trajectory'] },
      { feature: '`tool_parameter_match`', see: ['packages/criteria-trajectory'] },
      { feature: '`response_match_score`', see: ['packages/criteria-rouge'] },
      { feature: '`final_response_match_v2`', see: ['packages/criteria-llm-judge'] },
      { feature: '`rubric_based_final_response_quality_v1`', see: ['packages/criteria-llm-judge'] },
      { feature: '`rubric_based_tool_use_quality_v1`', see: ['packages/criteria-llm-judge'] },
      {
        feature: '`rubric_based_multi_turn_trajectory_quality_v1`',
        since: '2.2',
        see: ['packages/criteria-llm-judge'],
      },
      { feature: '`hallucinations_v1`', see: ['packages/criteria-hallucination'] },
      { feature: '`safety_v1`', see: ['packages/criteria-safety'] },
      { feature: '`response_evaluation_score`', see: ['packages/criteria-vertex'] },
      { feature: '`multi_turn_task_success_v1`', see: ['packages/criteria-vertex'] },
      { feature: '`multi_turn_trajectory_quality_v1`', see: ['packages/criteria-vertex'] },
      { feature: '`multi_turn_tool_use_quality_v1`', see: ['packages/criteria-vertex'] },
      { feature: '`per_turn_user_simulator_quality_v1`', see: ['packages/user-simulator'] },
      { feature: '`tool_call_count_v1`', since: '2.10', see: ['packages/criteria-efficiency'] },
      { feature: '`inference_call_count_v1`', since: '2.10', see: ['packages/criteria-efficiency'] },
      { feature: '`token_usage_v1`', since: '2.10', see: ['packages/criteria-efficiency'] },
      { feature: '`invocation_duration_v1`', since: '2.10', see: ['packages/criteria-efficiency'] },
      {
        feature: 'Custom metrics in a config',
        see: ['docs/guide/write-a-criterion.md'],
        note: 'Functions in TypeScript.',
      },
    ],
  },
  {
    title: 'Files',
    features: [
      { feature: 'Eval sets and test files, today’s and older', see: ['docs/guide/eval-set-reference.md'] },
      { feature: '`test_config.json`', see: ['docs/guide/eval-config-reference.md'] },
      { feature: 'Scenarios, session inputs and generation configs', see: ['docs/guide/simulate-users.md'] },
      { feature: 'Result files', see: ['packages/results'], note: 'Written, read, and scored again.' },
      { feature: 'Sessions saved by `adk run` and `adk web`', see: ['docs/guide/chat-to-ci.md'] },
      {
        feature: 'Storage in `gs://` buckets',
        note: 'Out of scope: a bucket is copied with Google’s own tools before and after a run.',
      },
    ],
  },
  {
    title: 'Running',
    features: [
      {
        feature: '`adk eval`',
        see: ['docs/guide/command-reference.md'],
        note: 'Exits with 1 if a case does not pass.',
      },
      { feature: '`adk eval_set create`', see: ['docs/guide/command-reference.md'] },
      { feature: '`adk eval_set add_eval_case`', see: ['docs/guide/command-reference.md'] },
      {
        feature: '`adk eval_set generate_eval_cases`',
        see: ['docs/guide/simulate-users.md'],
        note: 'With any model; ADK asks Vertex AI.',
      },
      { feature: '`AgentEvaluator` in pytest', see: ['docs/guide/evals-in-vitest.md'], note: 'In Vitest.' },
      { feature: 'The eval tab of `adk web`, and its trace view', see: ['docs/studio-parity.md'] },
      { feature: 'Agents behind `adk api_server`', see: ['docs/guide/evaluate-a-python-agent.md'] },
      { feature: '`--num_runs`', see: ['docs/guide/runs-and-resume.md'], note: 'Also `--repeats`.' },
      {
        feature: '`adk optimize`',
        note: 'Out of scope: it changes an agent, and does not evaluate one. Its sampler config is refused with a message.',
      },
      {
        feature: '`adk conformance`',
        note: 'Out of scope: it replays recordings of ADK’s own samples. Recordings of models are here too, and ports are tested by `packages/conformance`.',
      },
      { feature: '`adk test`', note: 'Out of scope: it runs files of its own format, not eval sets.' },
    ],
  },
  {
    title: 'Users, tools and models',
    features: [
      { feature: '`llm_backed` users with personas', see: ['packages/user-simulator'] },
      {
        feature: 'Jinja logic in `custom_instructions`',
        note: 'Out of scope: placeholders are filled in, and statements and filters are refused, because a template must not run code.',
      },
      {
        feature: '`llm_audio` users, and live mode',
        note: 'Out of scope: agents are evaluated by text. A config that asks for it is refused.',
      },
      {
        feature: 'Environment simulation: injections, `MOCK_STRATEGY_TOOL_SPEC`, `environment_data`, `tracing`',
        see: ['packages/environment-simulation', 'docs/guide/stub-tools.md'],
        note: 'In configs and sets; ADK reaches it from agent code only.',
      },
      { feature: 'Judges by name', see: ['docs/guide/choose-a-judge.md'] },
    ],
  },
];

/** Facts about later releases that have been seen. */
export const adkLater: readonly { readonly release: string; readonly fact: string; readonly here: string }[] = [
  {
    release: '2.12',
    fact: 'Nothing about evaluation is known to us.',
    here: 'Golden rows are recorded again when its source can be read.',
  },
  {
    release: '2.13',
    fact: 'The four efficiency metrics report a value and decide nothing, and take no threshold (release notes of agentevals 0.12, November 2026).',
    here: 'As here by default. A threshold in a config is an addition of ours.',
  },
];
