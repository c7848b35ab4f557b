import { type Command, commands } from './commands.ts';
import { type FlagTable, listedFlag } from './flag-table.ts';

/** The maximum width in columns. */
const WIDTH = 100;

export function overview(columns: number): string {
  const most = Math.min(columns, WIDTH);
  const groups = [...new Set(commands.map(({ group }) => group))];
  const width = Math.max(...commands.map(({ name }) => name.length)) + 3;
  const lists = groups.map((group) => {
    const own = commands.filter((command) => command.group === group);
    return `${group}\n${own.map(({ name, summary }) => entry(name, summary, width, columns)).join('')}`;
  });
  return `Usage: agent-criteria COMMAND ...

${lists.join('\n')}
${wrap('agent-criteria COMMAND --help explains a command, and --help all every flag of it; agent-criteria --version.', most).join('\n')}

${exitCodes(undefined, most)}`;
}

/** Formats the help for a command. @param all Whether to list every flag instead of only the most common ones. */
export function helpOf(command: Command, flags: FlagTable, all: boolean, columns: number): string {
  const { name, form, summary, about, basic, exits } = command;
  const most = Math.min(columns, WIDTH);
  const shown = Object.entries(flags).filter(([flag]) => all || basic === undefined || basic.includes(flag));
  const order = (flag: string): number => (all ? 0 : (basic?.indexOf(flag) ?? 0));
  const entries = shown
    .toSorted(([one], [other]) => order(one) - order(other))
    .map(([name, flag]) => ({ flag: listedFlag(name, flag), help: flag.help ?? '' }));
  const width = Math.max(...entries.map(({ flag }) => flag.length)) + 2;
  const lines = entries.map(({ flag, help }) => entry(flag, help, width, most));
  const explained = about === undefined ? '' : `\n${wrap(about, most).join('\n')}\n`;
  const usage = ['agent-criteria', name, form].filter((part) => part !== '').join(' ');
  const left = Object.keys(flags).length - entries.length;
  const more = left === 0 ? '' : `\n${left} more flags: agent-criteria ${name} --help all\n`;
  return `Usage: ${usage}

${summary[0]?.toUpperCase()}${summary.slice(1)}.
${explained}${lines.length === 0 ? '' : `\nFlags (underscores, as in ADK, are accepted too)\n${lines.join('')}`}${more}
${exitCodes(exits, most)}`;
}

/** Formats a name and its meaning in two columns. */
function entry(name: string, text: string, width: number, most: number): string {
  const [first = '', ...more] = wrap(text, Math.max(20, most - width - 2));
  const margin = ' '.repeat(width + 2);
  return `  ${name.padEnd(width)}${first}\n${more.map((line) => `${margin}${line}\n`).join('')}`;
}

/** Finds the subcommands of a word such as `eval_set`. */
export function subcommandsOf(word: string): readonly Command[] {
  return commands.filter(({ name }) => name.startsWith(`${word.replaceAll('-', '_')} `));
}

function exitCodes(own: string | undefined, most: number): string {
  const usual =
    '0 all passed, 1 something failed, 2 a usage or configuration error (nothing ran), 3 something was not evaluated or broke, or a gate cannot tell, 130 interrupted';
  return `${wrap(`Exit codes: ${own ?? usual}.`, most).join('\n')}\n`;
}

function wrap(text: string, width: number): string[] {
  const lines: string[] = [];
  for (const paragraph of text.split('\n')) {
    let line = '';
    for (const word of paragraph.split(' ')) {
      if (line !== '' && line.length + 1 + word.length > width) {
        lines.push(line);
        line = word;
      } else line = line === '' ? word : `${line} ${word}`;
    }
    lines.push(line);
  }
  return lines;
}
