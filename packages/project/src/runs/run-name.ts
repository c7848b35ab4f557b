import { join } from 'node:path';
import { CriteriaError } from '@agent-criteria/core';
import { LONGEST_NAME, writeRunName } from '@agent-criteria/runner';
import { runIdsIn } from './run-heads.ts';

/**
 * Checks a name for a run, which must mean nothing else where a run is named.
 * @throws CriteriaError USAGE with what the name would be taken for.
 */
export function checkRunName(name: string, runsFolder: string): void {
  const why = whyNotName(name, runsFolder);
  if (why === null) return;
  throw new CriteriaError({ code: 'USAGE', message: `"${name}" cannot be the name of a run: ${why}` });
}

function whyNotName(name: string, runsFolder: string): string | null {
  if (name.trim() !== name || name === '') return 'it is empty, or begins or ends with a space';
  if ([...name].length > LONGEST_NAME) return `it is longer than ${LONGEST_NAME} characters`;
  if (/^last(~.*)?$/i.test(name)) return 'it would be taken for the last run, or one before it';
  if (/^[0-9a-f]{4,40}$/i.test(name)) return 'it would be taken for the hash of a commit; add a word';
  const isId = /^\d{8}-\d{6}/.test(name) || runIdsIn(runsFolder).some((id) => id.startsWith(name));
  if (isId) return 'it would be taken for the id of a run; choose another word';
  if (/[/\\]/.test(name)) return 'it would be taken for a path; leave out slashes';
  if (/\.json$/i.test(name)) return 'it would be taken for a file; leave out .json';
  if (name.includes('#')) return '# comes before the name of a variant; leave it out';
  if (name.startsWith('-')) return 'it would be taken for a flag; begin with another character';
  return null;
}

/**
 * Names a run, or renames it, also while it is in flight.
 * @param name `null` removes the name.
 * @throws CriteriaError USAGE for a name that means something else where a run is named; WRITE_FAILED.
 */
export function renameRun(id: string, name: string | null, runsFolder: string): void {
  if (name !== null) checkRunName(name, runsFolder);
  writeRunName(join(runsFolder, id), name);
}
