import { join } from 'node:path';
import { evalCase, turn } from '@agent-criteria/core/eval-set';
import { capture } from './captured-io.ts';
import { folderOf } from './folder.ts';

interface Parts {
  /** The module `agent.mjs`. */
  readonly agent: string;
  /** Of cases, which are also what they ask and what they expect. */
  readonly names: readonly string[];
  readonly gates?: unknown;
  /** Of `response_match_score`. Default 1. */
  readonly threshold?: number | undefined;
  /** Default: no project config. */
  readonly config?: unknown;
}

/** A project that becomes the working folder, and the command in it. */
export function gatedProject({ agent, names, gates, threshold = 1, config }: Parts) {
  const folder = folderOf({
    'agent.mjs': agent,
    'home.evalset.json': {
      eval_set_id: 'home',
      eval_cases: names.map((name) => evalCase(name, [turn(name, { answer: name })])),
    },
    'test_config.json': {
      criteria: { response_match_score: threshold },
      ...(gates === undefined ? {} : { agent_criteria: { gates } }),
    },
    ...(config === undefined ? {} : { 'agent-criteria.config.json': config }),
  });
  process.chdir(folder);
  const command = (...args: readonly string[]) => capture([...args, '--runs_folder', join(folder, 'runs')], {});
  return {
    folder,
    command,
    run: (...args: readonly string[]) => command('eval', 'agent.mjs', 'home.evalset.json', ...args),
  };
}
