import { runAgent } from '../index.ts';
import { expect, test } from 'vitest';
import { lampAgent } from './lamp-agent.ts';

// Without isolation, this runs in a worker that has already run another file.
test('matchers are there', async () => {
  await expect(await runAgent(lampAgent, 'Turn on the lamp')).toMatchResponse('The lamp is on.');
  await expect(await runAgent(lampAgent, 'Turn on the lamp')).not.toMatchResponse('It rains.');
});
