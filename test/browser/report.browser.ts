import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { outcomeOf, type RunCase, type RunRecord } from '@agent-criteria/results';
import { shownOutcome } from '@agent-criteria/results/text';
import { type Browser, chromium, type Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { findChromium } from './find-chromium.ts';
import { judgedRun, judgePrompt } from './judged-run.ts';
import {
  accessibilityProblems,
  DESKTOP,
  drawn,
  lead,
  openPage,
  PHONE,
  sidewaysScroll,
  unfoldAll,
  writeReport,
} from './opened-page.ts';
import { changeCases, HOSTILE, hostileRun, longRun, poisoned, sampleRun } from './sample-run.ts';

const executablePath = findChromium(process.env);
if (executablePath === undefined) {
  const words = 'No Chromium was found. Install one, or set CHROMIUM_PATH.';
  if (process.env.CI) throw new Error(words);
  console.warn(`${words} The HTML report was NOT tested in a browser.`);
}

/** Returns a function that clicks a button and returns the text that it copied. */
async function copiedBy(page: Page): Promise<(button: string) => Promise<string>> {
  await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
  return async (button) => {
    await page.evaluate(() => navigator.clipboard.writeText(''));
    await page.getByRole('button', { name: button, exact: true }).first().click();
    const read = () => page.evaluate(() => navigator.clipboard.readText());
    await expect.poll(read).not.toBe('');
    return read();
  };
}

const BOOKING = '#/case/concierge/book%20a%20table%2Ff%C3%BCr%20zwei';

describe.skipIf(executablePath === undefined)('the HTML report in Chromium', () => {
  const folder = mkdtempSync(join(tmpdir(), 'agent-criteria-browser-'));
  let browser: Browser;
  let sample: RunRecord;
  let report: string;
  const cases: RunCase[] = [];
  /** The cases in the page's order: those that did not pass come first, and otherwise they are in the set's order. */
  let listed: RunCase[];
  beforeAll(async () => {
    browser = await chromium.launch({ executablePath: executablePath! });
    sample = await sampleRun();
    for await (const one of sample.cases()) cases.push(one);
    const rank = ({ result: { verdict } }: RunCase) => ['failed', 'error', 'not-evaluated', 'passed'].indexOf(verdict);
    listed = [...cases].sort((a, b) => rank(a) - rank(b));
    report = await writeReport(sample, join(folder, 'sample.html'));
  });
  afterAll(async () => {
    await browser?.close();
    rmSync(folder, { recursive: true, force: true });
  });

  it('shows the outcome of the run: its headline, its gates, and every problem', async () => {
    const text = 'the pass rate is 50%; <b onclick="alert(1)">bold</b> \u202eback';
    const gates = [
      { name: 'pass_rate', holds: false, text },
      { name: 'regression', holds: null, text: 'too few cases', baseline: { id: 'run-1', hash: 'a'.repeat(64) } },
    ];
    const record = outcomeOf({ summary: sample.summary, gates, problems: ['a report could not be written'] });
    const run: RunRecord = { ...sample, outcome: { state: 'recorded', ...record } };
    await using opened = await openPage(browser, await writeReport(run, join(folder, 'gates.html')));
    const { page, problems } = opened;
    expect(await page.locator('.outcome').innerText()).toContain(shownOutcome(run).headline);
    const shown = await page.locator('.gates li').allInnerTexts();
    expect(shown[0]).toContain('pass_rate does not hold: the pass rate is 50%; <b onclick="alert(1)">bold</b>');
    expect(shown[1]).toContain('regression cannot tell: too few cases Baseline: run-1');
    expect(await page.locator('.banner.error').allInnerTexts()).toEqual(['A report could not be written.']);
    expect(await accessibilityProblems(page)).toEqual([]);
    expect(problems).toEqual([]);
  });

  it('shows the numbers of the run', async () => {
    await using opened = await openPage(browser, report);
    const { page, problems } = opened;
    const rows = await page.locator('.rows .row').allInnerTexts();
    expect(rows).toHaveLength(cases.length);
    const words = {
      passed: 'Passed',
      failed: 'Failed',
      'not-evaluated': 'Not evaluated',
      error: 'Error',
      informational: '',
    };
    expect(await page.locator('h1').innerText()).toBe('Concierge');
    for (const [place, { result }] of listed.entries()) {
      const cells = rows[place]!.split('\n').map((cell) => cell.trim());
      expect(cells[0]).toBe(words[result.verdict]);
      expect(cells).toContain(result.caseId);
      const scores = await page.locator('.rows .row').nth(place).locator('.score').allInnerTexts();
      const expected = result.criteria.map(({ score, coverage }) => [
        score === null ? '–' : String(Math.trunc(score * 1000) / 1000),
        ...(coverage === null ? ['not applicable'] : coverage < 1 ? [`${coverage * 100} % scored`] : []),
      ]);
      expect(
        scores.map((text) =>
          text
            .replace(/^[A-Z][a-z ]+\s/, '')
            .split(/\n+/)
            .filter((line) => line !== '' && line !== 'Passed'),
        ),
      ).toEqual(expected);
    }
    const counts = (await page.locator('.chip').allInnerTexts()).map((text) => text.replace('\n', ' '));
    const { verdicts } = sample.summary;
    expect(counts).toEqual(
      // There is no button for a verdict that no case has.
      ['failed', 'error', 'not-evaluated', 'passed'].map(
        (verdict) => `${verdicts[verdict as keyof typeof verdicts]} ${verdict.replace('-', ' ')}`,
      ),
    );
    expect(await page.locator('.outcome').innerText()).toContain('4 of 7 cases passed.');
    expect(problems).toEqual([]);
  });

  it('filters, sorts and searches, and keeps these settings in its address', async () => {
    await using opened = await openPage(browser, report);
    const { page, problems } = opened;
    const ids = () => page.locator('.rows .row .case a').allInnerTexts();
    await page.getByRole('button', { name: '1 failed' }).click();
    expect(await ids()).toEqual(['book a table/für zwei']);
    await page.getByRole('button', { name: '1 error' }).click();
    expect(await ids()).toEqual(['book a table/für zwei', 'crash']);
    expect(new URL(page.url()).hash).toBe('#/?verdict=failed.error');
    await page.getByRole('searchbox').fill('ZERO');
    await expect.poll(ids).toEqual(['crash']);
    await page.reload();
    expect(await ids()).toEqual(['crash']);
    await page.getByRole('searchbox').fill('nothing like it');
    await page.getByRole('button', { name: 'Show all' }).click();
    expect(await ids()).toHaveLength(cases.length);
    expect((await ids()).slice(0, 3)).toEqual(['book a table/für zwei', 'crash', 'simulated guest']);
    await page.getByLabel('Order').selectOption('Order of the set');
    expect(await ids()).toEqual(cases.map(({ result }) => result.caseId));
    expect(new URL(page.url()).hash).toBe('#/?sort=order');
    await page.locator('.grid-head button').nth(3).click();
    expect((await ids())[0]).toBe('book a table/für zwei');
    expect(new URL(page.url()).hash).toBe('#/?criterion=response_match_score&sort=score');
    expect(await page.locator('[aria-sort=ascending]').innerText()).toContain('response_match');
    await page.getByLabel('Verdict of').selectOption('tone_v1');
    await page.getByRole('button', { name: '1 skipped' }).click();
    expect(await ids()).toEqual(['lamp']);
    expect(problems).toEqual([]);
  });

  it('explains a case', async () => {
    await using opened = await openPage(browser, report + BOOKING);
    const { page, problems } = opened;
    await unfoldAll(page);
    const text = await page.locator('main').innerText();
    for (const shown of [
      '2 of 4 criteria: tool_trajectory_avg_score, response_match_score',
      'at least 0.6, higher is better',
      'coverage 50 %',
      '2 of 4 scored, 2 could not be judged',
      'The judge answered with bad JSON.',
      'not applicable',
      'Warning: This rubric can never fail.',
      'Vote 2:1 (2 yes, 1 no, 1 without an opinion, 1 not asked of 5)',
      'They want Friday.',
      'booking_agent',
      'Missing words',
      'First difference at $[0].args.city, in the tool calls above',
      'image/svg+xml, 6 bytes, not in this report',
      'gs://bucket/menu.pdf',
      'The conversation finished.',
      'Trace: 1 model call, 2 tool calls, 1.3 s, 180 tokens in, 30 out, 1 failed',
      'Trace: 1 model call\n',
      'The mail server does not answer.',
      'There is a table at 20:00.',
      'Nothing was said here.',
      '1 call to models and services',
      '400 tokens in, 25 out, cost 0.0045',
      'session-0',
    ]) {
      expect(text).toContain(shown);
    }
    // Differences in words, arguments and session state are marked both visually and for screen readers.
    expect(await page.locator('.turn').first().locator('.columns del').first().innerText()).toContain('Your');
    expect(await page.locator('.turn').first().locator('.call.changed .side.removed').first().innerText()).toContain(
      'Zürich',
    );
    expect(await page.locator('.state .side.added').last().innerText()).toContain('booked: true');
    expect(await page.locator('.media img').evaluate((image: HTMLImageElement) => image.naturalWidth)).toBe(1);
    expect(problems).toEqual([]);
  });

  describe('for a judged run', () => {
    const BREAKFAST = '#/case/hotel/breakfast';
    let judged: string;
    beforeAll(async () => {
      judged = await writeReport(judgedRun(), join(folder, 'judged.html'));
    });

    it('shows the usage of calls by role', async () => {
      await using opened = await openPage(browser, judged);
      const { page, problems } = opened;
      const facts = async (within: string) =>
        (await page.locator(`${within} .facts > div`).allInnerTexts()).map((text) => text.replace(/\n+/g, ': '));
      const judges =
        'Judges: 8 calls (2 cached, 2 failed), 4,000 tokens in (800 cached), 200 out (80 reasoning), ' +
        'reused 2,000 tokens in (400 cached), 100 out (40 reasoning), ' +
        'cost 0.0246, unknown for 2 calls: no price for gemini-2.5-flash';
      await page.getByText('About this run').click();
      await page.locator('.run .facts').waitFor();
      expect(await facts('.run')).toEqual(
        expect.arrayContaining([
          'Agent’s model: 3 calls, 1,200 tokens in, 120 out (30 reasoning)',
          judges,
          'Simulated user: 2 calls, no token usage reported',
        ]),
      );
      await lead(page, judged + BREAKFAST);
      await page.waitForSelector('.why');
      expect(await facts('main >')).toContain('Agent’s model: 1 call, 400 tokens in, 40 out (10 reasoning)');
      expect(problems).toEqual([]);
    });

    it('explains every vote, rubric and sentence with the answer of each sample', async () => {
      await using opened = await openPage(browser, judged + BREAKFAST);
      const { page, problems } = opened;
      await unfoldAll(page);
      const parts = await page.locator('.parts > li').evaluateAll((items) => items.map((item) => item.className));
      expect(parts).toEqual(['well', 'short', 'could-not-judge', 'well', 'short', 'short', 'well']);
      const main = page.locator('main');
      await page.locator('.opinions li').nth(5).waitFor();
      const text = (await main.innerText()).replace(/\s+/g, ' ');
      for (const shown of [
        'match 0 at least 0.8, higher is better Eleven is not ten, and the price is left out.',
        'Vote 1:4 (1 yes, 4 no of 5)',
        'Of 4 parts, 1 falls short, 1 could not be judged.',
        'The answer is polite. 1 It thanks. Vote 3:2 (3 yes, 2 no of 5)',
        'Vote 1:1 (1 yes, 1 no, 3 without an opinion of 5)',
        'Sample 1 gemini-2.5-flash by match/1, from cache invalid: Rationale 1 of a judge.',
        'Sample 2 gemini-2.5-flash by match/1 valid: Rationale 2 of a judge.',
        'No opinion: the judge was cut off',
        'polite yes: It thanks. price no names No opinion: the judge did not mention it',
        'the final answer 0.5',
        'contradicting excerpt breakfast: 07:00-10:00',
        'supporting excerpt place: terrace',
      ]) {
        expect(text).toContain(shown);
      }
      expect(await page.locator('blockquote').allInnerTexts()).toEqual(['breakfast: 07:00-10:00', 'place: terrace']);
      await lead(page, `${judged}#/case/hotel/taxi`);
      await expect.poll(() => main.innerText()).toContain('2 of 5 samples gave no opinion (2 for, 1 against)');
      expect(problems).toEqual([]);
    });

    it('shows the prompts and answers of judges', async () => {
      await using opened = await openPage(browser, judged + BREAKFAST);
      const { page, problems } = opened;
      await page.getByText('5 calls to models and services, 1 failed').click();
      const calls = page.locator('.model-calls ol > li');
      const head = async (place: number) => (await calls.nth(place).innerText()).replace(/\s+/g, ' ');
      await calls.nth(4).waitFor();
      expect(await head(0)).toContain(
        'match asks gemini-2.5-flash turn 1, sample 1, 1.3 s, from the cache, 1,000 tokens in (200 cached), 50 out (20 reasoning), cost 0',
      );
      expect(await head(2)).toContain('ended by length');
      expect(await head(3)).toContain('failed 503: overloaded');
      await calls.nth(1).getByText('Prompt', { exact: true }).click();
      await calls.nth(1).getByText('Answer', { exact: true }).click();
      await calls.nth(1).getByText('"verdict"').waitFor();
      const spoken = await head(1);
      expect(spoken).toContain(`system You compare answers. user ${judgePrompt} settings: { temperature: 0 }`);
      expect(spoken).toContain('{"reasoning":"Eleven is not ten.","verdict":"invalid"}');
      await calls.nth(4).getByText('Prompt', { exact: true }).click();
      await calls.nth(4).getByText('question:').click();
      await expect.poll(() => head(4)).toContain('of: “a service”');
      expect(problems).toEqual([]);
    });

    it.each([
      ['in light', { ...DESKTOP, colorScheme: 'light' }],
      ['in dark', { ...DESKTOP, colorScheme: 'dark' }],
      ['on a phone', PHONE],
    ] as const)('is accessible %s', async (_name, options) => {
      await using opened = await openPage(browser, judged, options);
      const { page, problems } = opened;
      for (const hash of ['#/', BREAKFAST, '#/case/hotel/taxi']) {
        await lead(page, judged + hash);
        await page.waitForSelector(hash === '#/' ? '.rows' : '.why');
        await unfoldAll(page);
        expect([hash, ...(await accessibilityProblems(page))]).toEqual([hash]);
        expect([hash, await sidewaysScroll(page)]).toEqual([hash, 0]);
      }
      expect(problems).toEqual([]);
    });

    it('renders every opinion, quote, model and prompt only as text', async () => {
      const run = changeCases(judgedRun(), (one) => {
        const dirty = poisoned(one);
        // Ids are consistent, as in every record.
        const { evalId } = one.evalCase;
        return {
          ...dirty,
          setId: one.setId,
          evalCase: { ...dirty.evalCase, evalId },
          result: { ...dirty.result, caseId: evalId },
        };
      });
      const asked = { system: HOSTILE, messages: [{ role: HOSTILE, parts: [{ text: HOSTILE }] }, HOSTILE, null] };
      const dirty = { ...run, text: () => JSON.stringify({ ...asked, [HOSTILE]: HOSTILE }) };
      const address = await writeReport(dirty, join(folder, 'judged-hostile.html'));
      await using opened = await openPage(browser, address + BREAKFAST);
      const { page, problems } = opened;
      await page.waitForSelector('.why');
      await unfoldAll(page, '');
      expect(await page.locator('.opinions li').count()).toBe(6);
      expect(await page.locator('.call-text').count()).toBe(8);
      const found = await page.evaluate(() => ({
        canary: 'canary' in window,
        strangers: document.querySelectorAll('iframe, object, embed, link, base, [onerror], [onload]').length,
        scripts: document.querySelectorAll('script:not([type="application/json"])').length,
      }));
      expect(found).toEqual({ canary: false, strangers: 0, scripts: 1 });
      expect(await sidewaysScroll(page)).toBe(0);
      expect(problems).toEqual([]);
    });
  });

  it('shows an error with its stack', async () => {
    await using opened = await openPage(browser, `${report}#/case/concierge/crash`);
    await unfoldAll(opened.page);
    const text = await opened.page.locator('main').innerText();
    expect(text).toContain('An error ended the conversation. (agent)');
    expect(text).toContain('divide (agent.ts:3:9)');
    expect(text).toContain('This turn did not happen.');
  });

  it('opens the view that an address refers to, and supports back and forward', async () => {
    await using opened = await openPage(browser, `${report}${BOOKING}?repeat=2&turn=2`);
    const { page, problems } = opened;
    const title = () => page.locator('h1').innerText();
    expect(await title()).toBe('book a table/für zwei');
    expect(await page.getByRole('tab', { selected: true }).innerText()).toContain('Repeat 2');
    await expect.poll(() => page.evaluate(() => document.activeElement?.id)).toBe('turn-2');
    expect(await page.locator('#turn-2').evaluate((turn) => turn.getBoundingClientRect().top)).toBeLessThan(400);
    await page.getByRole('button', { name: 'Next', exact: true }).click();
    expect(await title()).toBe('crash');
    await page.goBack();
    await expect.poll(title).toBe('book a table/für zwei');
    expect(await page.getByRole('tab', { selected: true }).innerText()).toContain('Repeat 2');
    await page.goForward();
    await expect.poll(title).toBe('crash');
    await page.getByRole('link', { name: 'All cases' }).click();
    // The grid is restored as it was left.
    await expect.poll(() => page.evaluate(() => document.activeElement?.textContent)).toBe('crash');
    await lead(page, `${report}#/case/concierge/nobody`);
    expect(await page.locator('main').innerText()).toContain('This run has no case “nobody”');
    expect(problems).toEqual([]);
  });

  it('opens a turn far down the page', async () => {
    const talk = <T>(turns: readonly T[]): T[] =>
      turns.slice(0, 1).flatMap((turn) => Array.from({ length: 80 }, () => turn));
    const talkative = changeCases(sample, (one) => ({
      ...one,
      inferences: one.inferences.map((each) => ({
        ...each,
        inference: { ...each.inference, invocations: talk(each.inference.invocations) },
      })),
    }));
    const long = await writeReport(talkative, join(folder, 'talkative.html'));
    await using opened = await openPage(browser, `${long}#/case/concierge/lamp?turn=75`);
    await expect.poll(() => opened.page.evaluate(() => document.activeElement?.id)).toBe('turn-75');
    expect(opened.problems).toEqual([]);
  });

  it('can be navigated by keyboard', async () => {
    await using opened = await openPage(browser, report);
    const { page, problems } = opened;
    const focused = () => page.evaluate(() => document.activeElement?.textContent);
    const press = async (...keys: string[]) => {
      for (const key of keys) await page.keyboard.press(key);
    };
    await press('Tab');
    expect(await focused()).toBe('Skip to the cases');
    await press('Enter');
    expect(await page.evaluate(() => document.activeElement?.tagName)).toBe('MAIN');
    await press('j', 'j');
    await expect.poll(focused).toBe('crash');
    await press('k');
    await expect.poll(focused).toBe('book a table/für zwei');
    await press('J');
    await expect.poll(focused).toBe('crash');
    await press('Enter');
    await expect.poll(focused).toBe('crash');
    expect(await page.evaluate(() => document.activeElement?.tagName)).toBe('H1');
    await press('j');
    await expect.poll(() => page.locator('h1').innerText()).toBe('simulated guest');
    await press('k', 'k');
    await expect.poll(() => page.locator('h1').innerText()).toBe('book a table/für zwei');
    await press('Escape');
    await expect.poll(focused).toBe('book a table/für zwei');
    await press('/');
    expect(await page.evaluate(() => document.activeElement?.id)).toBe('search');
    await page.keyboard.type('jnp?');
    await expect.poll(() => page.locator('.rows .row').count()).toBe(0);
    await press('Escape', '?');
    expect(await page.getByRole('dialog').innerText()).toContain('next and previous case that did not pass');
    await page.getByLabel('Single keys are on').uncheck();
    await press('Escape', '?');
    expect(await page.getByRole('dialog').count()).toBe(0);
    expect(problems).toEqual([]);
  });

  it('handles keys that are pressed faster than it draws', async () => {
    await using opened = await openPage(browser, report);
    const { page, problems } = opened;
    const walk = (keys: string) =>
      page.evaluate(async (all) => {
        for (const key of all) {
          dispatchEvent(new KeyboardEvent('keydown', { key }));
          // Waits long enough for the page to handle the key, but not for a frame.
          await new Promise((resolve) => setTimeout(resolve, 0));
        }
        return document.activeElement?.textContent;
      }, keys);
    expect(await walk('JJJ')).toBe(listed[2]!.result.caseId);
    expect(await walk('KKJJJKJ')).toBe(listed[3]!.result.caseId);
    await page.locator('.rows .row .case a').first().click();
    await walk('JJKJ');
    expect(await page.locator('h1').innerText()).toBe(listed[2]!.result.caseId);
    // The help receives Escape even before it is drawn.
    await page.evaluate(async () => {
      const { port1, port2 } = new MessageChannel();
      for (const key of ['?', 'Escape']) {
        dispatchEvent(new KeyboardEvent('keydown', { key }));
        await new Promise((next) => {
          port1.onmessage = next;
          port2.postMessage(null);
        });
      }
    });
    await page.getByRole('dialog').waitFor();
    expect(await page.locator('h1').innerText()).toBe(listed[2]!.result.caseId);
    await page.keyboard.press('Escape');
    await expect.poll(() => page.locator('dialog').count()).toBe(0);
    await page.keyboard.press('Escape');
    await expect.poll(() => page.evaluate(() => document.activeElement?.textContent)).toBe(listed[2]!.result.caseId);
    expect(problems).toEqual([]);
  });

  it('loses no key and no click that comes before it has drawn', async () => {
    await using opened = await openPage(browser, report);
    const { page, problems } = opened;
    const hash = () => new URL(page.url()).hash;
    // Each letter is typed just after the search for the previous one has run, before it is drawn.
    const typed = await page.evaluate(async () => {
      const field = document.querySelector<HTMLInputElement>('#search')!;
      const type = (text: string) => {
        field.value = text;
        field.dispatchEvent(new InputEvent('input', { bubbles: true }));
      };
      const rows = () => document.querySelectorAll('.rows .row').length;
      const all = rows();
      type('l');
      const { port1, port2 } = new MessageChannel();
      for (let tries = 0; rows() === all && tries < 1e6; tries += 1) {
        await new Promise((next) => {
          port1.onmessage = next;
          port2.postMessage(null);
        });
      }
      type('la');
      await new Promise((next) => setTimeout(next, 0));
      return field.value;
    });
    expect(typed).toBe('la');
    await expect.poll(hash).toBe('#/?search=la');
    // A click during the delay after which a search starts.
    await page.evaluate(async () => {
      const field = document.querySelector<HTMLInputElement>('#search')!;
      field.value = 'lamp';
      field.dispatchEvent(new InputEvent('input', { bubbles: true }));
      await new Promise((next) => setTimeout(next, 0));
      document.querySelector<HTMLElement>('.chip.passed')!.click();
    });
    await expect.poll(hash).toBe('#/?verdict=passed&search=lamp');
    expect(problems).toEqual([]);
  });

  it('moves from the search to its first result, but only on request', async () => {
    await using opened = await openPage(browser, report);
    const { page, problems } = opened;
    const focused = () => page.evaluate(() => document.activeElement?.id || document.activeElement?.textContent);
    const rows = () => page.locator('.rows .row').count();
    // The grid disappears and reappears while the user types below.
    await page.keyboard.press('j');
    await expect.poll(focused).toBe('book a table/für zwei');
    await page.keyboard.press('/');
    await page.keyboard.type('bookz');
    await expect.poll(rows).toBe(0);
    await page.keyboard.press('Backspace');
    await expect.poll(rows).toBe(1);
    expect(await focused()).toBe('search');
    // That row is already active.
    await page.keyboard.press('Enter');
    await expect.poll(focused).toBe('book a table/für zwei');
    await page.keyboard.press('/');
    await page.keyboard.press('Escape');
    await page.keyboard.press('j');
    await expect.poll(focused).toBe('book a table/für zwei');
    // Enter does not wait for the delay, but has no effect while a word is still being composed.
    await page.keyboard.press('/');
    await page.locator('#search').fill('lamp');
    await page.evaluate(() => {
      const enter = new KeyboardEvent('keydown', { key: 'Enter', bubbles: true, isComposing: true });
      document.activeElement?.dispatchEvent(enter);
    });
    await expect.poll(rows).toBe(1);
    expect(await focused()).toBe('search');
    await page.locator('#search').fill('crash');
    await page.evaluate(() => {
      document.activeElement?.dispatchEvent(new KeyboardEvent('keydown', { key: 'Enter', bubbles: true }));
    });
    await expect.poll(focused).toBe('crash');
    expect(problems).toEqual([]);
  });

  it('does not hide a focused row behind its header', async () => {
    const some = await writeReport(await longRun(300), join(folder, 'head.html'));
    await using opened = await openPage(browser, some, { viewport: { width: 760, height: 700 } });
    const { page, problems } = opened;
    await page.evaluate(() => scrollTo(0, 6000));
    await drawn(page);
    await page.locator('.rows .row .case a').nth(12).focus();
    for (let key = 0; key < 15; key += 1) await page.keyboard.press('ArrowUp');
    await drawn(page);
    const edges = await page.evaluate(() => ({
      row: document.activeElement?.closest('.row')?.getBoundingClientRect().top,
      head: document.querySelector('.grid-head')?.getBoundingClientRect().bottom,
    }));
    expect(edges.row).toBeGreaterThanOrEqual(edges.head!);
    expect(edges.row).toBeLessThan(350);
    expect(problems).toEqual([]);
  });

  it('scrolls to a turn again when it is requested again', async () => {
    await using opened = await openPage(browser, report + BOOKING);
    const { page, problems } = opened;
    const focused = () => page.evaluate(() => document.activeElement?.id);
    for (let round = 0; round < 2; round += 1) {
      await page.locator('.strip button').nth(1).click();
      await expect.poll(focused).toBe('turn-2');
      await page.evaluate(() => document.querySelector('h1')?.focus());
    }
    expect(problems).toEqual([]);
  });

  it.each(['a text', 'an address'])('works in a sandboxed frame that is created as %s', async (kind) => {
    const context = await browser.newContext(DESKTOP);
    const page = await context.newPage();
    const html = readFileSync(fileURLToPath(report), 'utf8');
    await page.setContent('<iframe sandbox="allow-scripts" width="1200" height="700"></iframe>');
    await page.locator('iframe').evaluate(
      (frame: HTMLIFrameElement, [text, asText]) => {
        if (asText) frame.srcdoc = text;
        else frame.src = `data:text/html;charset=utf-8,${encodeURIComponent(text)}`;
      },
      [html, kind === 'a text'] as const,
    );
    const frame = page.frameLocator('iframe');
    const title = () => frame.locator('h1').innerText({ timeout: 5000 });
    for (let round = 0; round < 2; round += 1) {
      await frame.getByRole('link', { name: 'ไทย' }).click();
      await expect.poll(title).toBe('ไทย');
      await page.keyboard.press('J');
      await expect.poll(title).toBe('lamp');
      if (round === 0) await page.keyboard.press('Escape');
      else await frame.getByRole('link', { name: 'All cases' }).click();
      await expect.poll(() => frame.locator('.rows .row').count()).toBe(cases.length);
    }
    await context.close();
  });

  it.each([
    ['in light', { ...DESKTOP, colorScheme: 'light' }],
    ['in dark', { ...DESKTOP, colorScheme: 'dark' }],
    ['on a phone', PHONE],
  ] as const)('is accessible %s', async (_name, options) => {
    await using opened = await openPage(browser, report, options);
    const { page, problems } = opened;
    for (const hash of [
      '#/',
      '#/?search=table',
      BOOKING,
      '#/case/concierge/crash',
      '#/case/concierge/simulated%20guest',
    ]) {
      await lead(page, report + hash);
      await page.waitForSelector(hash.startsWith('#/case') ? '.why' : '.rows');
      await unfoldAll(page);
      expect([hash, ...(await accessibilityProblems(page))]).toEqual([hash]);
      expect([hash, await sidewaysScroll(page)]).toEqual([hash, 0]);
    }
    await page.getByRole('button', { name: 'Help' }).click();
    expect(await accessibilityProblems(page)).toEqual([]);
    expect(problems).toEqual([]);
  });

  it.each(['light', 'dark'] as const)('changes from the %s to the chosen scheme', async (colorScheme) => {
    await using opened = await openPage(browser, report, { ...DESKTOP, colorScheme });
    const paper = () => opened.page.evaluate(() => getComputedStyle(document.documentElement).backgroundColor);
    const papers = { light: 'rgb(255, 255, 255)', dark: 'rgb(22, 24, 29)' };
    expect(await paper()).toBe(papers[colorScheme]);
    for (const chosen of ['light', 'dark'] as const) {
      await opened.page.getByRole('button', { name: 'Theme' }).click();
      await expect.poll(paper).toBe(papers[chosen]);
    }
  });

  it('does not let anything written by agents, judges and authors run, load or navigate', async () => {
    const hostile = await writeReport(await hostileRun(), join(folder, 'hostile.html'));
    for (const size of [DESKTOP, PHONE]) {
      await using opened = await openPage(browser, hostile, size);
      const { page, problems } = opened;
      const inert = async () => {
        await unfoldAll(page, '');
        const found = await page.evaluate(() => ({
          canary: 'canary' in window,
          polluted: 'polluted' in {},
          strangers: document.querySelectorAll(
            'iframe, object, embed, link, base, form:not([method=dialog]), svg [onload], [onerror], [onload], meta[http-equiv=refresh]',
          ).length,
          scripts: document.querySelectorAll('script:not([type="application/json"])').length,
          styles: document.querySelectorAll('style').length,
          links: [...document.querySelectorAll('a')].filter((link) => !link.getAttribute('href')?.startsWith('#'))
            .length,
          images: [...document.querySelectorAll('img')].filter(({ src }) => !src.startsWith('data:image/png;base64,'))
            .length,
        }));
        expect(found).toEqual({
          canary: false,
          polluted: false,
          strangers: 0,
          scripts: 1,
          styles: 1,
          links: 0,
          images: 0,
        });
        expect(await sidewaysScroll(page)).toBe(0);
      };
      await inert();
      await page.locator('.grid').scrollIntoViewIfNeeded();
      await page.waitForSelector('.rows .row');
      const addresses = await page
        .locator('.rows .row .case a')
        .evaluateAll((links) => links.map((link) => (link as HTMLAnchorElement).href));
      expect(addresses).toHaveLength(cases.length);
      for (const address of addresses) {
        await lead(page, address);
        await page.waitForSelector('.why');
        await inert();
      }
      expect(problems).toEqual([]);
    }
  });

  it('opens ten thousand cases using only their index, and keeps few of them in the page', async () => {
    const many = await writeReport(await longRun(10_000), join(folder, 'long.html'));
    await using opened = await openPage(browser, many);
    const { page } = opened;
    // Counts how much of the file is parsed.
    await page.addInitScript(() => {
      const counted = globalThis as typeof globalThis & { parsed: number[] };
      counted.parsed = [];
      const { parse } = JSON;
      JSON.parse = (text, ...more) => {
        counted.parsed.push(text.length);
        return parse(text, ...more);
      };
    });
    const parsed = () => page.evaluate(() => (globalThis as typeof globalThis & { parsed: number[] }).parsed);
    const sizes = (ids: string[]) =>
      page.evaluate((all) => all.map((id) => document.getElementById(id)?.textContent?.length), ids);
    await page.reload();
    await page.waitForSelector('.rows');
    await page.waitForFunction(() => document.readyState === 'complete');
    expect(await parsed()).toEqual(await sizes(['run-index', 'licences']));
    const elements = () => page.evaluate(() => document.querySelectorAll('#app *').length);
    expect(await elements()).toBeLessThan(1500);
    expect(await page.locator('.shown').innerText()).toBe('10,000 cases');
    // Scroll far down; the rows are drawn within the next frames.
    for (const share of [0.5, 1]) {
      await page.evaluate((to) => scrollTo(0, document.documentElement.scrollHeight * to), share);
      await page.evaluate(() => new Promise((next) => requestAnimationFrame(() => requestAnimationFrame(next))));
      expect(await page.locator('.rows .row').count()).toBeLessThan(60);
      expect(await elements()).toBeLessThan(1500);
    }
    const before = (await parsed()).length;
    const last = page.locator('.rows .row').last();
    const id = await last.locator('.case a').innerText();
    const place = Number(id.replace(/\D/g, '')) - 1;
    await last.locator('.case a').click();
    await page.waitForSelector('.why');
    // Only that case has been parsed.
    expect((await parsed()).slice(before)[0]).toEqual((await sizes([`case-${place}`]))[0]);
    expect((await parsed()).slice(before).filter((size) => size > 1000)).toHaveLength(1);
    await page.goBack();
    await page.waitForSelector('.rows');
    expect(await page.getByText(id).isVisible()).toBe(true);
    await page.getByRole('searchbox').fill('case 04321');
    await expect.poll(() => page.locator('.rows .row').count()).toBe(1);
    expect(opened.problems).toEqual([]);
  });

  it('restores the list as it was left', async () => {
    const some = await writeReport(await longRun(300), join(folder, 'left.html'));
    await using opened = await openPage(browser, some);
    const { page, problems } = opened;
    const scrolled = () => page.evaluate(() => Math.round(scrollY));
    await page.evaluate(() => scrollTo(0, 5000));
    await drawn(page);
    const name = await page.locator('.rows .row .case a').nth(12).innerText();
    const from = await scrolled();
    for (const back of [() => page.keyboard.press('Escape'), () => page.goBack()]) {
      await page.getByRole('link', { name, exact: true }).click();
      await expect.poll(() => page.locator('h1').innerText()).toBe(name);
      await back();
      await page.waitForSelector('.rows');
      await drawn(page);
      expect(Math.abs((await scrolled()) - from)).toBeLessThanOrEqual(1);
      expect(await page.evaluate(() => document.activeElement?.textContent)).toBe(name);
    }
    expect(problems).toEqual([]);
  });

  it('explains a failed case above the fold: failed criteria are open, the others on one line', async () => {
    await using opened = await openPage(browser, report + BOOKING);
    const { page, problems } = opened;
    expect(await page.locator('.criterion').evaluateAll((all) => all.map(({ className }) => className))).toEqual([
      'criterion failed',
      'criterion failed',
      'criterion not-evaluated',
      'fold criterion informational',
    ]);
    const bottom = await page
      .locator('#turn-1 .columns')
      .first()
      .evaluate((answers) => answers.getBoundingClientRect().bottom);
    expect(bottom).toBeLessThan(800);
    await page.locator('.fold.criterion > summary').focus();
    await page.keyboard.press('Enter');
    await expect.poll(() => page.locator('.fold.criterion .strip button').count()).toBe(4);
    expect(problems).toEqual([]);
  });

  it('opens all folds of a case at once, and shows all cases again', async () => {
    await using opened = await openPage(browser, `${report}#/?verdict=failed`);
    const { page, problems } = opened;
    expect(await page.locator('.rows .row').count()).toBe(1);
    await page.getByRole('button', { name: 'Show all' }).click();
    await expect.poll(() => page.locator('.rows .row').count()).toBe(cases.length);
    await page.locator('.rows .row .case a').first().click();
    await page.getByRole('button', { name: 'Unfold all' }).click();
    await page.locator('#turn-1 .trace li').nth(3).waitFor();
    expect(await page.locator('main > .criteria > details:not([open])').count()).toBe(0);
    expect(await page.locator('.raw > details[open]').count()).toBe(0);
    expect(problems).toEqual([]);
  });

  it("copies a case's name, content, command to run it again, and messages", async () => {
    await using opened = await openPage(browser, report + BOOKING);
    const { page, problems } = opened;
    const copied = await copiedBy(page);
    const menu = page.locator('.menu > summary');
    await menu.click();
    expect(await copied('Copy id')).toBe('book a table/für zwei');
    expect(await copied('Copy command')).toBe(
      'npx agent-criteria eval examples/concierge "evals/concierge.evalset.json:book a table/für zwei" --config-file-path evals/test_config.json --num-runs 2',
    );
    const kept = await page.locator('#case-0').textContent();
    expect(JSON.parse(await copied('Copy JSON'))).toEqual(JSON.parse(kept ?? ''));
    // Escape closes the menu only, and leaves the focus on it.
    await page.keyboard.press('Escape');
    expect(await page.getByRole('button', { name: 'Copy id' }).count()).toBe(0);
    expect(await menu.evaluate((own) => own === document.activeElement)).toBe(true);
    expect(await copied('Copy the actual answer')).toBe('Booked: Friday, 19:30, two people.');
    expect(await copied('Copy the expected answer')).toBe('Your table is booked: Friday, 20:00, two people.');
    expect(await copied('Copy the message of the user')).toBe('Book a table for two in Zürich on Friday');
    expect(await page.getByText('Copied').count()).toBeGreaterThan(0);
    expect(problems).toEqual([]);
  });

  it('copies even if the browser provides no clipboard', async () => {
    await using opened = await openPage(browser, report + BOOKING);
    const { page, problems } = opened;
    await page.evaluate(() => Object.defineProperty(navigator, 'clipboard', { value: undefined }));
    await page.locator('.menu > summary').click();
    await page.getByRole('button', { name: 'Copy id' }).click();
    await expect.poll(() => page.getByText('Copied').count()).toBe(1);
    // Closes the menu, and then the case.
    await page.keyboard.press('Escape');
    await page.keyboard.press('Escape');
    await page.getByRole('searchbox').focus();
    await page.keyboard.press('ControlOrMeta+v');
    await expect.poll(() => page.getByRole('searchbox').inputValue()).toBe('book a table/für zwei');
    expect(problems).toEqual([]);
  });

  it('shows no command for a text that a shell could interpret', async () => {
    const address = await writeReport(await hostileRun(), join(folder, 'hostile-command.html'));
    await using opened = await openPage(browser, address);
    const { page, problems } = opened;
    await page.locator('.grid').scrollIntoViewIfNeeded();
    await lead(
      page,
      (await page
        .locator('.rows .case a')
        .first()
        .evaluate((link: HTMLAnchorElement) => link.href)) ?? '',
    );
    await page.locator('.menu > summary').click();
    await page.getByRole('button', { name: 'Copy id' }).waitFor();
    expect(await page.getByRole('button', { name: 'Copy command' }).count()).toBe(0);
    expect(problems).toEqual([]);
  });

  it('starts with the cases, with the facts about the run on a line above', async () => {
    await using opened = await openPage(browser, report);
    const { page, problems } = opened;
    const top = () => page.locator('.grid').evaluate((grid) => grid.getBoundingClientRect().top);
    expect(await top()).toBeLessThan(340);
    expect(await page.locator('.about > summary').textContent()).toContain('examples/concierge');
    await page.getByText('2 warnings').click();
    expect(await page.locator('.banner li').count()).toBe(2);
    // A row's second line shows what its columns do not.
    expect(await page.locator('.rows .row .case small').first().innerText()).toMatch(/· Call 1, find_table/);
    expect(problems).toEqual([]);
  });

  it('highlights matches of the search in place', async () => {
    await using opened = await openPage(browser, report);
    const { page, problems } = opened;
    const marks = () => page.locator('.rows mark').allInnerTexts();
    await page.getByRole('searchbox').fill('TABLE für');
    await expect.poll(marks).toEqual(['table', 'für', 'table']);
    // The beginning of a conversation is shown only if it matches, and pattern characters are searched literally.
    await page.getByRole('searchbox').fill('friday');
    await expect
      .poll(() => page.locator('.rows .case small').allInnerTexts())
      .toEqual(['0/2 passed, 1 answer · Book a table for two in Zürich on Friday']);
    await page.getByRole('searchbox').fill('(two');
    await expect.poll(() => page.locator('.rows .row').count()).toBe(0);
    expect(problems).toEqual([]);
  });

  it('shows and sorts by the tokens of cases, and marks where there were more', async () => {
    await using opened = await openPage(browser, report);
    const { page, problems } = opened;
    const rows = async () =>
      (await page.locator('.rows .row .time').allInnerTexts()).map((text) => text.replace(/\s+/g, ' '));
    // Each of the two repeats has 180 input and 30 output tokens, and one call that did not end.
    expect(await rows()).toEqual(['3.2 s over 420 tokens', ...Array.from({ length: 6 }, () => '3.2 s')]);
    await page.getByLabel('Order').selectOption('Most tokens first');
    expect(new URL(page.url()).hash).toBe('#/?sort=tokens');
    const judged = await writeReport(judgedRun(), join(folder, 'tokens.html'));
    await lead(page, judged);
    expect(await page.locator('.rows .row .time small').allInnerTexts()).toEqual(['440 tokens', '880 tokens']);
    await page.getByLabel('Order').selectOption('Most tokens first');
    expect(await page.locator('.rows .row .time small').allInnerTexts()).toEqual(['880 tokens', '440 tokens']);
    expect(problems.filter((problem) => !problem.startsWith('request: '))).toEqual([]);
  });

  it('navigates to a turn by its title, and between turns with keys', async () => {
    await using opened = await openPage(browser, report + BOOKING);
    const { page, problems } = opened;
    const focused = () => page.evaluate(() => document.activeElement?.id);
    await page.getByRole('link', { name: 'Turn 2', exact: true }).click();
    await expect.poll(focused).toBe('turn-2');
    expect(new URL(page.url()).hash).toBe(`${BOOKING}?turn=2`);
    await page.keyboard.press('p');
    await expect.poll(focused).toBe('turn-1');
    for (const key of ['n', 'n', 'n']) await page.keyboard.press(key);
    await expect.poll(focused).toBe('turn-2');
    expect(new URL(page.url()).hash).toBe(`${BOOKING}?turn=2`);
    expect(problems).toEqual([]);
  });

  it('renders the Markdown of answers without loading or running anything, and shows the raw text instead', async () => {
    const text = [
      '# Booked\n\n- **two** seats\n- [x] paid\n\n| a | b |\n|---|---|\n| 1 | `2` |\n',
      '![chart](https://example.com/a.png) [run](javascript:alert(1)) <img src=x onerror=alert(1)>',
    ].join('\n');
    const run = changeCases(sample, (one) => ({
      ...one,
      evalCase: { ...one.evalCase, conversation: null },
      inferences: one.inferences.map((each) => ({
        ...each,
        inference: {
          ...each.inference,
          invocations: each.inference.invocations.map((turn) => ({
            ...turn,
            finalResponse: { role: 'model', parts: [{ text }] },
          })),
        },
      })),
    }));
    const address = await writeReport(run, join(folder, 'markdown.html'));
    await using opened = await openPage(browser, address + BOOKING);
    const { page, problems } = opened;
    const answer = page.locator('.actual').first();
    await answer.locator('.md td').first().waitFor();
    expect(await answer.locator('strong').allInnerTexts()).toEqual(['two']);
    expect(await answer.locator('img, a').count()).toBe(0);
    await answer.getByText('chart https://example.com/a.png').waitFor();
    expect(await accessibilityProblems(page)).toEqual([]);
    await answer.getByRole('button', { name: 'Raw text of the actual answer' }).press('Enter');
    await answer.getByText('# Booked').waitFor();
    expect(problems).toEqual([]);
  });

  it('states each reason only once', async () => {
    const judged = await writeReport(judgedRun(), join(folder, 'once.html'));
    for (const [address, reason] of [
      [report + BOOKING, 'Call 1, find_table'],
      [`${judged}#/case/hotel/breakfast`, 'Eleven is not ten, and the price is left out.'],
      [`${report}#/case/concierge/crash`, 'Division by zero'],
    ] as const) {
      await using opened = await openPage(browser, address);
      const text = await opened.page.locator('main').innerText();
      expect([reason, text.split(reason).length - 1]).toEqual([reason, 1]);
      expect(opened.problems).toEqual([]);
    }
  });

  it('uses red and green only for verdicts', async () => {
    await using opened = await openPage(browser, report + BOOKING);
    const { page } = opened;
    const colours = (selector: string) =>
      page.locator(selector).evaluateAll((all) => [...new Set(all.map((one) => getComputedStyle(one).color))]);
    const verdicts = [...(await colours('.icon.passed')), ...(await colours('.icon.failed'))];
    expect(verdicts).toHaveLength(2);
    const others = [
      ...(await colours('ins')),
      ...(await colours('del')),
      ...(await colours('.sign')),
      ...(await colours('.word')),
    ];
    expect(others.length).toBeGreaterThan(1);
    for (const colour of others) expect(verdicts).not.toContain(colour);
  });

  it('shows a trace that can be navigated by keyboard', async () => {
    await using opened = await openPage(browser, report + BOOKING);
    const { page, problems } = opened;
    await page.getByText('Trace: 1 model call, 2 tool calls').first().click();
    const steps = page.locator('#turn-1 .trace li');
    await steps.nth(3).waitFor();
    const texts = (await steps.allInnerTexts()).map((text) => text.replace(/\s+/g, ' ').trim());
    expect(texts).toEqual([
      'agent host after 0 ms, 1.3 s',
      'model gemini after 10 ms, 790 ms 180 tokens in, 30 out',
      'tool find_table after 810 ms, 390 ms',
      'tool send_mail after 1.2 s, 30 ms failed',
    ]);
    const bar = (step: number) =>
      steps
        .nth(step)
        .locator('.bar')
        .evaluate((one) => {
          const { left, right } = one.getBoundingClientRect();
          const track = one.parentElement!.getBoundingClientRect();
          return [left, right].map((edge) => Math.round(((edge - track.left) / track.width) * 1250));
        });
    for (const [step, [from, to]] of [
      [0, 1250],
      [10, 800],
      [810, 1200],
      [1210, 1240],
    ].entries()) {
      const [left, right] = await bar(step);
      expect(Math.abs(left! - from!)).toBeLessThan(15);
      expect(Math.abs(right! - to!)).toBeLessThan(15);
    }
    await steps.nth(1).locator('summary').focus();
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('Enter');
    await expect.poll(() => steps.nth(3).innerText()).toContain('The mail server does not answer.');
    // An unfinished span has no time, and one without token counts shows none.
    await page.locator('#turn-2 .trace > summary').click();
    const open = page.locator('#turn-2 .trace li');
    await open.waitFor();
    expect((await open.innerText()).replace(/\s+/g, ' ')).toContain('model gemini after 0 ms, did not end');
    expect(await page.locator('#turn-2 .trace').innerText()).not.toMatch(/token|\b0\b(?! ms)/);
    expect(problems).toEqual([]);
  });

  it('fits a phone: readable criteria, buttons on the grid, short cases', async () => {
    const judged = await writeReport(judgedRun(), join(folder, 'phone.html'));
    await using opened = await openPage(browser, report, { viewport: { width: 390, height: 800 } });
    const { page, problems } = opened;
    const names = page.locator('.rows .row').first().locator('.score .name');
    expect(await names.allInnerTexts()).toEqual(['tool trajectory', 'response match', 'tone', 'answer length']);
    for (const name of await names.all())
      expect(await name.evaluate((one) => one.scrollWidth - one.clientWidth)).toBe(0);
    const edges = await page.evaluate(() => {
      const box = (selector: string) => document.querySelector(selector)!.getBoundingClientRect();
      const words = document.createRange();
      words.selectNodeContents(document.querySelector('.tools button:last-child')!);
      return {
        words: words.getBoundingClientRect().right,
        grid: box('.grid').right,
        title: box('h1'),
        tools: box('.tools'),
      };
    });
    expect(Math.abs(edges.words - edges.grid)).toBeLessThanOrEqual(1);
    expect(edges.tools.top).toBeLessThan(edges.title.bottom);
    expect(problems).toEqual([]);
    await using short = await openPage(browser, `${judged}#/case/hotel/breakfast`, {
      viewport: { width: 390, height: 800 },
    });
    expect(await short.page.evaluate(() => document.documentElement.scrollHeight)).toBeLessThan(2400);
    expect(short.problems).toEqual([]);
  });

  it('mentions missing data: an unfinished run, a run that judged nothing, a truncated file', async () => {
    const unfinished = { ...sample, info: { ...sample.info, endedAt: null, units: { total: 20, finished: 14 } } };
    const nothing = {
      ...unfinished,
      summary: { ...sample.summary, verdict: 'informational', nothingJudged: true },
    } as const;
    const address = await writeReport(nothing, join(folder, 'nothing.html'));
    await using opened = await openPage(browser, address);
    const banners = await opened.page.locator('.banner').allInnerTexts();
    expect(banners.join('\n')).toMatch(/Nothing was judged[\s\S]+Unfinished run\. 14 of 20 conversations/);
    expect(await accessibilityProblems(opened.page)).toEqual([]);

    const whole = readFileSync(fileURLToPath(report), 'utf8');
    const cutOff = join(folder, 'cut-off.html');
    writeFileSync(cutOff, whole.slice(0, whole.indexOf('id="case-1"') + 400));
    await using short = await openPage(browser, pathToFileURL(cutOff).href);
    expect(await short.page.locator('.rows .row').count()).toBe(cases.length);
    await short.page.getByText('lamp', { exact: true }).click();
    expect(await short.page.locator('main').innerText()).toContain('it seems to be truncated');
    expect(short.problems).toEqual([]);
  });

  it('prints every row, up to a thousand, and mentions the limit', async () => {
    for (const [length, printed, note] of [
      [300, 300, []],
      [1300, 1000, ['The first 1,000 of 1,300 cases are printed. Filter the list to print others.']],
    ] as const) {
      const some = await writeReport(await longRun(length), join(folder, `print-${length}.html`));
      await using opened = await openPage(browser, some);
      const { page } = opened;
      const rows = () => page.locator('.rows .row').count();
      await page.evaluate(() => dispatchEvent(new Event('beforeprint')));
      expect(await rows()).toBe(printed);
      expect(await page.locator('.grid > .note').allInnerTexts()).toEqual(note);
      await page.evaluate(() => dispatchEvent(new Event('afterprint')));
      expect(await rows()).toBeLessThan(60);
      // Some browsers print without an event beforehand, and only change the medium.
      await page.emulateMedia({ media: 'print' });
      await expect.poll(rows).toBe(printed);
      await page.emulateMedia({ media: 'screen' });
      await expect.poll(rows).toBeLessThan(60);
      expect(opened.problems).toEqual([]);
    }
  });

  it.each([700, 1000])('prints rows unbroken and dark on white, on paper %s pixels wide', async (width) => {
    await using opened = await openPage(browser, report, { viewport: { width: 1280, height: 800 } });
    const { page, problems } = opened;
    for (const theme of ['light', 'dark']) {
      await page.getByRole('button', { name: 'Theme' }).click();
      await expect.poll(() => page.evaluate(() => document.documentElement.dataset.theme)).toBe(theme);
    }
    // The browser first announces printing, and then lays the page out.
    await page.evaluate(() => dispatchEvent(new Event('beforeprint')));
    await page.emulateMedia({ media: 'print' });
    await page.locator('#app').evaluate((app, most) => app.style.setProperty('max-width', `${most}px`), width);
    const paper = await page.evaluate(() => {
      const style = getComputedStyle(document.documentElement);
      return [style.color, style.backgroundColor];
    });
    expect(paper).toEqual(['rgb(27, 31, 39)', 'rgb(255, 255, 255)']);
    const boxes = await page.locator('.rows .row').evaluateAll((rows) =>
      rows.map((row) => ({
        row: row.getBoundingClientRect().toJSON() as DOMRect,
        cells: [...row.children].map((cell) => cell.getBoundingClientRect().toJSON() as DOMRect),
      })),
    );
    const sheet = await page.locator('.grid').evaluate((grid) => grid.getBoundingClientRect().right);
    for (const [place, { row, cells }] of boxes.entries()) {
      expect(row.top).toBeGreaterThanOrEqual(boxes[place - 1]?.row.bottom ?? 0);
      expect(Math.max(...cells.map(({ right }) => right))).toBeLessThanOrEqual(sheet);
      expect(Math.min(...cells.map(({ top }) => top))).toBeGreaterThanOrEqual(row.top);
      expect(Math.max(...cells.map(({ bottom }) => bottom))).toBeLessThanOrEqual(row.bottom);
    }
    expect(problems).toEqual([]);
  });
});
