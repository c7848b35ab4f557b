import type { CorpusEntry } from '../command.ts';

const desk = {
  copies: ['judged', 'guided', 'sets'].map((name) => `test/corpus/projects/${name}`),
  packages: ['criteria-llm-judge', 'criteria-hallucination', 'user-simulator', 'criteria-rouge', 'criteria-trajectory'],
};
const match = '--config_file_path judged/match.json';
/** Flags that make calls one after another, so that a budget always runs out at the same call. */
const slowly = '--concurrency_agents 1 --concurrency_calls 1';

/** Runs with judges and simulated users, which are scripted, recorded, or faked by a server. */
export const judging: readonly CorpusEntry[] = [
  {
    name: 'museum',
    copies: ['examples/museum-desk'],
    commands: [
      'eval museum-desk --print_detailed_results --no_run_folder',
      'eval museum-desk --dry_run',
      'eval museum-desk --dry_run --num_runs 3 --json',
      'eval museum-desk museum:child_ticket --recording few.jsonl:record --no_run_folder',
      'eval museum-desk museum:child_ticket,where_to_eat --recording few.jsonl:replay',
      'show',
    ],
    content: false,
  },
  {
    name: 'museum-run-folder',
    copies: ['examples/museum-desk'],
    commands: [
      'eval museum-desk --case where_to_eat',
      'show where_to_eat --judge_prompt',
      'report --format markdown',
      'report --format junit',
      'report --format csv',
      'report --output museum.html',
    ],
  },
  { name: 'judge-verdicts', ...desk, commands: ['eval judged desk'] },
  { name: 'judge-one-case-by-json', ...desk, commands: ['eval judged desk:two_turns --json --no_run_folder'] },
  {
    name: 'judge-compat-adk',
    ...desk,
    commands: ['eval judged desk --compat adk --no_run_folder'],
  },
  {
    name: 'judge-cache',
    ...desk,
    before: [`eval judged desk ${match}`],
    commands: [`eval judged desk ${match}`, `eval judged desk ${match} --no_cache --no_run_folder`],
    content: false,
  },
  {
    name: 'judge-record',
    ...desk,
    commands: [`eval judged desk:agrees,contradicts ${match} --recording judge.jsonl:record --no_run_folder`],
  },
  {
    name: 'judge-replay',
    ...desk,
    before: [`eval judged desk:agrees,contradicts ${match} --recording judge.jsonl:record --no_run_folder`],
    commands: [
      `eval judged desk:agrees,contradicts ${match} --recording judge.jsonl:replay --no_run_folder`,
      `eval judged desk:agrees,no_opinion ${match} --recording judge.jsonl --no_run_folder`,
    ],
  },
  {
    name: 'budget-of-calls',
    ...desk,
    commands: [`eval judged desk:two_turns ${match} --max_calls 3 --no_cache ${slowly}`],
  },
  {
    name: 'budget-of-tokens-and-cost',
    ...desk,
    commands: [
      `eval judged desk:two_turns ${match} --max_tokens 250 --no_cache ${slowly}`,
      `eval judged desk:two_turns ${match} --max_cost 0.5 --no_cache ${slowly}`,
      `eval judged desk:two_turns --config_file_path judged/match.json --max_cost=-1`,
    ],
    content: false,
  },
  {
    name: 'budget-resumed',
    ...desk,
    before: [`eval judged desk:two_turns ${match} --max_calls 3 --no_cache ${slowly}`],
    commands: ['show RUN1', 'runs', 'resume RUN1 --no_cache', 'runs', 'resume RUN1'],
  },
  {
    name: 'budget-of-a-scoring',
    ...desk,
    before: ['generate judged desk:agrees,contradicts'],
    commands: [...Array(2).fill(`score RUN1 ${match} --max_calls 3 --concurrency_calls 1`), 'runs'],
    content: false,
  },
  {
    name: 'judge-timeout',
    ...desk,
    commands: [`eval judged sets/no_answer.evalset.json ${match} --call_timeout 0.2 --max_retries 0`],
    content: false,
  },
  {
    name: 'judge-model-flag',
    ...desk,
    commands: [
      `eval judged desk:agrees ${match} --judge_model scripted --no_run_folder`,
      `eval judged desk:agrees ${match} --judge_model skripted`,
      `eval judged desk:agrees ${match} --judge_model gemini-2.5-flash`,
      'eval judged desk:agrees --config_file_path guided/test_config.json --judge_model scripted',
    ],
  },
  {
    name: 'simulated-users',
    ...desk,
    commands: ['eval judged guided/led.evalset.json', 'show never'],
  },
  {
    name: 'simulated-users-recorded',
    ...desk,
    before: ['eval judged guided/led.evalset.json --recording users.jsonl:record --no_run_folder'],
    commands: [
      'eval judged guided/led.evalset.json --recording users.jsonl:replay --no_run_folder',
      'generate judged guided/led.evalset.json --recording users.jsonl:replay',
      'score last --recording users.jsonl:replay',
    ],
    content: false,
  },
  {
    name: 'simulated-users-dry-run',
    ...desk,
    commands: ['eval judged guided/led.evalset.json --dry_run --num_runs 2'],
  },
  {
    name: 'score-with-another-config',
    ...desk,
    before: ['generate judged desk'],
    commands: [`score ${match}`, 'score --compat adk --case agrees --case two_turns', 'score last --dry_run', 'runs'],
    content: false,
  },
  {
    name: 'example-judge-criterion',
    copies: ['examples/judge-criterion'],
    commands: ['eval judge-criterion', 'criteria --config_file_path judge-criterion/test_config.json'],
  },
  {
    name: 'safety-from-recording',
    copies: ['examples/adk-docs'],
    commands: [
      'eval adk-docs adk-docs/evals/forms.evalset.json --config_file_path adk-docs/configs/safety_v1.object.json --recording adk-docs/recordings/safety_v1.recording.jsonl:replay',
    ],
  },
  {
    name: 'preset-from-recording',
    copies: ['examples/adk-docs'],
    packages: ['criteria-llm-judge', 'criteria-hallucination', 'criteria-safety', 'model-gemini'],
    before: ['init quality --preset quality', 'init public-facing --preset public-facing'],
    commands: [
      'eval quality --recording adk-docs/recordings/quality.recording.jsonl:replay --no_run_folder',
      'eval public-facing --recording adk-docs/recordings/public-facing.recording.jsonl:replay --no_run_folder',
    ],
  },
  {
    name: 'gemini-behind-a-server',
    ...desk,
    packages: [...desk.packages, 'model-gemini'],
    files: { 'judged/agent-criteria.config.mjs': null },
    server: 'gemini',
    environment: { GOOGLE_GEMINI_BASE_URL: 'SERVER', GEMINI_API_KEY: 'test-key' },
    commands: [
      `eval judged desk:agrees,contradicts ${match} --max_retries 0`,
      'doctor judged --judge_model gemini-2.5-pro',
    ],
  },
  {
    name: 'gemini-without-a-key',
    ...desk,
    packages: [...desk.packages, 'model-gemini'],
    files: { 'judged/agent-criteria.config.mjs': null },
    commands: [`eval judged desk ${match}`, 'doctor judged --offline'],
  },
];
