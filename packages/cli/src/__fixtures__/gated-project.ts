import { join } from 'node:path';
import { evalCase, turn } from '@agent-criteria/core/eval-set';
import { capture } from './captured-io.ts';
import { folderOf } from './folder.ts';

interface Parts {
  /** The source of `agent.mjs`. */
  readonly agent: string;
  /** The names of the cases. Each is also the message and the expected answer of its case. */
  readonly names: readonly string[];
  readonly gates?: unknown;
  /** The threshold of `response_match_score`. Default 1. */
  readonly threshold?: number | undefined;
  /** The project config. Default: none. */
  readonly config?: unknown;
}

/** Creates a project, makes it the working folder, and returns functions that run the command in it. */
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
