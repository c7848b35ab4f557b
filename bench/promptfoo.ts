import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { cases, instructions } from './judge-cases.ts';
import { root } from './workspace.ts';

const home = join(root, 'bench', 'peers', 'promptfoo');
const program = join(home, 'node_modules', 'promptfoo', 'dist', 'src', 'entrypoint.js');

/** Whether promptfoo is installed, which `npm ci` does not do, but "npm run promptfoo" does. */
export function hasPromptfoo(): boolean {
  return existsSync(program);
}

/** Returns the command that evaluates this number of trivial cases with default settings and a database in `folder`. */
export function promptfooCommand(count: number, folder: string): string[] {
  const tests = Array.from({ length: count }, (_, index) => ({
    vars: { text: `message ${index}` },
    assert: [{ type: 'equals', value: `You said: message ${index}` }],
  }));
  return command(folder, { prompts: ['{{text}}'], providers: [`file://${join(home, 'provider.mjs')}`], tests });
}

/** Returns the command that requests this number of opinions on each case from the judge at `address`. */
export function promptfooJudgeCommand(samples: number, concurrency: number, address: string, folder: string): string[] {
  const provider = { id: 'openai:chat:judge', config: { apiBaseUrl: `${address}/v1`, apiKey: 'none' } };
  const value = `${instructions}\n\nQuestion: {{input}}\n\nReference: {{expected}}`;
  const tests = cases.map(({ input, output, expected }) => ({ vars: { input, output, expected } }));
  const config = {
    prompts: ['{{output}}'],
    // It returns the prompt.
    providers: ['echo'],
    defaultTest: { assert: [{ type: 'llm-rubric', value, provider }] },
    tests,
  };
  return [...command(folder, config), '--repeat', String(samples), '--max-concurrency', String(concurrency)];
}

function command(folder: string, config: object): string[] {
  mkdirSync(folder, { recursive: true });
  const file = join(folder, 'promptfooconfig.json');
  writeFileSync(file, JSON.stringify(config));
  // Disables network access, and the log, which breaks with this many cases.
  const off = ['TELEMETRY', 'UPDATE', 'REMOTE_GENERATION', 'SHARING', 'DEBUG_LOG', 'ERROR_LOG'];
  const environment = off.map((what) => `PROMPTFOO_DISABLE_${what}=1`);
  return [
    ...['env', ...environment, `PROMPTFOO_CONFIG_DIR=${folder}`, process.execPath, program, 'eval', '--config', file],
    ...['--no-cache', '--no-table', '--no-progress-bar'],
  ];
}
