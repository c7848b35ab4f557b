import { CriteriaError } from '@agent-criteria/core';
import { parseJson } from '@agent-criteria/formats';
import { fieldOf } from '@agent-criteria/formats/schema';
import { secretMask } from '@agent-criteria/masking';
import { existsSync, readFileSync } from '../node-fs.ts';
import { layout } from './layout.ts';
import { writeJsonFile } from './plan-file.ts';

/** The maximum length of a run's name, in characters. */
export const LONGEST_NAME = 100;

/**
 * Names a run, or renames it, also while it is in flight. Masks secrets. `null` removes the name.
 * @throws CriteriaError USAGE for a name that is empty, too long or has control characters; WRITE_FAILED.
 */
export function writeRunName(folder: string, name: string | null): void {
  if (name !== null && !isName(name)) {
    const message = `a run's name is 1 to ${LONGEST_NAME} characters on one line`;
    throw new CriteriaError({ code: 'USAGE', message });
  }
  writeJsonFile(layout.name(folder), { name: secretMask({ environment: process.env }).json(name) });
}

/** Returns the name of a run, or `null` if it has none. */
export function readRunName(folder: string): string | null {
  const file = layout.name(folder);
  // Most runs have none, and an error takes much longer than a look.
  if (!existsSync(file)) return null;
  try {
    const name = fieldOf(parseJson(readFileSync(file, 'utf8')), 'name');
    return isName(name) ? name : null;
  } catch {
    return null;
  }
}

function isName(name: unknown): name is string {
  return (
    typeof name === 'string' &&
    name.trim() === name &&
    name.length > 0 &&
    [...name].length <= LONGEST_NAME &&
    !CONTROL.test(name)
  );
}

/** Control characters, and marks that change the direction of the text around them. */
const CONTROL = /[\p{Cc}\p{Zl}\p{Zp}\u202a-\u202e\u2066-\u2069]/u;
