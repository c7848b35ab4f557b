import { fileURLToPath } from 'node:url';
import { Client } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { onTestFinished } from 'vitest';
import { bundled } from '../../../../test/bundled.ts';

const BIN = await bundled(fileURLToPath(new URL('../../../cli/src/bin.ts', import.meta.url)));
const FLAGS = ['--conditions=@agent-criteria/source', '--disable-warning=ExperimentalWarning'];

export interface Called {
  readonly isError: boolean;
  /** The whole text of the answer. */
  readonly text: string;
  /** The text between the marks. */
  readonly data: string;
}

/** Starts the real command in a folder, and connects the SDK's own client to it over standard input and output. */
export async function openedClient(folder: string, flags: readonly string[] = [], env: Record<string, string> = {}) {
  let log = '';
  const transport = new StdioClientTransport({
    command: process.execPath,
    args: [...FLAGS, BIN, 'mcp', folder, ...flags],
    // The package is found from the working folder of the command, as from that of a project that has it.
    cwd: fileURLToPath(new URL('../..', import.meta.url)),
    stderr: 'pipe',
    env: { PATH: process.env.PATH ?? '', ...env },
  });
  transport.stderr?.on('data', (data) => {
    log += data;
  });
  const client = new Client({ name: 'test', version: '1.0.0' });
  const broken: Error[] = [];
  client.onerror = (error) => void broken.push(error);
  await client.connect(transport);
  onTestFinished(() => client.close());
  return {
    client,
    /** The lines for people that the command wrote. */
    log: () => log,
    /** Lines on standard output that were no protocol, and other faults of the connection. */
    broken,
    async call(name: string, given: Record<string, unknown> = {}, options: { signal?: AbortSignal } = {}): Promise<Called> {
      const { content, isError } = await client.callTool({ name, arguments: given }, options);
      const [first] = content as readonly { readonly type: string; readonly text?: string }[];
      const text = first?.text ?? '';
      const data = /<agent-criteria-data id="(\w+)">\n([\s\S]*)<\/agent-criteria-data id="\1">/.exec(text)?.[2] ?? '';
      return { isError: isError === true, text, data };
    },
  };
}
