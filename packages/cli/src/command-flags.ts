import { settingFlags } from '@agent-criteria/project/flags';
import type { FlagValues } from './arguments.ts';
import {
  agentName,
  calls,
  compat,
  config,
  confirm,
  dryRun,
  evalHistory,
  filters,
  force,
  gates,
  inspect,
  json,
  judge,
  limits,
  masking,
  measurements,
  minEffect,
  name,
  output,
  running,
  runsFolder,
  scoring,
  uncachedCalls,
  variant,
  verbose,
} from './flag-groups.ts';
import type { FlagTable } from './flag-table.ts';

// The flags of every command, for both help and parsing, neither of which loads a command.

export const commandFlags = {
  eval: {
    config_file_path: config,
    print_detailed_results: verbose,
    agent_name: agentName,
    variant,
    ...running,
    ...judge,
    ...calls,
    ...masking,
    ...dryRun,
    ...compat,
    output,
    ...gates,
    confirm,
    watch: {
      type: 'boolean',
      help: 'run again whenever the agent, an eval set or a config changes, as far as the change reaches; keys: r run again, f what failed, a all, q quit',
    },
    name,
    inspect,
    eval_history: evalHistory,
    no_run_folder: { type: 'boolean', help: 'do not save the run to disk' },
    json,
  },
  generate: { agent_name: agentName, variant, ...running, config_file_path: config, name, ...calls, ...masking, json },
  score: {
    from: {
      type: 'string',
      value: 'FILE',
      help: "judge what ADK recorded in this .evalset_result.json file, instead of a run, and print each difference from ADK's scores (default criteria: those that the file records)",
    },
    config_file_path: config,
    ...filters,
    only_failed: {
      type: 'boolean',
      help: 'score only cases that failed, ended in an error or could not be judged in the last scoring of this run',
    },
    ...judge,
    ...calls,
    ...masking,
    ...dryRun,
    ...compat,
    print_detailed_results: verbose,
    output,
    ...gates,
    ...runsFolder,
    json,
  },
  resume: {
    rerun: {
      type: 'string',
      value: 'WHICH',
      help: 'also rerun finished cases: failed (and errored), errored, or all',
    },
    print_detailed_results: verbose,
    output,
    ...gates,
    ...limits,
    ...judge,
    ...calls,
    ...masking,
    ...runsFolder,
    json,
  },
  report: {
    format: {
      type: 'string',
      value: 'NAME',
      help: 'console, json, adk, junit, markdown, csv or html (default: from the extension of --output, otherwise console)',
    },
    output: {
      type: 'string',
      value: 'FILE',
      help: 'where to write it (default: standard output); adk: a folder, created if it is missing, gets a file for each eval set and variant',
    },
    open: {
      type: 'boolean',
      help: 'write the page and open it in the browser; in CI, or where there is no display, only its path is printed',
    },
    only_failed: {
      type: 'boolean',
      help: 'only the cases that did not pass (console, html, markdown, json, csv)',
    },
    print_detailed_results: { ...verbose, help: `console: ${verbose.help}` },
    eval_history: { ...evalHistory, help: "save ADK's result files to AGENT/.adk/eval_history" },
    eval_set: { type: 'string', value: 'ID', help: 'adk: which eval set, if the run has several' },
    variant: { type: 'string', value: 'NAME', help: 'adk: which variant, if the run has several' },
    scoring,
    ...runsFolder,
  },
  power: { min_effect: minEffect, ...runsFolder, json },
  compare: {
    min_effect: minEffect,
    format: { type: 'string', value: 'NAME', help: 'console (default), markdown, json or html' },
    output: {
      type: 'string',
      value: 'FILE',
      help: 'write the comparison to a file, in the format of its extension (.html, .md, .json, .txt) or of --format; .html is a page with every case side by side',
    },
    ...runsFolder,
    json,
  },
  'baseline set': {
    output: {
      type: 'string',
      value: 'FILE',
      help: 'where to write it (default: baseline.json); an existing baseline is replaced',
    },
    ...runsFolder,
    json,
  },
  label: {
    criterion: {
      type: 'string',
      value: 'NAME',
      help: 'which criterion to label (default: the one with a judge; if there is none, whether the case as a whole is good)',
    },
    rubric: { type: 'string', value: 'ID', help: 'which rubric of the criterion (default: the criterion as a whole)' },
    draw: {
      type: 'string',
      value: 'by-verdict|random',
      help: 'how answers are drawn: as many that pass as fail by the criterion, in an order that does not show which, or all alike (default: by-verdict where one verdict is rare, below a third; otherwise random)',
    },
    by: {
      type: 'string',
      value: 'NAME',
      help: 'who labels; labels of several people are kept apart (default: your user name, or anonymous if it is unknown)',
    },
    import: {
      type: 'string',
      value: 'FILE',
      help: 'read labels from a CSV file, as --export writes it, instead of asking for them',
    },
    export: {
      type: 'string',
      value: 'FILE',
      help: 'write a CSV file with a row for everything that can be labelled, including the labels given so far',
    },
    scoring,
    ...runsFolder,
  },
  calibrate: {
    criterion: { type: 'string', value: 'NAME', help: 'only this criterion (default: all that have labels)' },
    output: measurements,
    scoring,
    ...runsFolder,
    json,
  },
  noise: {
    repeats: {
      type: 'string',
      value: 'K',
      help: 'how many times the same answers are judged, at least 2; 5 is a good start',
    },
    config_file_path: config,
    ...judge,
    ...uncachedCalls,
    ...masking,
    ...dryRun,
    output: measurements,
    ...runsFolder,
    json,
  },
  runs: { ...runsFolder, json },
  'runs rename': { ...runsFolder, json },
  'runs delete': { ...runsFolder, json },
  show: {
    variant: {
      type: 'string',
      value: 'NAME',
      help: 'which variant of the case, if the run has several (default: all)',
    },
    judge_prompt: { type: 'boolean', help: 'print what each judge was asked, and what it answered' },
    scoring,
    ...runsFolder,
    json,
  },
  studio: {
    port: {
      type: 'string',
      value: 'N',
      help: 'the port on 127.0.0.1 (default: the next free one from 8090 on; 0: any)',
    },
    no_open: { type: 'boolean', help: 'print the link, and do not open a browser' },
    adk_web: {
      type: 'string',
      value: 'FOLDER',
      help: "serve ADK's built web UI from this folder: node_modules/@google/adk-devtools/dist/browser",
    },
    allow_unauthenticated: {
      type: 'boolean',
      help: 'ask for no token: every program on this machine can use the studio, as old clients of ADK need it',
    },
    inspect,
    ...runsFolder,
  },
  mcp: {
    write: {
      type: 'boolean',
      help: 'also let the client run agents, which executes code and may cost money, and change eval sets (default: it can only read)',
    },
    ...settingFlags('maxCalls', 'maxTokens', 'maxCost'),
    ...runsFolder,
  },
  init: {
    preset: {
      type: 'string',
      value: 'NAME',
      help: 'which criteria: ci (default), correctness, quality, tools, public-facing or simulated-users',
    },
    skill: {
      type: 'boolean',
      help: 'write a skill for coding agents to .agents/skills, and to .claude/skills if there is a folder .claude, and nothing else',
    },
  },
  validate: {
    config_file_path: {
      type: 'string',
      value: 'FILE',
      help: 'check the eval sets against this config (default: the one that would apply to each)',
    },
    json,
  },
  migrate: {
    initial_session_file: {
      type: 'string',
      value: 'FILE',
      help: 'initial session for legacy cases that name none (its app, user and state are used)',
    },
    force,
    json,
  },
  import: {
    as: {
      type: 'string',
      value: 'FORMAT',
      help: 'messages, adk, agents-cli, traces, atif, openai-evals, promptfoo or rows (default: detected from the content of each file)',
    },
    column: {
      type: 'string',
      multiple: true,
      value: 'NAME=PATH',
      help: 'where a record has the column: answer=$.output.text, label=$.scores[0], or answer=$.answers[*].text for several conversations in a record; NAME= for a column that was guessed wrongly; can be repeated. The columns: id, messages, turns, user, answer, calls, turn, reference, expected_calls, instructions, tools, model, usage, label, reason, group, tags, repeat, error',
    },
    cases: {
      type: 'string',
      value: 'FILE',
      help: 'write an eval set that expects the same behaviour again, instead of a run; FILE is an .evalset.json. Checks that the files have themselves (openai-evals, promptfoo) become criteria, in FILE_config.json beside it',
    },
    where: {
      type: 'string',
      multiple: true,
      value: 'PATH=VALUE',
      help: 'only records with this value, as $.status=closed; can be repeated: all must hold',
    },
    grep: {
      type: 'string',
      multiple: true,
      value: 'TEXT',
      help: 'only conversations with this text in a message or a call, in upper or lower case; can be repeated: any of them',
    },
    unique: { type: 'boolean', help: 'only the first of the conversations in which the user says the same' },
    sample: { type: 'string', value: 'N', help: 'only N of the conversations, drawn at random' },
    seed: { type: 'string', value: 'TEXT', help: 'the seed of --sample (default: 1); the same seed draws the same' },
    pass: {
      type: 'string',
      multiple: true,
      value: 'VALUE',
      help: 'a label that means pass; can be repeated, and every other label then means fail (default: pass, yes, true, 1, correct, good and the like)',
    },
    by: { type: 'string', value: 'NAME', help: 'who gave the labels (default: imported)' },
    stop: {
      type: 'string',
      value: 'TEXT',
      help: "leave out an unanswered last message of the user with this text, such as a simulated user's ###STOP###",
    },
    skip_invalid: {
      type: 'boolean',
      help: 'leave out records that cannot be read, and list them (default: they are errors, and nothing is imported)',
    },
    name,
    force: { type: 'boolean', help: 'overwrite the file of --cases' },
    dry_run: { type: 'boolean', help: 'write nothing; show how the files would be read, and the first conversation' },
    ...masking,
    ...runsFolder,
    json,
  },
  export: {
    format: {
      type: 'string',
      value: 'NAME',
      help: 'messages (JSON Lines, a conversation a line), csv (a row for each turn), agents-cli (a dataset) or traces (spans of OpenTelemetry as OTLP JSON, with the results of criteria) (default: csv for an --output FILE.csv, otherwise messages)',
    },
    output: { type: 'string', value: 'FILE', help: 'where to write it (default: standard output)' },
    scoring,
    ...runsFolder,
  },
  'eval_set create': { json },
  'eval_set list': { json },
  'eval_set show': { json },
  'eval_set add_eval_case': {
    scenarios_file: { type: 'string', value: 'FILE', help: 'the scenarios; each becomes a case' },
    session_input_file: { type: 'string', value: 'FILE', help: 'the initial session of each case' },
    json,
  },
  'eval_set generate_eval_cases': {
    user_simulation_config_file: {
      type: 'string',
      value: 'FILE',
      help: "count, model_name, generation_instruction and environment_context, in ADK's format (default: none)",
    },
    count: { type: 'string', value: 'N', help: 'how many scenarios (default: the count in FILE, or 10)' },
    model: {
      type: 'string',
      value: 'NAME',
      help: 'the model that writes them (default: the model_name in FILE, or gemini-2.5-flash)',
    },
    persona: {
      type: 'string',
      multiple: true,
      value: 'ID',
      help: 'EXPERT, NOVICE, EVALUATOR or ATTACKER, who tries to misuse the agent; can be repeated (default: all)',
    },
    seed: {
      type: 'string',
      value: 'N',
      help: 'chooses what the scenarios aim at, and is passed to the model (default: 0, and none for the model)',
    },
    ...calls,
    json,
  },
  'eval_set add_session': {
    eval_id: {
      type: 'string',
      value: 'ID',
      help: 'id of the new case (default: the id of the session, or CASE_recorded)',
    },
    no_matchers: { type: 'boolean', help: 'expect ids, dates and times in arguments exactly as recorded' },
    eval_set: { type: 'string', value: 'ID', help: 'the eval set, if several sets of the run have this case' },
    ...runsFolder,
    json,
  },
  criteria: {
    config_file_path: {
      type: 'string',
      value: 'FILE',
      help: "also list the criteria of this config's plugins (default: the config in the working folder)",
    },
    json,
  },
  doctor: {
    ...settingFlags('judgeModel'),
    offline: { type: 'boolean', help: 'do not call models or servers; only check that their keys are set' },
    ...runsFolder,
    json,
  },
} as const satisfies Readonly<Record<string, FlagTable>>;

export type CommandName = keyof typeof commandFlags;

export interface Given<Name extends CommandName> {
  readonly flags: FlagValues<(typeof commandFlags)[Name]>;
  readonly positionals: readonly string[];
  /** A short form of the command line, for messages: `agent-criteria show [RUN] [CASE]`. */
  readonly form: string;
}
