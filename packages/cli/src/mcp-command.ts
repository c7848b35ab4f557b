import { realpath } from 'node:fs/promises';
import process from 'node:process';
import type { Readable } from 'node:stream';
import { CriteriaError } from '@agent-criteria/core';
import type { OpenProjectOptions } from '@agent-criteria/project';
import { settingsOfFlags } from '@agent-criteria/project/config';
import { safe, safeLines } from '@agent-criteria/report/terminal';
import type { Given } from './command-flags.ts';
import { interrupted } from './interrupted.ts';
import type { Io } from './io.ts';
import { loadOptional } from './load-optional.ts';
import { projectOptions } from './project.ts';

const PACKAGE = '@agent-criteria/mcp';

/** The part of `@agent-criteria/mcp` that the command uses without depending on it. */
interface McpModule {
  startMcp(
    options: Omit<OpenProjectOptions, 'agent'> & {
      readonly folder: string;
      readonly write: boolean;
      readonly input: Readable;
      readonly output: (text: string) => void;
      readonly log: (text: string) => void;
    },
  ): Promise<{ readonly left: Promise<void>; close(): Promise<string | null> }>;
}

/** Serves an MCP client over standard input and output until it leaves. */
export async function mcpCommand({ flags, positionals }: Given<'mcp'>, io: Io): Promise<number> {
  const [folder = '.'] = positionals;
  const { startMcp } = await loadOptional<McpModule>(PACKAGE, { command: 'mcp', folders: ['.', folder] });
  // Clients start their servers in folders of their own, and the project's runs, config and `.env` are found from the working folder.
  await enter(folder);
  const write = flags.write === true;
  const server = await startMcp({
    ...projectOptions(settingsOfFlags(flags), io),
    folder: '.',
    write,
    input: process.stdin,
    output: io.raw,
    log: (text) => io.err(`${safeLines(text, 2)}\n`),
  });
  io.err(
    `agent-criteria serves ${safe(process.cwd())} to an MCP client, ${write ? 'to read, run and edit' : 'to read only'}.\n`,
  );
  await Promise.race([server.left, interrupted(io.signal)]);
  const incomplete = await server.close();
  if (incomplete === null) return 0;
  io.err(`Run incomplete. Resume with: agent-criteria resume ${safe(incomplete)}\n`);
  return 130;
}

async function enter(folder: string): Promise<void> {
  try {
    process.chdir(await realpath(folder));
  } catch (cause) {
    const message = 'there is no such folder: name the folder of the project';
    throw new CriteriaError({ code: 'FILE_NOT_FOUND', file: folder, message }, { cause });
  }
}
