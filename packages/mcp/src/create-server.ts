import { CriteriaError } from '@agent-criteria/core';
import { foldProblems, problemText } from '@agent-criteria/report/console';
import { shownStack } from '@agent-criteria/runner';
import { McpServer } from '@modelcontextprotocol/server';
import manifest from '../package.json' with { type: 'json' };
import { nameInside } from './project/path-inside.ts';
import type { Workspace } from './project/workspace.ts';
import { answerText } from './text/answer.ts';
import { ABOUT_FENCES } from './text/fence.ts';
import type { Tool } from './tool.ts';
import { tools } from './tools/all.ts';

/** How to switch on what a read-only server does not do. */
const SWITCH_ON =
  'this server only reads. A person can switch on runs and edits: "agent-criteria mcp --write" in the configuration of the MCP client';

/**
 * Creates the MCP server of a project.
 * @param log Writes a line for people.
 */
export function createServer(workspace: Workspace, log: (text: string) => void): McpServer {
  const { write } = workspace;
  const server = new McpServer(
    { name: 'agent-criteria', version: manifest.version },
    { instructions: instructions(write) },
  );
  for (const tool of tools) {
    const isOff = tool.changes !== 'nothing' && !write;
    server.registerTool(
      tool.name,
      {
        title: tool.title,
        description: isOff ? `SWITCHED OFF: ${SWITCH_ON}. ${tool.description}` : tool.description,
        inputSchema: tool.input,
        annotations: {
          readOnlyHint: tool.changes === 'nothing',
          destructiveHint: tool.changes === 'replaces',
          idempotentHint: tool.changes === 'nothing',
          openWorldHint: tool.changes === 'runs',
        },
      },
      async (given, { mcpReq: { signal } }) => {
        try {
          if (isOff) throw new CriteriaError({ code: 'USAGE', message: `${tool.name} is switched off: ${SWITCH_ON}` });
          return { content: [{ type: 'text' as const, text: await textOf(tool, given, workspace, signal) }] };
        } catch (error) {
          const text = await answerText(failure(error, workspace, log), workspace.mask(), 0);
          return { isError: true, content: [{ type: 'text' as const, text }] };
        }
      },
    );
  }
  return server;
}

async function textOf(
  tool: Tool,
  given: Readonly<Record<string, unknown>>,
  workspace: Workspace,
  signal: AbortSignal,
): Promise<string> {
  // Before anything is read: what a tool shows, or an error quotes, may contain a secret of the project.
  await workspace.alsoMask(workspace.root);
  const answer = await tool.call(given, workspace, signal);
  return answerText(answer, workspace.mask(), typeof given.from === 'number' ? given.from : 0);
}

/** Puts an error between marks, because its message can quote files and agents. */
function failure(error: unknown, { root, mask }: Workspace, log: (text: string) => void) {
  if (!CriteriaError.is(error)) {
    const text = error instanceof Error ? shownStack(error.stack ?? error.message, [root]) : String(error);
    log(`This is a bug in agent-criteria, please report it.\n${mask().text(text)}`);
    return { says: 'This failed.', data: [error instanceof Error ? error.message : String(error)] };
  }
  const lines = foldProblems(error.problems).map((problem) => {
    const { file } = problem;
    return `${problemText(file?.startsWith(root) ? { ...problem, file: nameInside(root, file) } : problem)}\n`;
  });
  return { says: 'This cannot be done, and nothing was changed:', data: lines };
}

function instructions(write: boolean): string {
  return [
    "agent-criteria evaluates agents on eval sets. These tools list and check a project's eval sets, show runs and why cases failed, and compare runs.",
    ABOUT_FENCES,
    write
      ? 'Runs and edits are switched on. A run executes the code of an agent and may cost money: give start_run a budget, and run single cases while you work on them.'
      : `Runs and edits are switched off: ${SWITCH_ON}.`,
    'To make a failing case pass, repair the agent. Change an expectation only if it is wrong, and never lower a threshold, remove a case or a criterion, or weaken a rubric to get a pass.',
  ].join('\n\n');
}
