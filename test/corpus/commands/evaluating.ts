import type { CorpusEntry } from '../command.ts';

const home = { copies: ['test/corpus/projects/home', 'test/corpus/projects/sets'] };
const led = { copies: ['test/corpus/projects/led'] };
const custom = { copies: ['test/corpus/projects/custom'] };

/** Commands that run without a model: `eval` and `generate`. */
export const evaluating: readonly CorpusEntry[] = [
  { name: 'eval-fails', ...home, commands: ['eval home rooms'] },
  { name: 'eval-passes', ...home, commands: ['eval home home/talk.evalset.json'] },
  { name: 'eval-all-sets', ...home, commands: ['eval home'], content: false },
  { name: 'eval-pattern', ...home, commands: ['eval home/agent.mjs home/t*.evalset.json --no_run_folder'] },
  { name: 'eval-folder-of-sets', ...home, commands: ['eval home sets --case well --case steady --no_run_folder'] },
  { name: 'eval-cases-of-set', ...home, commands: ['eval home rooms:right,remembers talk:short --no_run_folder'] },
  {
    name: 'eval-case-flag',
    ...home,
    commands: [['eval', 'home', '--case', 'odd: a,b', '--case=remembers', '--no_run_folder']],
  },
  { name: 'eval-config-path', ...home, commands: ['eval home rooms --config_file_path home/strict.json'] },
  {
    name: 'eval-match-types',
    ...home,
    commands: [
      'eval home sets/calls.evalset.json --no_run_folder',
      'eval home sets/calls.evalset.json --config_file_path sets/in_order.json --no_run_folder',
      'eval home sets/calls.evalset.json --config_file_path sets/any_order.json --no_run_folder',
    ],
  },
  {
    name: 'eval-only-measures',
    ...home,
    commands: ['eval home rooms --config_file_path home/measure.json --no_run_folder'],
  },
  { name: 'eval-detailed', ...home, commands: ['eval home rooms talk --print_detailed_results --no_run_folder'] },
  { name: 'eval-color', ...home, color: true, commands: ['eval home rooms --print_detailed_results --no_run_folder'] },
  { name: 'eval-json', ...home, commands: ['eval home rooms:wrong --json --no_run_folder'] },
  { name: 'eval-compat-adk', ...home, commands: ['eval home rooms:wrong --compat adk --num_runs 2'] },
  {
    name: 'eval-repeats',
    ...home,
    commands: ['eval home sets/flaky.evalset.json --num_runs 3 --concurrency_agents 1'],
  },
  { name: 'eval-errors', ...home, commands: ['eval home sets/troubles.evalset.json'] },
  {
    name: 'eval-turn-timeout',
    ...home,
    commands: ['eval home sets/slow.evalset.json --turn_timeout 0.2'],
  },
  {
    name: 'eval-case-timeout',
    ...home,
    commands: ['eval home sets/slow.evalset.json --case_timeout 0.2 --no_run_folder'],
  },
  {
    name: 'eval-run-timeout',
    ...home,
    commands: ['eval home sets/slow.evalset.json --run_timeout 0.5 --concurrency_agents 2 --no_run_folder'],
  },
  {
    name: 'eval-interrupted',
    ...home,
    commands: ['eval home sets/interrupted.evalset.json --concurrency_agents 1'],
  },
  {
    name: 'eval-agent-name',
    ...home,
    commands: ['eval home talk --agent_name helper', 'eval home talk --agent_name helpr'],
  },
  {
    name: 'eval-reports-and-history',
    ...home,
    commands: [
      'eval home rooms:wrong --output r.json --output r.xml --output r.md --output r.csv --output r.txt --output r.evalset_result.json --output r.html --eval_history',
    ],
  },
  {
    name: 'eval-runs-folder',
    ...home,
    files: { 'home/agent-criteria.config.json': JSON.stringify({ runsFolder: 'own-runs' }) },
    commands: [
      'eval home talk:short',
      'eval home talk:short --runs_folder elsewhere',
      'runs',
      'runs --runs_folder elsewhere',
    ],
    content: false,
  },
  {
    name: 'eval-project-config',
    ...home,
    files: {
      'agent-criteria.config.mjs': `export default {
        config: { criteria: { response_match_score: 0.9 } },
        concurrency: { agents: 1 },
        turnTimeout: 60_000,
        redact: (value) => JSON.parse(JSON.stringify(value).replaceAll('green', 'a colour')),
      };`,
    },
    commands: ['eval home rooms'],
  },
  {
    name: 'eval-environment-file',
    ...home,
    files: { 'home/.env': 'CORPUS_ONE=1\nCORPUS_TWO=2\n', '.env': 'CORPUS_TWO=3\nCORPUS_THREE=3\n' },
    environment: { CORPUS_ONE: 'set' },
    commands: ['eval home talk:short --no_run_folder', 'doctor home --offline'],
  },
  {
    name: 'eval-settings-from-everywhere',
    ...home,
    files: {
      'agent-criteria.config.mjs': 'export default { repeats: 3, concurrency: { agents: 1 }, caseTimeout: 90_000 };',
      'home/.env': 'AGENT_CRITERIA_REPEATS=5\nAGENT_CRITERIA_RUNS_FOLDER=elsewhere\n',
    },
    environment: { AGENT_CRITERIA_REPEATS: '2', AGENT_CRITERIA_CONCURRENCY_SCORING: '8' },
    commands: [
      'eval home talk:short --turn_timeout 50',
      'eval home talk:short --repeats 1 --no_run_folder',
      'doctor home --offline',
    ],
    content: false,
  },
  {
    name: 'eval-scripted-user',
    ...led,
    commands: ['eval led visits --case two_messages --case ends_by_itself --num_runs 2'],
  },
  { name: 'eval-users-and-fixed', ...led, commands: ['eval led --print_detailed_results --no_run_folder'] },
  { name: 'eval-custom-criteria', ...custom, commands: ['eval custom'] },
  { name: 'generate', ...home, commands: ['generate home rooms --num_runs 2'] },
  {
    name: 'generate-errors',
    ...home,
    commands: ['generate home sets/troubles.evalset.json', 'generate home sets/troubles.evalset.json --json'],
    content: false,
  },
  { name: 'generate-users', ...led, commands: ['generate led visits:two_messages,ends_by_itself'] },
  {
    name: 'example-dice',
    copies: ['examples/dice'],
    commands: ['eval dice dice/dice.evalset.json --print_detailed_results'],
    content: false,
  },
  {
    name: 'example-home-automation',
    copies: ['examples/home-automation'],
    commands: ['eval home-automation', 'show fails_on_purpose_fahrenheit_read_as_celsius'],
    content: false,
  },
  {
    name: 'example-adk-docs',
    copies: ['examples/adk-docs'],
    commands: [
      'eval adk-docs adk-docs/evals --no_run_folder',
      'eval adk-docs adk-docs/evals/forms.evalset.json --config_file_path adk-docs/configs/tool_trajectory_avg_score.any-order.json --no_run_folder',
      'eval adk-docs adk-docs/evals/kitchen.test.json --config_file_path adk-docs/custom-metric/test_config.json --no_run_folder',
      'eval adk-docs adk-docs/old-format/light.test.json --no_run_folder',
      'eval adk-docs adk-docs/__fixtures__/hash-comments.test.json --no_run_folder',
    ],
  },
  {
    name: 'agent-behind-a-url',
    ...home,
    packages: ['agent-http'],
    server: 'adk',
    files: { 'talk.evalset.json': JSON.stringify(talk()) },
    commands: ['eval SERVER/apps/desk talk.evalset.json', 'doctor SERVER/apps/desk'],
  },
];

function talk(): object {
  const parts = (text: string) => ({ parts: [{ text }] });
  const turn = (text: string) => ({
    user_content: { role: 'user', ...parts(`say ${text}`) },
    final_response: { role: 'model', ...parts(text) },
    intermediate_data: { tool_uses: [] },
  });
  return { eval_set_id: 'talk', eval_cases: [{ eval_id: 'two', conversation: [turn('yes'), turn('no')] }] };
}
