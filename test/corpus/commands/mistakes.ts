import type { CommandLine, CorpusEntry, Setup } from '../command.ts';

/** A mistake: the files in addition to the shop's, and the command lines that run into it. */
interface Mistake {
  readonly files?: Readonly<Record<string, unknown>>;
  readonly packages?: readonly string[];
  readonly before?: readonly CommandLine[];
  readonly environment?: Readonly<Record<string, string>>;
  readonly commands: readonly CommandLine[];
}

/** All packages needed to judge with Gemini. */
const judges = ['criteria-llm-judge', 'criteria-hallucination', 'model-gemini'];
const ran: readonly CommandLine[] = ['eval shop'];

const turn = (text: string) => ({ user_content: { role: 'user', parts: [{ text }] } });
const answered = (text: string, answer: string) => ({
  ...turn(text),
  final_response: { role: 'model', parts: [{ text: answer }] },
  intermediate_data: { tool_uses: [] as unknown[] },
});
const fine = { eval_id: 'a', conversation: [answered('Hi', 'Hi')] };
const set = (...cases: unknown[]) => ({ eval_set_id: 'mine', eval_cases: cases });
const expecting = (args: string) =>
  JSON.stringify(
    set({
      eval_id: 'a',
      conversation: [{ ...answered('Hi', 'Hi'), intermediate_data: { tool_uses: [{ name: 'f', args: 'ARGS' }] } }],
    }),
  ).replace('"ARGS"', args);

/** Creates a mistake with a config next to the shop's eval set. */
function configured(config: unknown, more: Partial<Mistake> = {}): Mistake {
  return { commands: ['eval shop'], ...more, files: { 'shop/test_config.json': config, ...more.files } };
}

/** Creates a mistake with another eval set. */
function evaluated(evalSet: unknown, more: Partial<Mistake> = {}): Mistake {
  return {
    commands: ['eval shop/agent.mjs my.evalset.json'],
    ...more,
    files: { 'my.evalset.json': evalSet, ...more.files },
  };
}

/** Creates a mistake with a project config. */
function projected(config: unknown, more: Partial<Mistake> = {}): Mistake {
  return { commands: ['eval shop'], ...more, files: { 'agent-criteria.config.json': config, ...more.files } };
}

/** Creates a mistake with a config above the folder of the sets, as in Google's templates. */
function aboveTheSets(name: string, config: unknown): Mistake {
  return {
    files: { [`tests/eval/${name}`]: config, 'tests/eval/evalsets/mine.evalset.json': set(fine) },
    commands: ['eval shop/agent.mjs tests/eval/evalsets', 'validate tests'],
  };
}

/** Creates a project's own criterion. */
function tone(method = 'evaluate: () => ({ value: 1 })'): string {
  return `export const tone = {
  kind: 'criterion', specVersion: 3, name: 'tone', origin: { package: 'shop', version: '1.0.0' }, description: 'It is kind.',
  decides: true, range: { min: 0, max: 1, better: 'higher' }, scope: 'turn', ${method},
  options: { jsonSchema: { type: 'object' }, '~standard': { version: 1, vendor: 'shop', validate: () => ({ value: {} }) } },
};
`;
}

