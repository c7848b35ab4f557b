import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { cases, instructions } from './judge-cases.ts';
import { root } from './workspace.ts';

const home = join(root, 'bench', 'peers', 'promptfoo');
const program = join(home, 'node_modules', 'promptfoo', 'dist', 'src', 'entrypoint.js');

/** It is no part of `npm ci`: "npm run promptfoo" installs it. */
export function hasPromptfoo(): boolean {
  return existsSync(program);
}

/** The command that evaluates so many trivial cases, keeping results in its database, as it comes, in `folder`. */
export function promptfooCommand(count: number, folder: string): string[] {
  const tests = Array.from({ length: count }, (_, index) => ({
    vars: { text: `message ${index}` },
    assert: [{ type: 'equals', value: `You said: message ${index}` }],
  }));
  return command(folder, { prompts: ['{{text}}'], providers: [`file://${join(home, 'provider.mjs')}`], tests });
}

/** The command that asks the judge at `address` for so many opinions on each case, so many at once. */
export function promptfooJudgeCommand(samples: number, concurrency: number, address: string, folder: string): string[] {
  const provider = { id: 'openai:chat:judge', config: { apiBaseUrl: `${address}/v1`, apiKey: 'none' } };
  const value = `${instructions}\n\nQuestion: {{input}}\n\nReference: {{expected}}`;
  const tests = cases.map(({ input, output, expected }) => ({ vars: { input, output, expected } }));
  const config = {
    prompts: ['{{output}}'],
    // It gives the prompt back.
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
  // Nothing may reach for the network. Its log of what it does breaks with this many cases.
  const off = ['TELEMETRY', 'UPDATE', 'REMOTE_GENERATION', 'SHARING', 'DEBUG_LOG', 'ERROR_LOG'];
  const environment = off.map((what) => `PROMPTFOO_DISABLE_${what}=1`);
  return [
    ...['env', ...environment, `PROMPTFOO_CONFIG_DIR=${folder}`, process.execPath, program, 'eval', '--config', file],
    ...['--no-cache', '--no-table', '--no-progress-bar'],
  ];
}
