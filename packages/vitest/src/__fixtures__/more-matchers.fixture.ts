import { runAgent } from '../index.ts';
import { expect, test } from 'vitest';
import { lampAgent } from './lamp-agent.ts';

// In a worker that has run another file already, when workers are not isolated.
test('matchers are there', async () => {
  await expect(await runAgent(lampAgent, 'Turn on the lamp')).toMatchResponse('The lamp is on.');
  await expect(await runAgent(lampAgent, 'Turn on the lamp')).not.toMatchResponse('It rains.');
});
