import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { writeEvalSet } from '@agent-criteria/formats/parse';
import { evalCase, evalSet } from '@agent-criteria/core/testing';
import { responseMatch } from '@agent-criteria/criteria-rouge/pure';
import { folderOf } from '../../../../test/folder.ts';

/**
 * The source of an agent that records the messages it receives, and fails on "break" until a file "repaired" exists
 * next to it.
 */
const agent = `import { appendFileSync, existsSync } from 'node:fs';
const here = (name) => new URL(name, import.meta.url);
appendFileSync(here('asked'), '');
export const agent = (text) => {
  appendFileSync(here('asked'), text + '\\n');
  if (text === 'break' && !existsSync(here('repaired'))) throw new Error('no gas');
  return text;
};`;

/** The content of an eval set file with this id. */
export function threeCases(id: string) {
  const cases = ['one', 'break', 'three'].map((word) => evalCase(word, [{ user: word, answer: word }]));
  return writeEvalSet(evalSet(cases, id));
}

/** Creates a project whose agent echoes its messages. */
export function smallProject(files: Readonly<Record<string, unknown>> = {}) {
  const folder = folderOf({
    'agent.mjs': agent,
    'home.evalset.json': threeCases('home'),
    'test_config.json': { criteria: { response_match_score: 0.5 } },
    ...files,
  });
  const runsFolder = join(folder, 'runs');
  const settings = { runsFolder };
  const builtIn = { plugins: [responseMatch] };
  const options = { settings, environment: {}, applyEnvironment: false, builtIn };
  return {
    folder,
    runsFolder,
    /** The options for a new run, for resuming a run, or for scoring one again. */
    options,
    /** The ids of the saved runs, sorted. */
    runs: (): string[] => (existsSync(runsFolder) ? readdirSync(runsFolder).sort() : []),
    /** The messages that the agent received, or `null` if its module was never imported. */
    asked: (): string[] | null => {
      const file = join(folder, 'asked');
      if (!existsSync(file)) return null;
      return readFileSync(file, 'utf8').split('\n').slice(0, -1);
    },
  };
}
