import type { CorpusEntry } from '../command.ts';

const home = { copies: ['test/corpus/projects/home', 'test/corpus/projects/sets'] };
const led = { copies: ['test/corpus/projects/led'] };
const custom = { copies: ['test/corpus/projects/custom'] };
const docs = { copies: ['examples/adk-docs'] };

const turn = (text: string) => ({ user_content: { role: 'user', parts: [{ text }] } });
const answered = (text: string, answer: string) => ({
  ...turn(text),
  final_response: { role: 'model', parts: [{ text: answer }] },
});
const json = (value: unknown) => JSON.stringify(value);

/** Reasons why a run is rejected. */
const mistakes = {
  'agent.mjs': 'export const agent = (text) => text;',
  'no-agent.mjs': 'export const nothing = 1;',
  'good.evalset.json': json({
    eval_set_id: 'good',
    eval_cases: [{ eval_id: 'a', conversation: [answered('Hi', 'Hi')] }],
  }),
  'broken.test.json': '{"eval_set_id": ',
  'slip.evalset.json': json({
    eval_set_id: 'slip',
    eval_cases: [
      { eval_id: 'a', conversation: [{ ...answered('Hi', 'Hi'), intermediate_dat: {} }], rubric: [] },
      { eval_id: 'a', conversation: [] },
      { eval_id: 5, conversation: [turn('Hi')] },
    ],
  }),
  'unknown.json': json({ criteria: { response_mach_score: 0.5, made_up: 1 } }),
  'misspelt.json': json({ critera: { response_match_score: 0.5 } }),
  'range.json': json({ criteria: { response_match_score: 80, tool_trajectory_avg_score: { treshold: 1 } } }),
  'needs.json': json({ criteria: { per_turn_user_simulator_quality_v1: 0.5 } }),
  'empty.json': json({ criteria: {} }),
  'not-installed.json': json({ criteria: { hallucinations_v1: 0.5 } }),
  'result.evalset_result.json': json({ eval_set_result_id: 5 }),
};

/**
 * Commands about files and general information: `validate`, `init`, `migrate`, `eval_set`, `criteria`, `doctor`, help,
 * mistakes.
 */