const table: Readonly<Record<string, Mistake>> = {
  // Commands and flags.
  'command-of-another-tool': { commands: ['test shop'] },
  'command-misspelt': { commands: ['evl shop'] },
  'command-without-its-second-word': { commands: ['eval_set'] },
  'command-with-too-much': { commands: ['runs RUN1 more'] },
  'eval-of-nothing': { commands: ['eval'] },
  'flag-config': { commands: ['eval shop --config test_config.json'] },
  'flag-n': { commands: ['eval shop -n 3'] },
  'flag-watch': { commands: ['generate shop --watch'] },
  'flag-misspelt': { commands: ['eval shop --print-detailed-result'] },
  'flag-help-misspelt': { commands: ['--hlep', 'eval --hlep'] },
  'flag-unknown': { commands: ['eval shop --fancy'] },
  'flag-of-another-command': { commands: ['runs --tag weekday'] },
  'flag-record': { commands: ['eval shop --record judge.jsonl'] },
  'flag-without-a-value': { commands: ['eval shop --repeats'] },
  'flag-with-no-number': {
    commands: ['eval shop --repeats many', 'eval shop --repeats 1e9', 'eval shop --turn-timeout NaN'],
  },
  'recording-with-a-bad-mode': {
    commands: ['eval shop --recording judge.jsonl:rewind', 'eval shop --recording :rewind'],
  },
  'recording-mode-without-a-file': configured(
    { criteria: { final_response_match_v2: 0.8 } },
    { packages: judges, commands: ['eval shop --recording :replay'] },
  ),
  'recording-that-is-not-there': configured(
    { criteria: { final_response_match_v2: 0.8 } },
    { packages: judges, commands: ['eval shop --recording judge.jsonl:replay'] },
  ),
  'recording-of-other-questions': configured(
    { criteria: { final_response_match_v2: 0.8 } },
    {
      packages: judges,
      files: { 'judge.jsonl': '' },
      commands: ['eval shop --recording judge.jsonl:replay', 'show monday'],
    },
  ),

  // Agents.
  'agent-that-is-not-there': { commands: ['eval shpo', 'eval shop/agnet.mjs hours'] },
  'agent-in-an-empty-folder': { files: { 'empty/.gitkeep': '' }, commands: ['eval empty', 'doctor empty --offline'] },
  'agent-in-python': {
    commands: ['eval shop/py', 'eval shop/py/agent.py shop/hours.evalset.json', 'doctor shop/py --offline'],
  },
  'agent-not-exported': {
    files: { 'shop/agent.mjs': 'export const agnet = (text) => text;\n' },
    commands: ['eval shop'],
  },
  'agent-that-is-no-function': { files: { 'shop/agent.mjs': 'export const agent = 5;\n' }, commands: ['eval shop'] },
  'agent-that-does-not-load': {
    files: { 'shop/agent.mjs': `throw new Error('no till');\n` },
    commands: ['eval shop'],
  },
  'agent-with-a-missing-import': {
    files: { 'shop/agent.mjs': `import { price } from './prices.mjs';\nexport const agent = (text) => price(text);\n` },
    commands: ['eval shop'],
  },
  'agent-with-a-missing-package': {
    files: { 'shop/agent.mjs': `import left from 'left-of-the-till';\nexport const agent = left;\n` },
    commands: ['eval shop'],
  },
  'agent-with-a-slip': {
    files: { 'shop/agent.ts': 'export const agent = (text: string => text;\n', 'shop/agent.mjs': null },
    commands: ['eval shop'],
  },
  'agent-with-paths-of-tsconfig': {
    files: {
      'tsconfig.json': { compilerOptions: { paths: { '@/*': ['./lib/*'] } } },
      'shop/agent.mjs': null,
      'shop/agent.ts': `import { price } from '@/price';\nexport const agent = price;\n`,
    },
    commands: ['eval shop'],
  },
  'agent-without-its-key': {
    files: {
      'shop/agent.mjs': `const model = 'gemini-2.5-flash';\nexport const agent = () => Promise.reject(new Error(\`no key for \${model}\`));\n`,
      'shop/plain.mjs': 'export const agent = (text) => text;\n',
    },
    commands: ['doctor shop --offline', 'doctor shop/plain.mjs --offline', 'eval shop hours:monday'],
  },
  'agent-that-throws': evaluated(set({ eval_id: 'a', conversation: [answered('fail', 'ok')] }), {
    commands: ['eval shop/agent.mjs my.evalset.json'],
  }),
  'agent-that-calls-with-nan': evaluated(set({ eval_id: 'a', conversation: [answered('nan', 'nan')] })),
  'agent-behind-a-url-that-is-silent': { commands: ['eval http://127.0.0.1:9/ shop/hours.evalset.json'] },
  'agent-behind-a-url-where-no-server-is': {
    packages: ['agent-http'],
    commands: ['eval http://127.0.0.1:9/ shop/hours.evalset.json:monday', 'doctor http://127.0.0.1:9/ --offline'],
  },
  'agent-without-eval-sets': {
    files: { 'other/agent.mjs': 'export const agent = (text) => text;\n' },
    commands: ['eval other'],
  },
  'agent-name-that-is-not-there': { commands: ['eval shop --agent-name helper'] },

  // Eval sets.
  'evalset-that-is-not-there': { commands: ['eval shop huors', 'eval shop/agent.mjs shop/huors.evalset.json'] },
  'evalset-case-that-is-not-there': { commands: ['eval shop hours:sundy', 'eval shop --case sundy'] },
  'evalset-folder-without-sets': { files: { 'sets/readme.md': '' }, commands: ['eval shop/agent.mjs sets'] },
  'evalset-cut-off': evaluated('{\n  "eval_set_id": "mine",\n  "eval_cases": ['),
  'evalset-with-a-comma-too-much': evaluated(
    `{\n  "eval_set_id": "mine",\n  "eval_cases": [${JSON.stringify(fine)}],\n}`,
  ),
  'evalset-in-single-quotes': evaluated("{\n  'eval_set_id': 'mine'\n}"),
  'evalset-empty': evaluated(''),
  'evalset-without-cases': evaluated(set()),
  'evalset-with-wrong-keys': evaluated(
    set({ eval_id: 'a', conversation: [{ ...answered('Hi', 'Hi'), finalresponse: {} }], tags: ['x'] }),
  ),
  'evalset-with-a-misspelt-key': evaluated(
    set({ eval_id: 'a', conversation: [{ ...turn('Hi'), finalresponse: { parts: [{ text: 'Hi' }] } }] }),
  ),
  'evalset-with-a-number-for-text': evaluated(set({ ...fine, eval_id: 5 })),
  'evalset-with-one-id-twice': evaluated(set(fine, fine)),
  'evalset-with-one-key-twice': evaluated('{"eval_set_id": "mine", "eval_set_id": "yours", "eval_cases": []}'),
  'evalset-with-huge-numbers': evaluated(expecting('{"x": 1e400}')),
  'evalset-with-nan': evaluated(expecting('{"x": NaN}')),
  'evalset-that-is-a-list': evaluated([fine]),
  'evalset-that-is-a-result': evaluated({
    eval_set_result_id: 'shop_mine_1',
    eval_set_result_name: 'shop_mine_1',
    eval_set_id: 'mine',
    eval_case_results: [],
    creation_timestamp: 1778989037.3,
  }),
  'evalset-that-is-a-config': evaluated({ criteria: { response_match_score: 0.8 } }),
  'evalset-that-is-a-dataset-of-agents-cli': evaluated({
    eval_cases: [{ eval_case_id: 'greeting', prompt: { role: 'user', parts: [{ text: 'Hello' }] } }],
  }),
  'evalset-without-an-expected-answer': evaluated(set({ eval_id: 'a', conversation: [turn('Hi')] }), {
    commands: [
      'eval shop/agent.mjs my.evalset.json',
      'eval shop/agent.mjs my.evalset.json --config-file-path words.json',
    ],
    files: { 'words.json': { criteria: { response_match_score: 0.8 } } },
  }),

  'evalset-with-comments': evaluated(`// ours\n${JSON.stringify(set(fine))}`),
  'evalset-with-an-integer-of-400-digits': evaluated(expecting(`{"x": 1${'0'.repeat(400)}}`)),
  'evalset-with-an-argument-called-proto': evaluated(expecting('{"__proto__": 1}')),
  'evalset-with-far-numbers': {
    files: {
      'my.evalset.json': expecting('{"x": 1e308}'),
      'far.mjs': `export const agent = (text) => ({ text, toolCalls: [{ name: 'f', args: { x: -1e308 } }] });\n`,
    },
    commands: ['eval far.mjs my.evalset.json'],
  },
  'evalset-with-texts-for-numbers-and-truth': evaluated({ ...set(fine), creation_timestamp: '1.5' }),
  'evalset-with-a-text-for-thought': evaluated(
    set({
      eval_id: 'a',
      conversation: [{ ...answered('Hi', 'Hi'), final_response: { parts: [{ text: 'Hi', thought: 'yes' }] } }],
    }),
  ),
  'evalset-with-keys-of-adk-web': evaluated(
    set({
      eval_id: 'a',
      conversation: [
        {
          ...turn('Hi'),
          final_response: { role: 'model', parts: [{ text: 'Hi' }] },
          intermediate_data: {
            invocation_events: [
              {
                author: 'shop',
                content: { role: 'model', parts: [{ text: 'Hi', toolUseIndex: 0 }] },
                invocationIndex: 0,
              },
            ],
          },
        },
      ],
    }),
  ),
  'evalset-of-before': {
    files: { 'shop/old.test.json': [{ query: 'Hi', reference: 'Hi', expected_tool_use: [] }] },
    commands: [
      'eval shop/agent.mjs shop/old.test.json',
      'migrate shop/old.test.json shop/new.evalset.json',
      'eval_set show shop new',
    ],
  },
  'evalset-of-before-without-tool-input': evaluated([
    { query: 'Hi', reference: 'Hi', expected_tool_use: [{ tool_name: 'f', tool_input: null }] },
  ]),
  'evalset-of-before-with-a-mistake': evaluated([{ query: 'Hi', expected_tool_use: 5 }]),

  // Case selection.
  'tag-unknown': { commands: ['eval shop --tag weekdy'] },
  'grep-that-selects-nothing': { commands: ['eval shop --grep friday', 'eval shop --grep sunday --tag weekday'] },
  'grep-of-nothing': { commands: [['eval', 'shop', '--grep', '']] },
  'only-failed-without-a-run': { commands: ['eval shop --only-failed'] },
  'only-failed-when-none-failed': { before: ['eval shop hours:monday'], commands: ['eval shop --only-failed'] },

  // Configs.
  'config-that-is-not-there': {
    files: { 'shop/test_config.json': { criteria: { response_match_score: 0.8 } } },
    commands: ['eval shop --config-file-path shop/test_confg.json'],
  },
  'config-that-is-a-folder': { commands: ['eval shop --config-file-path shop'] },
  'config-broken': configured(
    '{\n  "criteria": {\n    "response_match_score": 0.8\n    "tool_trajectory_avg_score": 1\n  }\n}',
  ),
  'config-with-a-wrong-key': configured({ critera: { response_match_score: 0.8 } }),
  'config-with-comments-in-keys': configured({
    _comment: 'ours',
    description: 'of the shop',
    criteria: { response_match_score: 0.1 },
  }),
  'config-without-criteria': configured({ criteria: {} }),
  'config-with-a-misspelt-criterion': configured({ criteria: { response_mach_score: 0.8 } }),
  'config-with-an-unknown-criterion': configured({ criteria: { politeness: 0.8 } }),
  'config-with-a-criterion-not-installed': configured({ criteria: { safety_v1: 0.8 } }),
  'config-with-two-mistakes': configured({ criteria: { hallucinations_v1: 0.5 }, plugin: [] }, { packages: judges }),
  'config-with-a-threshold-out-of-range': configured({
    criteria: { response_match_score: 80, tool_trajectory_avg_score: 7 },
  }),
  'config-with-a-threshold-as-text': configured({ criteria: { response_match_score: '0.8' } }),
  'config-with-white-space-in-the-match-type': configured({
    criteria: { tool_trajectory_avg_score: { threshold: 1, match_type: '\ufeffexact' } },
  }),
  'config-of-live-mode': configured({ criteria: { response_match_score: 0.1 }, live_model_config: {} }),
  'config-with-a-misspelt-option': configured({
    criteria: { tool_trajectory_avg_score: { threshold: 1, match_typ: 'EXACT' } },
  }),
  'config-with-an-unknown-match-type': configured({
    criteria: { tool_trajectory_avg_score: { threshold: 1, match_type: 'SOME' } },
  }),
  'config-with-a-text-for-truth': configured({
    criteria: { tool_trajectory_avg_score: { threshold: 1, ignore_args: 'yes' } },
  }),
  'config-with-an-unknown-option': configured({ criteria: { response_match_score: { threshold: 0.8, zzzz: 1 } } }),
  'config-with-several-unknown-criteria': configured({ criteria: { politeness: 1, warmth: 1, tool_trajectry: 1 } }),
  'config-copied-from-a-result': configured({
    criteria: { response_match_score: { threshold: 0.8, include_intermediate_responses_in_final: true } },
  }),
  'config-with-rubrics-missing': configured(
    { criteria: { rubric_based_final_response_quality_v1: 0.8 } },
    { packages: judges, environment: { GEMINI_API_KEY: 'no-key' } },
  ),
  'config-under-another-name': {
    files: { 'shop/eval_config.json': { criteria: { response_mach_score: 0.8 } } },
    commands: ['validate shop', 'eval shop'],
  },
  'config-beside-another': {
    files: {
      'shop/eval_config.json': { criteria: { response_match_score: 0.8 } },
      'shop/strict_config.json': { criteria: { response_match_score: 1 } },
    },
    commands: ['eval shop', 'validate shop'],
  },
  'config-above-the-sets-broken': aboveTheSets('eval_config.json', '{ "criteria": {'),
  'config-above-the-sets-with-a-wrong-key': aboveTheSets('eval_config.json', { criterias: {} }),
  'config-above-the-sets-in-yaml': aboveTheSets('eval_config.yaml', 'criteria: {}\n'),
  'files-of-a-folder-that-are-not-read': {
    files: { 'shop/more/notes.json': '{', 'shop/more/eval_config.yaml': 'criteria: {}\n' },
    commands: ['eval shop/agent.mjs shop', 'validate shop'],
  },
  'criteria-of-the-config-here': {
    files: { 'test_config.json': { plugins: ['./tone.mjs'], criteria: { tone: 1 } }, 'tone.mjs': tone() },
    commands: ['criteria'],
  },
  'plugin-that-is-a-plain-object': configured(
    { plugins: ['./tone.mjs'], criteria: { tone: 1 } },
    { files: { 'shop/tone.mjs': `export const tone = { name: 'tone', evaluate: () => ({ value: 1 }) };\n` } },
  ),
  'plugin-with-a-misspelt-method': configured(
    { plugins: ['./tone.mjs'], criteria: { tone: 1 } },
    { files: { 'shop/tone.mjs': tone('evalute: () => ({ value: 1 })') } },
  ),
  'plugin-that-returns-a-number': configured(
    { plugins: ['./tone.mjs'], criteria: { tone: 1 } },
    { files: { 'shop/tone.mjs': tone('evaluate: () => 1') }, commands: ['eval shop hours:monday'] },
  ),
  'config-with-a-plugin-that-is-not-there': configured({ plugins: ['./tone.mjs'], criteria: { tone: 1 } }),
  'project-config-with-wrong-values': projected({ repeat: 2, concurrency: { agents: 0 }, runsFolder: 5 }),
  'project-config-twice': projected({ repeats: 2 }, { files: { 'agent-criteria.config.mjs': 'export default {};\n' } }),
  'project-config-broken': projected('{ "repeats": 2'),

  // Judges.
  'judge-without-a-key': configured({ criteria: { final_response_match_v2: 0.8 } }, { packages: judges }),
  'judge-of-openai-without-a-key': configured(
    {
      criteria: { final_response_match_v2: { threshold: 0.8, judge_model_options: { judge_model: 'openai/gpt-5' } } },
    },
    { packages: judges },
  ),
  'judge-of-litellm': configured(
    {
      criteria: {
        final_response_match_v2: {
          threshold: 0.8,
          judge_model_options: { judge_model: 'groq/llama-3.3-70b-versatile' },
        },
      },
    },
    { packages: judges },
  ),
  'judge-without-a-provider': configured(
    {
      criteria: {
        final_response_match_v2: { threshold: 0.8, judge_model_options: { judge_model: 'claude-opus-4-8' } },
      },
    },
    { packages: judges },
  ),
  'judge-of-azure': configured(
    {
      criteria: {
        final_response_match_v2: { threshold: 0.8, judge_model_options: { judge_model: 'azure/gpt-5' } },
      },
    },
    { packages: judges },
  ),
  'judge-with-zero-samples': configured(
    { criteria: { final_response_match_v2: { threshold: 0.8, judge_model_options: { num_samples: 0 } } } },
    { packages: judges, environment: { GEMINI_API_KEY: 'no-key' } },
  ),
  'judge-that-answers-nonsense': configured(
    { criteria: { final_response_match_v2: { threshold: 0.8, judge_model_options: { num_samples: 1 } } } },
    {
      packages: judges,
      files: {
        'agent-criteria.config.mjs': `export default { models: { mine: async () => ({ verdict: 'good' }) }, judgeModel: 'mine' };\n`,
      },
      commands: ['eval shop hours:monday'],
    },
  ),

  'judge-that-leaves-out-a-key': configured(
    { criteria: { final_response_match_v2: { threshold: 0.8, judge_model_options: { num_samples: 1 } } } },
    {
      packages: judges,
      files: {
        'agent-criteria.config.mjs': `export default { models: { mine: async () => '{"verdict":"good"}' }, judgeModel: 'mine' };\n`,
      },
      commands: ['eval shop hours:monday'],
    },
  ),
  'doctor-without-a-key': configured(
    { criteria: { final_response_match_v2: 0.8 } },
    { packages: judges, commands: ['doctor shop --offline'] },
  ),
  'recording-with-an-answer-missing': configured(
    { criteria: { final_response_match_v2: { threshold: 0.8, judge_model_options: { num_samples: 1 } } } },
    {
      packages: judges,
      files: {
        'agent-criteria.config.mjs': `export default { models: { mine: async () => '{"reasoning":"so","is_the_agent_response_valid":"valid"}' }, judgeModel: 'mine', concurrency: { agents: 1, calls: 1 } };\n`,
      },
      commands: [
        'eval shop hours:monday --recording judge.jsonl:record',
        'eval shop --recording judge.jsonl:replay',
        'report --format markdown',
      ],
    },
  ),

  // Runs, reports and other files.
  'run-that-is-not-there': {
    before: ran,
    commands: ['show 19990101', 'report 19990101', 'score 19990101', 'resume 19990101'],
  },
  'run-before-the-first': { commands: ['show', 'report', 'score', 'resume'] },
  'case-of-a-run-that-is-not-there': { before: ran, commands: ['show mondy'] },
  'output-without-a-format': { commands: ['eval shop --output report', 'eval shop --output report.pdf'] },
  'output-to-a-folder': {
    before: ran,
    files: { 'out.html/.gitkeep': '' },
    commands: ['report --output out.html', 'eval shop --output out.html'],
  },
  'output-to-a-folder-that-is-not-there': { before: ran, commands: ['report --output out/sub/report.md'] },
  'repeats-of-which-one-fails': {
    files: {
      'shop/agent.mjs': `let asked = 0;\nexport const agent = (text) => ((asked += 1) === 2 ? 'Never.' : text);\n`,
    },
    commands: ['eval shop hours:monday --repeats 3 --concurrency-agents 1'],
  },
  'report-in-an-unknown-format': { before: ran, commands: ['report --format pdf'] },
  'report-of-variants-into-a-new-folder': {
    before: ['eval shop/hours.evalset.json:monday --variant one=shop/agent.mjs --variant two=shop/agent.mjs'],
    commands: [
      'report RUN1 --format adk',
      'report RUN1 --format adk --output v/new',
      'report RUN1 --format adk --output v/more/',
    ],
  },
  'score-from-an-eval-set': { commands: ['score --from shop/hours.evalset.json', 'score --from none.json'] },
  'validate-of-nothing': { files: { 'empty/.gitkeep': '' }, commands: ['validate', 'validate empty', 'validate none'] },
  'validate-of-everything-wrong': {
    files: {
      'bad/a.evalset.json': '{',
      'bad/b.evalset.json': set({ eval_id: 'a' }),
      'bad/test_config.json': { criteria: { made_up: 1 } },
    },
    commands: ['validate bad'],
  },
  'migrate-of-an-eval-set': {
    commands: ['migrate shop/hours.evalset.json new.evalset.json', 'migrate none.json new.evalset.json'],
  },
  'eval-set-of-a-bad-name': {
    commands: [
      'eval_set create shop my-set',
      'eval_set create shop hours',
      'eval_set show shop huors',
      'eval_set show shop huors.evalset.json',
    ],
  },
  'init-of-an-unknown-preset': { commands: ['init --preset tool'] },

  // From JavaScript, without a compiler.
  'script-with-a-misspelt-option': {
    packages: ['cli'],
    files: {
      'script.mjs': `import { evaluate } from '@agent-criteria/cli';
const evalset = { eval_set_id: 'mine', eval_cases: [] };
await evaluate({ agent: (text) => text, evalset }).catch(({ code, message }) => console.log(code, message));
`,
    },
    commands: ['node script.mjs'],
  },
};

function entryOf(name: string, { files = {}, ...rest }: Mistake): CorpusEntry {
  const written: Record<string, string | null> = {};
  for (const [path, content] of Object.entries(files)) {
    written[path] = typeof content === 'string' || content === null ? content : JSON.stringify(content, null, 2);
  }
  const setup: Setup = { copies: ['test/corpus/projects/shop'], files: written };
  return { name, ...setup, ...rest, content: false };
}

/** Mistakes that newcomers make in their first hour, one row each. They also run through the packed command. */
export const mistakes: readonly CorpusEntry[] = Object.entries(table).map(([name, mistake]) => entryOf(name, mistake));
