import { settingFlags } from '@agent-criteria/project/flags';
import type { FlagTable } from './flag-table.ts';

// Flags that several commands share, one by one or in groups.

export const json = { type: 'boolean', help: 'print the result as JSON, and nothing else' } as const;
export const config = {
  type: 'string',
  value: 'FILE',
  help: 'the eval config (default: test_config.json next to each eval set, otherwise the only *config*.json with criteria there or one folder up, otherwise tool_trajectory_avg_score 1.0 and response_match_score 0.8)',
} as const;
export const agentName = {
  type: 'string',
  value: 'NAME',
  help: 'evaluate the sub-agent or the export with this name',
} as const;
export const variant = {
  type: 'string',
  multiple: true,
  value: 'NAME=AGENT[#EXPORT]',
  help: 'run this agent under this name; repeat it to run several agents side by side, each case with each. No AGENT argument is given then; a project config can name them too (variants)',
} as const;
const chosenCase = {
  type: 'string',
  multiple: true,
  value: 'ID',
  help: 'run only this case, from any eval set that has it; can be repeated, and takes any id, including commas and colons',
} as const;
export const filters = {
  case: chosenCase,
  tag: {
    type: 'string',
    multiple: true,
    value: 'NAME',
    help: 'run only cases with this tag (agent_criteria.tags of a case); can be repeated: cases with any of them',
  },
  grep: {
    type: 'string',
    multiple: true,
    value: 'TEXT',
    help: 'run only cases with this text in SET:CASE or in a tag: plain text, in upper or lower case, not a pattern; can be repeated: cases with any of them',
  },
  only_failed: {
    type: 'boolean',
    help: 'run only cases that failed, ended in an error or could not be judged in the last judged run of this agent',
  },
  failed_in: { type: 'string', value: 'RUN', help: 'the same as --only-failed, for this run' },
} as const satisfies FlagTable;
export const inspect = {
  type: 'string',
  value: 'PORT',
  bare: '9229',
  help: "let a debugger connect to the agent's process, on this port of 127.0.0.1 (default 9229; 0: any free one); further agents get free ones",
} as const;
export const force = { type: 'boolean', help: 'overwrite existing files' } as const;
export const minEffect = {
  type: 'string',
  value: 'SHARE',
  help: 'the smallest change that counts, as a share of the scale (default 0.05: 5 points)',
} as const;
export const measurements = {
  type: 'string',
  multiple: true,
  value: 'FILE',
  help: 'also write FILE.json, a small file without texts to commit and name under instruments in the project config, or FILE.md, this result as Markdown; can be repeated',
} as const;
export const scoring = { type: 'string', value: 'N', help: 'which scoring of the run (default: the last)' } as const;

export const limits = settingFlags('concurrency.agents', 'turnTimeout', 'caseTimeout', 'runTimeout');
export const runsFolder = settingFlags('runsFolder');
export const running = { ...settingFlags('repeats'), ...filters, ...limits, ...runsFolder } as const;
export const judge = { ...settingFlags('judgeModel', 'concurrency.scoring', 'criterionTimeout') } as const;
const pace = ['concurrency.calls', 'callTimeout', 'maxRetries', 'requestsPerMinute', 'tokensPerMinute'] as const;
const recordingAndBudget = ['recording.file', 'recording.label', 'maxCalls', 'maxTokens', 'maxCost'] as const;
export const calls = settingFlags(...pace, 'cache', ...recordingAndBudget);
export const uncachedCalls = settingFlags(...pace, ...recordingAndBudget);
export const masking = settingFlags('maskSecrets');
export const dryRun = {
  dry_run: { type: 'boolean', help: 'run nothing; estimate how many calls and tokens the judges would take' },
} as const satisfies FlagTable;

export const verbose = {
  type: 'boolean',
  help: 'print every case and turn: prompt, expected and actual answers and calls, scores',
} as const;
export const compat = settingFlags('compat');
export const output = {
  type: 'string',
  multiple: true,
  value: 'FILE',
  help: 'also write a report, in the format of the file extension: .html, .json, .xml (JUnit), .md, .csv, .txt, .evalset_result.json (ADK); can be repeated',
} as const;

export const gates = {
  gate: {
    type: 'string',
    multiple: true,
    value: 'NAME=VALUE',
    help: 'a condition on the whole run, in addition to the gates of the config: pass_rate=0.9, means.CRITERION=0.7, quantiles.CRITERION=0.95:8, pass_hat_k=3:0.8, flaky_share=0.1, case_pass_rate=0.8, cost=0.02, regression or regression=0.05, no_worse_than=0.05; can be repeated',
  },
  baseline: {
    type: 'string',
    value: 'FILE|RUN|last',
    help: 'fail if this run is a regression against a baseline file, another run, or the last finished run of this agent; eval can run once more before a regression counts (--confirm)',
  },
} as const satisfies FlagTable;

export const confirm = {
  type: 'boolean',
  help: 'if the gate regression does not hold, run all cases once more and decide by both runs together',
} as const;
export const name = {
  type: 'string',
  value: 'TEXT',
  help: 'a name for the run, shown wherever runs are listed and compared; commands find it by this name, too',
} as const;
export const evalHistory = {
  type: 'boolean',
  help: "also save ADK's result files to AGENT/.adk/eval_history",
} as const;
