import { createHash } from 'node:crypto';
import { expect, it } from 'vitest';
import { userRequest } from './llm-backed-prompt.ts';
import { customTemplate } from './simulator-options.ts';

const parts = {
  plan: 'Buy a lamp.',
  persona: null,
  history: 'user: Hi',
  stopSignal: 'BYE',
  custom: null,
  settings: {},
};
const persona = { id: 'BRIEF', description: 'Brief.', behaviors: [] };
const custom = customTemplate('{{ conversation_plan }} {{ conversation_history }} {{ stop_signal }}');

it.each([
  ['788b9d542a79', parts],
  ['696b8690b474', { ...parts, persona }],
  ['dc2b38b8e215', { ...parts, custom }],
])('the prompt with the hash %s is unchanged, or else needs a new version', (words, one) => {
  // The version is part of the code in the request, so it is covered by the hash.
  expect(
    createHash('sha256')
      .update(JSON.stringify(userRequest(one)))
      .digest('hex')
      .slice(0, 12),
  ).toBe(words);
});
