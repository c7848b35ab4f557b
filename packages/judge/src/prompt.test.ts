import { createHash } from 'node:crypto';
import { expect, it } from 'vitest';
import { type JudgePrompt, judgeRequest } from './prompt.ts';

const prompt: JudgePrompt = {
  id: 'politeness/1',
  instructions: 'You judge manners.',
  material: [{ name: 'answer', text: 'Go away.' }],
  question: 'Is the answer polite?',
  schema: { type: 'object' },
};
const options = { judgeModelConfig: {}, numSamples: 5 };
const textOf = (request: ReturnType<typeof judgeRequest>) => request.messages[0]?.parts?.[0]?.text ?? '';

it('judgeRequest() has the same system text for every case, and ends with the question', () => {
  const [one, other] = ['Go away.', 'You are welcome.'].map((text) =>
    judgeRequest({ ...prompt, material: [{ name: 'answer', text }] }, options, 0),
  );
  expect(one?.system).toBe(other?.system);
  expect(one?.system).toMatch(/^You judge manners\./);
  expect(one && textOf(one).endsWith('Is the answer polite?')).toBe(true);
});

it('judgeRequest() returns equal requests for equal prompts, except for the sample number', () => {
  const { sample: first, ...one } = judgeRequest(prompt, options, 0);
  const { sample: second, ...other } = judgeRequest(prompt, options, 1);
  expect([first, second]).toEqual([0, 1]);
  expect(one).toEqual(other);
  // If a model changes one request, the other must not change.
  expect(one.messages).not.toBe(other.messages);
});

it('judgeRequest() states its fence marker, and encloses each piece of text between two lines that contain it', () => {
  const text = textOf(judgeRequest(prompt, options, 0));
  const marker = /code of this request is ([0-9a-f]{16})\./.exec(text)?.[1] ?? 'none';
  expect(text).toContain(`[begin ${marker}: answer]\nGo away.\n[end ${marker}: answer]`);
});

it('judgeRequest() passes common generation settings in fields of their own, and all others unchanged', () => {
  const judgeModelConfig = { temperature: 0, max_output_tokens: 99, seed: 7, thinkingConfig: { thinkingBudget: 0 } };
  const request = judgeRequest(prompt, { ...options, judgeModelConfig }, 0);
  expect(request).toMatchObject({ temperature: 0, maxOutputTokens: 99, seed: 7 });
  expect(request.settings).toEqual({ thinkingConfig: { thinkingBudget: 0 } });
  expect(judgeModelConfig).toHaveProperty('seed');
  expect(judgeRequest(prompt, options, 0)).not.toHaveProperty('settings');
});

it('judgeRequest() replaces lone surrogates', () => {
  const request = judgeRequest({ ...prompt, material: [{ name: 'answer', text: 'a\ud800b' }] }, options, 0);
  expect(textOf(request)).toContain('a\ufffdb');
});

it('judgeRequest() keeps the shared wording, because changing it requires a new version of every prompt', () => {
  const { system = '' } = judgeRequest({ ...prompt, instructions: '' }, options, 0);
  expect(createHash('sha256').update(system).digest('hex').slice(0, 12)).toBe('42d821f1f281');
});
