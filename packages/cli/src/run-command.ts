import manifest from '../package.json' with { type: 'json' };
import { type Command, commands, findCommand } from './commands.ts';
import type { FlagTable } from './flag-table.ts';
import { helpOf, overview, subcommandsOf } from './help.ts';
import type { Io } from './io.ts';

// Modules that are slow to load are imported by each command, so that help and version answer at once.

/** Runs a command line and returns its exit code. Never rejects. */
export async function runCommand(args: readonly string[], given: Io): Promise<number> {
  const io = await fitted(given);
  try {
    return await dispatch(args, io);
  } catch (error) {
    return (await import('./print.ts')).reportError(error, io);
  }
}

async function fitted(io: Io): Promise<Io> {
  const { out, err } = io.width;
  if (out === Number.POSITIVE_INFINITY && err === Number.POSITIVE_INFINITY) return io;
  return (await import('./fitted-io.ts')).fittedIo(io);
}

async function dispatch(args: readonly string[], io: Io): Promise<number> {
  const [word] = args;
  if (word === undefined) {
    io.err(overview(io.width.err));
    return 2;
  }
  if (word === '--version' || word === 'version') {
    io.out(`${manifest.version}\n`);
    return 0;
  }
  const asked = word === 'help' ? args.slice(1) : args;
  const all = asksForAll(args);
  const named = all && word === 'help' ? asked.slice(0, -1) : asked;
  const found = findCommand(named);
  if (asksForHelp(args)) {
    const explained = found === null ? subcommandsOf(named[0] ?? '') : [found.command];
    if (explained.length > 0) io.out(await helpOfAll(explained, all, io.width.out));
    else if (named.length === 0 || named[0]?.startsWith('-')) io.out(overview(io.width.out));
    else throw await unknownCommand(named);
    return 0;
  }
  if (found === null) throw await unknownCommand(args);
  return await execute(found.command, found.rest, io);
}

async function execute(command: Command, args: readonly string[], io: Io): Promise<number> {
  const { name, most = Number.POSITIVE_INFINITY } = command;
  const { commandFlags } = await import('./command-flags.ts');
  const { parseFlags, usage } = await import('./arguments.ts');
  const form = `agent-criteria ${name} ${command.form}`.trim();
  const { flags, positionals } = parseFlags<FlagTable>(args, commandFlags[name], name);
  const extra = positionals[most];
  if (extra !== undefined) throw usage(`"${extra}" is an unexpected argument; usage: ${form}`);
  const run: (given: never, io: Io) => Promise<number> = await command.load();
  // The flags are those of the command with this name.
  return await run({ flags, positionals, form } as never, io);
}

async function helpOfAll(explained: readonly Command[], all: boolean, columns: number): Promise<string> {
  const { commandFlags } = await import('./command-flags.ts');
  return explained.map((command) => helpOf(command, commandFlags[command.name], all, columns)).join('\n');
}

function asksForHelp(args: readonly string[]): boolean {
  const end = args.includes('--') ? args.indexOf('--') : args.length;
  return args[0] === 'help' || args.slice(0, end).some((arg) => /^(--help(=all)?|-h)$/.test(arg));
}

/** Whether help on all flags is requested: `eval --help all`, `eval --help=all`, `help eval all`. */
function asksForAll(args: readonly string[]): boolean {
  if (args[0] === 'help') return args.length > 1 && args.at(-1) === 'all';
  return args.some((arg, index) => arg === '--help=all' || (/^(--help|-h)$/.test(arg) && args[index + 1] === 'all'));
}

async function unknownCommand(args: readonly string[]): Promise<Error> {
  const { usage } = await import('./arguments.ts');
  const { didYouMean } = await import('@agent-criteria/core');
  const { closest } = await import('@agent-criteria/formats/schema');
  const [word = '', second] = args;
  const within = subcommandsOf(word);
  if (within.length > 0) {
    const names = within.map(({ name }) => name);
    const hint = second === undefined ? '' : didYouMean(`${word} ${second}`, names);
    const what = second === undefined ? `${word} has subcommands` : `there is no command "${word} ${second}"`;
    return usage(`${what}${hint || `; use one of ${names.join(', ')}`} (see agent-criteria help ${word})`);
  }
  const flag = word.startsWith('-') ? closest(word.replace(/^-+/, ''), ['help', 'version']) : undefined;
  if (flag !== undefined) return usage(`there is no flag ${word}; did you mean --${flag}?`);
  const names = [...new Set(commands.map(({ name }) => name.split(' ')[0] ?? name)), 'help'];
  const hint = didYouMean(word, names) || `; the commands are ${names.join(', ')}`;
  return usage(`there is no command "${word}"${hint} (see --help)`);
}
