import {
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { evalCase, message, turn } from '@agent-criteria/core/eval-set';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { folderOf } from '../../../test/folder.ts';
import { runs } from '../../../test/runs.ts';
import { cutOffFolder } from './run-folder/import-file.ts';
import { type RecordedConversation, saveConversations } from './save-conversations.ts';

const conversations = Array.from({ length: 6 }, (_, index): RecordedConversation => {
  const text = index === 4 ? 'long '.repeat(10_000) : `Hello ${index}`;
  return {
    evalCase: evalCase(`case ${Math.floor(index / 2)}`, [turn(`Hi ${Math.floor(index / 2)}`)]),
    repeat: index % 2,
    inference: {
      sessionId: `s${index}`,
      invocations: [{ userContent: message('user', 'Hi'), finalResponse: message('model', text) }],
      state: { initial: null, final: null },
      ending: { by: 'end-of-case' },
    },
    ...(index % 3 === 0 ? { label: { label: 'pass', reason: null, by: 'ada' } } : {}),
  };
});
const source = { evalSetId: 'log', agent: 'log.jsonl', fingerprint: 'of log.jsonl', conversations };

/** Returns the text of every file, by its name. */
function contentsOf(folder: string): Readonly<Record<string, string>> {
  const files = readdirSync(folder, { recursive: true, withFileTypes: true }).filter((one) => one.isFile());
  return Object.fromEntries(
    files.map(({ parentPath, name }) => [name, readFileSync(join(parentPath, name), 'utf8')]).sort(),
  );
}

/** Makes an import that was never cut off. */
async function wholeImport() {
  const whole = join(folderOf({}), 'run');
  await saveConversations({ ...source, folder: whole });
  const expected = contentsOf(whole);
  return { whole, expected, plan: JSON.parse(expected['plan.json'] ?? '') };
}

interface Sizes {
  readonly inferences: number;
  readonly labels: number;
  /** `null` if the cases were complete already. */
  readonly cases: number | null;
}

/** Makes the folder of an import that was cut off when its files had these sizes, as shares of what they become. */
function cutOffAt({ whole, plan }: Awaited<ReturnType<typeof wholeImport>>, sizes: Sizes): string {
  const runsFolder = folderOf({});
  const folder = join(runsFolder, 'run');
  cpSync(whole, folder, { recursive: true });
  rmSync(join(folder, 'plan.json'));
  const begun = { format: plan.format, fingerprint: source.fingerprint, startedAt: plan.createdAt };
  writeFileSync(join(folder, 'import.json'), JSON.stringify(begun));
  const [blob, part] = [plan.sets[0].content, 'import.part'].map((name) => join(folder, 'blobs', name)) as [
    string,
    string,
  ];
  const cut = (file: string, share: number) => truncateSync(file, Math.floor(share * readFileSync(file).length));
  cut(join(folder, 'inferences.jsonl'), sizes.inferences);
  cut(join(folder, 'labels.jsonl'), sizes.labels);
  if (sizes.cases !== null) {
    renameSync(blob, part);
    cut(part, sizes.cases);
  }
  return folder;
}

test('an import that was cut off anywhere is continued, and the run is the same as without that', async () => {
  const own = await wholeImport();
  const share = fc.double({ min: 0, max: 1, noNaN: true });
  await fc.assert(
    fc.asyncProperty(fc.record({ inferences: share, labels: share, cases: fc.option(share) }), async (sizes) => {
      const folder = cutOffAt(own, sizes);
      const found = readFileSync(join(folder, 'inferences.jsonl'), 'utf8').split('\n').length - 1;
      expect(cutOffFolder(join(folder, '..'), source.fingerprint)).toBe(folder);
      expect(await saveConversations({ ...source, folder })).toEqual({ cases: 3, repeats: 2, labels: 2, found });
      expect(contentsOf(folder)).toEqual(own.expected);
    }),
    { numRuns: runs(200) },
  );
});

test('an import of something else does not continue one that was cut off', async () => {
  const folder = cutOffAt(await wholeImport(), { inferences: 0.5, labels: 0.5, cases: 0.5 });
  expect(cutOffFolder(join(folder, '..'), 'of another file')).toBeNull();
  const other = { ...source, fingerprint: 'of another file', folder };
  await expect(saveConversations(other)).rejects.toThrow('there is a run here already');
});

test('cutOffFolder finds no run that is complete, and nothing where there is no folder', async () => {
  const { whole: folder, plan } = await wholeImport();
  const runsFolder = join(folder, '..');
  expect(existsSync(join(folder, 'import.json'))).toBe(false);
  // The last step of the import may have been lost.
  writeFileSync(join(folder, 'import.json'), JSON.stringify({ format: plan.format, fingerprint: 'x', startedAt: 0 }));
  expect(cutOffFolder(runsFolder, 'x')).toBeNull();
  expect(cutOffFolder(join(runsFolder, 'none'), 'x')).toBeNull();
  mkdirSync(join(runsFolder, 'odd'));
  writeFileSync(join(runsFolder, 'odd', 'import.json'), 'not JSON');
  expect(cutOffFolder(runsFolder, 'x')).toBeNull();
});