export const files: readonly CorpusEntry[] = [
  { name: 'validate-good', ...home, commands: ['validate home', 'validate home/rooms.evalset.json --json'] },
  {
    name: 'validate-with-config',
    ...home,
    commands: ['validate home/rooms.evalset.json --config_file_path home/strict.json', 'validate home/strict.json'],
  },
  {
    name: 'validate-kinds',
    ...led,
    commands: ['validate led', 'validate led/visit.session.json led/session_input.json'],
  },
  {
    name: 'validate-example',
    ...docs,
    commands: ['validate adk-docs/evals adk-docs/configs adk-docs/old-format adk-docs/scenarios'],
  },
  {
    name: 'validate-bad',
    files: mistakes,
    commands: [
      'validate .',
      'validate . --json',
      'validate unknown.json misspelt.json range.json',
      'validate none.json',
      'validate',
    ],
  },
  {
    name: 'mistakes-of-eval',
    files: mistakes,
    commands: [
      'eval',
      'eval agent.mjs',
      'eval none.mjs good.evalset.json',
      'eval no-agent.mjs good.evalset.json',
      'eval agent.mjs none.evalset.json',
      'eval agent.mjs goood',
      'eval agent.mjs good:b',
      'eval agent.mjs good --case b',
      'eval agent.mjs broken.test.json slip.evalset.json',
      ...['unknown', 'misspelt', 'range', 'needs', 'empty', 'not-installed', 'none'].map(
        (name) => `eval agent.mjs good.evalset.json --config_file_path ${name}.json`,
      ),
      'eval agent.mjs good --output none/r.html',
      'eval agent.mjs good --output result',
    ],
  },
  {
    name: 'mistakes-of-flags',
    files: mistakes,
    commands: [
      'eval agent.mjs good --parallel 2',
      'eval agent.mjs good --num_runs 0',
      'eval agent.mjs good --num_runs',
      'eval agent.mjs good --turn_timeout soon',
      'eval agent.mjs good --compat python',
      'eval agent.mjs good --max_cost -1',
      'eval agent.mjs good --replay b',
      'eval agent.mjs good --no_run_folder --runs_folder runs',
      'eval agent.mjs good --json=yes',
      'runs more',
      'report --format word',
      'evaluate',
      'eval_set',
      'eval_set made',
      '',
    ],
  },
  {
    name: 'mistakes-of-project-config',
    ...home,
    files: {
      'agent-criteria.config.json': json({
        plugin: [],
        concurrency: { agents: 0, turn: 5 },
        runsFolder: 5,
        judgeModel: 'none',
      }),
    },
    commands: ['eval home talk', 'doctor home', 'runs'],
  },
  {
    name: 'mistakes-of-plugins',
    ...custom,
    files: {
      'custom/test_config.json': json({
        plugins: ['./none.mjs', './agent.mjs', './breaks.mjs'],
        criteria: { mentions_lamp: 0.5 },
      }),
      'custom/breaks.mjs': `throw new Error('it breaks');`,
    },
    commands: ['eval custom', 'validate custom'],
  },
  {
    name: 'help',
    commands: [
      '--version',
      '--help',
      ...['eval', 'generate', 'score', 'resume', 'runs', 'show', 'report', 'init', 'validate', 'migrate'].map(
        (name) => `${name} --help`,
      ),
      'help eval_set',
      'criteria -h',
      'help doctor',
      'help evaluate',
    ],
  },
  { name: 'criteria', commands: ['criteria'] },
  { name: 'criteria-json', packages: ['criteria-llm-judge', 'criteria-hallucination'], commands: ['criteria --json'] },
  { name: 'criteria-of-a-config', ...custom, commands: ['criteria --config_file_path custom/test_config.json'] },
  { name: 'doctor', ...home, commands: ['doctor', 'doctor home', 'doctor home --json', 'doctor none'] },
  {
    name: 'doctor-with-judge',
    copies: ['judged', 'guided'].map((name) => `test/corpus/projects/${name}`),
    packages: [
      'criteria-llm-judge',
      'criteria-hallucination',
      'user-simulator',
      'model-gemini',
      'core',
      'models',
      'judge',
    ],
    commands: ['doctor judged', 'doctor judged --judge_model gemini-2.5-flash'],
  },
  { name: 'init', commands: ['init', 'eval . --no_run_folder', 'init'] },
  { name: 'init-folder', commands: ['init desk', 'init led --preset simulated-users', 'init other --preset none'] },
  {
    name: 'init-beside-sets',
    ...home,
    commands: ['init home', 'init home --preset tools', 'init home --preset correctness'],
  },
  ...['ci', 'correctness', 'quality', 'tools', 'public-facing'].map((preset) => ({
    name: `init-preset-${preset}`,
    ...home,
    commands: [`init sets --preset ${preset}`],
  })),
  {
    name: 'migrate',
    ...docs,
    commands: [
      'migrate adk-docs/old-format/light.test.json new.test.json',
      'migrate adk-docs/old-format/rooms.evalset.json rooms.evalset.json --initial_session_file adk-docs/old-format/initial.session.json',
      'migrate adk-docs/old-format/rooms.evalset.json rooms.evalset.json',
      'migrate adk-docs/old-format/rooms.evalset.json rooms.evalset.json --force',
      'validate new.test.json rooms.evalset.json',
    ],
  },
  {
    name: 'migrate-folder',
    ...docs,
    files: {
      'old/b.test.json': json([{ query: 'Hi', reference: 'Hi', mock_tool_output: 'x' }]),
      'bad/a.json': '[{"query": 5}]',
    },
    commands: [
      'migrate adk-docs/old-format all --json',
      'migrate old new',
      'migrate bad new',
      'migrate old',
      'migrate adk-docs/evals new',
    ],
  },
  {
    name: 'eval-set-edit',
    ...led,
    commands: [
      'eval_set create led tours',
      'eval_set create led tours',
      'eval_set create led my-set',
      'eval_set list led',
      'eval_set add_eval_case led tours --scenarios_file led/scenarios.json --session_input_file led/session_input.json',
      'eval_set add_eval_case led tours --scenarios_file led/scenarios.json --session_input_file led/session_input.json --json',
      'eval_set add_eval_case led tours',
      'eval_set show led tours',
      'eval_set list led --json',
    ],
  },
  {
    name: 'eval-set-add-session',
    ...led,
    commands: [
      'eval_set add_session led visits led/visit.session.json',
      ['eval_set', 'show', 'led', 'visits', 'my visit'],
      'eval_set add_session led visits led/visit.session.json',
      'eval_set add_session led visits led/visit.session.json --eval_id other --no_matchers --json',
      'eval_set add_session led visits led/none.json',
    ],
  },
  {
    name: 'eval-set-show',
    ...home,
    commands: [
      'eval_set show home rooms',
      'eval_set show home rooms remembers',
      'eval_set show home home/rooms.evalset.json right --json',
      'eval_set show home rooms rigth',
      'eval_set list home',
      'eval_set list sets',
      'eval_set list none',
    ],
  },
];
