import type { CorpusEntry } from '../command.ts';

const home = { copies: ['test/corpus/projects/home', 'test/corpus/projects/sets'] };
const led = { copies: ['test/corpus/projects/led'] };
const ran = { ...home, before: ['eval home rooms talk --num_runs 2'] };
const ranOnce = { ...home, before: ['eval home rooms:wrong talk:short'] };
const interrupted = { ...home, before: ['eval home sets/interrupted.evalset.json --concurrency_agents 1'] };

/** Commands on existing runs: `resume`, `score`, `runs`, `show`, `report` and `eval_set add_session`. */
export const reading: readonly CorpusEntry[] = [
  { name: 'runs', ...home, before: [...ran.before, 'generate home talk'], commands: ['runs', 'runs --json'] },
  { name: 'runs-of-none', commands: ['runs', 'show', 'resume', 'report', 'score'] },
  {
    name: 'show',
    ...ran,
    commands: [
      'show',
      'show wrong',
      'show RUN1 right',
      'show RUN1 none',
      'show wrnog',
      'show 19',
      'show --judge_prompt',
    ],
  },
  { name: 'show-json', ...ranOnce, commands: ['show RUN1 --json', 'show RUN1 wrong --json'] },
  { name: 'show-color', ...ran, color: true, commands: ['show wrong'] },
  {
    name: 'show-scoring',
    ...ran,
    before: [...ran.before, 'score --config_file_path home/strict.json'],
    commands: ['show --scoring 1', 'show --scoring 2', 'show --scoring 3', 'runs'],
  },
  {
    name: 'report-console',
    ...ran,
    commands: ['report', 'report --format console --print_detailed_results --output r.txt'],
  },
  { name: 'power', ...ran, commands: ['power', 'power RUN1 --json', 'power last --min-effect 5', 'power none'] },
  { name: 'report-json', ...ranOnce, commands: ['report RUN1 --format json'] },
  { name: 'report-junit', ...ran, commands: ['report --format junit'] },
  { name: 'report-markdown', ...ran, commands: ['report --format markdown'] },
  { name: 'report-csv', ...ran, commands: ['report RUN1 --format csv'] },
  {
    name: 'report-adk',
    ...ranOnce,
    commands: [
      'report RUN1 --format adk --eval_set rooms',
      'report RUN1 --format adk --output results',
      'report RUN1 --format adk',
      'report RUN1 --eval_history',
    ],
  },
  {
    name: 'report-html',
    ...ran,
    commands: ['report --output r.html', 'report --output r.what', 'report --format pdf'],
  },
  {
    name: 'report-of-errors',
    ...home,
    before: ['eval home sets/troubles.evalset.json'],
    commands: ['report --format junit', 'report --format markdown', 'report --format csv'],
  },
  { name: 'resume-interrupted', ...interrupted, commands: ['show', 'resume', 'show', 'runs'] },
  {
    name: 'resume-after-a-change',
    ...home,
    before: ['eval home sets/flaky.evalset.json', 'eval home talk'],
    files: {
      'home/talk.evalset.json': JSON.stringify({
        eval_set_id: 'talk',
        eval_cases: [{ eval_id: 'other', conversation: [{ user_content: { parts: [{ text: 'say yes' }] } }] }],
      }),
      'sets/test_config.json': JSON.stringify({ criteria: { response_match_score: 0.5 } }),
    },
    commands: ['resume RUN1', 'resume RUN2'],
  },
  {
    name: 'resume-rerun',
    ...home,
    before: ['eval home sets/troubles.evalset.json'],
    commands: ['resume --rerun errored', 'resume --rerun failed', 'resume --rerun all', 'resume --rerun some'],
  },
  {
    name: 'score-today',
    ...home,
    before: ['eval home rooms --num_runs 2'],
    files: {
      'home/rooms.evalset.json': JSON.stringify({
        eval_set_id: 'rooms',
        eval_cases: [
          {
            eval_id: 'right',
            conversation: ['say yes', 'switch on'].map((text) => ({
              user_content: { role: 'user', parts: [{ text }] },
              final_response: { role: 'model', parts: [{ text: 'yes' }] },
            })),
          },
          {
            eval_id: 'wrong',
            conversation: [{ user_content: { role: 'user', parts: [{ text: 'another message' }] } }],
          },
        ],
      }),
    },
    commands: ['score --config_file_path home/strict.json --print_detailed_results --output r.md'],
  },
  {
    name: 'score-generated',
    ...home,
    before: ['generate home rooms talk'],
    commands: ['show', 'score --json', 'score RUN1 --case short', 'score RUN1 --case none'],
    content: false,
  },
  {
    name: 'no-run-folder',
    ...ranOnce,
    files: {
      'empty/.gitignore': '',
      'newer/plan.json': JSON.stringify({ format: 99 }),
      'torn/plan.json': '{"format": 1',
    },
    commands: [
      'show empty',
      'show newer',
      'resume torn',
      'show --runs_folder home',
      'runs --runs_folder home/agent.mjs',
    ],
  },
  {
    name: 'add-session-of-a-run',
    ...led,
    before: ['eval led'],
    commands: [
      'eval_set add_session led visits last fixed',
      'eval_set add_session led visits last two_messages --eval_id spoken --no_matchers --json',
      'eval_set add_session led visits last fixed',
      'eval_set add_session led visits last none',
    ],
  },
];
