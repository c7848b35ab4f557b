import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { excusesOf } from '../scripts/golden-rows-section.ts';
import { parityPage } from '../scripts/parity-page.ts';
import { finalResponseMatchKinds } from './golden-rows/drivers/final-response-match.ts';
import { perTurnKinds } from './golden-rows/drivers/per-turn.ts';
import { simulatedUserKinds } from './golden-rows/drivers/simulated-users.ts';
import { usedKinds } from './golden-rows/kinds.ts';
import { driveGoldenRows, type Entry } from './golden-rows/ledger.ts';
import { linesOfListA } from './golden-rows/lines.ts';
import { linesWithoutRows } from './golden-rows/lines-without-rows.ts';

// Runs every golden row against the product, or excuses it with a reason. Rows are counted only here.

const root = new URL('..', import.meta.url);
const fixtures = new URL('packages/conformance/rows/', root);
const entries = await driveGoldenRows();

const nameOf = ({ file, of }: Entry) => (of === null ? file : `${file}: ${of}`);

it.each(entries.map((entry) => [nameOf(entry), entry] as const))('golden rows of %s agree', (_, { problems }) => {
  expect(problems).toEqual([]);
});

it('every golden row in every file is counted as run or excused', () => {
  const counted = new Map<string, number>();
  for (const { file, run, excused } of entries) {
    const left = [...excused.values()].reduce((sum, count) => sum + count, 0);
    counted.set(file, (counted.get(file) ?? 0) + run + left);
  }
  const files = readdirSync(fixtures, { recursive: true, encoding: 'utf8' }).map((file) => file.replaceAll('\\', '/'));
  const rows = files.filter((file) => /\.jsonl?$/.test(file)).map((file) => [file, rowsIn(file)] as const);
  expect(Object.fromEntries(counted)).toEqual(Object.fromEntries(rows));
});

function rowsIn(file: string): number {
  const text = readFileSync(new URL(file, fixtures), 'utf8');
  return file.endsWith('.jsonl') ? text.trimEnd().split('\n').length : Object.keys(JSON.parse(text)).length;
}

it('the excused golden rows are exactly the known ones', () => {
  const excuses = [...excusesOf(entries)].map(([reason, count]) => `${count} rows: ${reason}`);
  console.log(['Golden rows that do not run:', ...excuses].join('\n  '));
  expect(excuses).toEqual([
    "274 rows: they test how ADK looks through a judge's text, which is not copied: line `judge-answers` of list B",
    '24 rows: an artefact of how they were made: every turn is NOT_EVALUATED, whatever its judge says',
    '1 rows: not marked js-lossy, but like those: integers beyond 2^53, which JSON.parse cannot tell apart',
    '4 rows: marked js-lossy: integers beyond 2^53, which JSON.parse cannot tell apart',
  ]);
});

it('every known kind of difference occurs in a golden row', () => {
  const kinds = [...perTurnKinds, ...finalResponseMatchKinds, ...simulatedUserKinds];
  expect(kinds.filter((kind) => !usedKinds().has(kind))).toEqual([]);
});

it('every entry of list A occurs in a golden row or in another test', () => {
  const named = new Set(entries.flatMap(({ differing }) => [...differing.keys()]));
  const others = [...linesOfListA].filter((line) => !named.has(line));
  expect(others.toSorted()).toEqual(Object.keys(linesWithoutRows).toSorted());
  for (const [file, text] of Object.values(linesWithoutRows)) {
    expect(readFileSync(new URL(file, root), 'utf8')).toContain(text);
  }
});

it('docs/adk-parity.md matches the packages and golden rows', async () => {
  const written = readFileSync(new URL('docs/adk-parity.md', root), 'utf8');
  expect(written, 'run: pnpm parity').toBe(await parityPage(entries));
});

const recorded = new URL('../shared/golden/', root);

it.skipIf(!existsSync(recorded))('the golden files match the recorded ones', () => {
  const files = readdirSync(recorded, { recursive: true, encoding: 'utf8' }).filter((file) => /\.jsonl?$/.test(file));
  const differing = files.filter((file) => {
    const own = new URL(file, fixtures);
    return !existsSync(own) || !readFileSync(own).equals(readFileSync(new URL(file, recorded)));
  });
  expect(differing).toEqual([]);
});
