import { createHash } from 'node:crypto';
import { expect, it } from 'vitest';
import { segmenterPrompt } from './segmenter-prompt.ts';
import { validatorPrompt } from './validator-prompt.ts';

const text = 'At nine. At ten.';
const sentences = ['At nine.', 'At ten.'];

it.each([
  ['93b7b42298a2', segmenterPrompt(text)],
  ['f60b682db740', validatorPrompt([], sentences, text, null)],
  ['3a71e02c9341', validatorPrompt([], sentences, text, 'adk')],
])(
  'a prompt is unchanged, or else needs a new version: %s',
  (words, { id, instructions, material, question, schema }) => {
    // Recorded opinions name the version, so changed wording under the same version would pass for the same prompt.
    const all = JSON.stringify([id, instructions, material, question, schema]);
    expect(createHash('sha256').update(all).digest('hex').slice(0, 12)).toBe(words);
  },
);
