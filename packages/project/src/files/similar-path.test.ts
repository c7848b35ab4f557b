import { join } from 'node:path';
import { expect, it } from 'vitest';
import { folderOf } from '../../../../test/folder.ts';
import { findAgent } from '../plan/load-agent.ts';
import { findEvalSets } from './find-files.ts';
import { didYouMeanPath } from './similar-path.ts';

const files = {
  'agents/room/agent.ts': '',
  'agents/room/evals/room.evalset.json': {},
  'agents/room/notes.txt': '',
  'node_modules/elsewhere.json': '',
};

it.each([
  ['agents/rom', 'agents/room'],
  ['agnets/rooms/agent.ts', 'agents/room/agent.ts'],
  ['agents/room/agent.js', 'agents/room/agent.ts'],
  ['agents/room/room.evalset.json', 'agents/room/evals/room.evalset.json'],
  ['agents/room/evals/room.evalset.jsn', 'agents/room/evals/room.evalset.json'],
])('didYouMeanPath suggests for %s the path %s', async (wrong, right) => {
  const folder = folderOf(files);
  expect(await didYouMeanPath(join(folder, wrong))).toBe(`; did you mean ${JSON.stringify(join(folder, right))}?`);
});

it.each(['agents/kitchen', 'elsewhere.json', '', 'a\0b'])('didYouMeanPath suggests nothing for %j', async (wrong) => {
  expect(await didYouMeanPath(wrong === '' ? '' : join(folderOf(files), wrong))).toBe('');
});

it('didYouMeanPath suggests agents for agents and eval sets for eval sets', async () => {
  const folder = folderOf(files);
  await expect(findAgent(join(folder, 'agents/rooms'))).rejects.toThrow('no such file or folder; did you mean');
  const agent = join(folder, 'agents/room');
  await expect(findEvalSets('room.evalset.json', { agent })).rejects.toThrow(
    `there is no such file; did you mean ${JSON.stringify(join(agent, 'evals/room.evalset.json'))}?`,
  );
  await expect(findEvalSets('other.evalset.json', { agent })).rejects.toThrow(
    'there is no such file; the agent has no eval sets in its folder',
  );
  await expect(findEvalSets(join(agent, 'note.txt'), { agent })).rejects.not.toThrow('did you mean');
});
