import { finished, type Readable, Writable } from 'node:stream';
import type { OpenProjectOptions } from '@agent-criteria/project';
import { StdioServerTransport, serveStdio } from '@modelcontextprotocol/server/stdio';
import { createServer } from './create-server.ts';
import { openWorkspace } from './project/workspace.ts';

export interface McpOptions extends Omit<OpenProjectOptions, 'agent'> {
  /** The folder of the project, outside of which nothing is read or written. Default: the working folder. */
  readonly folder?: string | undefined;
  /** Whether agents may be run and eval sets changed. Default `false`: clients can only read. */
  readonly write?: boolean | undefined;
  /** The messages of the client. */
  readonly input: Readable;
  /** Writes messages to the client. Nothing else may be written there. */
  readonly output: (text: string) => void;
  /** Writes a line for people. Default: nothing is written. */
  readonly log?: ((text: string) => void) | undefined;
}

/** A server that talks to one client. */
export interface RunningMcp {
  /** Resolves when the client has left. */
  readonly left: Promise<void>;
  /** Ends the run in flight, the agents and the connection. @returns the id of the run if it is incomplete. */
  close(): Promise<string | null>;
}

/**
 * Serves the eval sets and runs of a project to a client that speaks the Model Context Protocol, such as a coding agent.
 * `settings.maxCalls`, `maxTokens` and `maxCost` limit all runs together.
 */
export async function startMcp(options: McpOptions): Promise<RunningMcp> {
  const { folder = '.', write = false, input, output, log = () => undefined, ...projectOptions } = options;
  const workspace = await openWorkspace({ folder, write, projectOptions });
  const left = new Promise<void>((settle) => {
    finished(input, { writable: false }, () => settle());
  });
  const lines = new Writable({
    decodeStrings: false,
    write(text: string, _encoding, written) {
      output(text);
      written();
    },
  });
  const connection = serveStdio(() => createServer(workspace, log), {
    transport: new StdioServerTransport(input, lines),
    onerror: ({ message }) => log(workspace.mask().text(message)),
  });
  return {
    left,
    async close() {
      const incomplete = await workspace.runs.close();
      await connection.close();
      return incomplete;
    },
  };
}
