import { defineCriterion, noOptions } from '@agent-criteria/core';
import { runAgent } from '../index.ts';
import { describe, expect, test, vi } from 'vitest';
import { lampAgent } from './lamp-agent.ts';

const on = { name: 'switch', args: { device: 'lamp', on: true } };
const off = { name: 'switch', args: { device: 'lamp', on: false } };

/** A criterion that passes every answer except "Hm.", which it cannot judge. */
const polite = defineCriterion({
  name: 'polite',
  description: 'Answers are polite.',
  origin: { package: 'polite', version: '1.0.0' },
  range: { min: 0, max: 1, better: 'higher' },
  decides: true,
  scope: 'turn',
  options: noOptions,
  async evaluate({ actual }) {
    if (actual.finalResponse?.parts?.[0]?.text === 'Hm.') throw new Error('the judge is asleep');
    return { value: 1 };
  },
});

/** A criterion that scores simulated users, and so needs a scenario. */
const ofUsers = defineCriterion({
  ...polite,
  name: 'patient',
  description: 'Simulated users are patient.',
  needs: { scenario: true },
  scope: 'turn',
  evaluate: () => ({ value: 0 }),
});

describe('green', () => {
  test('one turn', async () => {
    const run = await runAgent(lampAgent, 'Turn on the lamp');
    await expect(run).toMatchTrajectory([on]);
    await expect(run.invocations[0]).toMatchTrajectory([on]);
    await expect(run).not.toMatchTrajectory([off]);
    await expect(run).not.toMatchTrajectory([]);
    await expect(run).not.toMatchTrajectory([on, on], { match_type: 'IN_ORDER' });
    await expect(run).toMatchTrajectory([], { match_type: 'ANY_ORDER' });
    await expect(run).toMatchResponse('The lamp is on.');
    await expect(run).toMatchResponse('A lamp is on.', { threshold: 0.7 });
    await expect(run).not.toMatchResponse('It rains.');
    await expect(run).toPassCriterion('response_match_score', 0.9, { expected: 'The lamp is on.' });
    await expect(run).toPassCriterion('tool_trajectory_avg_score', 1, { expected: [{ toolCalls: [on] }] });
    await expect(run).toPassCriterion(polite, { threshold: 1 });
  });

  test('two turns', async () => {
    const run = await runAgent('./lamp-agent.ts', ['Turn on the lamp', 'Again']);
    await expect(run).toMatchTrajectory([on, on]);
    await expect(run).toMatchTrajectory([[on], [on]]);
    await expect(run).not.toMatchTrajectory([[on], [off]]);
    await expect(run).toMatchResponse('The lamp is on.');
    await expect(run).toMatchResponse(['The lamp is on.', 'The lamp is on.']);
  });

  test('after vi.resetModules', async () => {
    vi.resetModules();
    const again = await import('../index.ts');
    await expect(await again.runAgent(lampAgent, 'Turn on the lamp')).toMatchTrajectory([on]);
    await import('../setup.ts');
    const run = await again.runAgent(lampAgent, 'Turn on the lamp');
    await expect(run).not.toMatchTrajectory([off]);
    // The criterion was created by one copy of core and is judged by another.
    await expect(run).toPassCriterion(polite, 1);
  });

  test('an agent that breaks', async () => {
    await expect(runAgent(lampAgent, 'break')).rejects.toThrow('the lamp is broken');
  });
});

describe('red', () => {
  test('differs', async () => {
    await expect(await runAgent(lampAgent, 'Turn off the lamp')).toMatchTrajectory([off]);
  });
  test('not', async () => {
    await expect(await runAgent(lampAgent, 'Turn on the lamp')).not.toMatchTrajectory([on]);
  });
  test('not judged', async () => {
    await expect(await runAgent(() => 'Hm.', 'Hello')).toPassCriterion(polite, 1);
  });
  test('not not judged', async () => {
    await expect(await runAgent(() => 'Hm.', 'Hello')).not.toPassCriterion(polite, 1);
  });
  test('nothing expected', async () => {
    await expect(await runAgent(() => 'Hm.', 'Hello')).not.toPassCriterion('response_match_score', 1);
  });
  test('no simulated user', async () => {
    await expect(await runAgent(() => 'Hm.', 'Hello')).not.toPassCriterion(ofUsers, 1);
  });
  test('unknown', async () => {
    await expect(await runAgent(() => 'Hm.', 'Hello')).not.toPassCriterion('response_mat_score', 1);
  });
  test('no threshold', async () => {
    await expect(await runAgent(() => 'Hm.', 'Hello')).not.toPassCriterion(polite, {});
  });
  test('no turn', async () => {
    await expect({ text: 'Hm.' }).not.toMatchResponse('Hm.');
  });
  test('other turns', async () => {
    await expect(await runAgent(() => 'Hm.', 'Hello')).not.toMatchResponse(['Hm.', 'Hm.']);
  });
});
