import { mkdirSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { chromium } from 'playwright-core';
import { findChromium } from './find-chromium.ts';
import { judgedRun } from './judged-run.ts';
import { lead, openPage, writeReport } from './opened-page.ts';
import { changeCases, longRun, sampleRun } from './sample-run.ts';

// Takes pictures of the report for people to look at: `pnpm screenshots FOLDER`. The folder is not part of the
// repository.

const [given] = process.argv.slice(2);
if (given === undefined) throw new Error('Name a folder for the pictures: pnpm screenshots FOLDER');
const folder = resolve(given);
mkdirSync(folder, { recursive: true });

const BOOKING = '#/case/concierge/book%20a%20table%2Ff%C3%BCr%20zwei';
const sample = await sampleRun();
const repeated = <T>(turns: readonly T[]): T[] => turns.slice(0, 1).flatMap((turn) => Array<T>(30).fill(turn));
/** Repeats the first turn of every conversation thirty times. */
const talk = changeCases(sample, (one) => ({
  ...one,
  inferences: one.inferences.map((each) => ({
    ...each,
    inference: { ...each.inference, invocations: repeated(each.inference.invocations) },
  })),
}));

const runs = {
  sample: {
    run: sample,
    views: { run: '#/', found: '#/?search=table', case: BOOKING, crash: '#/case/concierge/crash' },
  },
  judged: { run: judgedRun(), views: { run: '#/', case: '#/case/hotel/breakfast', passed: '#/case/hotel/taxi' } },
  talk: { run: talk, views: { turn: `${BOOKING}?turn=20` } },
  long: { run: await longRun(300), views: { run: '#/' } },
};

const executablePath = findChromium(process.env);
if (executablePath === undefined) throw new Error('No Chromium was found. Install one, or set CHROMIUM_PATH.');
const browser = await chromium.launch({ executablePath });
try {
  for (const [name, { run, views }] of Object.entries(runs)) {
    const address = await writeReport(run, join(folder, `${name}.html`));
    for (const width of [1280, 390]) {
      for (const colorScheme of ['light', 'dark'] as const) {
        await using opened = await openPage(browser, address, { viewport: { width, height: 800 }, colorScheme });
        const { page } = opened;
        for (const [view, hash] of Object.entries(views)) {
          await lead(page, address + hash);
          await page.waitForSelector(hash.startsWith('#/case') ? '.why' : '.rows');
          const height = await page.evaluate(() => document.documentElement.scrollHeight);
          console.log(`${name} ${view}, ${width} px, ${colorScheme}: ${height} px tall`);
          const file = (part: string) => join(folder, `${name}-${view}-${width}-${colorScheme}${part}.png`);
          await page.screenshot({ path: file('') });
          if (name !== 'long' && name !== 'talk') await page.screenshot({ path: file('-whole'), fullPage: true });
        }
      }
    }
  }
} finally {
  await browser.close();
}
