import { type Command, commands } from '../packages/cli/src/commands.ts';
import { shownFlag } from '../packages/cli/src/shown-flag.ts';
import { code, table } from './markdown-table.ts';

/** The page of every command, made from the table that the command itself parses by. */
export function commandReference(): string {
  const groups = [...new Set(commands.map(({ group }) => group))];
  return `# Command reference

Written by \`pnpm reference\` from the commands themselves: change those, not this page.

\`\`\`sh
npm install --save-dev @agent-criteria/cli
npx agent-criteria COMMAND --help
\`\`\`

Flags may be written with dashes or underscores, as \`--flag value\` or \`--flag=value\`. Results go to standard output, warnings and
errors to standard error.

${groups
  .map((group) => {
    const own = commands.filter((command) => command.group === group);
    return `**${group}**\n\n${own.map(({ name, summary }) => `- [\`${name}\`](#${anchor(name)}): ${plain(summary)}`).join('\n')}`;
  })
  .join('\n\n')}

## Exit codes

| code | meaning | what to do |
| --- | --- | --- |
| 0 | everything passed, or everything was only measured | - |
| 1 | something failed | read the reason; [a score is 0 and should be 1](score-is-zero.md) |
| 2 | a mistake in the command line, eval set, config or agent. All mistakes are listed, and nothing ran | fix what is named; [nothing found](nothing-found.md) |
| 3 | nothing failed, but something was not evaluated or broke | [exit code 3](exit-code-3.md) |
| 130 | interrupted | [go on with the run](runs-and-resume.md) |

${commands.map(section).join('\n\n')}
`;
}

function section({ name, form, summary, about, flags }: Command): string {
  const rows = Object.entries(flags).map(([flag, { value, help }]) => [
    code(value === undefined ? shownFlag(flag) : `${shownFlag(flag)} ${value}`),
    plain(help ?? ''),
  ]);
  const usage = ['agent-criteria', name, form].filter((part) => part !== '').join(' ');
  const told = about === undefined ? '' : `\n${plain(about).split('\n').join('\n\n')}\n`;
  return `## ${name}

${summary[0]?.toUpperCase()}${summary.slice(1)}.

\`\`\`text
${usage}
\`\`\`
${told}
${rows.length === 0 ? 'It has no flags.' : table(['flag', 'meaning'], rows)}`;
}

/** Help is plain text: what Markdown would read as emphasis or a tag is escaped. */
function plain(text: string): string {
  return text.replaceAll(/[*<]/g, (character) => `\\${character}`);
}

function anchor(name: string): string {
  return name.replaceAll(' ', '-');
}
