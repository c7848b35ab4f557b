import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { settingNames } from '@agent-criteria/project/config';
import { expect, it } from 'vitest';

const packages = fileURLToPath(new URL('../packages', import.meta.url));
const files = readdirSync(packages).flatMap((name) => sourcesOf(join(packages, name, 'src')));

function sourcesOf(folder: string): string[] {
  const names = readdirSync(folder, { recursive: true, encoding: 'utf8' });
  return names.filter((name) => name.endsWith('.ts') && !name.endsWith('.test.ts')).map((name) => join(folder, name));
}

/** Matches the keys that a message tells users to set: `"models" and "judgeModel" in agent-criteria.config`. */
const ADVICE = /((?:"\w+"(?:, | and | or )?)+) (?:in|of|to) (?:your )?agent-criteria\.config/g;

it('every key of agent-criteria.config named in a message exists', () => {
  const named = files.flatMap((file) =>
    [...readFileSync(file, 'utf8').matchAll(ADVICE)].flatMap(([, keys = '']) =>
      [...keys.matchAll(/\w{3,}(?=")/g)].map(([key]) => key),
    ),
  );
  expect(named.length).toBeGreaterThan(3);
  expect(named.filter((key) => !settingNames.some((name) => name === key))).toEqual([]);
});
