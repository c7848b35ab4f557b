import type { FlagTable } from './arguments.ts';
import { commandFlags } from './command-flags.ts';
import type { Io } from './io.ts';

/** Runs a command with what stands after its name, and gives the exit code. */
export type RunCommand = (args: readonly string[], io: Io) => Promise<number>;

export interface Command {
  /** One word, or two: `eval_set create`. */
  readonly name: string;
  readonly group: 'Evaluate' | 'Look at runs' | 'Files' | 'About';
  readonly summary: string;
  /** What follows the name. */
  readonly form: string;
  /** What else help says, in paragraphs. */
  readonly about?: string;
  readonly flags: FlagTable;
  /** Each command is loaded when it is asked for. */
  load(): Promise<RunCommand>;
}

const RUN = 'RUN is the id of a run, the beginning of one, the path of its folder, or "last" (the default).';

export const commands: readonly Command[] = [
  {
    name: 'eval',
    group: 'Evaluate',
    summary: 'run an agent on eval sets and judge what it did',
    form: 'AGENT [EVALSET[:case1,case2]...]',
    about:
      'AGENT is a module (.ts, .js), or a folder with an agent.ts, agent.js or index. EVALSET is a file, a folder of *.evalset.json and *.test.json files, a pattern with * in it, or the id of a set in the folder of the agent; none: all sets in that folder.',
    flags: commandFlags.eval,
    load: async () => (await import('./eval-command.ts')).evalCommand,
  },
  {
    name: 'generate',
    group: 'Evaluate',
    summary: 'run an agent on eval sets and record what it did, for score to judge',
    form: 'AGENT [EVALSET[:case1,case2]...]',
    about: 'Arguments are those of eval. Exit code 3 when the agent failed somewhere.',
    flags: commandFlags.generate,
    load: async () => (await import('./generate-command.ts')).generateCommand,
  },
  {
    name: 'score',
    group: 'Evaluate',
    summary: 'judge what a run has recorded once more, without running the agent',
    form: '[RUN]',
    about: `${RUN} The eval sets are read again, so that today's references, rubrics and thresholds judge; earlier scorings stay. A case whose messages have changed has no recording, and is an error.`,
    flags: commandFlags.score,
    load: async () => (await import('./score-command.ts')).scoreCommand,
  },
  {
    name: 'resume',
    group: 'Evaluate',
    summary: 'go on with a run that did not come to its end',
    form: '[RUN]',
    about: `${RUN} Only what is missing or was an error is done. When eval sets, configs, models or packages are not what they were, nothing runs and all that changed is told.`,
    flags: commandFlags.resume,
    load: async () => (await import('./resume-command.ts')).resumeCommand,
  },
  {
    name: 'runs',
    group: 'Look at runs',
    summary: 'list the runs that are kept',
    form: '',
    flags: commandFlags.runs,
    load: async () => (await import('./runs-command.ts')).runsCommand,
  },
  {
    name: 'show',
    group: 'Look at runs',
    summary: 'show a run, or one case of it in full',
    form: '[RUN] [CASE]',
    about: `${RUN} One word alone that is no run is a case of the last one.`,
    flags: commandFlags.show,
    load: async () => (await import('./show-command.ts')).showCommandLine,
  },
  {
    name: 'report',
    group: 'Look at runs',
    summary: 'write a report of a run, without running anything',
    form: '[RUN]',
    about: `${RUN} With several eval sets, ADK's format takes a folder as --output, and writes a file for each.`,
    flags: commandFlags.report,
    load: async () => (await import('./report-command.ts')).reportCommand,
  },
  {
    name: 'init',
    group: 'Files',
    summary: 'start: a small agent, an eval set and a config that run at once',
    form: '[FOLDER] [--preset NAME]',
    about: `In a folder without code of its own, everything is written that a first run needs, and nothing is overwritten. In any other, only the test_config.json is written that is missing: one that fits the eval sets there, or a --preset. The presets:
ci: the expected tools and the expected words (no model is asked); correctness: the same meaning, nothing invented; quality: rubrics for the answer, safety; tools: rubrics for tools, the expected tools; public-facing: nothing invented, safety; simulated-users: nothing invented, and a simulated user that keeps to its plan.`,
    flags: commandFlags.init,
    load: async () => (await import('./init-command.ts')).initCommand,
  },
  {
    name: 'validate',
    group: 'Files',
    summary: 'check eval sets, configs, results, session inputs and scenarios',
    form: 'FILE|FOLDER...',
    about:
      'Every file is recognised by its content, else by its name, and every mistake of every file is told, as a run would tell it. Exit code 2 when there is one.',
    flags: commandFlags.validate,
    load: async () => (await import('./validate-command.ts')).validateCommand,
  },
  {
    name: 'migrate',
    group: 'Files',
    summary: 'turn eval data of before eval sets into an eval set file',
    form: 'OLD NEW',
    about:
      'Both formats before eval sets are read. OLD may be a folder: then NEW is one too. The new file says the same every time, loads in ADK Python, and is written whole or not at all; what has no place in it is told.',
    flags: commandFlags.migrate,
    load: async () => (await import('./migrate-command.ts')).migrateCommand,
  },
  {
    name: 'eval_set create',
    group: 'Files',
    summary: 'make an empty eval set in the folder of an agent',
    form: 'AGENT SET_ID',
    about: 'Writes AGENT/SET_ID.evalset.json, as ADK does. An id has letters, digits and underscores.',
    flags: commandFlags['eval_set create'],
    load: async () => (await import('./eval-set-create-command.ts')).evalSetCreateCommand,
  },
  {
    name: 'eval_set add_eval_case',
    group: 'Files',
    summary: 'add scenarios to an eval set, each as a case',
    form: 'AGENT SET_ID --scenarios_file F --session_input_file F',
    about:
      'The id of a case is made from its scenario, as ADK makes it; one that is there already is passed over. (ADK puts the whole of a persona that is named by its id into the id of the case; here the name stands for it, so such cases have ids of our own.)',
    flags: commandFlags['eval_set add_eval_case'],
    load: async () => (await import('./eval-set-add-command.ts')).evalSetAddCommand,
  },
  {
    name: 'eval_set add_session',
    group: 'Files',
    summary: 'add a conversation that took place to an eval set, as a case that expects it again',
    form: 'AGENT SET_ID SESSION_FILE|RUN [CASE [REPEAT]]',
    about: `SESSION_FILE is a session of ADK, as adk run --save_session and ADK's web page write it. ${RUN.replace(' (the default)', '')} CASE is one of its cases, REPEAT counts from 1.
What the agent did becomes what is expected: messages, calls and answers, without thoughts and token counts. The state at the beginning is what the conversation itself did not set. Ids, dates and times in arguments that the user has not said get matchers of tool_trajectory_avg_score, for this case. A case that is there already is never changed.`,
    flags: commandFlags['eval_set add_session'],
    load: async () => (await import('./eval-set-add-session-command.ts')).evalSetAddSessionCommand,
  },
  {
    name: 'eval_set list',
    group: 'Files',
    summary: 'list the eval sets in the folder of an agent',
    form: 'AGENT',
    flags: commandFlags['eval_set list'],
    load: async () => (await import('./eval-set-list-command.ts')).evalSetListCommand,
  },
  {
    name: 'eval_set show',
    group: 'Files',
    summary: 'show the cases of an eval set, or one of them in full',
    form: 'AGENT SET_ID [CASE]',
    about: 'SET_ID may be the path of a file too.',
    flags: commandFlags['eval_set show'],
    load: async () => (await import('./eval-set-show-command.ts')).evalSetShowCommand,
  },
  {
    name: 'criteria',
    group: 'About',
    summary: 'list the criteria there are, installed or not',
    form: '',
    flags: commandFlags.criteria,
    load: async () => (await import('./criteria-command.ts')).criteriaCommand,
  },
  {
    name: 'doctor',
    group: 'About',
    summary: 'look at what a run would find: versions, files, plugins, environment, models',
    form: '[AGENT]',
    about:
      'Names of files and variables are told, never what is in them. Every model of the project and its eval sets is asked one small question, and the server of an agent behind a URL whether it has the app. Exit code 2 when something stands in the way of a run.',
    flags: commandFlags.doctor,
    load: async () => (await import('./doctor-command.ts')).doctorCommand,
  },
];

/** The command that a command line begins with, and the words that name it. */
export function findCommand(args: readonly string[]): { readonly command: Command; readonly rest: string[] } | null {
  const words = args.slice(0, 2).map((word) => word.replaceAll('-', '_'));
  for (const count of [2, 1]) {
    const name = words.slice(0, count).join(' ');
    const command = commands.find((candidate) => candidate.name === name);
    if (command !== undefined && words.length >= count) return { command, rest: args.slice(count) };
  }
  return null;
}
