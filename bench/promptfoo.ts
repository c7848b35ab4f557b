import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from './workspace.ts';

const home = join(root, 'bench', 'peers', 'promptfoo');
const program = join(home, 'node_modules', 'promptfoo', 'dist', 'src', 'entrypoint.js');

/** It is no part of `npm ci`: "npm run promptfoo" installs it. */
export function hasPromptfoo(): boolean {
  return existsSync(program);
}

/** The command that evaluates so many trivial cases, keeping results in its database, as it comes, in `folder`. */
export function promptfooCommand(cases: number, folder: string): string[] {
  mkdirSync(folder, { recursive: true });
  const tests = Array.from({ length: cases }, (_, index) => ({
    vars: { text: `message ${index}` },
    assert: [{ type: 'equals', value: `You said: message ${index}` }],
  }));
  const providers = [`file://${join(home, 'provider.mjs')}`];
  const config = join(folder, 'promptfooconfig.json');
  writeFileSync(config, JSON.stringify({ prompts: ['{{text}}'], providers, tests }));
  // Nothing may reach for the network. Its log of what it does breaks with this many cases.
  const off = ['TELEMETRY', 'UPDATE', 'REMOTE_GENERATION', 'SHARING', 'DEBUG_LOG', 'ERROR_LOG'];
  const environment = off.map((what) => `PROMPTFOO_DISABLE_${what}=1`);
  return [
    ...['env', ...environment, `PROMPTFOO_CONFIG_DIR=${folder}`, process.execPath, program, 'eval', '--config', config],
    ...['--no-cache', '--no-table', '--no-progress-bar'],
  ];
}
