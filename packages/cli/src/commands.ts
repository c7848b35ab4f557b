import type { CommandName, Given } from './command-flags.ts';
import type { Io } from './io.ts';

interface CommandNamed<Name extends CommandName> {
  /** One word or two, such as `eval_set create`. Its flags are in `commandFlags`. */
  readonly name: Name;
  readonly group: 'Evaluate' | 'Look at runs' | 'Files' | 'About';
  readonly summary: string;
  readonly form: string;
  /** The maximum number of arguments. Default: no limit. */
  readonly most?: number;
  readonly about?: string;
  /** The meaning of its exit codes. Default: those of a judged run. */
  readonly exits?: string | undefined;
  /** The most common flags, in the order in which help lists them. Default: all. */
  readonly basic?: readonly string[] | undefined;
  /** Imports the function that runs the command and returns its exit code. */
  load(): Promise<(given: Given<Name>, io: Io) => Promise<number>>;
}

export type Command = { [Name in CommandName]: CommandNamed<Name> }[CommandName];

const RUN =
  'RUN is a run id or the start of one, the name or the path of a run, the hash of a commit (at least 4 digits), or "last" (the default): the last run of all cases of its eval sets. "last~1" is the run of the same eval sets and agent before it.';

export const commands: readonly Command[] = [
  {
    name: 'eval',
    group: 'Evaluate',
    summary: 'run an agent on eval sets and score it',
    form: 'AGENT [EVALSET[:case1,case2]...]',
    about:
      'AGENT is a module (.ts, .js), or a folder with an agent.ts, agent.js or index. EVALSET is a file, a folder of *.evalset.json and *.test.json files, a glob pattern, a dataset of agents-cli, or the id of a set in the agent folder. Without EVALSET, all sets in the agent folder are used.',
    basic: [
      'config_file_path',
      'judge_model',
      'repeats',
      'tag',
      'only_failed',
      'output',
      'gate',
      'baseline',
      'print_detailed_results',
      'recording',
      'dry_run',
      'json',
    ],
    load: async () => (await import('./eval-command.ts')).evalCommand,
  },
  {
    name: 'generate',
    group: 'Evaluate',
    summary: 'run an agent on eval sets and record it, to be scored later',
    form: 'AGENT [EVALSET[:case1,case2]...]',
    about:
      'Takes the same arguments as eval. Nothing is judged: the flags about models, recordings, caches and budgets are for simulated users, which ask a model for every message, and --config-file-path names the config that has their user_simulator_config.',
    basic: ['config_file_path', 'repeats', 'tag', 'grep', 'only_failed', 'recording', 'concurrency_agents', 'json'],
    exits:
      '0 everything was recorded, 2 a usage or configuration error (nothing ran), 3 the agent failed somewhere, 130 interrupted',
    load: async () => (await import('./eval-command.ts')).generateCommand,
  },
  {
    name: 'score',
    group: 'Evaluate',
    summary: 'score a recorded run again, without running the agent',
    form: '[RUN]',
    most: 1,
    about: `${RUN} The eval sets are read again, so the current references, rubrics and thresholds apply; earlier scorings are kept. A case whose messages have changed has no recording, and is an error.`,
    basic: [
      'config_file_path',
      'judge_model',
      'tag',
      'grep',
      'only_failed',
      'output',
      'print_detailed_results',
      'recording',
      'no_masking',
      'dry_run',
      'json',
    ],
    load: async () => (await import('./score-command.ts')).scoreCommand,
  },
  {
    name: 'resume',
    group: 'Evaluate',
    summary: 'continue an unfinished run',
    form: '[RUN]',
    most: 1,
    about: `${RUN} Only missing and errored cases run. If eval sets, configs, models or packages have changed, nothing runs and every change is listed.`,
    basic: ['rerun', 'judge_model', 'output', 'print_detailed_results', 'recording', 'concurrency_agents', 'json'],
    load: async () => (await import('./resume-command.ts')).resumeCommand,
  },
  {
    name: 'runs',
    group: 'Look at runs',
    summary: 'list saved runs',
    form: '',
    most: 0,
    exits: '0 listed, whatever came of the runs, 2 a usage error',
    load: async () => (await import('./runs-command.ts')).runsCommand,
  },
  {
    name: 'runs rename',
    group: 'Look at runs',
    summary: 'give a run a name, or take it away',
    form: 'RUN [NAME]',
    most: 2,
    about: `${RUN.replace(' (the default)', '')} Without NAME, the run loses its name. A name is at most 100 characters, and nothing that would be taken for an id, a commit, a path or "last". Several runs may have the same name: it then means the newest.`,
    exits: '0 renamed, 2 a usage error, or no such run',
    load: async () => (await import('./runs-rename-command.ts')).runsRenameCommand,
  },
  {
    name: 'runs delete',
    group: 'Look at runs',
    summary: 'delete saved runs for good',
    form: 'RUN...',
    about: `${RUN.replace(' (the default)', '')} Only runs in the folder for runs are deleted, and none that a process is writing. What cannot be deleted is named, and the others are deleted all the same.`,
    exits: '0 deleted, 2 a usage error, or a run that is not there or is being written',
    load: async () => (await import('./runs-delete-command.ts')).runsDeleteCommand,
  },
  {
    name: 'show',
    group: 'Look at runs',
    summary: 'show a run, or one of its cases in full',
    form: '[RUN] [CASE]',
    most: 2,
    about: `${RUN} A single argument that is not a run is a case of the last run.`,
    exits:
      '0 shown, whatever came of the run, 2 a usage error, or no such run or case; in CI, use the exit code of eval, score or resume',
    load: async () => (await import('./show-command.ts')).showCommandLine,
  },
  {
    name: 'report',
    group: 'Look at runs',
    summary: 'write a report of a run, without running anything',
    form: '[RUN]',
    most: 1,
    about: `${RUN} With several eval sets, ADK's format takes a folder as --output and writes one file for each set.`,
    exits:
      '0 written, whatever came of the run, 2 a usage error, or no such run; in CI, use the exit code of eval, score or resume',
    load: async () => (await import('./report-command.ts')).reportCommand,
  },
  {
    name: 'baseline set',
    group: 'Look at runs',
    summary: 'save the scores of a run in a small file to commit, for --baseline',
    form: '[RUN]',
    most: 1,
    about: `${RUN} RUN#NAME is one variant of a run. The file has scores by case and repeat, versions and hashes, but no texts.`,
    exits: '0 written, 2 a usage error, or a run that is not finished',
    load: async () => (await import('./baseline-set-command.ts')).baselineSetCommand,
  },
  {
    name: 'compare',
    group: 'Look at runs',
    summary: 'show what changed between two runs of the same cases, and how certain that is',
    form: '[BASE [NEW]]',
    most: 2,
    about: `Without arguments, the last two runs of all cases of the same eval sets and agent are compared. BASE and NEW (default: the last run) name runs, as RUN does for other commands: an id or the start of one, a name, the path of a run folder, a commit, "last", or "last~1"; RUN#NAME is one variant of a run. Each case of BASE is paired with the same case of NEW, by id. A change counts if chance alone hardly explains it (p below 0.05, corrected for the number of criteria) and if it is at least --min-effect.`,
    exits:
      '0 no regression, 1 a regression, 2 a usage error, or a run that cannot be read or is not finished, 3 nothing can be compared, or what could not be judged leaves the result open',
    load: async () => (await import('./compare-command.ts')).compareCommand,
  },
  {
    name: 'power',
    group: 'Look at runs',
    summary: 'show which fall of the pass rate a comparison would find, by cases and repeats, and what that costs',
    form: '[RUN]',
    most: 1,
    about: `${RUN} RUN#NAME is one variant of a run. Nothing runs: the power of a comparison is computed from the results of this run, for a fall that all cases share and for one where some cases break.`,
    exits: '0 done, 2 a usage error, or a run that shows nothing of what a comparison would find',
    load: async () => (await import('./power-command.ts')).powerCommand,
  },
  {
    name: 'label',
    group: 'Look at runs',
    summary: 'label the answers of a run as pass or fail, to check its judges',
    form: '[RUN]',
    most: 1,
    about: `${RUN} RUN#NAME is one variant of a run. Shows one answer at a time, drawn at random, or by verdict where one verdict is rare, and asks for a key: p for pass, f for fail, s to skip, u to undo, q to quit. What the judge said is shown only after your own label. Each label is saved at once, beside the scores of the run, and the next time you continue where you stopped. Labels of several people are kept apart.`,
    exits: '0 done, 2 a usage error, or a run without anything to label',
    load: async () => (await import('./label-command.ts')).labelCommand,
  },
  {
    name: 'calibrate',
    group: 'Look at runs',
    summary: 'show how far the judges of a run agree with the labels of people',
    form: '[RUN]',
    most: 1,
    about: `${RUN} RUN#NAME is one variant of a run. For each criterion and rubric with labels: how often judge and people give the same verdict, kappa and AC1 (agreement beyond chance) with their confidence intervals, whether that makes the judge usable, where judge and people differ, and the pass rate by people, of these cases and of cases like these. Labels are weighted by the judge's verdict, so that they may be chosen by it. Labels of whole cases are compared with each deciding criterion, too.`,
    exits: '0 done, 2 a usage error, 3 there are no labels',
    load: async () => (await import('./calibrate-command.ts')).calibrateCommand,
  },
  {
    name: 'noise',
    group: 'Look at runs',
    summary: 'judge the same answers of a run several times, to see how often verdicts change',
    form: '[RUN] --repeats K',
    most: 1,
    about: `${RUN} RUN#NAME is one variant of a run. The agent does not run: the criteria that ask a model judge its recorded answers again, without the cache, and the run stays as it is. Shows how many verdicts change, and how much of the spread between repeats comes from the judge rather than the agent, and how far two judgings of the same answers differ.`,
    exits: '0 done, 2 a usage or configuration error, 3 not everything was judged, 130 interrupted',
    basic: ['repeats', 'judge_model', 'output', 'dry_run', 'max_calls', 'json'],
    load: async () => (await import('./noise-command.ts')).noiseCommand,
  },
  {
    name: 'studio',
    group: 'Look at runs',
    summary: 'open a local web page to talk to agents, edit eval sets, start runs, and read and compare them',
    form: '[FOLDER]',
    most: 1,
    about:
      "FOLDER is that of an agent, or one with agents in the folders below it (default: the working folder); a module or a URL works too. The page is served on this machine only. Ctrl-C ends it: runs finish what they have begun. The server also answers ADK's web UI; --adk-web serves that UI from it. Needs @agent-criteria/studio.",
    exits: '0 ended, 2 a usage or configuration error, 130 ended with a run incomplete',
    load: async () => (await import('./studio-command.ts')).studioCommand,
  },
  {
    name: 'mcp',
    group: 'Look at runs',
    summary: 'let a coding agent check eval sets, run them and read what failed, over the Model Context Protocol',
    form: '[FOLDER]',
    most: 1,
    about:
      'FOLDER is that of the project (default: the working folder): nothing outside of it is read or written. Started by an MCP client, with which it talks over standard input and output; it ends when the client leaves. Without --write, it only reads. --max-calls, --max-tokens and --max-cost limit all runs of the client together. Needs @agent-criteria/mcp.',
    exits: '0 ended, 2 a usage error, 130 ended with a run incomplete',
    load: async () => (await import('./mcp-command.ts')).mcpCommand,
  },
  {
    name: 'init',
    group: 'Files',
    summary: 'create a small agent, an eval set and a config that run right away',
    form: '[FOLDER] [--preset NAME | --skill]',
    most: 1,
    about: `In a folder without code, it writes everything that a first run needs, and overwrites nothing. If package.json lists ai (the AI SDK) or @google/adk, the agent is one of that framework. Beside code that uses one of them, it writes the folder evals, with an agent.ts that exports the agent it finds, or else an example. In any other folder, it only writes a missing test_config.json: one that fits the eval sets there, or a --preset. The presets:
ci: the expected tools and the expected words (no model is asked); correctness: the same meaning, nothing invented; quality: rubrics for the answer, safety; tools: rubrics for tools, the expected tools; public-facing: nothing invented, safety; simulated-users: nothing invented, and a simulated user that keeps to its plan.`,
    exits: '0 done, 2 a usage error, or nothing that can be written',
    load: async () => (await import('./init-command.ts')).initCommand,
  },
  {
    name: 'validate',
    group: 'Files',
    summary: 'check eval sets, configs, results, session inputs and scenarios',
    form: 'FILE|FOLDER...',
    about:
      'Files are recognised by content, otherwise by name. Every mistake in every file is reported, as a run would report it. Data files in a folder that are skipped are listed with the reason.',
    exits: '0 no mistakes, 2 a mistake, or a usage error',
    load: async () => (await import('./validate-command.ts')).validateCommand,
  },
  {
    name: 'migrate',
    group: 'Files',
    summary: 'convert legacy eval data, agents-cli files and turns in short to eval sets and configs',
    form: 'OLD [NEW]',
    most: 2,
    about:
      'Reads both formats that preceded eval sets, datasets and the eval_config.yaml of agents-cli, and eval sets with turns in short ("user", "answer", "calls"), which alone can be rewritten in place: without NEW. If OLD is a folder, so is NEW. The new file is the same every time, loads in ADK Python, and is written completely or not at all; what cannot be converted is reported.',
    exits: '0 written, 2 a usage error, or data that cannot be converted',
    load: async () => (await import('./migrate-command.ts')).migrateCommand,
  },
  {
    name: 'import',
    group: 'Files',
    summary: 'make a run, or an eval set, of recorded conversations: messages, traces, ADK sessions, rows',
    form: 'FILE...',
    about:
      "FILE holds conversations: lists of messages as OpenAI's API and the AI SDK have them, sessions or events of ADK, traces of OpenTelemetry, trajectories of ATIF, or rows with columns. Text format (JSON Lines, JSON, CSV, YAML, also with gzip), format and columns are detected and shown. The run can be scored, labelled, calibrated and compared like any other; a column with a person's verdict becomes its labels. What has no place in a run is listed. A file with mistakes is not imported, and all of them are listed. Files are read as a stream, so they may be larger than memory. An import that was cut off, such as by kill -9, is continued by the same command.",
    basic: ['as', 'column', 'cases', 'sample', 'unique', 'where', 'name', 'dry_run', 'json'],
    exits: '0 imported, 2 a usage error, or a file that cannot be read, 130 interrupted (nothing was saved)',
    load: async () => (await import('./import-command.ts')).importCommand,
  },
  {
    name: 'export',
    group: 'Files',
    summary: 'write the conversations of a run as messages with their labels, CSV, or traces with their scores',
    form: '[RUN]',
    most: 1,
    about: `${RUN} What a format cannot express is listed on standard error, with a count. import reads the file again.`,
    exits: '0 written, 2 a usage error, or a run that cannot be read',
    load: async () => (await import('./export-command.ts')).exportCommand,
  },
  {
    name: 'eval_set create',
    group: 'Files',
    summary: 'create an empty eval set in the agent folder',
    form: 'AGENT SET_ID',
    most: 2,
    about: 'Writes AGENT/SET_ID.evalset.json, as ADK does. An id may contain letters, digits and underscores.',
    exits: '0 created, 2 a usage error, or a set that exists already',
    load: async () => (await import('./eval-set-commands.ts')).evalSetCreateCommand,
  },
  {
    name: 'eval_set add_eval_case',
    group: 'Files',
    summary: 'add scenarios to an eval set, each as a case',
    form: 'AGENT SET_ID --scenarios-file F --session-input-file F',
    most: 2,
    about:
      'Case ids are made from the scenario, as in ADK; a case that already exists is skipped. (ADK includes the full text of a persona that is named by its id in the case id; here only the name is used, so such cases have different ids.)',
    exits: '0 added, or there already, 2 a usage error, or files that cannot be read',
    load: async () => (await import('./eval-set-commands.ts')).evalSetAddCommand,
  },
  {
    name: 'eval_set generate_eval_cases',
    group: 'Files',
    summary: 'let a model write scenarios for an agent, and add them to an eval set',
    form: 'AGENT SET_ID',
    most: 2,
    about:
      'The model reads the description, the instructions and the tools of the agent, and writes conversations for simulated users, spread over situations, personas and tools. Those that repeat another one are left out. Each case has its situation and its tool as tags. A set that does not exist is created. Needs @agent-criteria/user-simulator.',
    exits:
      '0 all added, 2 a usage error, or an agent or a model that cannot be used, 3 fewer than asked for, 130 interrupted; cases written before are kept',
    load: async () => (await import('./eval-set-generate-command.ts')).evalSetGenerateCommand,
  },
  {
    name: 'eval_set add_session',
    group: 'Files',
    summary: 'add a recorded conversation to an eval set, as a case that expects the same behaviour again',
    form: 'AGENT SET_ID SESSION_FILE|RUN [CASE [REPEAT]]',
    most: 5,
    about: `SESSION_FILE is an ADK session, as adk run --save_session and ADK's web UI write it. ${RUN.replace(' (the default)', '')} CASE is one of its cases; REPEAT counts from 1.
What the agent did becomes the expectation: messages, calls and answers, without thoughts and token counts. The initial state is everything that the conversation did not set itself. Ids, dates and times in arguments that the user did not mention get matchers of tool_trajectory_avg_score, for this case only. An existing case is never changed.`,
    exits: '0 added, 2 a usage error, or a session or case that cannot be read or exists already',
    load: async () => (await import('./eval-set-add-session-command.ts')).evalSetAddSessionCommand,
  },
  {
    name: 'eval_set list',
    group: 'Files',
    summary: 'list the eval sets in the agent folder',
    form: 'AGENT',
    most: 1,
    exits: '0 listed, 2 a usage error, or a set that cannot be read',
    load: async () => (await import('./eval-set-commands.ts')).evalSetListCommand,
  },
  {
    name: 'eval_set show',
    group: 'Files',
    summary: 'show the cases of an eval set, or one of them in full',
    form: 'AGENT SET_ID [CASE]',
    most: 3,
    about: 'SET_ID may also be the path of a file.',
    exits: '0 shown, 2 a usage error, or no such set or case',
    load: async () => (await import('./eval-set-show-command.ts')).evalSetShowCommand,
  },
  {
    name: 'criteria',
    group: 'About',
    summary: 'list all criteria, installed or not',
    form: '',
    exits: '0 listed, 2 a usage or configuration error',
    load: async () => (await import('./criteria-command.ts')).criteriaCommand,
  },
  {
    name: 'doctor',
    group: 'About',
    summary: 'check versions, files, plugins, environment and models before a run',
    form: '[AGENT]',
    most: 1,
    about:
      'Prints the names of files and variables, never their contents. Every model of the project and its eval sets is asked one short question, and the server of an agent behind a URL is asked whether it has the app.',
    exits: '0 nothing would prevent a run, 2 something would, or a usage error',
    load: async () => (await import('./doctor-command.ts')).doctorCommand,
  },
];

/** Finds the command that a command line begins with, and the arguments after its name. */
export function findCommand(args: readonly string[]): { readonly command: Command; readonly rest: string[] } | null {
  const words = args.slice(0, 2).map((word) => word.replaceAll('-', '_'));
  for (const count of [2, 1]) {
    const name = words.slice(0, count).join(' ');
    const command = commands.find((candidate) => candidate.name === name);
    if (command !== undefined && words.length >= count) return { command, rest: args.slice(count) };
  }
  return null;
}
