import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import type { Plugin } from '@agent-criteria/core';
import { hallucinations } from '@agent-criteria/criteria-hallucination/pure';
import {
  finalResponseMatch,
  finalResponseQuality,
  rubricBasedMultiTurnTrajectoryQuality,
  toolUseQuality,
} from '@agent-criteria/criteria-llm-judge/pure';
import { gemini } from '@agent-criteria/model-gemini/pure';
import type { FakeServer } from '@agent-criteria/test-servers';
import { llmBackedUserSimulator, perTurnUserSimulatorQuality } from '@agent-criteria/user-simulator/pure';
import { onTestFinished, vi } from 'vitest';
import { type Captured, capture } from './captured-io.ts';
import { echoAgent, evalCase, evalSet, turn } from './eval-data.ts';
import { folderOf } from './folder.ts';

/** Passed as values, because a config that names packages would load their last build. */
const PLUGINS: readonly Plugin[] = [
  ...[finalResponseMatch, finalResponseQuality, toolUseQuality, rubricBasedMultiTurnTrajectoryQuality, hallucinations, gemini],
  ...[llmBackedUserSimulator, perTurnUserSimulatorQuality],
];
const place = Symbol.for('agent-criteria/cli/judged-project');
Object.assign(globalThis, { [place]: PLUGINS });

export interface JudgedProject {
  readonly folder: string;
  /** Runs the command, replacing `DIR` in arguments with the project folder. */
  command(...args: string[]): Promise<Captured>;
  /** Returns the id of the newest run, whichever cases it ran. */
  newestRun(): string;
  /** Whether the agent's module was imported. */
  wasImported(): boolean;
}

/** Two cases: `one` with one turn, and `five` with five. The agent echoes each message, as the cases expect. */
export const twoCases = evalSet(
  'home',
  evalCase('one', turn('Hello there.', 'Hello there.')),
  evalCase('five', ...['a', 'b', 'c', 'd', 'e'].map((word) => turn(`Say ${word}.`, `Say ${word}.`))),
);

/**
 * Creates a project that is judged by these criteria, for the running test.
 * @param config The project config, as JSON.
 */
export function judgedProject(
  criteria: object,
  config: object = {},
  files: Readonly<Record<string, unknown>> = {},
): JudgedProject {
  const folder = folderOf({
    'agent.mjs': echoAgent,
    'home.evalset.json': twoCases,
    'test_config.json': { criteria },
    'agent-criteria.config.mjs': `export default {
      plugins: globalThis[Symbol.for('agent-criteria/cli/judged-project')], ...${JSON.stringify(config)} };`,
    ...files,
  });
  return {
    folder,
    command: (...args) =>
      capture([...args.map((arg) => arg.replaceAll('DIR', folder)), '--runs_folder', join(folder, 'runs')], {
        environment: process.env,
      }),
    newestRun: () => readdirSync(join(folder, 'runs')).filter((name) => /^\d/.test(name)).sort().at(-1) ?? '',
    wasImported: () => existsSync(join(folder, 'imported')),
  };
}

/** Points the real client at a fake server, for the running test. */
export function useGemini({ url }: Pick<FakeServer, 'url'>, key: string | undefined = 'test-key'): void {
  vi.stubEnv('GOOGLE_GEMINI_BASE_URL', url);
  vi.stubEnv('GEMINI_API_KEY', key);
  vi.stubEnv('GOOGLE_API_KEY', undefined);
  vi.stubEnv('GOOGLE_GENAI_API_KEY', undefined);
  vi.stubEnv('GOOGLE_GENAI_USE_VERTEXAI', undefined);
  vi.stubEnv('GOOGLE_GENAI_USE_ENTERPRISE', undefined);
  onTestFinished(() => void vi.unstubAllEnvs());
}

/** Returns the server and closes it when the test ends. */
export async function during<Server extends FakeServer>(started: Promise<Server>): Promise<Server> {
  const server = await started;
  onTestFinished(() => server.close());
  return server;
}
