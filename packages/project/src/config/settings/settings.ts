import { callDefaults } from '@agent-criteria/models/defaults';
import { MOST_REPEATS, runDefaults } from '@agent-criteria/runner/defaults';
import type { Setting } from './setting.ts';
import type { SettingName } from './settings-type.ts';
import { recordingModes } from './split-recording.ts';

const NO_LIMIT = { without: 'no limit' } as const;

/**
 * All settings of a project and of a run. Config keys and their checks, flags and help, environment variables, the type
 * of the config, its JSON Schema and the reference pages are all derived from this list.
 */
export const settings: Readonly<Record<SettingName, Setting>> = {
  plugins: {
    type: 'plugins',
    description:
      'criteria, model providers, user simulators and agent adapters: values, packages, or paths from this file',
    without: 'what the names in use need',
  },
  models: {
    type: 'models',
    description:
      'models by the names that criteria and simulated users ask for: a model, a function from prompt to answer, or a name that a provider understands',
    without: 'none',
  },
  judgeModel: {
    type: 'text',
    placeholder: 'NAME',
    description:
      'the model that judges: a name in models, or one that a provider understands, such as gemini-2.5-pro or ollama/qwen3; a flag or variable also replaces the judges that eval configs and cases name',
    default: 'gemini-2.5-flash',
  },
  prices: {
    type: 'prices',
    description: 'what models cost: by the id of a model, then by the name under which it reports usage',
    without: 'costs are unknown',
  },
  config: {
    type: 'evalConfig',
    description:
      'what eval sets without a test_config.json are judged by: an eval config, or the path of one from this file',
    without: "ADK's default criteria",
  },
  variants: {
    type: 'variants',
    description:
      'agents that run side by side where no agent is named: paths or URLs by the names of the variants, each as AGENT or AGENT#EXPORT; paths start at this file',
    without: 'none',
  },
  instruments: {
    type: 'files',
    description:
      'what is known of the judges: files that agent-criteria calibrate and agent-criteria noise wrote with --output; paths start at this file',
    without: 'none',
  },
  repeats: {
    type: 'repeats',
    description:
      'how often each case runs, each time in a fresh session; auto:MAX stops a case as soon as it is clear whether it passes as often as the gate case_pass_rate asks (auto alone is auto:60)',
    default: runDefaults.repeats,
    most: MOST_REPEATS,
    adkFlag: 'num_runs',
  },
  compat: {
    type: 'choice',
    choices: ['adk'],
    description: 'the numbers of ADK Python, including its quirks; verdicts follow the same rules',
    without: 'our own numbers',
  },
  'concurrency.agents': {
    type: 'whole',
    description: 'how many sessions are open at once',
    default: runDefaults.concurrency.agents,
  },
  'concurrency.scoring': {
    type: 'whole',
    description: 'how many conversations are scored at once',
    default: runDefaults.concurrency.scoring,
  },
  'concurrency.calls': {
    type: 'whole',
    description: 'how many calls to one model run at once, at most: fewer while it refuses some',
    default: callDefaults.concurrency.calls,
  },
  turnTimeout: { type: 'duration', description: 'how long one turn may take', default: runDefaults.turnTimeout },
  caseTimeout: { type: 'duration', description: 'how long one case may take, each repeat by itself', ...NO_LIMIT },
  runTimeout: { type: 'duration', description: 'how long the whole run may take', ...NO_LIMIT },
  criterionTimeout: {
    type: 'duration',
    description:
      'how long a criterion may take for one turn or conversation, not counting calls to models and services',
    default: runDefaults.criterionTimeout,
  },
  callTimeout: {
    type: 'duration',
    description: 'how long one call to a judge, a simulated user or a paid service may take',
    default: callDefaults.callTimeout,
  },
  maxRetries: {
    type: 'whole',
    least: 0,
    description: 'how often a call is retried after a rate limit, an overload or a network failure',
    default: callDefaults.maxRetries,
  },
  requestsPerMinute: {
    type: 'whole',
    description: 'how many calls to one model may begin within a minute',
    ...NO_LIMIT,
  },
  tokensPerMinute: {
    type: 'whole',
    description: 'how many tokens may be sent to and received from one model within a minute',
    ...NO_LIMIT,
  },
  maxCalls: {
    type: 'whole',
    least: 0,
    description: 'ends the run after this many calls, retries included; it can be resumed with more',
    ...NO_LIMIT,
  },
  maxTokens: {
    type: 'whole',
    least: 0,
    description: 'ends the run after this many tokens, sent and received together',
    ...NO_LIMIT,
  },
  maxCost: {
    type: 'amount',
    description: 'ends the run at this cost, in the currency of prices, which must then name every model',
    ...NO_LIMIT,
  },
  cache: {
    type: 'folderOrFalse',
    description:
      'the folder where answers of judges and other paid services are cached for later runs; false: no cache',
    default: callDefaults.cache,
    shorthands: { no_cache: { description: 'neither read nor write cached answers', sets: { cache: false } } },
  },
  'recording.file': {
    type: 'recordingFile',
    textName: 'recording',
    description:
      'a file of answers, to be committed: FILE:record asks for every answer and keeps it, FILE:replay takes every answer from the file (no key is needed, and a missing answer ends the run), FILE:auto asks for what is missing; :MODE alone keeps the file of the config',
    without: 'none',
  },
  'recording.mode': {
    type: 'recordingMode',
    textName: 'recording',
    choices: recordingModes,
    description:
      'replay: every answer comes from the recording, and a missing one ends the run; record: every answer is requested and recorded; auto: missing answers are requested and added; off: the recording is not used',
    default: 'auto',
  },
  'recording.label': {
    type: 'text',
    placeholder: 'TEXT',
    description: 'the label of a new recording, such as "a scripted judge"',
    without: 'nothing',
  },
  runsFolder: { type: 'folder', description: 'where runs are saved', default: '.agent-criteria/runs' },
  maskSecrets: {
    type: 'switch',
    description:
      'whether secrets are masked in everything that is saved and judged: known forms, such as bearer tokens and API keys, and the values of variables named like a secret',
    default: true,
    shorthands: { no_masking: { description: 'do not mask secrets', sets: { maskSecrets: false } } },
  },
  redact: {
    type: 'function',
    description: 'a function that changes everything that a run saves before it is written',
    without: 'nothing is changed',
  },
};

/** The names of all settings, in the order of the list. */
export const settingNames = Object.keys(settings) as readonly SettingName[];
