/// <reference lib="dom" />
/** Measures how long a run's page takes to open, compared with the minimum that can show the same file. */
import { createWriteStream, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { pathToFileURL } from 'node:url';
import { htmlReport } from '@agent-criteria/viewer';
import { type Browser, chromium } from 'playwright-core';
import { findChromium } from '../test/browser/find-chromium.ts';
import { longRun } from '../test/browser/sample-run.ts';
import { median, ratios, rounds, short, spread } from './measure.ts';
import { sizes, smallest } from './smallest.ts';
import { printTable } from './table.ts';
import { workFolder } from './work-folder.ts';

const work = workFolder();

/** The same file with a minimal script instead of the app, which parses the index and lists forty cases. */
const FLOOR = `const { cases } = JSON.parse(document.getElementById('run-index').textContent);
for (const { id } of cases.slice(0, 40)) {
  const row = document.createElement('div');
  row.className = 'row';
  row.textContent = id;
  document.getElementById('app').append(row);
}`;

/** The times taken to open a page, in milliseconds from the start of the navigation. */
interface Opening {
  /** Until the first row is on the page. */
  readonly firstRow: number;
  /** Until the whole file is read. */
  readonly read: number;
}

async function open(browser: Browser, file: string): Promise<Opening> {
  const page = await browser.newPage();
  try {
    await page.addInitScript(() => {
      const watcher = new MutationObserver(() => {
        if (document.querySelector('.row') === null) return;
        watcher.disconnect();
        performance.mark('first-row');
      });
      watcher.observe(document, { childList: true, subtree: true });
    });
    await page.goto(pathToFileURL(file).href, { waitUntil: 'load' });
    return await page.evaluate(() => ({
      firstRow: performance.getEntriesByName('first-row')[0]!.startTime,
      read: (performance.getEntriesByType('navigation')[0] as PerformanceNavigationTiming).domInteractive,
    }));
  } finally {
    await page.close();
  }
}

async function measure(browser: Browser, cases: number): Promise<string[][]> {
  const files = { ours: join(work, `${cases}.html`), floor: join(work, `${cases}-floor.html`) };
  await pipeline(Readable.from(htmlReport(await longRun(cases))), createWriteStream(files.ours));
  const page = readFileSync(files.ours, 'utf8');
  // Its content security policy names the script that it comes with.
  const floor = page
    .replace(/<meta http-equiv[^>]+>/, '')
    .replace(/<script>.*?<\/script>/s, () => `<script>${FLOOR}</script>`);
  writeFileSync(files.floor, floor);
  const taken: Record<keyof typeof files, Opening[]> = { ours: [], floor: [] };
  const pass = (name: keyof typeof files) => async () => {
    taken[name].push(await open(browser, files[name]));
  };
  const warmUp = smallest ? 0 : 1;
  await rounds({ ours: pass('ours'), floor: pass('floor') }, { atLeast: 0, counted: 7, warmUp });
  const of = (name: keyof typeof files, value: (one: Opening) => number) => taken[name].slice(warmUp).map(value);
  return (['ours', 'floor'] as const).map((name) => {
    const columns = ([({ firstRow }) => firstRow, ({ read }) => read] as ((one: Opening) => number)[]).map((value) => [
      short(median(of(name, value))),
      spread(ratios(of(name, value), of('floor', value))),
    ]);
    return [name, cases.toLocaleString('en-US'), short(statSync(files[name]).size / 1e6), ...columns.flat()];
  });
}

const executablePath = findChromium(process.env);
if (executablePath === undefined) throw new Error('No Chromium was found. Install one, or set CHROMIUM_PATH.');
const browser = await chromium.launch({ executablePath });
try {
  const given = process.argv.slice(2).map(Number);
  const rows: string[][] = [];
  for (const cases of given.length > 0 ? given : sizes([1000, 10_000], 50))
    rows.push(...(await measure(browser, cases)));
  printTable(
    'The page of a run, opened in Chromium',
    ['', 'cases', 'MB', 'first row, ms', 'times the floor', 'whole file, ms', 'times the floor'],
    rows,
  );
} finally {
  await browser.close();
}
