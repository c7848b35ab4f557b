import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { createCriterion } from './create-criterion.ts';

let into: string;
beforeEach(() => {
  into = mkdtempSync(join(tmpdir(), 'create-criterion-'));
});
afterEach(() => rmSync(into, { recursive: true, force: true }));

function filesOf(folder: string): string[] {
  const all = readdirSync(folder, { recursive: true, encoding: 'utf8' });
  return all.filter((file) => statSync(join(folder, file)).isFile()).sort();
}

test('createCriterion() creates a standalone package', async () => {
  const folder = join(into, 'criteria-tone-of-voice');
  expect(await createCriterion({ name: '@me/criteria-tone-of-voice', into })).toEqual({
    folder,
    criterion: 'tone_of_voice',
  });
  expect(filesOf(folder)).toEqual([
    '.gitignore',
    'LICENSE',
    'README.md',
    'package.json',
    'src/index.ts',
    'src/pure.ts',
    'src/tone-of-voice.test.ts',
    'src/tone-of-voice.ts',
    'tsconfig.json',
    'tsup.config.ts',
  ]);
  const texts = filesOf(folder).map((file) => readFileSync(join(folder, file), 'utf8'));
  expect(texts.join('\n')).not.toMatch(/sample|workspace:|catalog:|agent-criteria\/source/);

  const manifest = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
  expect(manifest.name).toBe('@me/criteria-tone-of-voice');
  expect(manifest.peerDependencies).toEqual({ '@agent-criteria/core': '>=0.1.0 <1' });
  const read = (file: string) => readFileSync(join(folder, file), 'utf8');
  expect(read('src/tone-of-voice.ts')).toContain(
    "export const toneOfVoiceScore = defineCriterion({\n  name: 'tone_of_voice'",
  );
  expect(read('README.md')).toContain("import '@me/criteria-tone-of-voice';");
});

test('createCriterion() leaves an existing folder unchanged', async () => {
  await createCriterion({ name: 'tone', into });
  const before = filesOf(into);
  expect(await createCriterion({ name: '@other/tone', into })).toEqual({
    problem: `${join(into, 'tone')} already exists. Choose another name, or move it away.`,
  });
  expect(filesOf(into)).toEqual(before);
});

test('createCriterion() writes nothing for an invalid name', async () => {
  expect(await createCriterion({ name: '../tone', into })).toHaveProperty('problem');
  expect(filesOf(into)).toEqual([]);
});
