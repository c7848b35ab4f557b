import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { secretMask } from './secret-mask.ts';

// Reads answers, questions, references and tool output from a folder next to this repository; skipped if it does not
// exist. `planted-secrets.test.ts` has more texts that must not be masked.

const folder = new URL('../../../../shared/evidence/', import.meta.url);
const absent = !existsSync(folder);
const environment = {
  OPENAI_API_KEY: 'sk-proj-abcdefgh12345678',
  DB_PASSWORD: 'development1',
  APP_SECRET: 'change-me-now',
};

function textsIn(value: unknown): readonly string[] {
  if (typeof value === 'string') return value.length < 6 ? [] : [value];
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(textsIn) : [];
}

describe.skipIf(absent)('ordinary text', () => {
  it('is changed in fewer than one in 10,000 texts', () => {
    const mask = secretMask({ environment });
    const rows = readdirSync(folder)
      .map((name) => new URL(`${name}/data.jsonl`, folder))
      .filter((file) => existsSync(file))
      .flatMap((file) => readFileSync(file, 'utf8').trimEnd().split('\n'));
    const texts = rows.flatMap((row) => textsIn(JSON.parse(row)));
    expect(texts.length).toBeGreaterThan(40_000);
    const changed = texts.filter((text) => mask.text(text) !== text);
    expect(changed.length / texts.length, changed.slice(0, 5).join('\n\n')).toBeLessThan(1 / 10_000);
  });
});
