import { responseMatch } from '@agent-criteria/criteria-rouge/pure';
import { expect, it } from 'vitest';
import { judgeTurns } from './judge-turns.ts';

const text = (words: string) => ({ parts: [{ text: words }] });
const turn = {
  userContent: text('Where is it?'),
  finalResponse: text('It is lost.'),
  intermediateData: { toolUses: [{ name: 'order_status', args: { order: 12 } }] },
};

it('judgeTurns() shows no differences between calls if only an answer is expected', async () => {
  const { result, text: shown } = await judgeTurns([turn], responseMatch, 0.8, [
    { finalResponse: text('It has arrived in Rome.') },
  ]);
  expect(result.verdict).toBe('failed');
  expect(shown).toContain('order_status({"order":12})');
  expect(shown).not.toMatch(/\+ order_status/);
});

it('judgeTurns() shows the differences between calls if calls are expected', async () => {
  const expected = { finalResponse: text('It has arrived in Rome.'), intermediateData: { toolUses: [] } };
  const { text: shown } = await judgeTurns([turn], responseMatch, 0.8, [expected]);
  expect(shown).toMatch(/\+ order_status/);
});
