import fc from 'fast-check';
import { expect, test } from 'vitest';
import { readName } from './names.ts';

test('readName() returns every spelling that a package needs', () => {
  expect(readName('@me/criteria-tone-of-voice')).toEqual({
    package: '@me/criteria-tone-of-voice',
    folder: 'criteria-tone-of-voice',
    kebab: 'tone-of-voice',
    snake: 'tone_of_voice',
    identifier: 'toneOfVoiceScore',
  });
  // The name of a package without a scope often begins with its owner.
  expect(readName('acme-criteria-tone')).toMatchObject({
    folder: 'acme-criteria-tone',
    snake: 'acme_tone',
    identifier: 'acmeToneScore',
  });
  expect(readName('new')).toMatchObject({ package: 'new', snake: 'new', identifier: 'newScore' });
  expect(readName('match-score')).toMatchObject({ identifier: 'matchScore' });
});

test.each([
  ['', 'is not a name'],
  ['Tone', 'is not a name'],
  ['tone_of_voice', 'is not a name'],
  ['tone of voice', 'is not a name'],
  ['../tone', 'is not a name'],
  ['/tone', 'is not a name'],
  ['a/b/tone', 'is not a name'],
  ['me/tone', 'is not a name'],
  ['@/tone', 'is not a name'],
  ['@me/', 'is not a name'],
  ['.', 'is not a name'],
  ['2nd', 'is not a name'],
  ['tone-', 'is not a name'],
  ['a'.repeat(215), 'npm allows 214'],
  ['fs', 'a Node.js module, and'],
  ['criteria-index', 'every criterion package has'],
  ['pure', 'every criterion package has'],
])('readName() rejects %j', (name, problem) => {
  expect(readName(name)).toContain(problem);
});

test('readName() accepts only names that are safe as a folder and in code', () => {
  const name = fc.stringMatching(/^[@a-z0-9/._-]{0,12}$/);
  fc.assert(
    fc.property(fc.oneof(fc.string(), name), (text) => {
      const names = readName(text);
      if (typeof names === 'string') return;
      expect(names.folder).toMatch(/^[a-z][a-z0-9-]*$/);
      expect(names.snake).toMatch(/^[a-z][a-z0-9_]*$/);
      expect(names.identifier).toMatch(/^[a-z][A-Za-z0-9]*Score$/);
    }),
  );
});
